/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counts are those of a search that scores every legal addition: all candidates but those that have been
 * descendants of the node all the time that it had its parents, which the history of paths tells. How many these were
 * is found for many rows at once.
 */
#include "core/base/array.h"
#include "core/base/bits.h"
#include "learners/greedy/greedy_ahead_internal.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Of a row that was counted, what tells its descendants all the time that the node had these parents. */
typedef struct {
    uint32_t y, begun_at, looked_at, n_reversed;
    uint32_t *reversed;
} counted_row;

/* A row whose families are not in the tally yet. */
typedef struct {
    size_t number; /* in `rows` */
    uint32_t begun_at;
    size_t n_parents, n_known;
} due_row;

enum { DUE_MOST = 8 * REACH_TOGETHER };

struct greedy_counts {
    counted_row *rows; /* of a scorer of the search's own */
    size_t n_rows, capacity;
    due_row *due;
    size_t n_due, due_capacity;
    atomic_size_t n_taken;         /* of the due rows, by the threads that count them */
    atomic_size_t requests, known; /* of those that are counted */
    reach_sweep *sweeps;           /* scratch by thread; the first is that of the search */
    size_t n_sweeps;
    bool is_left;   /* due rows that the search left behind */
    bool is_beside; /* the crew counts them */
};

status greedy_counts_init(greedy_state *s, error_info *err) {
    size_t n_threads = s->ctx->n_threads > 1 ? s->ctx->n_threads : 1;
    CHECK_ALLOC(s->counts = calloc(1, sizeof *s->counts));
    CHECK_ALLOC(s->counts->sweeps = calloc(n_threads, sizeof *s->counts->sweeps));
    s->counts->n_sweeps = n_threads;
    return reach_sweep_init(&s->counts->sweeps[0], s->n, err);
}

void greedy_counts_clear(greedy_state *s) {
    greedy_counts *c = s->counts;
    if (!c)
        return;
    for (size_t i = 0; i < c->n_rows; i++)
        free(c->rows[i].reversed);
    free(c->rows);
    free(c->due);
    for (size_t i = 0; i < c->n_sweeps; i++)
        reach_sweep_clear(&c->sweeps[i]);
    free(c->sweeps);
    free(c);
}

/* --- what a row left out --- */

/* Marks those that were not asked for, y among them, and lists them, and maybe more, in no order. */
static size_t mark_unasked(greedy_state *s, const counted_row *row, size_t *out) {
    size_t n = reach_history_list(s->past, row->y, row->begun_at, out), n_losses;
    const reach_loss *losses = reach_history_losses(s->past, row->y, row->begun_at, &n_losses);
    greedy_clear_marks(s);
    for (size_t i = 0; i < n; i++)
        greedy_mark(s, out[i]);
    for (size_t i = 0; i < n_losses && losses[i].when <= row->looked_at; i++)
        greedy_unmark(s, losses[i].node);
    for (size_t i = 0; i < row->n_reversed; i++)
        greedy_unmark(s, row->reversed[i]);
    return n;
}

enum { SORT_SHARE = 64 }; /* a list of fewer than one in so many nodes is sorted, one of more read off the marks */

/* The marked nodes, all of which are among the `n`, ascending; how many they are. */
static size_t sort_marked(const greedy_state *s, size_t *nodes, size_t n) {
    bool is_short = n < s->n / SORT_SHARE;
    size_t end = is_short ? n : s->n, n_marked = 0;
    for (size_t i = 0; i < end; i++) {
        size_t x = is_short ? nodes[i] : i;
        if (greedy_is_marked(s, x))
            nodes[n_marked++] = x;
    }
    if (is_short)
        array_sort_sizes(nodes, n_marked);
    return n_marked;
}

static size_t list_left_out(void *self, size_t number, size_t *out) {
    greedy_state *s = self;
    return sort_marked(s, out, mark_unasked(s, &s->counts->rows[number], out));
}

static bool has_reversed(const counted_row *row, size_t x) {
    for (size_t i = 0; i < row->n_reversed; i++) {
        if (row->reversed[i] == x)
            return true;
    }
    return false;
}

