/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best candidates of a row, or of all rows at once. */
#include "core/base/array.h"
#include "learners/greedy/greedy_ahead_internal.h"

#include <math.h>
#include <stdlib.h>

enum { ALL = 2 }; /* the depth at which every candidate that gains enough is kept */

/* How many of the best a row is evaluated for. */
static const size_t depth_size[] = {1, GREEDY_KEPT, SIZE_MAX};

/* Those that are not looked for: y, its parents, and its descendants. */
static void mark_others(greedy_state *s, const row_question *q) {
    greedy_worker_mark_below(s->worker, s, q->y, SIZE_MAX);
    for (size_t i = 0; i < q->n_parents; i++)
        greedy_worker_mark(s->worker, q->parents[i]);
}

static status take_answer(candidate_row *row, const greedy_worker *w, error_info *err) {
    CHECK(ARRAY_RESERVE(row->found, row->found_capacity, w->n_found, err));
    if (w->n_found > 0)
        memcpy(row->found, w->found, w->n_found * sizeof *row->found);
    row->n_found = w->n_found;
    row->rest = row->depth == ALL ? -INFINITY : w->rest;
    return greedy_worker_copy_missed(w, &row->missed, err);
}

static status answer(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    row_question q = {
        .y = y, .now = s->now[y], .size = depth_size[row->depth], .seeds = row->found, .n_seeds = row->n_found};
    q.parents = dag_parents(s->current, y, &q.n_parents);
    mark_others(s, &q);
    CHECK(greedy_ahead_answer(s, &q, err));
    s->is_expired = s->is_expired || s->worker->is_expired;
    return take_answer(row, s->worker, err);
}

status greedy_evaluate_row(greedy_state *s, size_t y, error_info *err) {
    candidate_row *row = &s->rows[y];
    bool is_known = false;
    if (!row->is_evaluated)
        CHECK(greedy_take_answer(s, y, true, &is_known, err));
    if (is_known)
        return STATUS_OK;
    row->depth = (unsigned char)(row->depth + (row->is_evaluated && row->depth < ALL));
    row->is_evaluated = false;
    if (greedy_is_full(s, y)) {
        row->n_found = 0;
        row->rest = -INFINITY;
    } else {
        row->without = reach_history_now(s->past);
        CHECK(answer(s, y, err));
    }
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
    row->missed.n = 0;
    row->missed.are_all = true;
    row->depth = 1;
    row->without = reach_history_now(s->past);
    row->is_evaluated = true;
    return STATUS_OK;
}

status greedy_survey(greedy_state *s, error_info *err) {
    AUTO(single_parents_clear) single_parents p = {0};
    if (s->lists || s->plan->candidates || s->plan->options.max_parents == 0 || dag_arc_count(s->current) > 0 ||
        !s->tables || !(single_parents_can_survey(s->scorer) || single_parents_can_survey_rows(s->tables)))
        return STATUS_OK;
    CHECK(single_parents_survey(s->scorer, s->tables, s->now, s->least, GREEDY_KEPT, s->ctx, s->threads, &p,
                                &s->is_expired, err));
    for (size_t y = 0; y < s->n && !s->is_expired; y++)
        CHECK(take_singles(s, &p, y, err));
    return STATUS_OK;
}
