/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/hybrid/hybrid_internal.h"

status hybrid_search(const dataset *data, const pdag *skeleton, bool is_cut_short, const greedy_options *options,
                     int phase2, run_context *ctx, learner_result *result, error_info *err) {
    greedy_search_plan plan = {.options = *options, .allowed = skeleton};
    status st;
    if (phase2 == HYBRID_TABU) {
        plan.tabu_length = GREEDY_TABU_LENGTH;
        plan.tabu_patience = GREEDY_TABU_PATIENCE;
    }
    st = greedy_search(data, &plan, ctx, result, err);
    if (st == STATUS_OK)
        result->is_cut_short = result->is_cut_short || is_cut_short;
    return st;
}
