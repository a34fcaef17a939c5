/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_rows_internal.h"

#include "core/base/array.h"
#include "core/counting/column_blocks.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_BLOCKS_WAITING = 1 << 14, /* 8 MiB of scores, and 16 of what the highest are listed in */
    LEAST_WORK = 20000,            /* for a row: blocks times rows of data and what a block takes beside them */
    ROWS_OF_A_BLOCK = 2000,
    MOST_GAINS = 1 << 22, /* in the index: 64 MiB */
    GAINS_AT_ONCE = 8     /* that are found where a bound is scored: counting begins anew for each row */
};

void ges_row_release(void *row) {
    ges_row *r = row;
    if (!r || --r->n_users > 0)
        return;
    free(r->gains);
    free(r->open);
    free(r->unasked);
    free(r);
}

/* Below, threads wait for each other longer than they work: 37 to 76 columns with 5000 rows took a tenth to a third
 * longer with two of them. */
static bool is_worth_sharing(size_t n_nodes, size_t n_rows_of_data) {
    return (n_nodes + COLUMN_BLOCK - 1) / COLUMN_BLOCK * (n_rows_of_data + ROWS_OF_A_BLOCK) >= LEAST_WORK;
}

status ges_rows_init(ges_rows *r, score *const *scorers, size_t n_scorers, size_t n_nodes, const run_context *ctx,
                     error_info *err) {
    *r = (ges_rows){.n = n_nodes, .scorer = scorers[0]};
    CHECK(family_index_create(n_nodes, ges_row_release, &r->index, err));
    CHECK_ALLOC(r->foreseen.items = calloc(GES_MOST_FORESEEN, sizeof *r->foreseen.items));
    CHECK_ALLOC(r->foreseen_families = calloc(GES_MOST_FORESEEN * n_nodes + 1, sizeof *r->foreseen_families));
    if (!is_worth_sharing(n_nodes, score_row_count(scorers[0])))
        n_scorers = 1;
    return ges_filling_create(scorers, n_scorers, n_nodes, ctx, &r->filling, err);
}

void ges_rows_clear(ges_rows *r) {
    ges_filling_destroy(r->filling);
    family_index_destroy(r->index);
    free(r->waiting);
    free(r->questions.items);
    free(r->foreseen.items);
    free(r->found);
    free(r->foreseen_families);
    *r = (ges_rows){0};
}

ges_row *ges_rows_find(ges_rows *r, size_t y, const size_t *family, size_t n) {
    return family_index_find(r->index, y, family, n);
}

static size_t blocks_of(const ges_row *row) {
    return (row->n_columns + COLUMN_BLOCK - 1) / COLUMN_BLOCK;
}

static status row_create(size_t y, const size_t *family, size_t n, size_t n_columns, double without, ges_row **out,
                         error_info *err) {
    ges_row *row = calloc(1, sizeof *row + n * sizeof *family);
    CHECK_ALLOC(row);
    row->y = y;
    row->n_users = 1;
    row->n_family = n;
    row->n_columns = n_columns;
    row->without = without;
    if (n > 0)
        memcpy(row->family, family, n * sizeof *family);
    *out = row;
    return STATUS_OK;
}

static status wait_for_fill(ges_rows *r, ges_row *row, error_info *err) {
    CHECK(ARRAY_PUSH(r->waiting, r->n_waiting, r->waiting_capacity, err, row));
    r->n_blocks_waiting += blocks_of(row);
    return STATUS_OK;
}

status ges_rows_add(ges_rows *r, size_t y, const size_t *family, size_t n, double without, ges_row **out,
                    error_info *err) {
    ges_row *row = NULL;
    status st;
    CHECK(row_create(y, family, n, r->n, without, &row, err));
    st = family_index_add(r->index, row, err);
    if (st != STATUS_OK) {
        ges_row_release(row);
        return st;
    }
    *out = row;
    return wait_for_fill(r, row, err);
}

status ges_row_ask(ges_row *row, const size_t *left_out, size_t n, bool *is_known, error_info *err) {
    size_t n_left = 0, k = 0;
    if (!row->unasked) {
        *is_known = false;
        CHECK_ALLOC(row->unasked = calloc(n + 1, sizeof *row->unasked));
        memcpy(row->unasked, left_out, n * sizeof *left_out);
        row->n_unasked = n;
        return STATUS_OK;
    }
    for (size_t i = 0; i < row->n_unasked; i++) {
        while (k < n && left_out[k] < row->unasked[i])
            k++;
        if (k < n && left_out[k] == row->unasked[i])
            row->unasked[n_left++] = row->unasked[i];
    }
    *is_known = n_left == row->n_unasked;
    row->n_unasked = n_left;
    return STATUS_OK;
}

