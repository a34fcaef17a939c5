/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best candidates of a row. Of those that cannot be among them no score is made: bounds leave them out. What is
 * left out depends on what was met before, and so does what is kept beyond the best; which they are and how they score
 * does not.
 */
#include "learners/greedy/greedy_worker_internal.h"

#include "core/base/array.h"
#include "core/counting/base_tables.h"

#include <math.h>
#include <stdlib.h>

enum { BOUND_MIN_OPEN = 64 }; /* with fewer candidates to score, preparing for closer bounds does not pay */

status greedy_worker_init(greedy_worker *w, const greedy_state *s, score *scorer, error_info *err) {
    if (!scorer)
        CHECK(score_create_twin(s->scorer, &w->own_scorer, err));
    w->scorer = scorer ? scorer : w->own_scorer;
    if (s->tables)
        score_lend_tables(w->scorer, s->tables);
    CHECK_ALLOC(w->kind_ceiling = calloc(s->n_kinds + 1, sizeof *w->kind_ceiling));
    CHECK_ALLOC(w->kind_constant = calloc(s->n_kinds + 1, sizeof *w->kind_constant));
    CHECK_ALLOC(w->marks = calloc(s->n + 1, sizeof *w->marks));
    CHECK_ALLOC(w->nodes = calloc(s->n + 1, sizeof *w->nodes));
    if (s->n > ANCESTRY_MAX_NODES)
        CHECK(dag_search_create(s->n, &w->paths, err));
    if (s->tables && base_tables_suit(s->data)) {
        CHECK_ALLOC(w->extras = calloc(s->n + 1, sizeof *w->extras));
        CHECK(scored_extras_create(w->scorer, s->tables, &w->all_scores, err));
    }
    return s->tables ? row_bounds_create(w->scorer, s->tables, s->lanes, &w->bounds, err) : STATUS_OK;
}

void greedy_worker_clear(greedy_worker *w) {
    row_bounds_destroy(w->bounds);
    scored_extras_destroy(w->all_scores);
    free(w->extras);
    score_destroy(w->own_scorer);
    free(w->kind_ceiling);
    free(w->kind_constant);
    free(w->marks);
    free(w->nodes);
    dag_search_destroy(w->paths);
    free(w->found);
    *w = (greedy_worker){0};
}

static void add_below(greedy_worker *w, size_t *n, size_t node) {
    if (greedy_worker_has_marked(w, node))
        return;
    greedy_worker_mark(w, node);
    w->nodes[(*n)++] = (uint32_t)node;
}

void greedy_worker_mark_below(greedy_worker *w, const greedy_state *s, size_t y, size_t turned) {
    size_t n = 0;
    greedy_worker_clear_marks(w, s->n);
    add_below(w, &n, y);
    if (!w->paths && turned != SIZE_MAX && dag_has_arc(s->current, turned, y))
        add_below(w, &n, turned);
    for (size_t i = 0; i < n && !w->paths; i++) {
        size_t n_children;
        const size_t *children = dag_children(s->current, w->nodes[i], &n_children);
        for (size_t k = 0; k < n_children; k++) {
            if (i > 0 || children[k] != turned)
                add_below(w, &n, children[k]);
        }
    }
}

bool greedy_worker_is_below(greedy_worker *w, const greedy_state *s, size_t x, size_t y) {
    return w->paths ? dag_reaches_by(s->current, w->paths, y, x) : greedy_worker_has_marked(w, x);
}

/* Asks late, of one candidate: most are left out by their bounds, and to mark all descendants takes longer. */
static bool closes_cycle(greedy_worker *w, const greedy_state *s, size_t x, size_t y) {
    bool is_below;
    if (!w->paths)
        return false;
    greedy_lock_graph(s);
    is_below = greedy_worker_is_below(w, s, x, y);
    greedy_unlock_graph(s);
    return is_below;
}

/* --- the best --- */

static double slack(double now) {
    return 2 * SCORE_TOLERANCE + 1e-14 * fabs(now);
}

static void note_gain(greedy_worker *w, const row_question *q, double gain) {
    size_t at = w->n_best < w->size ? w->n_best : w->size - 1;
    if (w->size > GREEDY_KEPT || (w->n_best == w->size && !(gain > w->best[at])))
        return;
    for (; at > 0 && gain > w->best[at - 1]; at--)
        w->best[at] = w->best[at - 1];
    w->best[at] = gain;
    w->n_best += w->n_best < w->size;
    if (w->n_best == w->size)
        w->floor = fmax(w->floor, w->best[w->size - 1] - slack(q->now));
}

/* A candidate that gains no more than the floor, or a bound that does not. */
static void pass_over(greedy_worker *w, const greedy_state *s, const row_question *q, double with) {
    if (with - q->now > s->least)
        w->rest = fmax(w->rest, with);
}

