/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Determinants of the correlations R_A of sets A of columns, by a Cholesky factor that grows and shrinks at its end:
 * for sets that differ in one column only that column's block is new.
 */
#ifndef BNB_METRICS_NUMERICS_GROWING_FACTOR_INTERNAL_H
#define BNB_METRICS_NUMERICS_GROWING_FACTOR_INTERNAL_H

#include "metrics/numerics/kernel_features.h"

typedef struct growing_factor growing_factor;

/** On correlations that outlive it. */
BNB_MUST_CHECK status growing_factor_create(const kernel_correlation *r, growing_factor **out, error_info *err);
void growing_factor_destroy(growing_factor *f); /* NULL is fine */
AUTO_PTR_OF(growing_factor, growing_factor_destroy)

/**
 * log |R_A| for a set of n distinct columns. The factor keeps its longest start that lies in A and appends the rest of
 * A, what it held before first; so of sets B + a, B + b, ... each but the first two cost O(d_B^2 d_a).
 * @return STATUS_INVALID: R_A is not positive definite, to the precision of a double
 */
BNB_MUST_CHECK status growing_factor_log_determinant(growing_factor *f, const size_t *columns, size_t n, double *out,
                                                     error_info *err);

#endif