bool ges_rows_are_many(const ges_rows *r) {
    return r->n_blocks_waiting >= MOST_BLOCKS_WAITING;
}

status ges_rows_shrink(ges_rows *r, error_info *err) {
    if (r->n_gains <= MOST_GAINS)
        return STATUS_OK;
    r->n_gains = 0;
    return family_index_forget(r->index, err);
}

/* --- filling ---------------------------------------------------------------------------------- */

/* A bound before those that may be as large. */
static bool comes_first(const ges_gain *a, const ges_gain *b) {
    if (a->gain != b->gain)
        return a->gain > b->gain;
    return a->is_bound != b->is_bound ? a->is_bound : a->x < b->x;
}

static void sink(ges_gain *heap, size_t n, size_t at) {
    ges_gain own = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && comes_first(&heap[child + 1], &heap[child]);
        if (!comes_first(&heap[child], &own))
            break;
        heap[at] = heap[child];
    }
    heap[at] = own;
}

static void make_heap(ges_row *row) {
    for (size_t i = row->is_heap ? 0 : row->n_open / 2; i > 0; i--)
        sink(row->open, row->n_open, i - 1);
    row->is_heap = true;
}

static status score_bound(const ges_rows *r, const ges_row *row, ges_gain *bound, error_info *err) {
    double with;
    CHECK(score_node_fresh(r->scorer, row->y, row->family, row->n_family, bound->x, &with, err));
    bound->gain = with - row->without;
    bound->is_bound = false;
    return STATUS_OK;
}

/* What comes first of the others is the next gain; or it is a bound, and what it bounds goes back to its place. */
static status look_at_first(const ges_rows *r, ges_row *row, error_info *err) {
    ges_gain *first = row->open;
    bool is_found = !first->is_bound;
    if (is_found)
        CHECK(ARRAY_PUSH(row->gains, row->n, row->capacity, err, *first));
    else
        CHECK(score_bound(r, row, first, err));
    if (is_found || !(first->gain > SCORE_TOLERANCE))
        *first = row->open[--row->n_open];
    sink(row->open, row->n_open, 0);
    return STATUS_OK;
}

status ges_rows_gain(ges_rows *r, ges_row *row, size_t i, const ges_gain **out, error_info *err) {
    size_t wanted = i + 1;
    make_heap(row);
    while (row->n < wanted && row->n_open > 0) {
        wanted = row->open->is_bound ? i + GAINS_AT_ONCE : wanted;
        CHECK(look_at_first(r, row, err));
    }
    *out = i < row->n ? &row->gains[i] : NULL;
    return STATUS_OK;
}

/* The gains that are worth keeping. */
static size_t sift(const ges_row *row, const double *scores, ges_gain *out) {
    size_t n = 0;
    for (size_t x = 0; x < row->n_columns; x++) {
        double gain = scores[x] - row->without;
        if (gain > SCORE_TOLERANCE) /* nor where it is NaN */
            out[n++] = (ges_gain){gain, (uint32_t)x, false};
    }
    return n;
}

static size_t sift_high(const ges_row *row, const high_score *scores, size_t n_scores, ges_gain *out) {
    size_t n = 0;
    for (size_t i = 0; i < n_scores; i++) {
        double gain = scores[i].score - row->without;
        if (gain > SCORE_TOLERANCE)
            out[n++] = (ges_gain){gain, scores[i].column, scores[i].kind != HIGH_EXACT};
    }
    return n;
}

/* What was found for question i. */
static status take_gains(ges_rows *r, ges_row *row, size_t i, error_info *err) {
    const double *scores = ges_filling_scores(r->filling, i);
    size_t n_high, n;
    const high_score *high = ges_filling_high(r->filling, i, &n_high);
    CHECK(ARRAY_RESERVE(r->found, r->found_capacity, r->n, err));
    n = scores ? sift(row, scores, r->found) : sift_high(row, high, n_high, r->found);
    if (n == 0)
        return STATUS_OK;
    CHECK_ALLOC(row->open = calloc(n, sizeof *row->open));
    memcpy(row->open, r->found, n * sizeof *row->open);
    row->n_open = n;
    r->n_gains += n;
    return STATUS_OK;
}

