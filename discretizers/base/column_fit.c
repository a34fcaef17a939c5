/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/base/column_fit.h"

#include <stdlib.h>

static status fit_column(const dataset *data, size_t c, const column_fitter *fitter, double *thresholds,
                         cut_policy *out, error_info *err) {
    sorted_column sorted = {0};
    size_t n = 0;
    status st = STATUS_OK;
    TRY(sorted_column_init(&sorted, dataset_reals(data, c), dataset_row_count(data), err));
    if (sorted.n_cuts > 0)
        TRY(fitter->fit(fitter->self, &sorted, dataset_variable(data, c)->name, thresholds, &n, err));
    TRY(policy_set(out, c, thresholds, n, err));
cleanup:
    sorted_column_clear(&sorted);
    return st;
}

status fit_columns(const dataset *data, const column_fitter *fitter, cut_policy *out, error_info *err) {
    double *thresholds = calloc(fitter->most + 1, sizeof *thresholds);
    status st = STATUS_OK;
    TRY_ALLOC(thresholds);
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        if (dataset_reals(data, c))
            TRY(fit_column(data, c, fitter, thresholds, out, err));
    }
cleanup:
    free(thresholds);
    return st;
}
