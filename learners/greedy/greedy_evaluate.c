/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best candidates of a row, by all threads: each takes candidates from the row in pieces, and keeps those that may
 * be among the best. What a thread leaves out depends on what it has met, and so does what is kept beyond the best;
 * which they are and how they score does not.
 */
#include "core/base/array.h"
#include "learners/greedy/greedy_state_internal.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    BOUND_MIN_OPEN = 64,     /* with fewer candidates to score, preparing for closer bounds does not pay */
    SHARED_MIN = 128,        /* with fewer, sharing them does not, nor */
    SHARED_VALUES = 1500000, /* with so few values in all */
    PIECE = 32,              /* candidates that a thread takes at once */
    KEPT = 16,               /* candidates of which the score is kept once it is known */
    ALL = 2                  /* the depth at which every candidate that gains enough is kept */
};

/* How many of the best a row is evaluated for. */
static const size_t depth_size[] = {1, KEPT, SIZE_MAX};

/* How a candidate is bounded before it is scored. */
typedef enum { BY_NONE, BY_MIXED_ROWS, BY_ROW } bounding;

/* One thread's tools, and the best candidates that it has met. Those that gain no more than `floor` are not wanted. */
typedef struct greedy_worker {
    score *scorer;                        /* the first one's is the search's */
    row_bounds *bounds;                   /* NULL without tables */
    double *kind_ceiling, *kind_constant; /* of the row; NaN: not yet asked for */
    bounding how;
    double best[KEPT]; /* the gains of the best so far, descending */
    size_t n_best;
    double floor;
    double passed_over; /* no other candidate scores more */
    scored_parent *found;
    size_t n_found, capacity;
} worker;

/* A row that is evaluated. */
typedef struct {
    greedy_state *s;
    size_t y, n_parents;
    const size_t *parents;
    double now;
    size_t size; /* so many of the best are wanted */
    double floor;
    atomic_size_t n_taken;
    atomic_bool is_over; /* the deadline has passed, or a thread has failed */
} task;

/* --- the threads --- */

static status init_worker(greedy_state *s, worker *w, bool is_first, error_info *err) {
    w->scorer = s->scorer;
    if (!is_first)
        CHECK(score_create_twin(s->scorer, &w->scorer, err));
    CHECK_ALLOC(w->kind_ceiling = calloc(s->n_kinds + 1, sizeof *w->kind_ceiling));
    CHECK_ALLOC(w->kind_constant = calloc(s->n_kinds + 1, sizeof *w->kind_constant));
    return s->tables ? row_bounds_create(w->scorer, s->tables, &w->bounds, err) : STATUS_OK;
}

static size_t longest_row(const greedy_state *s) {
    size_t longest = 0;
    for (size_t y = 0; y < s->n; y++)
        longest = s->rows[y].n_nodes > longest ? s->rows[y].n_nodes : longest;
    return longest;
}

static bool is_worth_sharing(const greedy_state *s, size_t longest) {
    return longest >= SHARED_MIN && (double)longest * (double)dataset_row_count(s->data) >= SHARED_VALUES;
}

status greedy_workers_init(greedy_state *s, error_info *err) {
    size_t longest = longest_row(s);
    if (longest >= BOUND_MIN_OPEN)
        CHECK(score_make_tables(s->scorer, &s->tables, err));
    s->n_workers = s->tables && is_worth_sharing(s, longest) ? s->ctx->n_threads : 1;
    CHECK_ALLOC(s->workers = calloc(s->n_workers, sizeof *s->workers));
    for (size_t i = 0; i < s->n_workers; i++)
        CHECK(init_worker(s, &s->workers[i], i == 0, err));
    return s->n_workers > 1 ? crew_create(s->n_workers, &s->crew, err) : STATUS_OK;
}

void greedy_workers_clear(greedy_state *s) {
    crew_destroy(s->crew);
    for (size_t i = 0; s->workers && i < s->n_workers; i++) {
        worker *w = &s->workers[i];
        row_bounds_destroy(w->bounds);
        if (i > 0)
            score_destroy(w->scorer);
        free(w->kind_ceiling);
        free(w->kind_constant);
        free(w->found);
    }
    free(s->workers);
    pair_tables_destroy(s->tables);
}

/* --- the best --- */

static double slack(double now) {
    return 2 * SCORE_TOLERANCE + 1e-14 * fabs(now);
}

static void note_gain(const task *t, worker *w, double gain) {
    size_t at = w->n_best < t->size ? w->n_best : t->size - 1;
    if (t->size > KEPT || (w->n_best == t->size && !(gain > w->best[at])))
        return;
    for (; at > 0 && gain > w->best[at - 1]; at--)
        w->best[at] = w->best[at - 1];
    w->best[at] = gain;
    w->n_best += w->n_best < t->size;
    if (w->n_best == t->size)
        w->floor = fmax(w->floor, w->best[t->size - 1] - slack(t->now));
}