/* What is to be known of the rows that wait. */
static status list_questions(ges_rows *r, error_info *err) {
    CHECK(ARRAY_RESERVE(r->questions.items, r->questions_capacity, r->n_waiting, err));
    for (size_t i = 0; i < r->n_waiting; i++) {
        const ges_row *row = r->waiting[i];
        r->questions.items[i] = (ges_question){row->y, row->n_family, row->n_columns, row->family};
    }
    r->questions.n = r->n_waiting;
    return STATUS_OK;
}

static status ask(ges_rows *r, error_info *err) {
    CHECK(list_questions(r, err));
    CHECK(ges_filling_ask(r->filling, &r->questions, err));
    r->is_asked = true;
    return STATUS_OK;
}

static status fill(ges_rows *r, bool *is_expired, error_info *err) {
    if (!r->is_asked)
        CHECK(list_questions(r, err));
    CHECK(ges_filling_answer(r->filling, &r->questions, &r->foreseen, is_expired, err));
    for (size_t i = 0; i < r->n_waiting && !*is_expired; i++)
        CHECK(take_gains(r, r->waiting[i], i, err));
    r->n_waiting = r->n_blocks_waiting = 0;
    r->is_asked = false;
    return STATUS_OK;
}

status ges_rows_fill(ges_rows *r, bool *is_expired, error_info *err) {
    if (r->n_waiting > 0)
        CHECK(fill(r, is_expired, err));
    else if (r->foreseen.n > 0)
        ges_filling_foresee(r->filling, &r->foreseen);
    r->foreseen.n = 0;
    return STATUS_OK;
}

void ges_rows_foresee(ges_rows *r, size_t y, const size_t *family, size_t n) {
    size_t *copy = r->foreseen_families + r->foreseen.n * r->n;
    if (r->foreseen.n == GES_MOST_FORESEEN || ges_rows_find(r, y, family, n))
        return;
    memcpy(copy, family, n * sizeof *copy);
    r->foreseen.items[r->foreseen.n++] = (ges_question){y, n, r->n, copy};
}

void ges_rows_tell_foreseen(ges_rows *r) {
    ges_filling_foresee_first(r->filling, &r->foreseen);
    r->foreseen.n = 0;
}

/* --- first arcs ------------------------------------------------------------------------------- */

/* A row gets the gains of the nodes after it too. */
static status mirror(ges_row *const *rows, size_t n, error_info *err) {
    AUTO_FREE size_t *n_own = calloc(n + 1, sizeof *n_own), *n_all = calloc(n + 1, sizeof *n_all);
    CHECK_ALLOC(n_own);
    CHECK_ALLOC(n_all);
    for (size_t y = 0; y < n; y++) {
        n_all[y] += n_own[y] = rows[y]->n_open;
        for (size_t i = 0; i < rows[y]->n_open; i++)
            n_all[rows[y]->open[i].x]++;
    }
    for (size_t y = 0; y < n; y++) {
        if (n_all[y] > 0)
            CHECK(array_resize(&rows[y]->open, n_all[y], sizeof *rows[y]->open, err));
    }
    for (size_t y = 0; y < n; y++) {
        for (size_t i = 0; i < n_own[y]; i++) {
            ges_row *other = rows[rows[y]->open[i].x];
            other->open[other->n_open++] = (ges_gain){rows[y]->open[i].gain, (uint32_t)y, false};
        }
    }
    return STATUS_OK;
}

/* The rows from *first on wait, as many as are filled at once; *first is then where the others begin. */
static status wait_for_some(ges_rows *r, ges_row *const *rows, size_t *first, error_info *err) {
    while (*first < r->n && !ges_rows_are_many(r))
        CHECK(wait_for_fill(r, rows[(*first)++], err));
    return STATUS_OK;
}

status ges_rows_begin_pairs(ges_rows *r, ges_row **out, error_info *err) {
    size_t first = 0;
    for (size_t y = 0; y < r->n; y++)
        CHECK(row_create(y, NULL, 0, y, 0, &out[y], err));
    CHECK(wait_for_some(r, out, &first, err));
    return ask(r, err);
}

status ges_rows_end_pairs(ges_rows *r, ges_row *const *rows, bool *is_expired, error_info *err) {
    size_t next = r->n_waiting;
    while (r->n_waiting > 0 && !*is_expired) {
        CHECK(ges_rows_fill(r, is_expired, err));
        CHECK(wait_for_some(r, rows, &next, err));
    }
    r->n_gains = 0;
    return *is_expired ? STATUS_OK : mirror(rows, r->n, err);
}
