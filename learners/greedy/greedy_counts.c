/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counts are those of a search that scores every legal addition: all candidates but those that have been
 * descendants of the node all the time that it had its parents, which the history of paths tells. How many these were
 * is found for many rows at once.
 */
#include "core/base/array.h"
#include "core/base/bits.h"
#include "learners/greedy/greedy_state_internal.h"

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

struct greedy_counts {
    counted_row *rows; /* of a scorer of the search's own */
    size_t n_rows, capacity;
    due_row due[REACH_TOGETHER];
    size_t n_due;
    bool is_left;      /* another thread counts them */
    reach_bits *below; /* scratch, by node: the due rows of whose nodes it was a descendant */
};

status greedy_counts_init(greedy_state *s, error_info *err) {
    CHECK_ALLOC(s->counts = calloc(1, sizeof *s->counts));
    CHECK_ALLOC(s->counts->below = calloc(s->n + 1, sizeof *s->counts->below));
    return STATUS_OK;
}

void greedy_counts_clear(greedy_state *s) {
    greedy_counts *c = s->counts;
    if (!c)
        return;
    for (size_t i = 0; i < c->n_rows; i++)
        free(c->rows[i].reversed);
    free(c->rows);
    free(c->below);
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
static void clear_asked(greedy_state *s, const counted_row *row, size_t i) {
    reach_bits *below = s->counts->below;
    size_t n_losses;
    const reach_loss *losses = reach_history_losses(s->past, row->y, row->begun_at, &n_losses);
    for (size_t k = 0; k < n_losses && losses[k].when <= row->looked_at; k++)
        bits_drop(below[losses[k].node].words, i);
    for (size_t k = 0; k < row->n_reversed; k++)
        bits_drop(below[row->reversed[k]].words, i);
}

static void count_bits(const reach_bits *bits, size_t n, size_t counts[REACH_TOGETHER]) {
    memset(counts, 0, REACH_TOGETHER * sizeof *counts);
    for (size_t v = 0; v < n; v++) {
        for (size_t w = 0; w < REACH_TOGETHER / 64; w++) {
            for (uint64_t rest = bits[v].words[w]; rest != 0; rest &= rest - 1)
                counts[w * 64 + (size_t)__builtin_ctzll(rest)]++;
        }
    }
}

static void count_due(greedy_state *s) {
    greedy_counts *c = s->counts;
    reach_question questions[REACH_TOGETHER];
    size_t unasked[REACH_TOGETHER];
    if (c->n_due == 0)
        return;
    qsort(c->due, c->n_due, sizeof *c->due, by_time);
    for (size_t i = 0; i < c->n_due; i++)
        questions[i] = (reach_question){c->rows[c->due[i].number].y, c->due[i].begun_at};
    reach_history_list_together(s->past, questions, c->n_due, dag_kept_order(s->current), c->below);
    for (size_t i = 0; i < c->n_due; i++)
        clear_asked(s, &c->rows[c->due[i].number], i);
    count_bits(c->below, s->n, unasked); /* y among them */
    for (size_t i = 0; i < c->n_due; i++)
        score_count_recalled(s->scorer, s->n - unasked[i] - c->due[i].n_parents, c->due[i].n_known);
    c->n_due = 0;
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
    left_out_source source = {s, is_left_out, list_left_out};
    greedy_counts *c = s->counts;
    due_row due = {c->n_rows, row->begun_at, n_parents, 0};
    CHECK(keep_row(c, row, err));
    CHECK(
        score_count_additions_recalled(s->scorer, row->y, parents, n_parents, &source, due.number, &due.n_known, err));
    c->due[c->n_due++] = due;
    if (c->n_due == REACH_TOGETHER || s->ctx->most_scores > 0)
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

static status count_due_by_one(void *self, size_t worker, error_info *err) {
    (void)err;
    if (worker == 1)
        count_due(self);
    return STATUS_OK;
}

status greedy_count_rest(greedy_state *s, error_info *err) {
    for (size_t y = 0; y < s->n; y++)
        CHECK(greedy_count_row(s, y, err));
    s->counts->is_left = s->threads && crew_size(s->threads) > 1;
    if (s->counts->is_left)
        crew_begin(s->threads, count_due_by_one, s);
    else
        count_due(s);
    return STATUS_OK;
}

void greedy_count_end(greedy_state *s) {
    if (s->counts && s->counts->is_left)
        (void)crew_end(s->threads, NULL);
}