static status offer(greedy_worker *w, const greedy_state *s, const row_question *q, size_t x, double with,
                    error_info *err) {
    double gain = with - q->now;
    if (!(gain > w->floor)) {
        pass_over(w, s, q, with);
        return STATUS_OK;
    }
    if (closes_cycle(w, s, x, q->y))
        return STATUS_OK;
    note_gain(w, q, gain);
    return ARRAY_PUSH(w->found, w->n_found, w->capacity, err, (scored_parent){with, (uint32_t)x, 0});
}

/* --- a candidate --- */

static status offer_constant(greedy_worker *w, const greedy_state *s, const row_question *q, size_t x,
                             error_info *err) {
    size_t kind = s->kind[x];
    double *value = &w->kind_constant[kind];
    if (isnan(*value))
        CHECK(score_constant_with(w->scorer, q->y, q->parents, q->n_parents, s->kind_states[kind], value, err));
    return offer(w, s, q, x, *value, err);
}

/* An upper bound that takes little time; INFINITY where there is none. */
static status bound_candidate(greedy_worker *w, const greedy_state *s, const row_question *q, size_t x, double *out,
                              error_info *err) {
    size_t kind = s->kind[x];
    double *ceiling = &w->kind_ceiling[kind];
    if (isnan(*ceiling))
        CHECK(score_ceiling_with(w->scorer, q->y, q->parents, q->n_parents, s->kind_states[kind], ceiling, err));
    *out = *ceiling;
    return w->how == BY_ROW && *out - q->now > w->floor ? row_bounds_with(w->bounds, x, out, err) : STATUS_OK;
}

/* Scores a candidate that scores no more than `bound`, where that may be enough. */
static status offer_bounded(greedy_worker *w, const greedy_state *s, const row_question *q, size_t x, double bound,
                            error_info *err) {
    double value = bound;
    bool is_exact = true;
    if (bound - q->now <= w->floor) {
        pass_over(w, s, q, bound);
        return STATUS_OK;
    }
    if (w->how == BY_MIXED_ROWS)
        CHECK(
            score_node_above(w->scorer, q->y, q->parents, q->n_parents, x, q->now + w->floor, &value, &is_exact, err));
    else
        CHECK(score_node_fresh(w->scorer, q->y, q->parents, q->n_parents, x, &value, err));
    if (is_exact)
        return offer(w, s, q, x, value, err);
    pass_over(w, s, q, value);
    return STATUS_OK;
}

static status score_candidate(greedy_worker *w, const greedy_state *s, const row_question *q, size_t x,
                              error_info *err) {
    double bound = 0;
    if (score_is_constant(w->scorer, x))
        return offer_constant(w, s, q, x, err);
    if (w->how == BY_ALL_SCORES)
        return offer(w, s, q, x, scored_extras_with(w->all_scores, x), err);
    CHECK(bound_candidate(w, s, q, x, &bound, err));
    return offer_bounded(w, s, q, x, bound, err);
}

/* --- the row --- */

/* All scores at once; more of them are known then than were wanted. */
static status score_all(greedy_worker *w, const greedy_state *s, const row_question *q, bool *is_done,
                        error_info *err) {
    const candidate_row *row = &s->rows[q->y];
    size_t n = 0;
    for (size_t i = 0; i < row->n_nodes; i++) {
        size_t x = row->nodes ? row->nodes[i] : i;
        if (!greedy_worker_has_marked(w, x) && !score_is_constant(w->scorer, x))
            w->extras[n++] = x;
    }
    CHECK(scored_extras_set(w->all_scores, q->y, q->parents, q->n_parents, w->extras, n, is_done, err));
    if (*is_done && w->size < GREEDY_KEPT)
        w->size = GREEDY_KEPT;
    return STATUS_OK;
}

static status choose_bounds(greedy_worker *w, const greedy_state *s, const row_question *q, error_info *err) {
    bool is_of_use = false;
    w->how = BY_NONE;
    if (w->all_scores)
        CHECK(score_all(w, s, q, &is_of_use, err));
    if (is_of_use) {
        w->how = BY_ALL_SCORES;
        return STATUS_OK;
    }
    if (s->rows[q->y].n_nodes < BOUND_MIN_OPEN)
        return STATUS_OK;
    if (w->bounds)
        CHECK(row_bounds_set(w->bounds, q->y, q->parents, q->n_parents, &is_of_use, err));
    w->how = is_of_use ? BY_ROW : BY_MIXED_ROWS;
    return STATUS_OK;
}

static status begin_row(greedy_worker *w, const greedy_state *s, const row_question *q, error_info *err) {
    for (size_t k = 0; k < s->n_kinds; k++)
        w->kind_ceiling[k] = w->kind_constant[k] = (double)NAN;
    w->n_best = w->n_found = 0;
    w->floor = s->least;
    w->rest = -INFINITY;
    w->is_expired = false;
    w->size = q->size;
    return choose_bounds(w, s, q, err);
}

/* Scores first what was good before, so that bounds have something to pass: those of the parents before, or of a search
 * for fewer. They are marked. */
