/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local scores are asked for when a legal move first needs them, and kept until the head's parents change: `with[y][x]`
 * is the score of y with x toggled among its parents.
 */
#include "learners/greedy_search.h"

#include "learners/ancestry_internal.h"
#include "learners/tabu_list_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { MOVE_ADD, MOVE_DELETE, MOVE_REVERSE } move_kind;

typedef struct {
    move_kind kind;
    size_t from, to;
    double gain;
} move;

/* The candidate parents of a node and the scores with each of them toggled. */
typedef struct {
    size_t n;
    const size_t *nodes; /* ascending; NULL: every node, position = node */
    double *with;        /* NaN where not yet asked for */
} candidate_row;

typedef struct {
    const greedy_search_plan *plan;
    run_context *ctx;
    size_t n;
    score *scorer, *own_scorer; /* the second is NULL where the plan lends one */
    dag *current, *best;
    ancestry *above;
    tabu_list *tabu;
    candidate_row *rows;
    double *now;      /* local score of each node with its present parents */
    double *row_best; /* the best legal gain found in each row by the last scan */
    size_t *without;  /* scratch: parents less one */
    double *values;   /* what the rows' `with` point into */
    size_t *lists;    /* what the rows' `nodes` point into */
    bool is_expired;
} search;

static const char *const score_names[] = {"bdeu", "k2", "bic", "aic", "loglik"};

static void search_clear(search *s) {
    score_destroy(s->own_scorer);
    dag_destroy(s->current);
    dag_destroy(s->best);
    ancestry_destroy(s->above);
    tabu_list_destroy(s->tabu);
    free(s->rows);
    free(s->now);
    free(s->row_best);
    free(s->without);
    free(s->values);
    free(s->lists);
}

/* --- set-up ----------------------------------------------------------------------------------------------------------
 */

static status make_full_rows(search *s, error_info *err) {
    size_t cells;
    if (__builtin_mul_overflow(s->n, s->n, &cells))
        return error_out_of_memory(err);
    s->values = calloc(cells, sizeof *s->values);
    if (!s->values)
        return error_out_of_memory(err);
    for (size_t y = 0; y < s->n; y++)
        s->rows[y] = (candidate_row){s->n, NULL, s->values + y * s->n};
    return STATUS_OK;
}

static status make_allowed_rows(search *s, error_info *err) {
    status st = STATUS_OK;
    const pdag *allowed = s->plan->allowed;
    size_t at = 0;
    TRY_ALLOC(s->lists = calloc(2 * pdag_edge_count(allowed) + 1, sizeof *s->lists));
    TRY_ALLOC(s->values = calloc(2 * pdag_edge_count(allowed) + 1, sizeof *s->values));
    for (size_t y = 0; y < s->n; y++) {
        size_t degree;
        const pdag_edge *edges = pdag_edges(allowed, y, &degree);
        s->rows[y] = (candidate_row){degree, s->lists + at, s->values + at};
        for (size_t i = 0; i < degree; i++)
            s->lists[at++] = edges[i].node;
    }
cleanup:
    return st;
}

static status make_candidate_rows(search *s, error_info *err) {
    status st = STATUS_OK;
    const size_t *n_candidates = s->plan->n_candidates;
    size_t n_pairs = 0;
    for (size_t y = 0; y < s->n; y++)
        n_pairs += n_candidates[y];
    TRY_ALLOC(s->values = calloc(n_pairs + 1, sizeof *s->values));
    n_pairs = 0;
    for (size_t y = 0; y < s->n; y++) {
        s->rows[y] = (candidate_row){n_candidates[y], s->plan->candidates[y], s->values + n_pairs};
        n_pairs += n_candidates[y];
    }
cleanup:
    return st;
}

static status make_rows(search *s, error_info *err) {
    if (s->plan->candidates)
        return make_candidate_rows(s, err);
    return s->plan->allowed ? make_allowed_rows(s, err) : make_full_rows(s, err);
}

static void forget_row(search *s, size_t y) {
    for (size_t i = 0; i < s->rows[y].n; i++)
        s->rows[y].with[i] = (double)NAN;
}

