/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy search with a TABU list of structures: Friedman, Nachman, Pe'er, UAI 1999; as Tsamardinos, Brown, Aliferis,
 * Machine Learning 65 (2006) 31-78, sec. 5, and Brown et al. 2005 use it.
 */
#include "learners/greedy/greedy_search.h"

typedef struct {
    greedy_options search;
    int tabu, patience;
} gts_options;

static const option_spec options[] = {
    GREEDY_OPTION_ROWS(gts_options),
    {OPT_INT, "tabu", offsetof(gts_options, tabu), GREEDY_TABU_LENGTH, 1, 100000, "structures on the TABU list", NULL},
    {OPT_INT, "patience", offsetof(gts_options, patience), GREEDY_TABU_PATIENCE, 1, 1000000,
     "changes without a new best score before the search stops", NULL},
    {0},
};

static status run(const dataset *data, const void *opts, run_context *ctx, learner_result *result, error_info *err) {
    const gts_options *o = opts;
    greedy_search_plan plan = {
        .options = o->search, .tabu_length = (size_t)o->tabu, .tabu_patience = (size_t)o->patience};
    return greedy_search(data, &plan, ctx, result, err);
}

const learner learner_gts = {
    .name = "gts",
    .summary = "greedy search with a TABU list of the last 100 structures",
    .citation = "Friedman, Nachman, Pe'er 1999, UAI; Tsamardinos, Brown, Aliferis 2006, Machine Learning 65",
    .version = 2,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(gts_options),
    .run = run,
};
