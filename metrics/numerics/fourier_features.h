/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Random Fourier features of columns: functions whose products are, on average, a Gaussian kernel. Rahimi, Recht 2007,
 * Random features for large-scale kernel machines, NIPS 20.
 */
#ifndef BNB_METRICS_NUMERICS_FOURIER_FEATURES_H
#define BNB_METRICS_NUMERICS_FOURIER_FEATURES_H

#include "core/base/status.h"
#include "core/data/dataset.h"

#include <stdint.h>

/** The columns of a data set as inputs: continuous ones with mean 0 and variance 1, discrete ones as a unit vector a
 * state. */
typedef struct fourier_features fourier_features;

/**
 * `data` is borrowed. Everything random comes from `seed` and the names of columns, so that neither their order nor
 * what was asked before makes a difference.
 * @return STATUS_INVALID: a value that is not finite, or too large to be squared: which, and where.
 */
BNB_MUST_CHECK status fourier_features_create(const dataset *data, uint64_t seed, fourier_features **out,
                                              error_info *err);
void fourier_features_destroy(fourier_features *f); /* NULL is fine */
AUTO_PTR_OF(fourier_features, fourier_features_destroy)

/**
 * `count` features of the columns together, one behind the other in `out` (count x n rows): cos(w'x / width + b), w
 * normal and b uniform on [0, 2 pi), the width the median distance between rows (of 256 at most, evenly spaced; 1 where
 * it is 0). Then each with mean 0 and mean square 1, or 0 where it is constant.
 *
 * @param role     draws features of their own: the same columns give others for another role
 * @param columns  distinct
 */
void fourier_features_make(fourier_features *f, const char *role, const size_t *columns, size_t n_columns, size_t count,
                           double *out);

#endif
