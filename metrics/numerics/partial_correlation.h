/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Correlations of two columns given others. */
#ifndef BNB_METRICS_NUMERICS_PARTIAL_CORRELATION_H
#define BNB_METRICS_NUMERICS_PARTIAL_CORRELATION_H

#include "metrics/numerics/gaussian_moments.h"

/** What it takes to compute them one after the other. One a thread. */
typedef struct partial_correlation partial_correlation;

/** `moments` is borrowed. */
BNB_MUST_CHECK status partial_correlation_create(const gaussian_moments *moments, partial_correlation **out,
                                                 error_info *err);
void partial_correlation_destroy(partial_correlation *c); /* NULL is fine */
AUTO_PTR_OF(partial_correlation, partial_correlation_destroy)

/**
 * The correlation of x and y given z, columns that are all distinct: by the Cholesky factor of their correlations, x
 * and y last. O(n_z^3), but O(n_z^2) where z is as in the call before, and O(n_z) where y is too; of a set that begins
 * as the one before, that part of the factor stays. Depends on nothing but its arguments.
 *
 * A column of whose variance the others of z leave less than 1e-10 adds nothing to them, and is passed over; so little
 * left of x or of y is rounding: the correlation is 0.
 *
 * @param[out] out  in [-1 + 1e-12, 1 - 1e-12]
 * @return STATUS_MEMORY
 */
BNB_MUST_CHECK status partial_correlation_get(partial_correlation *c, size_t x, size_t y, const size_t *z, size_t n_z,
                                              double *out, error_info *err);

#endif