/* True if x was a descendant of y from when the row began until it was looked at for the last time: what was one at
   first either is one still, or was lost later. */
static bool was_below(const greedy_state *s, const counted_row *row, size_t x) {
    size_t n;
    const reach_loss *losses = reach_history_losses(s->past, row->y, row->begun_at, &n);
    bool is_lost = false;
    for (size_t i = 0; i < n; i++) {
        if (losses[i].node != x)
            continue;
        if (losses[i].when <= row->looked_at)
            return false;
        is_lost = true;
    }
    return (is_lost || ancestry_reaches(s->above, row->y, x)) &&
           reach_history_reaches(s->past, row->y, x, row->begun_at);
}

static bool is_left_out(void *self, size_t number, size_t x) {
    const greedy_state *s = self;
    const counted_row *row = &s->counts->rows[number];
    return !has_reversed(row, x) && was_below(s, row, x);
}

/* Keeps what tells the row's descendants. */
static status keep_row(greedy_counts *c, const counted_row *row, error_info *err) {
    counted_row kept = *row;
    kept.reversed = NULL;
    CHECK(ARRAY_ROOM(c->rows, c->n_rows, c->capacity, err));
    if (row->n_reversed > 0) {
        CHECK_ALLOC(kept.reversed = calloc(row->n_reversed, sizeof *kept.reversed));
        memcpy(kept.reversed, row->reversed, row->n_reversed * sizeof *kept.reversed);
    }
    c->rows[c->n_rows++] = kept;
    return STATUS_OK;
}

/* --- many rows at once --- */

static int by_time(const void *a, const void *b) {
    const due_row *d = a, *e = b;
    return (d->begun_at > e->begun_at) - (d->begun_at < e->begun_at);
}

/* Takes out of bit i what the row asked for all the same. */
static void clear_asked(const greedy_state *s, const counted_row *row, size_t i, reach_bits *below) {
    size_t n_losses;
    const reach_loss *losses = reach_history_losses(s->past, row->y, row->begun_at, &n_losses);
    for (size_t k = 0; k < n_losses && losses[k].when <= row->looked_at; k++)
        bits_drop(below[losses[k].node].words, i);
    for (size_t k = 0; k < row->n_reversed; k++)
        bits_drop(below[row->reversed[k]].words, i);
}

/* Of up to REACH_TOGETHER due rows, in the order of time. */
static void count_some(greedy_state *s, const due_row *due, size_t n, reach_sweep *sweep) {
    greedy_counts *c = s->counts;
    reach_question questions[REACH_TOGETHER];
    size_t unasked[REACH_TOGETHER], requests = 0, known = 0;
    for (size_t i = 0; i < n; i++)
        questions[i] = (reach_question){c->rows[due[i].number].y, due[i].begun_at};
    reach_history_list_together(s->past, questions, n, dag_kept_order(s->current), sweep);
    for (size_t i = 0; i < n; i++)
        clear_asked(s, &c->rows[due[i].number], i, sweep->bits);
    reach_sweep_count(sweep, s->n, unasked); /* y among them */
    for (size_t i = 0; i < n; i++) {
        requests += s->n - unasked[i] - due[i].n_parents;
        known += due[i].n_known;
    }
    atomic_fetch_add(&c->requests, requests);
    atomic_fetch_add(&c->known, known);
}

/* By each thread; one without memory leaves its share to the search's, which is number 0. */
static void take_part(void *self, size_t index) {
    greedy_state *s = self;
    greedy_counts *c = s->counts;
    reach_sweep *sweep = &c->sweeps[index];
    size_t first;
    if (!sweep->bits && reach_sweep_init(sweep, s->n, NULL) != STATUS_OK)
        return;
    while ((first = atomic_fetch_add(&c->n_taken, REACH_TOGETHER)) < c->n_due) {
        size_t n = c->n_due - first < REACH_TOGETHER ? c->n_due - first : REACH_TOGETHER;
        count_some(s, &c->due[first], n, sweep);
    }
}

static status count_beside(void *self, size_t worker, error_info *err) {
    (void)err;
    take_part(self, worker);
    return STATUS_OK;
}

