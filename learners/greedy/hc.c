/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Greedy hill climbing from the empty graph: Heckerman, Geiger, Chickering, Machine Learning 20 (1995) 197-243. */
#include "learners/greedy/greedy_search.h"

typedef struct {
    greedy_options search;
} hc_options;

static const option_spec options[] = {GREEDY_OPTION_ROWS(hc_options), {0}};

static status run(const dataset *data, const void *opts, run_context *ctx, learner_result *result, error_info *err) {
    const hc_options *o = opts;
    greedy_search_plan plan = {.options = o->search};
    return greedy_search(data, &plan, ctx, result, err);
}

const learner learner_hc = {
    .name = "hc",
    .summary = "greedy hill climbing: add, delete or reverse an arc while the score rises",
    .citation = "Heckerman, Geiger, Chickering 1995, Machine Learning 20",
    .version = 2,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(hc_options),
    .run = run,
};
