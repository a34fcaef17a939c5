/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/discretize/discretizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DISCRETIZER(name) extern const discretizer discretizer_##name;
#include "learners/discretize/registry.def"
#undef DISCRETIZER

static const discretizer *const registry[] = {
#define DISCRETIZER(name) &discretizer_##name,
#include "learners/discretize/registry.def"
#undef DISCRETIZER
};

enum { N_DISCRETIZERS = sizeof registry / sizeof *registry };

size_t discretizer_count(void) {
    return N_DISCRETIZERS;
}

const discretizer *discretizer_at(size_t i) {
    return registry[i];
}

static bool has_name(const discretizer *d, const char *name) {
    if (strcmp(d->name, name) == 0)
        return true;
    for (const char *const *alias = d->aliases; alias && *alias; alias++) {
        if (strcmp(*alias, name) == 0)
            return true;
    }
    return false;
}

static status unknown(const char *name, error_info *err) {
    const char *names[N_DISCRETIZERS], *near;
    char list[300] = "";
    for (size_t i = 0; i < N_DISCRETIZERS; i++) {
        names[i] = registry[i]->name;
        (void)strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        (void)strncat(list, names[i], sizeof list - strlen(list) - 1);
    }
    near = text_nearest(name, names, N_DISCRETIZERS);
    if (near)
        return error_set(err, STATUS_INVALID, "unknown discretizer '%.100s'; did you mean '%s'?", name, near);
    return error_set(err, STATUS_INVALID, "unknown discretizer '%.100s'; there are: %s", name, list);
}

status discretizer_find(const char *name, const discretizer **out, error_info *err) {
    for (size_t i = 0; i < N_DISCRETIZERS; i++) {
        if (has_name(registry[i], name)) {
            *out = registry[i];
            return STATUS_OK;
        }
    }
    return unknown(name, err);
}

void *discretizer_options_create(const discretizer *d) {
    void *options = calloc(1, d->options_size ? d->options_size : 1);
    if (options)
        options_set_initial(d->options, options);
    return options;
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
    status st = STATUS_OK;
    if (!d->integrate)
        return error_set(err, STATUS_INVALID, "%s does not learn a graph", d->name);
    if (inner->returns == GRAPH_SKELETON)
        return error_set(err, STATUS_INVALID,
                         "%s alternates with structure learning and needs directions; the learner gives a skeleton",
                         d->name);
    TRY(check_values(d, data, err));
    TRY(d->integrate(data, options, inner, ctx, &found, &learned, err));
    *policy = found;
    *result = learned;
cleanup:
    return st;
}
