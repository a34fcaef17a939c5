/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A positive semidefinite matrix of low rank by a few of its columns: incomplete Cholesky with symmetric pivoting. */
#ifndef BNB_METRICS_NUMERICS_INCOMPLETE_CHOLESKY_H
#define BNB_METRICS_NUMERICS_INCOMPLETE_CHOLESKY_H

#include "core/base/status.h"

/** Writes the column `pivot` of the n x n matrix K. */
typedef void (*matrix_column)(const void *matrix, size_t pivot, double *out);

/** K ~ G G'. Zero-initialise. */
typedef struct {
    size_t n_rows, rank;
    double *columns; /* G, n_rows x rank, column after column */
} low_rank_factor;

/**
 * Takes the row with the largest residual (the first of equals), subtracts what its column explains, and goes on until
 * the trace of K - G G' is at most `tolerance`, or what is left is rounding.
 *
 * @param residual   in: the diagonal of K, n_rows; out: that of K - G G'
 * @param n_rows     at most INT_MAX
 * @param max_rank   more columns than that are refused: STATUS_INVALID
 * K is never formed: O(n_rows rank^2), and `rank` of its columns. BLAS on one thread.
 * Source: Fine and Scheinberg, Journal of Machine Learning Research 2 (2001) 243-264; Bach and Jordan, Journal of
 * Machine Learning Research 3 (2002) 1-48, fig. 2.
 */
BNB_MUST_CHECK status incomplete_cholesky(const void *matrix, matrix_column column, double *residual, size_t n_rows,
                                          double tolerance, size_t max_rank, low_rank_factor *out, error_info *err);
void low_rank_factor_clear(low_rank_factor *factor);

#endif
