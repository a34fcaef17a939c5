/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What features of a set of columns leave of other columns' features: ridge regressions, several sets at hand. */
#ifndef BNB_METRICS_NUMERICS_FEATURE_REGRESSION_H
#define BNB_METRICS_NUMERICS_FEATURE_REGRESSION_H

#include "metrics/numerics/fourier_features.h"

/** The regressions on one data set. One a thread. */
typedef struct feature_regression feature_regression;

/**
 * @param features  borrowed; of data of n_rows
 * @param count     features of a set
 * @param n_targets features that are regressed at a time
 */
BNB_MUST_CHECK status feature_regression_create(fourier_features *features, size_t n_rows, size_t count,
                                                size_t n_targets, feature_regression **out, error_info *err);
void feature_regression_destroy(feature_regression *r); /* NULL is fine */
AUTO_PTR_OF(feature_regression, feature_regression_destroy)

/** The features of a set, factored. */
typedef struct {
    uint64_t serial; /* of no other set that is or was at hand */
    double df;       /* degrees of freedom that the features take, without the mean's */
} regression_set;

/**
 * Puts a set at hand: z ascending, not empty. Sets that were used lately are kept, in 64 MiB.
 * O(n count^2) for one that is not there.
 */
BNB_MUST_CHECK status feature_regression_turn_to(feature_regression *r, const size_t *z, size_t n_z,
                                                 regression_set *out, error_info *err);

/** Takes from the columns of `targets` (n_targets x n rows, each of mean 0) what the set at hand explains. */
void feature_regression_subtract(feature_regression *r, double *targets);

#endif