const char *greedy_score_name(const greedy_options *options) {
    return score_names[options->score];
}

status greedy_scorer_create(const dataset *data, const greedy_options *options, run_context *ctx, score **out,
                            error_info *err) {
    status st = STATUS_OK;
    score_options o = {.ess = options->ess, .prior = options->prior};
    const score_kind *kind = NULL;
    TRY(score_kind_find(score_names[options->score], &kind, err));
    TRY(score_create(kind, &o, data, &ctx->scores, out, err));
cleanup:
    return st;
}

static status make_scorer(search *s, const dataset *data, error_info *err) {
    status st = STATUS_OK;
    if (!s->plan->scorer)
        TRY(greedy_scorer_create(data, &s->plan->options, s->ctx, &s->own_scorer, err));
    s->scorer = s->own_scorer ? s->own_scorer : s->plan->scorer;
cleanup:
    return st;
}

/* The position of x in the row, or the row's length where it is no candidate. */
static size_t position_in(const candidate_row *row, size_t x) {
    size_t low = 0, high = row->n;
    if (!row->nodes)
        return x;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (row->nodes[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low < row->n && row->nodes[low] == x ? low : row->n;
}

static status add_start_arcs(search *s, const dag *start, error_info *err) {
    status st = STATUS_OK;
    for (size_t y = 0; y < s->n; y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(start, y, &n_parents);
        for (size_t i = 0; i < n_parents; i++) {
            if (position_in(&s->rows[y], parents[i]) == s->rows[y].n)
                return error_set(err, STATUS_INVALID, "the start has the arc %zu -> %zu, which is not allowed",
                                 parents[i], y);
            TRY(dag_add_arc(s->current, parents[i], y, err));
            ancestry_arc_added(s->above, parents[i], y);
        }
    }
cleanup:
    return st;
}

static status make_start(search *s, error_info *err) {
    status st = STATUS_OK;
    TRY(dag_create(s->n, &s->current, err));
    TRY(ancestry_create(s->current, &s->above, err));
    if (s->plan->start)
        TRY(add_start_arcs(s, s->plan->start, err));
    TRY(dag_copy(s->current, &s->best, err));
    for (size_t y = 0; y < s->n; y++) {
        size_t n_parents;
        const size_t *parents = dag_parents(s->current, y, &n_parents);
        forget_row(s, y);
        TRY(score_node(s->scorer, y, parents, n_parents, &s->now[y], err));
    }
    if (s->plan->tabu_length > 0) {
        TRY(tabu_list_create(s->plan->tabu_length, &s->tabu, err));
        TRY(tabu_list_push(s->tabu, s->current, err));
    }
cleanup:
    return st;
}

static status search_init(search *s, const dataset *data, error_info *err) {
    status st = STATUS_OK;
    s->n = dataset_column_count(data);
    TRY(make_scorer(s, data, err));
    TRY_ALLOC(s->rows = calloc(s->n, sizeof *s->rows));
    TRY_ALLOC(s->now = calloc(s->n, sizeof *s->now));
    TRY_ALLOC(s->row_best = calloc(s->n, sizeof *s->row_best));
    TRY_ALLOC(s->without = calloc(s->n, sizeof *s->without));
    TRY(make_rows(s, err));
    TRY(make_start(s, err));
cleanup:
    return st;
}

/* --- scores of moves -------------------------------------------------------------------------------------------------
 */

static status score_without(search *s, size_t y, size_t x, double *out, error_info *err) {
    size_t n_parents, n = 0;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] != x)
            s->without[n++] = parents[i];
    }
    return score_node(s->scorer, y, s->without, n, out, err);
}

static bool has_parent(const search *s, size_t y, size_t x) {
    return dag_has_arc(s->current, x, y);
}

