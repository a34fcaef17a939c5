/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The gains that are worth keeping, among the scores of a node with a family and each further node. */
#ifndef BNB_LEARNERS_GES_GES_SIFT_INTERNAL_H
#define BNB_LEARNERS_GES_GES_SIFT_INTERNAL_H

#include "learners/ges/ges_gains_internal.h"
#include "metrics/scores/high_scores.h"

/** Of the first n nodes, in their order; how many. `without`: the score of the family. `out` has room for n. */
size_t ges_sift(const double *scores, size_t n, double without, ges_gain *out);

/** The same of the high scores that are listed, and of bounds. */
size_t ges_sift_high(const high_score *scores, size_t n, double without, ges_gain *out);

/** Leaves those of the gains that come first, `most` or up to twice as many, which are not worth telling apart; how
 * many into `*n`. What none of the others passes, or 0. */
double ges_sift_out(ges_gain *gains, size_t most, size_t *n);

#endif
