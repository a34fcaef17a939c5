/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best candidates of a row. Of those that cannot be among them no score is made: bounds leave them out. What is
 * left out depends on what was met before, and so does what is kept beyond the best; which they are and how they score
 * does not.
 */
#include "learners/greedy/greedy_worker_internal.h"

#include "core/base/array.h"
#include "core/counting/base_tables.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
    BOUND_MIN_OPEN = 64, /* with fewer candidates to score, preparing for closer bounds does not pay */
    NEAR_BELOW = 64,     /* descendants that are marked beforehand where paths can be asked for */
    MANY_TAKEN = 32,     /* once a row has scored or asked for so many candidates, none is that is wished for only */
    KEPT_WHOLE = 1024,   /* candidates of a row whose scores are all kept, once a pass over many rows has made them */
    WISHED = 8           /* of the best are found where that takes no more than MANY_TAKEN */
};

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
    if (s->n > ANCESTRY_MAX_BESIDE_SUPPORTS)
        CHECK(dag_search_create(s->n, &w->paths, err));
    if (s->tables && base_tables_suit(s->data)) {
        CHECK_ALLOC(w->extras = calloc(s->n + 1, sizeof *w->extras));
        CHECK(scored_extras_create(w->scorer, s->tables, &w->all_scores, err));
    }
    return s->tables ? row_bounds_create(w->scorer, s->tables, s->lanes, s->blocks, &w->bounds, err) : STATUS_OK;
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
    candidate_heap_clear(&w->open);
    dag_search_destroy(w->paths);
    free(w->missed.nodes);
    free(w->found);
    *w = (greedy_worker){0};
}

/* --- descendants --- */

static void add_below(greedy_worker *w, size_t *n, size_t node) {
    if (w->marks[node] == w->walk)
        return;
    w->marks[node] = w->walk;
    w->nodes[(*n)++] = (uint32_t)node;
}

/* Marks y, and what is below it until `most` nodes are marked. */
static void walk_down(greedy_worker *w, const greedy_state *s, size_t y, size_t turned, size_t most) {
    size_t n = 0, i = 0;
    w->walk++;
    add_below(w, &n, y);
    if (!w->paths && turned != SIZE_MAX && dag_has_arc(s->current, turned, y))
        add_below(w, &n, turned);
    for (; i < n && n < most; i++) {
        size_t n_children;
        const size_t *children = dag_children(s->current, w->nodes[i], &n_children);
        for (size_t k = 0; k < n_children; k++) {
            if (i > 0 || children[k] != turned)
                add_below(w, &n, children[k]);
        }
    }
    w->knows_below = i == n;
}

void greedy_worker_mark_below(greedy_worker *w, const greedy_state *s, size_t y, size_t turned) {
    greedy_worker_clear_marks(w, s->n);
    walk_down(w, s, y, turned, w->paths ? NEAR_BELOW : SIZE_MAX);
}

static bool is_known_below(const greedy_worker *w, size_t x) {
    return w->marks[x] > w->mark;
}

bool greedy_worker_is_below(greedy_worker *w, const greedy_state *s, size_t x, size_t y) {
    path_answer answer = is_known_below(w, x) ? PATH_EXISTS
                         : w->knows_below     ? PATH_NONE
                                              : supports_ask(s->supports, y, x);
    return answer == PATH_UNKNOWN ? dag_reaches_by(s->current, w->paths, y, x) : answer == PATH_EXISTS;
}

/* Asks late, of one candidate: bounds leave most out, and to mark all descendants takes longer. */
static bool closes_cycle(greedy_worker *w, const greedy_state *s, size_t x, size_t y) {
    bool is_below;
    if (w->knows_below)
        return is_known_below(w, x);
    greedy_lock_graph(s);
    is_below = greedy_worker_is_below(w, s, x, y);
    greedy_unlock_graph(s);
    return is_below;
}

