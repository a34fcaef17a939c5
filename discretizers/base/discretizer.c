/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/base/discretizer.h"

#include "core/run/parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

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

/* Columns side by side: what one draws hangs on its name, not on its turn. */
typedef struct {
    const discretizer *d;
    const dataset *data;
    const void *options;
    random_key key;
    cut_policy *out;
    atomic_size_t next; /* the first column that nobody has taken */
    atomic_bool has_failed;
    struct column_failure {
        size_t column; /* SIZE_MAX: none */
        error_info err;
    } * failures; /* by worker */
} column_pile;

static status fit_some(void *self, size_t worker, error_info *err) {
    column_pile *p = self;
    struct column_failure *failure = &p->failures[worker];
    size_t c;
    (void)err;
    while (!atomic_load(&p->has_failed) && (c = atomic_fetch_add(&p->next, 1)) < dataset_column_count(p->data)) {
        if (dataset_reals(p->data, c) &&
            fit_column(p->d, p->data, c, p->options, p->key, p->out, &failure->err) != STATUS_OK) {
            failure->column = c;
            atomic_store(&p->has_failed, true);
        }
    }
    return STATUS_OK;
}

/* The failure of the first column that has one: those before a column that fails have been taken. */
static status first_failure(const column_pile *p, size_t n_workers, error_info *err) {
    const struct column_failure *first = &p->failures[0];
    for (size_t i = 1; i < n_workers; i++) {
        if (p->failures[i].column < first->column)
            first = &p->failures[i];
    }
    return first->column == SIZE_MAX ? STATUS_OK : error_set(err, first->err.code, "%s", first->err.message);
}

static status fit_columns(const discretizer *d, const dataset *data, const void *options, run_context *ctx,
                          cut_policy *out, error_info *err) {
    AUTO_FREE struct column_failure *failures = calloc(ctx->n_threads, sizeof *failures);
    column_pile pile = {d,   data, options, random_key_of(d->is_random ? random_next(&ctx->random) : 0),
                        out, 0,    false,   failures};
    CHECK_ALLOC(failures);
    for (size_t i = 0; i < ctx->n_threads; i++)
        failures[i].column = SIZE_MAX;
    CHECK(parallel_run(ctx->n_threads, fit_some, &pile, err));
    return first_failure(&pile, ctx->n_threads, err);
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
