/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy equivalence search: Meek 1997; Chickering, Journal of Machine Learning Research 3 (2002) 507-554. Edges are
 * inserted between classes of equivalent graphs while the score rises, then deleted while it does. Between operators
 * the graph is the CPDAG of a class. ges_search.c chooses the operators, ges_scoring.c scores them, ges_graph.c applies
 * them.
 */
#include "core/graph/equivalence.h"
#include "learners/ges/ges_search_internal.h"
#include "learners/greedy/greedy_search.h"

#include <stdlib.h>

typedef struct {
    greedy_options search;
    int max_degree;  /* -1: no limit */
    int max_cliques; /* -1: no limit */
} ges_options;

static const option_spec options[] = {
    GREEDY_OPTION_ROWS(ges_options),
    {OPT_INT, "max_degree", offsetof(ges_options, max_degree), -1, -1, 1000000,
     "most adjacent nodes of a node; -1: no limit", NULL},
    {OPT_INT, "max_cliques", offsetof(ges_options, max_cliques), 512, -1, 1 << 30,
     "where the neighbours of a node form more cliques, on with 5 parents a node; -1: never", NULL},
    {0},
};

/* The scores of all threads but the first. */
typedef struct {
    score **scorers;
    size_t n;
} helpers;

static void helpers_clear(helpers *h) {
    for (size_t i = 0; i < h->n; i++)
        score_destroy(h->scorers[i]);
    free(h->scorers);
}

static status make_scorer(const ges_options *o, const dataset *data, run_context *ctx, score **out, error_info *err) {
    const score_kind *kind = option_chosen(&score_registry, &o->search.score);
    if (!kind->is_equivalent)
        return error_set(err, STATUS_INVALID,
                         "score is %s, which gives equivalent graphs different scores; ges needs one that does not",
                         kind->name);
    return greedy_scorer_create(data, &o->search, ctx, out, err);
}

/* Threads that share the scores; a score without twins works alone. */
static status make_helpers(const score *scorer, const run_context *ctx, helpers *h, error_info *err) {
    size_t n = score_has_twins(scorer) ? ctx->n_threads - 1 : 0;
    CHECK_ALLOC(h->scorers = calloc(n + 1, sizeof(score *)));
    for (; h->n < n; h->n++)
        CHECK(score_create_twin(scorer, &h->scorers[h->n], err));
    return STATUS_OK;
}

/* The score of the class: of any member. */
static status score_class(score *scorer, const pdag *cpdag, double *out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *member = NULL;
    CHECK(pdag_extend(cpdag, &member, err));
    if (!member)
        return error_set(err, STATUS_BUG, "the class that ges found has no member");
    return score_dag(scorer, member, out, NULL, err);
}

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    const ges_options *o = opts;
    AUTO_PTR(score_destroy) score *scorer = NULL;
    AUTO(helpers_clear) helpers others = {0};
    AUTO(ges_search_clear) ges_search search = {0};
    ges_plan plan = {NULL, NULL, 0, o->search.max_parents, o->max_degree, o->max_cliques};
    double total;
    (void)self;
    CHECK(make_scorer(o, data, ctx, &scorer, err));
    CHECK(make_helpers(scorer, ctx, &others, err));
    plan.scorer = scorer;
    plan.helpers = others.scorers;
    plan.n_helpers = others.n;
    CHECK(ges_search_init(&search, &plan, ctx, dataset_column_count(data), err));
    CHECK(ges_search_run(&search, err));
    CHECK(trace_set_figure(ctx->trace, "iterations", (double)search.n_operators, err));
    CHECK(score_class(scorer, search.graph.class.cpdag, &total, err));
    result->graph = TAKE(search.graph.class.cpdag);
    if (search.is_limited)
        result->remark = "the neighbours of a node formed more cliques than max_cliques: from there on, nodes got five "
                         "parents at most";
    result->score_name = greedy_score_name(&o->search);
    result->score = total;
    result->is_cut_short = result->is_cut_short || search.is_expired;
    return STATUS_OK;
}

const learner learner_ges = {
    .name = "ges",
    .summary = "greedy equivalence search: insert edges between classes of graphs, then delete",
    .citation = "Chickering 2002, Journal of Machine Learning Research 3",
    .version = 4,
    .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
    .returns = GRAPH_CPDAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(ges_options),
    .run = run,
};