static status score_seeds(greedy_worker *w, const greedy_state *s, const row_question *q, error_info *err) {
    for (size_t i = 0; i < q->n_seeds && i < GREEDY_KEPT; i++) {
        size_t x = q->seeds[i].node;
        if (greedy_worker_has_marked(w, x))
            continue;
        greedy_worker_mark(w, x);
        CHECK(score_candidate(w, s, q, x, err));
    }
    return STATUS_OK;
}

static status score_rest(greedy_worker *w, const greedy_state *s, const run_context *ctx, const row_question *q,
                         error_info *err) {
    const candidate_row *row = &s->rows[q->y];
    for (size_t i = 0; i < row->n_nodes && !w->is_expired; i++) {
        size_t x = row->nodes ? row->nodes[i] : i;
        if (!greedy_worker_has_marked(w, x))
            CHECK(score_candidate(w, s, q, x, err));
        w->is_expired = run_context_is_expired_at(ctx, i);
    }
    return STATUS_OK;
}

/* --- all columns, by blocks of lanes --- */

/* Of each kind in turn, what no candidate passes. */
static status find_ceilings(greedy_worker *w, const greedy_state *s, const row_question *q, error_info *err) {
    for (size_t k = 0; k < s->n_kinds; k++) {
        if (isnan(w->kind_ceiling[k]))
            CHECK(score_ceiling_with(w->scorer, q->y, q->parents, q->n_parents, s->kind_states[k], &w->kind_ceiling[k],
                                     err));
    }
    return STATUS_OK;
}

/* True if a bound of the block may tell more than the ceilings do. */
static bool is_open(const greedy_worker *w, const greedy_state *s, const row_question *q, const pair_block *block) {
    for (size_t i = 0; i < block->n_columns; i++) {
        if (w->kind_ceiling[s->kind[block->columns[i]]] - q->now > w->floor)
            return true;
    }
    return false;
}

static status score_block(greedy_worker *w, const greedy_state *s, const run_context *ctx, const row_question *q,
                          size_t index, error_info *err) {
    const pair_block *block = lane_columns_at(s->lanes, index);
    double bounds[PAIR_BLOCK_COLUMNS];
    size_t n_scored = 0;
    bool is_bounded = is_open(w, s, q, block);
    if (is_bounded)
        CHECK(row_bounds_block(w->bounds, index, bounds, err));
    for (size_t i = 0; i < block->n_columns && !w->is_expired; i++) {
        size_t x = block->columns[i];
        double ceiling = w->kind_ceiling[s->kind[x]], bound = is_bounded ? fmin(ceiling, bounds[i]) : ceiling;
        bool is_scored = bound - q->now > w->floor;
        if (greedy_worker_has_marked(w, x))
            continue;
        CHECK(offer_bounded(w, s, q, x, bound, err));
        w->is_expired = is_scored && run_context_is_expired_at(ctx, n_scored++);
    }
    return STATUS_OK;
}

static status score_blocks(greedy_worker *w, const greedy_state *s, const run_context *ctx, const row_question *q,
                           error_info *err) {
    size_t n_loose;
    const size_t *loose = lane_columns_loose(s->lanes, &n_loose);
    CHECK(find_ceilings(w, s, q, err));
    for (size_t i = 0; i < n_loose; i++) {
        if (!greedy_worker_has_marked(w, loose[i]))
            CHECK(score_candidate(w, s, q, loose[i], err));
    }
    for (size_t i = 0; i < lane_columns_count(s->lanes) && !w->is_expired; i++) {
        CHECK(score_block(w, s, ctx, q, i, err));
        w->is_expired = w->is_expired || run_context_is_expired(ctx);
    }
    return STATUS_OK;
}

static int by_score(const void *a, const void *b) {
    return greedy_scores_more(a, b) ? -1 : greedy_scores_more(b, a);
}

/* Sorts what was found, and keeps those that are wanted, and a few more. */
static void keep_best(greedy_worker *w, const row_question *q) {
    size_t kept = 0;
    if (w->n_found > 1)
        qsort(w->found, w->n_found, sizeof *w->found, by_score);
    while (kept < w->n_found && (kept < GREEDY_KEPT || w->found[kept].with - q->now > w->floor))
        kept++;
    if (kept < w->n_found)
        w->rest = fmax(w->rest, w->found[kept].with);
    w->n_found = kept;
}

status greedy_worker_answer(greedy_worker *w, const greedy_state *s, const run_context *ctx, const row_question *q,
                            error_info *err) {
    CHECK(begin_row(w, s, q, err));
    CHECK(score_seeds(w, s, q, err));
    w->is_expired = run_context_is_expired(ctx);
    if (w->how == BY_ROW && s->lanes)
        CHECK(score_blocks(w, s, ctx, q, err));
    else
        CHECK(score_rest(w, s, ctx, q, err));
    keep_best(w, q);
    return STATUS_OK;
}