/* The gain of toggling candidate `at` of row y. */
static status toggle_gain(search *s, size_t y, size_t at, double *gain, error_info *err) {
    status st = STATUS_OK;
    candidate_row *row = &s->rows[y];
    size_t x = row->nodes ? row->nodes[at] : at;
    if (isnan(row->with[at])) {
        size_t n_parents;
        const size_t *parents = dag_parents(s->current, y, &n_parents);
        int most = s->plan->options.max_parents;
        double value = -INFINITY;
        if (has_parent(s, y, x))
            TRY(score_without(s, y, x, &value, err));
        else if (most < 0 || n_parents < (size_t)most)
            TRY(score_node_with(s->scorer, y, parents, n_parents, x, &value, err));
        row->with[at] = value;
    }
    *gain = row->with[at] - s->now[y];
cleanup:
    return st;
}

/* --- the best move ---------------------------------------------------------------------------------------------------
 */

static arc_change change_of(const move *m) {
    switch (m->kind) {
    case MOVE_ADD:
        return (arc_change){.add_from = m->from, .add_to = m->to};
    case MOVE_DELETE:
        return (arc_change){.drop_from = m->from, .drop_to = m->to};
    case MOVE_REVERSE:
        break;
    }
    return (arc_change){m->from, m->to, m->to, m->from};
}

static bool is_tabu(const search *s, const move *m) {
    arc_change change = change_of(m);
    return s->tabu && tabu_list_has(s->tabu, &change);
}

static bool comes_first(const move *a, const move *b) {
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->from != b->from ? a->from < b->from : a->to < b->to;
}

/* A scan looks for the best gain, then, in a second pass, for the first move within the tolerance of it. */
typedef struct {
    bool wants_first; /* the second pass */
    double least;     /* a move must gain more */
    bool found;
    move best;  /* best.gain is -INFINITY before one is found */
    move first; /* of the second pass */
} scan;

/* False for a NaN gain: what is not known yet has to be looked at. */
static bool is_too_small(const scan *sc, double gain) {
    return gain <= sc->least || gain < sc->best.gain - SCORE_TOLERANCE;
}

static void offer(search *s, scan *sc, const move *m, size_t row) {
    if (is_too_small(sc, m->gain) || is_tabu(s, m))
        return;
    if (m->gain > s->row_best[row])
        s->row_best[row] = m->gain;
    if (sc->wants_first ? !sc->found || comes_first(m, &sc->first) : m->gain > sc->best.gain) {
        *(sc->wants_first ? &sc->first : &sc->best) = *m;
        sc->found = true;
    }
}

static status scan_additions(search *s, scan *sc, size_t y, error_info *err) {
    status st = STATUS_OK;
    candidate_row *row = &s->rows[y];
    double now = s->now[y];
    for (size_t i = 0; i < row->n; i++) {
        size_t x = row->nodes ? row->nodes[i] : i;
        move m = {MOVE_ADD, x, y, 0};
        if (is_too_small(sc, row->with[i] - now) || ancestry_reaches(s->above, y, x) || has_parent(s, y, x))
            continue;
        TRY(toggle_gain(s, y, i, &m.gain, err));
        offer(s, sc, &m, y);
    }
cleanup:
    return st;
}

/* Deletions and reversals of the arcs into y. */
static status scan_arcs(search *s, scan *sc, size_t y, error_info *err) {
    status st = STATUS_OK;
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        size_t x = parents[i];
        size_t back = position_in(&s->rows[x], y);
        move drop = {MOVE_DELETE, x, y, 0}, reverse = {MOVE_REVERSE, x, y, 0};
        TRY(toggle_gain(s, y, position_in(&s->rows[y], x), &drop.gain, err));
        offer(s, sc, &drop, y);
        if (back == s->rows[x].n || ancestry_reaches_otherwise(s->above, x, y))
            continue;
        TRY(toggle_gain(s, x, back, &reverse.gain, err));
        reverse.gain += drop.gain;
        offer(s, sc, &reverse, y);
    }
cleanup:
    return st;
}

