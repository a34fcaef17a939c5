/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/base/discretizer.h"

#include <math.h>

void *discretizer_options_create(const discretizer *d) {
    return options_create(d->options, d->options_size);
}

static status check_values(const discretizer *d, const dataset *data, error_info *err) {
    size_t n = dataset_row_count(data);
    if (n == 0)
        return error_set(err, STATUS_INVALID, "%s needs at least one row; the data have none", d->name);
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        const double *values = dataset_reals(data, c);
        for (size_t row = 0; values && row < n; row++) {
            if (!isfinite(values[row]))
                return error_set(err, STATUS_INVALID, "%s needs finite values; '%.100s' is %g in row %zu", d->name,
                                 dataset_variable(data, c)->name, values[row], row + 1);
        }
    }
    return STATUS_OK;
}

status discretizer_fit(const discretizer *d, const dataset *data, const void *options, run_context *ctx,
                       cut_policy *out, error_info *err) {
    cut_policy found = {0};
    status st = STATUS_OK;
    TRY(check_values(d, data, err));
    TRY(policy_init(&found, dataset_column_count(data), err));
    TRY(d->fit(data, options, ctx, &found, err));
    *out = found;
    found = (cut_policy){0};
cleanup:
    policy_clear(&found);
    return st;
}

status discretizer_integrate(const discretizer *d, const dataset *data, const void *options, const inner_learner *inner,
                             run_context *ctx, cut_policy *policy, learner_result *result, error_info *err) {
    cut_policy found = {0};
    learner_result learned = {0};
    if (!d->integrate)
        return error_set(err, STATUS_INVALID, "%s does not learn a graph", d->name);
    if (inner->returns == GRAPH_SKELETON)
        return error_set(err, STATUS_INVALID,
                         "%s alternates with structure learning and needs directions; the learner gives a skeleton",
                         d->name);
    CHECK(check_values(d, data, err));
    CHECK(d->integrate(data, options, inner, ctx, &found, &learned, err));
    *policy = found;
    *result = learned;
    return STATUS_OK;
}
