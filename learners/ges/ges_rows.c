/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_rows_internal.h"

#include "core/base/array.h"
#include "core/counting/column_blocks.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_BLOCKS_WAITING = 1 << 14, /* 8 MiB of scores */
    LEAST_WORK = 20000,            /* for a row: blocks times rows of data and what a block takes beside them */
    ROWS_OF_A_BLOCK = 2000,
    MOST_GAINS = 1 << 22, /* in the index: 64 MiB */
    GAINS_AT_ONCE = 16,   /* most rows are read no further */
    MOST_SELECTED = 64
};

void ges_row_release(void *row) {
    ges_row *r = row;
    if (!r || --r->n_users > 0)
        return;
    free(r->gains);
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
    *r = (ges_rows){.n = n_nodes};
    CHECK(family_index_create(n_nodes, ges_row_release, &r->index, err));
    CHECK_ALLOC(r->foreseen.items = calloc(GES_MOST_FORESEEN, sizeof *r->foreseen.items));
    CHECK_ALLOC(r->foreseen_families = calloc(GES_MOST_FORESEEN * n_nodes + 1, sizeof *r->foreseen_families));
    if (!is_worth_sharing(n_nodes, score_row_count(scorers[0])))
        n_scorers = 1;
    return ges_filling_create(scorers, n_scorers, ctx, &r->filling, err);
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

static bool comes_first(const ges_gain *a, const ges_gain *b) {
    return a->gain != b->gain ? a->gain > b->gain : a->x < b->x;
}

static int compare_gains(const void *left, const void *right) {
    return comes_first(left, right) ? -1 : comes_first(right, left);
}

/* Moves gains[at] forward to its place among those from `first` on, which are in order. */
static void insert_gain(ges_gain *gains, size_t first, size_t at) {
    ges_gain own = gains[at];
    for (; at > first && comes_first(&own, &gains[at - 1]); at--)
        gains[at] = gains[at - 1];
    gains[at] = own;
}

/* Brings the first of the rest into order; all of it where so many were read that more will be. */
static void sort_some(ges_row *row) {
    size_t first = row->n_sorted, end = first + GAINS_AT_ONCE;
    ges_gain *gains = row->gains;
    if (end >= row->n || first >= MOST_SELECTED) {
        qsort(gains + first, row->n - first, sizeof *gains, compare_gains);
        row->n_sorted = row->n;
        return;
    }
    for (size_t i = first; i < end; i++)
        insert_gain(gains, first, i);
    for (size_t i = end; i < row->n; i++) {
        ges_gain last = gains[end - 1];
        if (!comes_first(&gains[i], &last))
            continue;
        gains[end - 1] = gains[i];
        gains[i] = last;
        insert_gain(gains, first, end - 1);
    }
    row->n_sorted = end;
}

const ges_gain *ges_row_gain(ges_row *row, size_t i) {
    while (i >= row->n_sorted)
        sort_some(row);
    return &row->gains[i];
}

/* The gains that are worth keeping. */
static status sift(ges_rows *r, ges_row *row, const double *scores, error_info *err) {
    size_t n = 0;
    CHECK(ARRAY_RESERVE(r->found, r->found_capacity, r->n, err));
    for (size_t x = 0; x < row->n_columns; x++) {
        double gain = scores[x] - row->without;
        if (gain > SCORE_TOLERANCE) /* nor where it is NaN */
            r->found[n++] = (ges_gain){gain, (uint32_t)x};
    }
    if (n == 0)
        return STATUS_OK;
    CHECK(ARRAY_RESERVE(row->gains, row->capacity, n, err));
    memcpy(row->gains, r->found, n * sizeof *row->gains);
    row->n = n;
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
        CHECK(sift(r, r->waiting[i], ges_filling_scores(r->filling, i), err));
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

/* A row gets the gains of the nodes after it too, and no more room than it needs. */
static status mirror(ges_row *const *rows, size_t n, error_info *err) {
    AUTO_FREE size_t *n_own = calloc(n + 1, sizeof *n_own), *n_all = calloc(n + 1, sizeof *n_all);
    CHECK_ALLOC(n_own);
    CHECK_ALLOC(n_all);
    for (size_t y = 0; y < n; y++) {
        n_all[y] += n_own[y] = rows[y]->n;
        for (size_t i = 0; i < rows[y]->n; i++)
            n_all[rows[y]->gains[i].x]++;
    }
    for (size_t y = 0; y < n; y++) {
        if (n_all[y] > 0)
            CHECK(array_resize(&rows[y]->gains, rows[y]->capacity = n_all[y], sizeof *rows[y]->gains, err));
    }
    for (size_t y = 0; y < n; y++) {
        for (size_t i = 0; i < n_own[y]; i++) {
            ges_row *other = rows[rows[y]->gains[i].x];
            other->gains[other->n++] = (ges_gain){rows[y]->gains[i].gain, (uint32_t)y};
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
