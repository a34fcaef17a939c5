/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/skeleton_phase_internal.h"

#include "learners/constraint/mmpc_search.h"
#include "learners/constraint/pmmpc_search.h"
#include "learners/constraint/test_source_internal.h"

status skeleton_phase_mmpc(const dataset *data, const mmpc_options *options, run_context *ctx, pdag **out,
                           bool *is_cut_short, error_info *err) {
    status st = STATUS_OK;
    test_source tests = {0};
    mmpc_rules rules = {options->max_k, options->symmetry, options->opt4, options->opt5, &tests.limit, &tests.quick};
    TRY(test_source_init(&tests, data, &options->test, &ctx->tests, err));
    TRY(mmpc_skeleton(&tests.source, dataset_column_count(data), &rules, ctx, out, is_cut_short, err));
cleanup:
    test_source_clear(&tests);
    return st;
}

status skeleton_phase_pmmpc(const dataset *data, const pmmpc_options *options, run_context *ctx, pdag **out,
                            bool *is_cut_short, error_info *err) {
    status st = STATUS_OK;
    test_source tests = {0};
    pmmpc_rules rules = {options->symmetry, &tests.limit};
    TRY(test_source_init(&tests, data, &options->test, &ctx->tests, err));
    TRY(pmmpc_skeleton(&tests.source, dataset_column_count(data), &rules, ctx, out, is_cut_short, err));
cleanup:
    test_source_clear(&tests);
    return st;
}