static status scan_rows(search *s, scan *sc, error_info *err) {
    status st = STATUS_OK;
    for (size_t y = 0; y < s->n && !s->is_expired; y++) {
        if (sc->wants_first && s->row_best[y] < sc->best.gain - SCORE_TOLERANCE)
            continue;
        TRY(scan_additions(s, sc, y, err));
        TRY(scan_arcs(s, sc, y, err));
        s->is_expired = run_context_is_expired(s->ctx);
    }
cleanup:
    return st;
}

/* The best legal move that gains more than `least`, ties within the tolerance broken by order. */
static status find_move(search *s, double least, bool *found, move *out, error_info *err) {
    status st = STATUS_OK;
    scan sc = {.least = least, .best.gain = -INFINITY};
    for (size_t y = 0; y < s->n; y++)
        s->row_best[y] = -INFINITY;
    TRY(scan_rows(s, &sc, err));
    *found = sc.found && !s->is_expired;
    if (!*found)
        goto cleanup;
    sc.wants_first = true;
    sc.found = false;
    TRY(scan_rows(s, &sc, err));
    *out = sc.first;
    *found = sc.found;
cleanup:
    return st;
}

/* --- the search ------------------------------------------------------------------------------------------------------
 */

static status toggle_parent(search *s, size_t y, size_t x, error_info *err) {
    status st = STATUS_OK;
    double gain;
    size_t at = position_in(&s->rows[y], x);
    bool removes = has_parent(s, y, x);
    TRY(toggle_gain(s, y, at, &gain, err));
    s->now[y] = s->rows[y].with[at];
    if (removes) {
        TRY(dag_remove_arc(s->current, x, y, err));
        TRY(ancestry_arc_removed(s->above, y, err));
    } else {
        TRY(dag_add_arc(s->current, x, y, err));
        ancestry_arc_added(s->above, x, y);
    }
    forget_row(s, y);
cleanup:
    return st;
}

static status apply(search *s, const move *m, error_info *err) {
    status st = STATUS_OK;
    TRY(toggle_parent(s, m->to, m->from, err));
    if (m->kind == MOVE_REVERSE)
        TRY(toggle_parent(s, m->from, m->to, err));
    if (s->tabu)
        TRY(tabu_list_push(s->tabu, s->current, err));
cleanup:
    return st;
}

static double total_score(const search *s) {
    double sum = 0;
    for (size_t y = 0; y < s->n; y++)
        sum += s->now[y];
    return sum;
}

static status keep_best(search *s, error_info *err) {
    dag *copy = NULL;
    status st = dag_copy(s->current, &copy, err);
    if (st == STATUS_OK) {
        dag_destroy(s->best);
        s->best = copy;
    }
    return st;
}

/* Moves until none is left, or none of the last `tabu_patience` gave a new best score. */
static status climb(search *s, double *best_score, error_info *err) {
    status st = STATUS_OK;
    size_t without_gain = 0;
    double least = s->tabu ? -INFINITY : SCORE_TOLERANCE;
    *best_score = total_score(s);
    while (!s->is_expired && (!s->tabu || without_gain < s->plan->tabu_patience)) {
        bool found = false;
        move m;
        double total;
        TRY(find_move(s, least, &found, &m, err));
        if (!found)
            break;
        TRY(apply(s, &m, err));
        total = total_score(s);
        without_gain++;
        if (total > *best_score + SCORE_TOLERANCE) {
            *best_score = total;
            without_gain = 0;
            if (s->tabu)
                TRY(keep_best(s, err));
        }
    }
    if (!s->tabu)
        TRY(keep_best(s, err));
cleanup:
    return st;
}

status greedy_search(const dataset *data, const greedy_search_plan *plan, run_context *ctx, learner_result *result,
                     error_info *err) {
    status st = STATUS_OK;
    search s = {.plan = plan, .ctx = ctx};
    pdag *graph = NULL;
    double best_score;
    TRY(search_init(&s, data, err));
    TRY(climb(&s, &best_score, err));
    TRY(pdag_from_dag(s.best, &graph, err));
    result->graph = graph;
    result->score_name = score_names[plan->options.score];
    result->score = best_score;
    result->is_cut_short = result->is_cut_short || s.is_expired;
cleanup:
    search_clear(&s);
    return st;
}
