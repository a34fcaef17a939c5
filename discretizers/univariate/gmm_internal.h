/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What `gmm` and `adaptive` share. */
#ifndef BNB_DISCRETIZERS_UNIVARIATE_GMM_INTERNAL_H
#define BNB_DISCRETIZERS_UNIVARIATE_GMM_INTERNAL_H

#include "core/base/options.h"
#include "discretizers/univariate/mixture.h"

typedef struct {
    int most, starts;
    double least_share;
    bool favour4;
} gmm_options;

/* One row a line. */
/* clang-format off */

/** Rows for an options struct with a member `gmm` of this type. */
#define GMM_OPTION_ROWS(type)                                                                                          \
    {OPT_INT, "most", offsetof(type, gmm.most), 4, 2, MIXTURE_MOST, "components of the mixture at most", NULL},        \
    {OPT_INT, "starts", offsetof(type, gmm.starts), 2, 0, 1000,                                                        \
     "random starts of the mixture, besides three that are not", NULL},                                                \
    {OPT_REAL, "least_share", offsetof(type, gmm.least_share), 0.05, 0, 0.5,                                           \
     "of the values that a class must hold", NULL},                                                                    \
    {OPT_BOOL, "favour4", offsetof(type, gmm.favour4), false, 0, 0,                                                    \
     "four components where their BIC is within 2 of the best", NULL}

/* clang-format on */

/** The mixtures of 1 .. most components, at their number. */
typedef struct {
    mixture of[MIXTURE_MOST + 1];
} gmm_fits;

/** The random starts depend on seed and name alone, so no result depends on the order of columns. */
BNB_MUST_CHECK status gmm_fit_all(const gmm_options *o, const sorted_column *s, const char *name, uint64_t seed,
                                  gmm_fits *out, error_info *err);

/** Between the classes of the mixture of 2 .. most components with the best BIC, those left out whose most probable
 * component never changes; returns how many. */
size_t gmm_thresholds(const gmm_options *o, const sorted_column *s, const gmm_fits *fits, double *thresholds);

#endif
