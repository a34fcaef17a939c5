/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sparse Candidate: Friedman, Nachman, Pe'er, Learning Bayesian network structure from massive datasets: the "Sparse
 * Candidate" algorithm, UAI 1999. Restrict each node to k candidate parents, maximise within them, and again with
 * candidates that the network found so far suggests.
 */
#include "core/base/array.h"
#include "learners/greedy/greedy_search.h"
#include "metrics/numerics/information.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    size_t n, k;
    score *scorer;
    information *info;
    size_t *cells, *old_cells; /* n rows of k candidates: now, and in the round before */
    const size_t **rows;       /* into `cells` */
    size_t *n_rows, *old_n_rows;
    double *measures; /* of one node's possible candidates; -INFINITY where taken */
    dag *best;
    double best_score;
    bool is_expired;
} sparse;

static void sparse_clear(sparse *s) {
    score_destroy(s->scorer);
    information_destroy(s->info);
    free(s->cells);
    free(s->old_cells);
    free(s->rows);
    free(s->n_rows);
    free(s->old_n_rows);
    free(s->measures);
    dag_destroy(s->best);
}

static status sparse_init(sparse *s, error_info *err) {
    size_t cells;
    s->n = dataset_column_count(s->data);
    s->k = (size_t)s->options->k < s->n ? (size_t)s->options->k : s->n;
    if (__builtin_mul_overflow(s->n, s->k, &cells))
        return error_out_of_memory(err);
    CHECK_ALLOC(s->cells = calloc(cells, sizeof *s->cells));
    CHECK_ALLOC(s->old_cells = calloc(cells, sizeof *s->old_cells));
    CHECK_ALLOC(s->rows = calloc(s->n, sizeof *s->rows));
    CHECK_ALLOC(s->n_rows = calloc(s->n, sizeof *s->n_rows));
    CHECK_ALLOC(s->old_n_rows = calloc(s->n, sizeof *s->old_n_rows));
    CHECK_ALLOC(s->measures = calloc(s->n, sizeof *s->measures));
    for (size_t x = 0; x < s->n; x++)
        s->rows[x] = s->cells + x * s->k;
    CHECK(greedy_scorer_create(s->data, &s->options->search, s->ctx, &s->scorer, err));
    CHECK(information_create(s->data, &s->ctx->tests, &s->info, err));
    CHECK(dag_create(s->n, &s->best, err));
    return score_dag(s->scorer, s->best, &s->best_score, NULL, err);
}

/* --- restrict --- */

/* Each of the others as a further parent of x, given its parents in the best network so far. */
static status measure_others(sparse *s, size_t x, bool by_score, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(s->best, x, &n_parents);
    s->measures[x] = -INFINITY;
    for (size_t y = 0; y < s->n && !s->is_expired; y++) {
        if (y == x || dag_has_arc(s->best, y, x))
            s->measures[y] = -INFINITY;
        else if (by_score)
            CHECK(score_node_with(s->scorer, x, parents, n_parents, y, &s->measures[y], err));
        else
            CHECK(information_measure(s->info, y, x, parents, n_parents, &s->measures[y], err));
        s->is_expired = run_context_is_expired_at(s->ctx, y);
    }
    return STATUS_OK;
}

/* The first within the tolerance of the largest; n where none is left. */
static size_t take_largest(sparse *s) {
    double most = -INFINITY;
    for (size_t y = 0; y < s->n; y++)
        most = fmax(most, s->measures[y]);
    for (size_t y = 0; y < s->n && most > -INFINITY; y++) {
        if (s->measures[y] >= most - SCORE_TOLERANCE) {
            s->measures[y] = -INFINITY;
            return y;
        }
    }
    return s->n;
}

/* The parents that x has, and the others of the largest measure up to k in all. */
static status choose_candidates(sparse *s, size_t x, bool by_score, error_info *err) {
    size_t n_parents, *row = s->cells + x * s->k, n;
    const size_t *parents = dag_parents(s->best, x, &n_parents);
    for (n = 0; n < n_parents; n++)
        row[n] = parents[n];
    CHECK(measure_others(s, x, by_score, err));
    while (n < s->k) {
        size_t y = take_largest(s);
        if (y == s->n)
            break;
        row[n++] = y;
    }
    array_sort_sizes(row, n);
    s->n_rows[x] = n;
    return STATUS_OK;
}

/* `*changed`: some node has other candidates than in the round before. */
static status restrict_parents(sparse *s, bool by_score, bool *changed, error_info *err) {
    memcpy(s->old_cells, s->cells, s->n * s->k * sizeof *s->cells);
    memcpy(s->old_n_rows, s->n_rows, s->n * sizeof *s->n_rows);
    *changed = false;
    for (size_t x = 0; x < s->n && !s->is_expired; x++) {
        CHECK(choose_candidates(s, x, by_score, err));
        *changed = *changed || s->n_rows[x] != s->old_n_rows[x] ||
                   memcmp(s->cells + x * s->k, s->old_cells + x * s->k, s->n_rows[x] * sizeof *s->cells) != 0;
    }
    return STATUS_OK;
}

/* --- maximise --- */

/* `*improved`: the network found scores higher than the best one, and took its place. */
static status maximise(sparse *s, bool *improved, error_info *err) {
    AUTO(learner_result_clear) learner_result found = {0};
    dag *g = NULL;
    greedy_search_plan plan = {.options = s->options->search,
                               .candidates = s->rows,
                               .n_candidates = s->n_rows,
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
        CHECK(restrict_parents(s, round > 0 && s->options->candidates == BY_SCORE, &changed, err));
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
