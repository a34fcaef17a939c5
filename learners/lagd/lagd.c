/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Look ahead in good directions: Holland, Fathi, Abramovici, Neubach 2008 (IPMU), with the parameters of Vandel,
 * Mangin, de Givry 2012 (PGM), section 4.1. A sequence of h moves is chosen as a whole, each but the last among the l
 * best where it starts; lagd_search.c is the search. Vandel et al. ran WEKA's program, whose searches reverse arcs only
 * when told to (-R), and do not say whether it was: with `reversals` either can be read.
 */
#include "learners/greedy/greedy_search.h"
#include "learners/lagd/lagd_search.h"

typedef struct {
    greedy_options search;
    int h, l;
    int restarts;
    bool reversals;
} lagd_options;

enum {
    PARENTS_AS_PUBLISHED = 5,
    SPARSE_FROM = 16384 /* columns; the scores of all pairs of fewer take 2 GiB at most, and less time */
};

static const option_spec options[] = {
    {OPT_INT, "h", offsetof(lagd_options, h), 2, 1, 8, "moves of a sequence", NULL},
    {OPT_INT, "l", offsetof(lagd_options, l), 5, 1, 1000, "good directions in which it looks ahead", NULL},
    {OPT_INT, "restarts", offsetof(lagd_options, restarts), 0, 0, 1000000,
     "searches, each in a random order of the variables, the best kept; 0: one in the order given", NULL},
    SCORE_OPTION_ROWS(lagd_options, 10),
    {OPT_INT, "max_parents", offsetof(lagd_options, search.max_parents), PARENTS_AS_PUBLISHED, -1, 1000000,
     "most parents of a node; -1: no limit", NULL},
    {OPT_BOOL, "reversals", offsetof(lagd_options, reversals), true, 0, 0,
     "moves reverse arcs too; false: they add and delete alone, as WEKA's does unless told to (-R)", .is_later = true},
    {0},
};

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const lagd_options *o = opts;
    AUTO_PTR(score_destroy) score *scorer = NULL;
    AUTO_PTR(dag_destroy) dag *graph = NULL;
    lagd_result found;
    lagd_plan plan = {.n = dataset_column_count(data),
                      .h = (size_t)o->h,
                      .l = (size_t)o->l,
                      .max_parents = o->search.max_parents,
                      .keeps_directions = !o->reversals,
                      .is_sparse = o->restarts == 0 && dataset_column_count(data) >= SPARSE_FROM};
    (void)self;
    CHECK(greedy_scorer_create(data, &o->search, ctx, &scorer, err));
    plan.scorer = local_scorer_of(scorer);
    if (o->restarts > 0)
        CHECK(lagd_search_in_orders(&plan, (size_t)o->restarts, ctx, &found, err));
    else
        CHECK(lagd_search(&plan, ctx, &found, err));
    graph = found.graph;
    CHECK(trace_set_figure(ctx->trace, "iterations", (double)found.n_steps / (double)found.n_searches, err));
    return greedy_report(&o->search, graph, found.score, found.is_cut_short, result, err);
}

const learner learner_lagd = {
    .name = "lagd",
    .summary = "hill climbing that looks h moves ahead in the l best directions",
    .citation = "Holland, Fathi, Abramovici, Neubach 2008, IPMU; parameters of Vandel, Mangin, de Givry 2012, PGM",
    .version = 1,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(lagd_options),
    .run = run,
};
