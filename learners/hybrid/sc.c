/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse Candidate: Friedman, Nachman, Pe'er, Learning Bayesian network structure from massive datasets: the "Sparse
 * Candidate" algorithm, UAI 1999. Restrict each node to k candidate parents, maximise within them, and again with
 * candidates that the network found so far suggests.
 */
#include "learners/greedy/greedy_search.h"
#include "learners/hybrid/sc_candidates_internal.h"

enum { BY_INFORMATION, BY_SCORE };    /* "mi|score" */
enum { FROM_PREVIOUS, FROM_NOTHING }; /* "previous|empty" */

typedef struct {
    greedy_options search;
    int k, candidates, start;
} sc_options;

static const option_spec options[] = {
    {OPT_INT, "k", offsetof(sc_options, k), 5, 1, 10000, "candidate parents of a node", NULL},
    {OPT_CHOICE, "candidates", offsetof(sc_options, candidates), BY_INFORMATION, 0, 0,
     "what ranks them once there is a network: information given the parents, or the gain in score", "mi|score"},
    {OPT_CHOICE, "start", offsetof(sc_options, start), FROM_PREVIOUS, 0, 0, "where each maximisation starts",
     "previous|empty"},
    GREEDY_OPTION_ROWS(sc_options),
    {0},
};

typedef struct {
    const sc_options *options;
    const dataset *data;
    run_context *ctx;
    score *scorer;
    sc_candidates *candidates;
    dag *best;
    double best_score;
    bool is_expired;
} sparse;

static void sparse_clear(sparse *s) {
    score_destroy(s->scorer);
    sc_candidates_destroy(s->candidates);
    dag_destroy(s->best);
}

static status sparse_init(sparse *s, error_info *err) {
    CHECK(greedy_scorer_create(s->data, &s->options->search, s->ctx, &s->scorer, err));
    CHECK(sc_candidates_create(s->data, (size_t)s->options->k, s->ctx, &s->candidates, err));
    CHECK(dag_create(dataset_column_count(s->data), &s->best, err));
    return score_dag(s->scorer, s->best, &s->best_score, NULL, err);
}

/* `*improved`: the network found scores higher than the best one, and took its place. */
static status maximise(sparse *s, bool *improved, error_info *err) {
    AUTO(learner_result_clear) learner_result found = {0};
    dag *g = NULL;
    greedy_search_plan plan = {.options = s->options->search,
                               .candidates = sc_candidates_rows(s->candidates),
                               .n_candidates = sc_candidates_counts(s->candidates),
                               .start = s->options->start == FROM_PREVIOUS ? s->best : NULL,
                               .scorer = s->scorer,
                               .tabu_length = GREEDY_TABU_LENGTH,
                               .tabu_patience = GREEDY_TABU_PATIENCE};
    CHECK(greedy_search(s->data, &plan, s->ctx, &found, err));
    s->is_expired = found.is_cut_short;
    *improved = found.score > s->best_score + SCORE_TOLERANCE;
    if (*improved) {
        CHECK(pdag_to_dag(found.graph, &g, err));
        dag_destroy(s->best);
        s->best = g;
        s->best_score = found.score;
    }
    return STATUS_OK;
}

static status iterate(sparse *s, error_info *err) {
    bool changed = true, improved = true;
    for (size_t round = 0; improved && !s->is_expired; round++) {
        bool is_by_score = round > 0 && s->options->candidates == BY_SCORE;
        CHECK(sc_candidates_choose(s->candidates, s->best, is_by_score ? s->scorer : NULL, &changed, &s->is_expired,
                                   err));
        if (!changed || s->is_expired)
            break;
        CHECK(maximise(s, &improved, err));
    }
    return STATUS_OK;
}

static status run(const learner *self, const dataset *data, const void *opts, run_context *ctx, learner_result *result,
                  error_info *err) {
    AUTO(sparse_clear) sparse s = {.options = opts, .data = data, .ctx = ctx};
    (void)self;
    CHECK(sparse_init(&s, err));
    CHECK(iterate(&s, err));
    return greedy_report(&s.options->search, s.best, s.best_score, s.is_expired, result, err);
}

const learner learner_sc = {
    .name = "sc",
    .summary = "Sparse Candidate: greedy search within k candidate parents of each node, chosen anew after each round",
    .citation = "Friedman, Nachman, Pe'er 1999, UAI",
    .version = 2,
    .accepts = DATA_DISCRETE,
    .returns = GRAPH_DAG,
    .is_anytime = true,
    .depends_on_order = true,
    .options = options,
    .options_size = sizeof(sc_options),
    .run = run,
};
