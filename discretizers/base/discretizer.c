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

static status fit_column(const discretizer *d, const dataset *data, size_t c, const void *options, random_key key,
                         cut_policy *out, error_info *err) {
    AUTO(sorted_column_clear) sorted_column sorted = {0};
    double thresholds[DISCRETIZER_MOST_INTERVALS];
    size_t n = 0;
    CHECK(sorted_column_init(&sorted, dataset_reals(data, c), dataset_row_count(data), err));
    key = random_key_text(key, dataset_variable(data, c)->name);
    if (sorted.n_cuts > 0)
        CHECK(d->fit_column(options, &sorted, key, thresholds, &n, err));
    return policy_set(out, c, thresholds, n, err);
}

static status fit_columns(const discretizer *d, const dataset *data, const void *options, run_context *ctx,
                          cut_policy *out, error_info *err) {
    random_key key = random_key_of(d->is_random ? random_next(&ctx->random) : 0);
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        if (dataset_reals(data, c))
            CHECK(fit_column(d, data, c, options, key, out, err));
    }
    return STATUS_OK;
}

status discretizer_fit(const discretizer *d, const dataset *data, const void *options, run_context *ctx,
                       cut_policy *out, error_info *err) {
    AUTO(policy_clear) cut_policy found = {0};
    CHECK(check_values(d, data, err));
    CHECK(policy_init(&found, dataset_column_count(data), err));
    CHECK(d->fit_column ? fit_columns(d, data, options, ctx, &found, err) : d->fit(d, data, options, ctx, &found, err));
    *out = TAKE(found);
    return STATUS_OK;
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
    CHECK(d->integrate(d, data, options, inner, ctx, &found, &learned, err));
    *policy = found;
    *result = learned;
    return STATUS_OK;
}

static status learn_within(void *self, const dataset *discrete, learner_result *result, error_info *err) {
    learner_within *l = self;
    trace *outer = l->ctx->trace;
    double start_s = run_cpu_s();
    status st;
    l->ctx->trace = NULL;
    st = learner_run(l->kind, discrete, l->options, l->ctx, result, err);
    l->ctx->trace = outer;
    l->cpu_s += run_cpu_s() - start_s;
    return st;
}

inner_learner inner_learner_of(learner_within *l) {
    return (inner_learner){.self = l, .returns = l->kind->returns, .learn = learn_within};
}