/* A candidate that gains no more than the floor, or a bound that does not. */
static void pass_over(const task *t, worker *w, double with) {
    if (with - t->now > t->s->least)
        w->passed_over = fmax(w->passed_over, with);
}

static status offer(const task *t, worker *w, size_t x, double with, error_info *err) {
    double gain = with - t->now;
    if (!(gain > w->floor)) {
        pass_over(t, w, with);
        return STATUS_OK;
    }
    note_gain(t, w, gain);
    return ARRAY_PUSH(w->found, w->n_found, w->capacity, err, (scored_parent){with, (uint32_t)x});
}

/* --- a candidate --- */

static status offer_constant(const task *t, worker *w, size_t x, error_info *err) {
    size_t kind = t->s->kind[x];
    double *value = &w->kind_constant[kind];
    if (isnan(*value))
        CHECK(score_constant_with(w->scorer, t->y, t->parents, t->n_parents, t->s->kind_states[kind], value, err));
    return offer(t, w, x, *value, err);
}

/* An upper bound that takes little time; INFINITY where there is none. */
static status bound_candidate(const task *t, worker *w, size_t x, double *out, error_info *err) {
    size_t kind = t->s->kind[x];
    double *ceiling = &w->kind_ceiling[kind];
    if (isnan(*ceiling))
        CHECK(score_ceiling_with(w->scorer, t->y, t->parents, t->n_parents, t->s->kind_states[kind], ceiling, err));
    *out = *ceiling;
    return w->how == BY_ROW && *out - t->now > w->floor ? row_bounds_with(w->bounds, x, out, err) : STATUS_OK;
}

static status score_candidate(const task *t, worker *w, size_t x, error_info *err) {
    double value = 0;
    bool is_exact = true;
    if (score_is_constant(w->scorer, x))
        return offer_constant(t, w, x, err);
    CHECK(bound_candidate(t, w, x, &value, err));
    if (value - t->now <= w->floor) {
        pass_over(t, w, value);
        return STATUS_OK;
    }
    if (w->how == BY_MIXED_ROWS)
        CHECK(
            score_node_above(w->scorer, t->y, t->parents, t->n_parents, x, t->now + w->floor, &value, &is_exact, err));
    else
        CHECK(score_node_fresh(w->scorer, t->y, t->parents, t->n_parents, x, &value, err));
    if (is_exact)
        return offer(t, w, x, value, err);
    pass_over(t, w, value);
    return STATUS_OK;
}

/* --- a thread's share --- */

static status choose_bounds(const task *t, worker *w, error_info *err) {
    bool is_of_use = false;
    w->how = BY_NONE;
    if (t->s->rows[t->y].n_nodes < BOUND_MIN_OPEN)
        return STATUS_OK;
    if (w->bounds)
        CHECK(row_bounds_set(w->bounds, t->y, t->parents, t->n_parents, &is_of_use, err));
    w->how = is_of_use ? BY_ROW : BY_MIXED_ROWS;
    return STATUS_OK;
}

static void clear_share(const task *t, worker *w) {
    w->n_best = w->n_found = 0;
    w->floor = t->floor;
    w->passed_over = -INFINITY;
}

static status begin_share(const task *t, worker *w, error_info *err) {
    for (size_t k = 0; k < t->s->n_kinds; k++)
        w->kind_ceiling[k] = w->kind_constant[k] = (double)NAN;
    clear_share(t, w);
    return choose_bounds(t, w, err);
}

static status score_piece(task *t, worker *w, size_t first, error_info *err) {
    const candidate_row *row = &t->s->rows[t->y];
    size_t end = row->n_nodes - first < PIECE ? row->n_nodes : first + PIECE;
    for (size_t i = first; i < end && !atomic_load_explicit(&t->is_over, memory_order_relaxed); i++) {
        size_t x = row->nodes ? row->nodes[i] : i;
        if (greedy_is_marked(t->s, x))
            continue;
        CHECK(score_candidate(t, w, x, err));
        if (run_context_is_expired_at(t->s->ctx, i))
            atomic_store(&t->is_over, true);
    }
    return STATUS_OK;
}

static status work(void *self, size_t index, error_info *err) {
    status st = STATUS_OK;
    task *t = self;
    worker *w = &t->s->workers[index];
    size_t n = t->s->rows[t->y].n_nodes, first;
    if (index > 0)
        TRY(begin_share(t, w, err));
    while ((first = atomic_fetch_add(&t->n_taken, PIECE)) < n && !atomic_load(&t->is_over))
        TRY(score_piece(t, w, first, err));
cleanup:
    if (st != STATUS_OK)
        atomic_store(&t->is_over, true);
    return st;
}

