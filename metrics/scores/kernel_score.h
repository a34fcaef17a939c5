/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The score of Bach and Jordan: the mutual information of a column and its parents, Gaussian in the feature space of a
 * kernel, less half a log n for each pair of features. For continuous, discrete and mixed data. Score kind "kgv".
 */
#ifndef BNB_METRICS_SCORES_KERNEL_SCORE_H
#define BNB_METRICS_SCORES_KERNEL_SCORE_H

#include "metrics/numerics/kernel_features.h"
#include "metrics/scores/score.h"

/** Its options are a kernel_options. */
extern const score_kind score_kgv;

typedef struct kernel_score kernel_score;

/** Of columns of `data`, which is not kept. As kernel_correlation_create, whose cost this is. */
BNB_MUST_CHECK status kernel_score_create(const dataset *data, const kernel_options *options, const run_context *ctx,
                                          kernel_score **out, error_info *err);
void kernel_score_destroy(kernel_score *s); /* NULL is fine */
AUTO_PTR_OF(kernel_score, kernel_score_destroy)

/**
 * I(x; A) = -1/2 log( |R_{x+A}| / |R_A| ), in nats, for the set A of n_parents distinct columns other than x; their
 * order does not matter. 0 for a constant x, and for no parents.
 * O(d_A^2 (d_x + d_a)) where the last call had all of A but a; determinants are kept by set.
 */
BNB_MUST_CHECK status kernel_score_information(kernel_score *s, size_t x, const size_t *parents, size_t n_parents,
                                               double *out, error_info *err);

/**
 * -J(x, A) = n I(x; A) - d_A d_x / 2 log n: larger is better. Markov equivalent DAGs score alike: the determinants
 * telescope, and the penalty is one of each edge.
 * Source: Bach and Jordan 2003, sec. 4; Fu 2005 (master's thesis, Vanderbilt University), III.3.1.
 */
BNB_MUST_CHECK status kernel_score_node(kernel_score *s, size_t x, const size_t *parents, size_t n_parents, double *out,
                                        error_info *err);

#endif
