/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/skeleton_phase_internal.h"

#include "learners/mmpc_search.h"
#include "learners/pmmpc_search.h"

#include <stdlib.h>

static status create_test(const dataset *data, const skeleton_test_options *options, run_context *ctx, ci_test **out,
                          error_info *err) {
    static const char *const names[] = {"g2", "x2"}; /* SKELETON_TEST_CHOICES */
    const ci_test_kind *kind = NULL;
    status st = ci_test_kind_find(names[options->kind], &kind, err);
    if (st != STATUS_OK)
        return st;
    return ci_test_create(kind, &options->options, data, &ctx->tests, out, err);
}

static status count_states(const dataset *data, size_t **out, error_info *err) {
    size_t p = dataset_column_count(data);
    size_t *n_states = calloc(p, sizeof *n_states);
    if (!n_states)
        return error_out_of_memory(err);
    for (size_t c = 0; c < p; c++)
        n_states[c] = dataset_state_count(data, c);
    *out = n_states;
    return STATUS_OK;
}

status skeleton_phase_mmpc(const dataset *data, const mmpc_options *options, run_context *ctx, pdag **out,
                           bool *is_cut_short, error_info *err) {
    status st = STATUS_OK;
    ci_test *test = NULL;
    size_t *n_states = NULL;
    table_limit limit = {NULL, (double)dataset_row_count(data), options->test.options.min_rows};
    mmpc_rules rules = {options->max_k, options->symmetry, options->opt4, options->opt5, &limit};
    association_source source;

    TRY(count_states(data, &n_states, err));
    limit.n_states = n_states;
    TRY(create_test(data, &options->test, ctx, &test, err));
    source = ci_test_as_source(test);
    TRY(mmpc_skeleton(&source, dataset_column_count(data), &rules, ctx, out, is_cut_short, err));
cleanup:
    ci_test_destroy(test);
    free(n_states);
    return st;
}

status skeleton_phase_pmmpc(const dataset *data, const pmmpc_options *options, run_context *ctx, pdag **out,
                            bool *is_cut_short, error_info *err) {
    status st = STATUS_OK;
    ci_test *test = NULL;
    size_t *n_states = NULL;
    table_limit limit = {NULL, (double)dataset_row_count(data), options->test.options.min_rows};
    pmmpc_rules rules = {options->symmetry, &limit};
    association_source source;

    TRY(count_states(data, &n_states, err));
    limit.n_states = n_states;
    TRY(create_test(data, &options->test, ctx, &test, err));
    source = ci_test_as_source(test);
    TRY(pmmpc_skeleton(&source, dataset_column_count(data), &rules, ctx, out, is_cut_short, err));
cleanup:
    ci_test_destroy(test);
    free(n_states);
    return st;
}
