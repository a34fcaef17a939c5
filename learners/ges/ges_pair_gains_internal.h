/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What goes into the rows of first arcs, where they are filled. */
#ifndef BNB_LEARNERS_GES_GES_PAIR_GAINS_INTERNAL_H
#define BNB_LEARNERS_GES_GES_PAIR_GAINS_INTERNAL_H

#include "learners/ges/ges_rows_internal.h"

/** The scores of the row's node with each node before it go into the rows of both. */
BNB_MUST_CHECK status ges_pairs_take(ges_rows *r, const ges_row *row, const double *scores, error_info *err);

/** What a pair gains. */
BNB_MUST_CHECK status ges_pairs_score(const ges_rows *r, size_t a, size_t b, double *gain, error_info *err);

/** The n of r->found are what the row's node gains with each other, or bounds of it: makes them what pairs gain. */
BNB_MUST_CHECK status ges_pairs_turn(ges_rows *r, const ges_row *row, bool are_bounds, size_t *n, error_info *err);

#endif
