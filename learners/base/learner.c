/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/base/learner.h"

void *learner_options_create(const learner *l) {
    return options_create(l->options, l->options_size);
}

void learner_result_clear(learner_result *result) {
    pdag_destroy(result->graph);
    neighbour_lists_destroy(result->found);
    *result = (learner_result){0};
}

static status check_data(const learner *l, const dataset *data, error_info *err) {
    int kind = dataset_kind(data);
    if (!(l->accepts & kind))
        return error_set(err, STATUS_INVALID, "%s takes data that are %s; these are %s%s", l->name,
                         data_kinds_name(l->accepts), data_kinds_name(kind),
                         l->accepts == DATA_DISCRETE ? ": discretize them first (`bnbench list discretizers`)" : "");
    if (dataset_row_count(data) == 0)
        return error_set(err, STATUS_INVALID, "%s needs at least one row; the data have none", l->name);
    return STATUS_OK;
}

static status check_checkpoint(const learner *l, const run_context *ctx, error_info *err) {
    if (ctx->checkpoint && !l->keeps_checkpoint)
        return error_set(err, STATUS_INVALID, "%s keeps no checkpoint; mmbn and mmpc do", l->name);
    return STATUS_OK;
}

static status check_result(const learner *l, const dataset *data, const learner_result *result, error_info *err) {
    size_t p = dataset_column_count(data);
    if (!result->graph || pdag_node_count(result->graph) != p)
        return error_set(err, STATUS_BUG, "%s gave no graph on the %zu columns", l->name, p);
    return STATUS_OK;
}

status learner_run(const learner *l, const dataset *data, const void *options, run_context *ctx, learner_result *result,
                   error_info *err) {
    AUTO(learner_result_clear) learner_result found = {0};

    CHECK(check_data(l, data, err));
    CHECK(check_checkpoint(l, ctx, err));
    CHECK(l->run(l, data, options, ctx, &found, err));
    CHECK(check_result(l, data, &found, err));
    *result = TAKE(found);
    return STATUS_OK;
}

status learner_append_key(const learner *l, const dataset *data, const void *options, text_buffer *out,
                          error_info *err) {
    char fingerprint[DATASET_FINGERPRINT_SIZE];
    option_walk w = options_walk(l->options, options);
    CHECK(dataset_fingerprint(data, fingerprint, err));
    text_append_format(out, "%s-%d", l->name, l->version);
    while (options_next(&w)) {
        text_append_format(out, ",%s=", w.name);
        options_append_value(&w.spec, options, out);
    }
    text_append_format(out, " %s", fingerprint);
    return text_buffer_check(out, err);
}
