/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Means of continuous columns, and sums of squares and products about them: all that Gaussian
 * scores and tests read. */
#ifndef BNB_METRICS_NUMERICS_GAUSSIAN_MOMENTS_H
#define BNB_METRICS_NUMERICS_GAUSSIAN_MOMENTS_H

#include "core/base/status.h"
#include "core/data/dataset.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct gaussian_moments gaussian_moments;

/**
 * Of all columns of `data`, which must be continuous: the same on any number of threads, and on every processor that
 * has a fused multiplication and addition. O(n p^2); 8 p^2 bytes; `data` is not kept.
 * @return STATUS_INVALID: no rows, a discrete column, or a value that is not finite or too large to be squared: which,
 *         and where.
 */
BNB_MUST_CHECK status gaussian_moments_create(const dataset *data, size_t n_threads, gaussian_moments **out,
                                              error_info *err);
void gaussian_moments_destroy(gaussian_moments *m); /* NULL is fine */
AUTO_PTR_OF(gaussian_moments, gaussian_moments_destroy)

size_t gaussian_moments_row_count(const gaussian_moments *m);
size_t gaussian_moments_column_count(const gaussian_moments *m);
double gaussian_moments_mean(const gaussian_moments *m, size_t column);

/** True if all values of the column are the same, or so close that their squares vanish; all its
 * products are 0 then. */
bool gaussian_moments_is_constant(const gaussian_moments *m, size_t column);

/** The sum over rows of (x - mean x)(y - mean y), for y = 0 .. p-1. Symmetric to the last bit. */
const double *gaussian_moments_products(const gaussian_moments *m, size_t x);

/** In [-1, 1]; of a column with itself 1; with a constant column 0. */
double gaussian_moments_correlation(const gaussian_moments *m, size_t x, size_t y);

/** Every value of a continuous column is finite and can be squared; else STATUS_INVALID says which
 * is not, and where. */
BNB_MUST_CHECK status gaussian_moments_check_column(const dataset *data, size_t column, error_info *err);

#endif