/* `is_worth_it`: threads that answer no questions any more begin at once. */
static void begin_due(greedy_state *s, bool is_worth_it) {
    greedy_counts *c = s->counts;
    qsort(c->due, c->n_due, sizeof *c->due, by_time);
    atomic_store(&c->n_taken, 0);
    c->is_beside = is_worth_it && s->threads && !s->ahead;
    if (c->is_beside)
        crew_begin(s->threads, count_beside, s);
}

static void end_due(greedy_state *s) {
    greedy_counts *c = s->counts;
    if (s->ahead && c->n_due > REACH_TOGETHER)
        greedy_ahead_share(s, take_part, s);
    else
        take_part(s, 0);
    if (c->is_beside)
        (void)crew_end(s->threads, NULL);
    score_count_recalled(s->scorer, atomic_exchange(&c->requests, 0), atomic_exchange(&c->known, 0));
    c->n_due = 0;
}

static void count_due(greedy_state *s) {
    begin_due(s, s->counts->n_due > REACH_TOGETHER);
    end_due(s);
}

/* --- a row --- */

/* Of a row of listed candidates. The nodes that were not asked for are marked, y and its parents among them. */
static status count_listed(greedy_state *s, size_t y, const size_t *parents, size_t n_parents, error_info *err) {
    const candidate_row *row = &s->rows[y];
    size_t n = 0;
    for (size_t i = 0; i < row->n_nodes; i++) {
        if (!greedy_is_marked(s, row->nodes[i]))
            s->nodes[n++] = row->nodes[i];
    }
    return score_count_additions(s->scorer, y, parents, n_parents, s->nodes, n, err);
}

/* The tally is right at once where the search ends by it. */
static status count_recalled(greedy_state *s, const counted_row *row, const size_t *parents, size_t n_parents,
                             error_info *err) {
    left_out_source source = {s, is_left_out, list_left_out, false};
    greedy_counts *c = s->counts;
    due_row due = {c->n_rows, row->begun_at, n_parents, 0};
    CHECK(keep_row(c, row, err));
    CHECK(
        score_count_additions_recalled(s->scorer, row->y, parents, n_parents, &source, due.number, &due.n_known, err));
    CHECK(ARRAY_PUSH(c->due, c->n_due, c->due_capacity, err, due));
    if (c->n_due == DUE_MOST || s->ctx->most_scores > 0)
        count_due(s);
    return STATUS_OK;
}

static status count_listed_or_all(greedy_state *s, const counted_row *counted, const size_t *parents, size_t n_parents,
                                  error_info *err) {
    const candidate_row *row = &s->rows[counted->y];
    size_t n = mark_unasked(s, counted, s->nodes);
    for (size_t i = 0; i < n_parents; i++) {
        greedy_mark(s, parents[i]);
        s->nodes[n++] = parents[i];
    }
    if (row->nodes)
        return count_listed(s, counted->y, parents, n_parents, err);
    n = sort_marked(s, s->nodes, n);
    return score_count_additions_but(s->scorer, counted->y, parents, n_parents, s->nodes, n, err);
}

/* The history goes with the search: what a lent scorer may be asked later, it keeps itself. */
status greedy_count_row(greedy_state *s, size_t y, error_info *err) {
    const candidate_row *row = &s->rows[y];
    counted_row counted = {(uint32_t)y, row->begun_at, row->looked_at, (uint32_t)row->n_reversed, row->reversed};
    size_t n_parents;
    const size_t *parents = dag_parents(s->current, y, &n_parents);
    if (!row->was_looked_at || greedy_is_full(s, y))
        return STATUS_OK;
    if (row->nodes || !s->own_scorer)
        return count_listed_or_all(s, &counted, parents, n_parents, err);
    return count_recalled(s, &counted, parents, n_parents, err);
}

status greedy_count_rest(greedy_state *s, error_info *err) {
    greedy_counts *c = s->counts;
    for (size_t y = 0; y < s->n; y++)
        CHECK(greedy_count_row(s, y, err));
    c->is_left = c->n_due > 0;
    if (c->is_left)
        begin_due(s, true);
    return STATUS_OK;
}

void greedy_count_end(greedy_state *s) {
    if (s->counts && s->counts->is_left)
        end_due(s);
}
