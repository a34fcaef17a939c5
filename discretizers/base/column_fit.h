/* SPDX-License-Identifier: GPL-3.0-or-later */
/** For discretizers that look at one column at a time. */
#ifndef BNB_DISCRETIZERS_BASE_COLUMN_FIT_H
#define BNB_DISCRETIZERS_BASE_COLUMN_FIT_H

#include "discretizers/base/policy.h"
#include "discretizers/base/sorted_column.h"

/** How one column is cut. */
typedef struct {
    const void *self; /* passed on */
    size_t most;      /* thresholds that `fit` may give at most */
    /** Thresholds of a column that is not constant, rising. `name` is the column's. */
    status (*fit)(const void *self, const sorted_column *s, const char *name, double *thresholds, size_t *n_thresholds,
                  error_info *err);
} column_fitter;

/** Sorts every continuous column that is not constant, has it cut, and sets its thresholds. */
BNB_MUST_CHECK status fit_columns(const dataset *data, const column_fitter *fitter, cut_policy *out, error_info *err);

#endif
