/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy hill climbing from the empty graph (hc): Heckerman, Geiger, Chickering, Machine Learning 20 (1995) 197-243;
 * and the same with a TABU list of structures (gts): Friedman, Nachman, Pe'er, UAI 1999, as Tsamardinos, Brown,
 * Aliferis, Machine Learning 65 (2006) 31-78, sec. 5, and Brown et al. 2005 use it. A list of no structures is plain
 * hill climbing. The search, its order of moves and what it counts are those of greedy_search.h.
 */
#include "learners/greedy/greedy_search.h"

typedef struct {
    greedy_options search;
    int tabu, patience; /* of gts; 0 in hc */
} hc_options;

static const option_spec hc_rows[] = {GREEDY_OPTION_ROWS(hc_options), {0}};

static const option_spec gts_rows[] = {
    GREEDY_OPTION_ROWS(hc_options),
    {OPT_INT, "tabu", offsetof(hc_options, tabu), GREEDY_TABU_LENGTH, 1, 100000, "structures on the TABU list", NULL},
    {OPT_INT, "patience", offsetof(hc_options, patience), GREEDY_TABU_PATIENCE, 1, 1000000,
     "changes without a new best score before the search stops", NULL},
    {0},
};

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const hc_options *o = opts;
    greedy_search_plan plan = {
        .options = o->search, .tabu_length = (size_t)o->tabu, .tabu_patience = (size_t)o->patience};
    (void)self;
    return greedy_search(data, &plan, ctx, result, err);
}

#define SHARED                                                                                                         \
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED, .returns = GRAPH_DAG, .is_anytime = true,                 \
    .depends_on_order = true, .options_size = sizeof(hc_options), .run = run

const learner learner_hc = {
    SHARED,
    .name = "hc",
    .version = 3,
    .summary = "greedy hill climbing: add, delete or reverse an arc while the score rises",
    .citation = "Heckerman, Geiger, Chickering 1995, Machine Learning 20",
    .options = hc_rows,
};

const learner learner_gts = {
    SHARED,
    .name = "gts",
    .version = 3,
    .summary = "greedy search with a TABU list of the last 100 structures",
    .citation = "Friedman, Nachman, Pe'er 1999, UAI; Tsamardinos, Brown, Aliferis 2006, Machine Learning 65",
    .options = gts_rows,
};