/* True if x is known to be a descendant without a search. */
static bool is_plainly_below(greedy_worker *w, const greedy_state *s, size_t x, size_t y) {
    bool is_below = is_known_below(w, x);
    if (is_below || w->knows_below)
        return is_below;
    greedy_lock_graph(s);
    is_below = supports_ask(s->supports, y, x) == PATH_EXISTS;
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

static status score_constant(greedy_worker *w, const greedy_state *s, const row_question *q, size_t x, double *out,
                             error_info *err) {
    size_t kind = s->kind[x];
    double *value = &w->kind_constant[kind];
    if (isnan(*value))
        CHECK(score_constant_with(w->scorer, q->y, q->parents, q->n_parents, s->kind_states[kind], value, err));
    *out = *value;
    return STATUS_OK;
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
    double bound = 0, value = 0;
    if (score_is_constant(w->scorer, x)) {
        CHECK(score_constant(w, s, q, x, &value, err));
        return offer(w, s, q, x, value, err);
    }
    if (w->how == BY_ALL_SCORES)
        return offer(w, s, q, x, scored_extras_with(w->all_scores, x), err);
    CHECK(bound_candidate(w, s, q, x, &bound, err));
    return offer_bounded(w, s, q, x, bound, err);
}

/* --- the row --- */

/* A row whose scores are all kept has those of descendants too: they do not stay descendants for ever, and a pass
 * over the data takes as long for one of them as for all. */
static bool is_kept_whole(const greedy_state *s, const row_question *q) {
    return s->rows[q->y].n_nodes <= KEPT_WHOLE;
}

static size_t candidate_at(const candidate_row *row, size_t i) {
    return row->nodes ? row->nodes[i] : i;
}

static bool is_scored(const greedy_worker *w, const greedy_state *s, const row_question *q, size_t x) {
    if (is_kept_whole(s, q) && is_known_below(w, x))
        return x != q->y;
    return !greedy_worker_has_marked(w, x);
}

/* All scores at once; more of them are known then than were wanted. */
static status score_all(greedy_worker *w, const greedy_state *s, const row_question *q, bool *is_done,
                        error_info *err) {
    const candidate_row *row = &s->rows[q->y];
    size_t n = 0;
    for (size_t i = 0; i < row->n_nodes; i++) {
        size_t x = candidate_at(row, i);
        if (is_scored(w, s, q, x) && !score_is_constant(w->scorer, x))
            w->extras[n++] = x;
    }
    CHECK(scored_extras_set(w->all_scores, q->y, q->parents, q->n_parents, w->extras, n, is_done, err));
    if (*is_done && w->size < GREEDY_KEPT)
        w->size = GREEDY_KEPT;
    return STATUS_OK;
}

static bool keeps_all(const greedy_worker *w, const greedy_state *s, const row_question *q) {
    return w->how == BY_ALL_SCORES && is_kept_whole(s, q);
}

static status keep_all(greedy_worker *w, const greedy_state *s, const row_question *q, error_info *err) {
    const candidate_row *row = &s->rows[q->y];
    w->missed.are_all = true;
    for (size_t i = 0; i < row->n_nodes; i++) {
        size_t x = candidate_at(row, i);
        scored_parent scored = {0, (uint32_t)x, 0};
        if (!is_scored(w, s, q, x))
            continue;
        if (score_is_constant(w->scorer, x))
            CHECK(score_constant(w, s, q, x, &scored.with, err));
        else
            scored.with = scored_extras_with(w->all_scores, x);
        CHECK(ARRAY_PUSH(w->found, w->n_found, w->capacity, err, scored));
    }
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
    if (is_of_use && s->lanes && w->size < WISHED)
        w->size = WISHED;
    return STATUS_OK;
}

static status begin_row(greedy_worker *w, const greedy_state *s, const row_question *q, error_info *err) {
    for (size_t k = 0; k < s->n_kinds; k++)
        w->kind_ceiling[k] = w->kind_constant[k] = (double)NAN;
    w->n_best = w->n_found = w->missed.n = 0;
    candidate_heap_empty(&w->open);
    w->missed.are_all = false;
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

static status score_one_by_one(greedy_worker *w, const greedy_state *s, const run_context *ctx, const row_question *q,
                               error_info *err) {
    const candidate_row *row = &s->rows[q->y];
    CHECK(score_seeds(w, s, q, err));
    w->is_expired = run_context_is_expired(ctx);
    for (size_t i = 0; i < row->n_nodes && !w->is_expired; i++) {
        size_t x = candidate_at(row, i);
        if (!greedy_worker_has_marked(w, x))
            CHECK(score_candidate(w, s, q, x, err));
        w->is_expired = run_context_is_expired_at(ctx, i);
    }
    return STATUS_OK;
}

/* --- all columns, by blocks of lanes: the best first --- */

/* Of each kind in turn, what no candidate passes. */
static status find_ceilings(greedy_worker *w, const greedy_state *s, const row_question *q, error_info *err) {
    for (size_t k = 0; k < s->n_kinds; k++) {
        if (isnan(w->kind_ceiling[k]))
            CHECK(score_ceiling_with(w->scorer, q->y, q->parents, q->n_parents, s->kind_states[k], &w->kind_ceiling[k],
                                     err));
    }
    return STATUS_OK;
}

/* Opens a candidate that may gain enough. */
static status open_up(greedy_worker *w, const greedy_state *s, const row_question *q, open_candidate candidate,
                      error_info *err) {
    return candidate.most - q->now > s->least ? candidate_heap_push(&w->open, candidate, err) : STATUS_OK;
}

/* No less, by some units of the last place. */
static float round_up(double x) {
    return (float)x + fabsf((float)x) * 2 * FLT_EPSILON;
}

static status miss(greedy_worker *w, size_t x, double most, error_info *err) {
    missed_nodes *m = &w->missed;
    return ARRAY_PUSH(m->nodes, m->n, m->capacity, err, (missed_node){(uint32_t)x, round_up(most)});
}

static status open_loose(greedy_worker *w, const greedy_state *s, const row_question *q, size_t x, error_info *err) {
    open_candidate candidate = {.node = (uint32_t)x, .is_exact = score_is_constant(w->scorer, x), .is_close = true};
    if (is_known_below(w, x))
        return miss(w, x, INFINITY, err);
    if (greedy_worker_has_marked(w, x))
        return STATUS_OK;
    if (candidate.is_exact)
        CHECK(score_constant(w, s, q, x, &candidate.most, err));
    else
        CHECK(bound_candidate(w, s, q, x, &candidate.most, err));
    return open_up(w, s, q, candidate, err);
}

/* Where the lanes from `first` on end that are of one kind; those of a kind lie side by side. */
static size_t end_of_kind(const greedy_state *s, const pair_block *block, size_t first) {
    size_t kind = s->kind[block->columns[first]], end = block->n_columns;
    if (s->kind[block->columns[end - 1]] == kind)
        return end;
    for (end = first + 1; s->kind[block->columns[end]] == kind;)
        end++;
    return end;
}

/* True if the ceilings let a lane of the block gain enough. */
static bool may_gain(const greedy_worker *w, const greedy_state *s, const row_question *q, const pair_block *block) {
    for (size_t i = 0; i < block->n_columns; i = end_of_kind(s, block, i)) {
        if (w->kind_ceiling[s->kind[block->columns[i]]] - q->now > s->least)
            return true;
    }
    return false;
}

static status open_lane(greedy_worker *w, const greedy_state *s, const row_question *q, size_t x, double bound,
                        error_info *err) {
    if (is_known_below(w, x))
        return miss(w, x, bound, err);
    return greedy_worker_has_marked(w, x) ? STATUS_OK
                                          : open_up(w, s, q, (open_candidate){.most = bound, .node = (uint32_t)x}, err);
}

/* Lanes of which few may gain enough. */
static status open_lanes(greedy_worker *w, const greedy_state *s, const row_question *q, const pair_block *block,
                         const double *bounds, error_info *err) {
    uint64_t left = lane_columns_above(s->lanes, bounds, block->n_columns, q->now, s->least);
    for (; left != 0; left &= left - 1) {
        size_t lane = (size_t)__builtin_ctzll(left), x = block->columns[lane];
        double ceiling = w->kind_ceiling[s->kind[x]];
        CHECK(open_lane(w, s, q, x, bounds[lane] < ceiling ? bounds[lane] : ceiling, err)); /* fmin is a call */
    }
    return STATUS_OK;
}

static status open_block(greedy_worker *w, const greedy_state *s, const row_question *q, size_t index,
                         error_info *err) {
    const pair_block *block = lane_columns_at(s->lanes, index);
    double bounds[PAIR_BLOCK_COLUMNS];
    if (!may_gain(w, s, q, block))
        return STATUS_OK;
    CHECK(row_bounds_block(w->bounds, index, bounds, err));
    return open_lanes(w, s, q, block, bounds, err);
}

/* True if a candidate that scores so much may be one of those that are asked for, and not only wished for. */
static bool is_needed(const greedy_worker *w, const greedy_state *s, const row_question *q, double most) {
    double gain = most - q->now;
    return w->n_best < q->size ? gain > s->least : gain > w->best[q->size - 1] - slack(q->now);
}

/* Bounds of blocks are coarse, and a close one takes a fraction of the time of the score. */
static status bound_closely(greedy_worker *w, const greedy_state *s, const row_question *q, open_candidate candidate,
                            error_info *err) {
    double bound = INFINITY;
    CHECK(row_bounds_with(w->bounds, candidate.node, &bound, err));
    candidate.most = fmin(candidate.most, bound);
    candidate.is_close = true;
    return open_up(w, s, q, candidate, err);
}

/* Bounds the candidate closely, or scores it, or finds it where it is scored. A path is asked for only where the
 * candidate is needed. */
static status take(greedy_worker *w, const greedy_state *s, const row_question *q, open_candidate candidate,
                   error_info *err) {
    if (!candidate.is_exact && !candidate.is_close)
        return bound_closely(w, s, q, candidate, err);
    if (!candidate.is_exact) {
        CHECK(score_node_fresh(w->scorer, q->y, q->parents, q->n_parents, candidate.node, &candidate.most, err));
        candidate.is_exact = true;
        return open_up(w, s, q, candidate, err);
    }
    if (is_needed(w, s, q, candidate.most) && closes_cycle(w, s, candidate.node, q->y))
        return miss(w, candidate.node, candidate.most, err);
    note_gain(w, q, candidate.most - q->now);
    return ARRAY_PUSH(w->found, w->n_found, w->capacity, err, (scored_parent){candidate.most, candidate.node, 0});
}

/* True if the first of the open candidates may be among the best, when n have been scored or asked for. */
static bool is_next_taken(greedy_worker *w, const greedy_state *s, const row_question *q, size_t n) {
    double most = w->open.n > 0 ? candidate_heap_most(&w->open) : -INFINITY;
    return most - q->now > w->floor && (n < MANY_TAKEN || is_needed(w, s, q, most));
}

/* Takes one candidate after the other, the one that may score most first: none that is left can be needed. */
static status take_best(greedy_worker *w, const greedy_state *s, const run_context *ctx, const row_question *q,
                        error_info *err) {
    for (size_t n = 0, n_close = 0; !w->is_expired && is_next_taken(w, s, q, n_close); n++) {
        open_candidate candidate = candidate_heap_pop(&w->open);
        bool is_left_out = !candidate.is_close && is_plainly_below(w, s, candidate.node, q->y);
        CHECK(is_left_out ? miss(w, candidate.node, candidate.most, err) : take(w, s, q, candidate, err));
        n_close += candidate.is_close;
        w->is_expired = run_context_is_expired_at(ctx, n);
    }
    return STATUS_OK;
}

/* Of those that are left open, what is scored is found all the same. */
static status close_open(greedy_worker *w, error_info *err) {
    double rest = w->rest;
    for (size_t i = 0; i < w->open.n; i++) {
        const open_candidate *left = &w->open.items[i];
        if (left->is_exact)
            CHECK(ARRAY_PUSH(w->found, w->n_found, w->capacity, err, (scored_parent){left->most, left->node, 0}));
        else
            rest = left->most > rest ? left->most : rest;
    }
    w->rest = rest;
    return STATUS_OK;
}

bool greedy_worker_goes_by_blocks(const greedy_worker *w, const greedy_state *s) {
    return w->how == BY_ROW && s->lanes;
}

static status open_columns(greedy_worker *w, const greedy_state *s, const row_question *q, error_info *err) {
    size_t n_loose;
    const size_t *loose = lane_columns_loose(s->lanes, &n_loose);
    CHECK(find_ceilings(w, s, q, err));
    w->missed.are_all = true;
    for (size_t i = 0; i < n_loose; i++)
        CHECK(open_loose(w, s, q, loose[i], err));
    return STATUS_OK;
}

status greedy_worker_open_blocks(greedy_worker *w, const greedy_state *s, const row_question *q, size_t first,
                                 size_t end, error_info *err) {
    for (size_t i = first; i < end && !w->is_expired; i++)
        CHECK(open_block(w, s, q, i, err));
    return STATUS_OK;
}

size_t greedy_worker_end_of_slab(const lane_columns *lanes, size_t first) {
    size_t slab = lane_columns_slab(lanes, first), end = first + 1;
    while (slab != SIZE_MAX && end < lane_columns_count(lanes) && lane_columns_slab(lanes, end) == slab)
        end++;
    return end;
}

/* Slabs are far away where they are many: each is fetched once for all workers. */
static status open_slabs(greedy_worker *const *workers, const row_question *questions, size_t n, const greedy_state *s,
                         const run_context *ctx, error_info *err) {
    for (size_t first = 0, end; first < lane_columns_count(s->lanes); first = end) {
        bool is_expired = run_context_is_expired(ctx);
        end = greedy_worker_end_of_slab(s->lanes, first);
        for (size_t k = 0; k < n; k++) {
            workers[k]->is_expired = workers[k]->is_expired || is_expired;
            if (greedy_worker_goes_by_blocks(workers[k], s))
                CHECK(greedy_worker_open_blocks(workers[k], s, &questions[k], first, end, err));
        }
    }
    return STATUS_OK;
}

static int by_score(const void *a, const void *b) {
    return greedy_scores_more(a, b) ? -1 : greedy_scores_more(b, a);
}

/* Sorts what was found, and keeps those that are wanted, and a few more. */
static void keep_best(greedy_worker *w, const greedy_state *s, const row_question *q) {
    size_t kept = 0;
    if (w->n_found > 1)
        qsort(w->found, w->n_found, sizeof *w->found, by_score);
    if (keeps_all(w, s, q))
        return;
    while (kept < w->n_found && (kept < GREEDY_KEPT || w->found[kept].with - q->now > w->floor))
        kept++;
    if (kept < w->n_found)
        w->rest = fmax(w->rest, w->found[kept].with);
    w->n_found = kept;
}

status greedy_worker_begin(greedy_worker *w, const greedy_state *s, const run_context *ctx, const row_question *q,
                           error_info *err) {
    CHECK(begin_row(w, s, q, err));
    if (keeps_all(w, s, q))
        return keep_all(w, s, q, err);
    return greedy_worker_goes_by_blocks(w, s) ? open_columns(w, s, q, err) : score_one_by_one(w, s, ctx, q, err);
}

status greedy_worker_end(greedy_worker *w, const greedy_state *s, const run_context *ctx, const row_question *q,
                         error_info *err) {
    if (greedy_worker_goes_by_blocks(w, s)) {
        CHECK(take_best(w, s, ctx, q, err));
        CHECK(close_open(w, err));
    }
    keep_best(w, s, q);
    return STATUS_OK;
}

status greedy_workers_answer(greedy_worker *const *workers, const row_question *questions, size_t n,
                             const greedy_state *s, const run_context *ctx, error_info *err) {
    for (size_t i = 0; i < n; i++)
        CHECK(greedy_worker_begin(workers[i], s, ctx, &questions[i], err));
    if (s->lanes)
        CHECK(open_slabs(workers, questions, n, s, ctx, err));
    for (size_t i = 0; i < n; i++)
        CHECK(greedy_worker_end(workers[i], s, ctx, &questions[i], err));
    return STATUS_OK;
}

status greedy_worker_copy_missed(const greedy_worker *w, missed_nodes *to, error_info *err) {
    const missed_nodes *from = &w->missed;
    CHECK(ARRAY_RESERVE(to->nodes, to->capacity, from->n, err));
    if (from->n > 0)
        memcpy(to->nodes, from->nodes, from->n * sizeof *to->nodes);
    to->n = from->n;
    to->are_all = from->are_all;
    return STATUS_OK;
}