/* --- the row --- */

/* Scores first what was good before, so that bounds have something to pass: those of the parents before, or of a search
 * for fewer. They are marked. */
static status score_seeds(task *t, error_info *err) {
    const candidate_row *row = &t->s->rows[t->y];
    worker *w = &t->s->workers[0];
    for (size_t i = 0; i < row->n_found && i < KEPT; i++) {
        size_t x = row->found[i].node;
        if (greedy_is_marked(t->s, x))
            continue;
        greedy_mark(t->s, x);
        CHECK(score_candidate(t, w, x, err));
    }
    t->floor = w->floor;
    return STATUS_OK;
}

static status score_row(task *t, error_info *err) {
    greedy_state *s = t->s;
    const candidate_row *row = &s->rows[t->y];
    greedy_clear_marks(s);
    greedy_mark(s, t->y);
    for (size_t i = 0; i < t->n_parents; i++)
        greedy_mark(s, t->parents[i]);
    greedy_mark_all(s, row->unasked, row->n_unasked);
    CHECK(begin_share(t, &s->workers[0], err));
    CHECK(score_seeds(t, err));
    for (size_t i = 1; i < s->n_workers; i++)
        clear_share(t, &s->workers[i]); /* some may not be run */
    return s->crew && is_worth_sharing(s, row->n_nodes) ? crew_run(s->crew, work, t, err) : work(t, 0, err);
}

static int by_score(const void *a, const void *b) {
    return greedy_scores_more(a, b) ? -1 : greedy_scores_more(b, a);
}

static status collect(const task *t, candidate_row *row, double *floor, error_info *err) {
    row->n_found = 0;
    row->rest = -INFINITY;
    for (size_t i = 0; i < t->s->n_workers; i++) {
        const worker *w = &t->s->workers[i];
        CHECK(ARRAY_RESERVE(row->found, row->found_capacity, row->n_found + w->n_found, err));
        if (w->n_found > 0)
            memcpy(row->found + row->n_found, w->found, w->n_found * sizeof *w->found);
        row->n_found += w->n_found;
        row->rest = fmax(row->rest, w->passed_over);
        *floor = fmax(*floor, w->floor);
    }
    return STATUS_OK;
}

/* Sorts what was found, and keeps those that are wanted, and a few more. */
static void keep_best(const task *t, candidate_row *row, double floor) {
    size_t kept = 0;
    if (row->n_found > 1)
        qsort(row->found, row->n_found, sizeof *row->found, by_score);
    while (kept < row->n_found && (kept < KEPT || row->found[kept].with - t->now > floor))
        kept++;
    if (kept < row->n_found)
        row->rest = fmax(row->rest, row->found[kept].with);
    row->n_found = kept;
}

status greedy_evaluate_row(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    task t = {.s = s, .y = y, .now = s->now[y], .floor = s->least};
    double floor = s->least;
    row->depth = (unsigned char)(row->depth + (row->is_evaluated && row->depth < ALL));
    row->is_evaluated = false;
    t.size = depth_size[row->depth];
    t.parents = dag_parents(s->current, y, &t.n_parents);
    if (greedy_is_full(s, y)) {
        row->n_found = 0;
        row->rest = -INFINITY;
    } else {
        CHECK(score_row(&t, err));
        CHECK(collect(&t, row, &floor, err));
        keep_best(&t, row, floor);
    }
    s->is_expired = s->is_expired || atomic_load(&t.is_over);
    if (row->depth == ALL)
        row->rest = -INFINITY;
    row->is_evaluated = !s->is_expired;
    return STATUS_OK;
}

/* --- all rows at once --- */

/* The lists are copied: a row may find more. */
static status take_singles(greedy_state *s, const single_parents *p, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    CHECK(ARRAY_RESERVE(row->found, row->found_capacity, p->n_found[y], err));
    if (p->n_found[y] > 0)
        memcpy(row->found, p->found + y * p->most, p->n_found[y] * sizeof *row->found);
    row->n_found = p->n_found[y];
    row->rest = p->rest[y];
    row->most = INFINITY;
    row->depth = 1;
    row->is_evaluated = true;
    return STATUS_OK;
}

status greedy_survey(greedy_state *s, error_info *err) {
    AUTO(single_parents_clear) single_parents p = {0};
    if (s->lists || s->plan->candidates || s->plan->options.max_parents == 0 || dag_arc_count(s->current) > 0 ||
        !s->tables || !single_parents_can_survey(s->scorer))
        return STATUS_OK;
    CHECK(single_parents_survey(s->scorer, s->tables, s->now, s->least, KEPT, s->ctx, &p, &s->is_expired, err));
    for (size_t y = 0; y < s->n && !s->is_expired; y++)
        CHECK(take_singles(s, &p, y, err));
    return STATUS_OK;
}
