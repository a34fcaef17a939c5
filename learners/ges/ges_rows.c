/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of thousands of gains a search reads a few. So a row keeps those that come first, and what the largest of the others
 * may be at most; where a search comes so far, the row is filled again and keeps more. So memory grows with the rows,
 * and not with the columns as well.
 */
#include "learners/ges/ges_rows_internal.h"

#include "core/base/array.h"
#include "core/counting/column_blocks.h"
#include "learners/ges/ges_pair_gains_internal.h"
#include "learners/ges/ges_sift_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BLOCKS_WAITING = 1 << 14, /* 8 MiB of scores, 16 of what the highest are listed in, up to 16 of gains */
    LEAST_WORK = 20000,            /* for a row: blocks times rows of data and what a block takes beside them */
    ROWS_OF_A_BLOCK = 2000,
    MOST_GAINS = 1 << 22,  /* in the index: 64 MiB */
    GAINS_OF_A_ROW = 16,   /* what it takes beside them, in gains */
    UNASKED_OF_A_GAIN = 4, /* that take as much */
    GAINS_AT_ONCE = 8,     /* that are found where a bound is scored: counting begins anew for each row */
    GROWTH = 4             /* how many times as many a row keeps that is filled again */
};

void ges_row_release(void *row) {
    ges_row *r = row;
    if (!r || --r->n_users > 0)
        return;
    free(r->open);
    free(r);
}

/* Below, threads wait for each other longer than they work: 37 to 76 columns with 5000 rows took a tenth to a third
 * longer with two of them. */
static bool is_worth_sharing(size_t n_nodes, size_t n_rows_of_data) {
    return column_block_count(n_nodes) * (n_rows_of_data + ROWS_OF_A_BLOCK) >= LEAST_WORK;
}

status ges_rows_init(ges_rows *r, score *const *scorers, size_t n_scorers, size_t n_nodes, const run_context *ctx,
                     error_info *err) {
    *r = (ges_rows){.n = n_nodes, .scorer = scorers[0]};
    r->n_kept = n_nodes * GES_LEAST_KEPT < GES_KEPT_OF_ALL ? GES_KEPT_OF_ALL / (n_nodes + 1) : GES_LEAST_KEPT;
    CHECK(family_index_create(n_nodes, ges_row_release, &r->index, err));
    CHECK_ALLOC(r->foreseen.items = calloc(GES_MOST_FORESEEN, sizeof *r->foreseen.items));
    CHECK_ALLOC(r->foreseen_families = calloc(GES_MOST_FORESEEN * n_nodes + 1, sizeof *r->foreseen_families));
    CHECK_ALLOC(r->is_known = calloc(n_nodes + 1, sizeof *r->is_known));
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
    free(r->unasked);
    free(r->is_known);
    *r = (ges_rows){0};
}

ges_row *ges_rows_find(ges_rows *r, size_t y, const size_t *family, size_t n) {
    return family_index_find(r->index, y, family, n);
}

status ges_rows_create_row(const ges_rows *r, size_t y, const size_t *family, size_t n, size_t n_columns, ges_row **out,
                           error_info *err) {
    ges_row *row = calloc(1, sizeof *row + n * sizeof *family);
    CHECK_ALLOC(row);
    row->y = y;
    row->n_users = 1;
    row->n_family = n;
    row->n_columns = n_columns;
    row->most = r->n_kept;
    if (n > 0)
        memcpy(row->family, family, n * sizeof *family);
    *out = row;
    return STATUS_OK;
}

status ges_rows_wait_for(ges_rows *r, ges_row *row, error_info *err) {
    CHECK(ARRAY_PUSH(r->waiting, r->n_waiting, r->waiting_capacity, err, row));
    r->n_blocks_waiting += column_block_count(row->n_columns);
    return STATUS_OK;
}

status ges_rows_add(ges_rows *r, size_t y, const size_t *family, size_t n, double without, ges_row **out,
                    error_info *err) {
    ges_row *row = NULL;
    status st;
    CHECK(ges_rows_create_row(r, y, family, n, r->n, &row, err));
    row->without = without;
    st = family_index_add(r->index, row, err);
    if (st != STATUS_OK) {
        ges_row_release(row);
        return st;
    }
    *out = row;
    return ges_rows_wait_for(r, row, err);
}

static status ask_first(ges_rows *r, ges_row *row, const size_t *left_out, size_t n, error_info *err) {
    CHECK(ARRAY_RESERVE(r->unasked, r->unasked_capacity, r->n_unasked + n + 1, err));
    row->was_asked = true;
    row->unasked_at = r->n_unasked;
    row->n_unasked = n;
    for (size_t i = 0; i < n; i++)
        r->unasked[r->n_unasked++] = (uint32_t)left_out[i];
    return STATUS_OK;
}

/* Of those that are unasked, such as are left out this time too stay so. */
static void ask_again(uint32_t *unasked, size_t *n_unasked, const size_t *left_out, size_t n) {
    size_t n_left = 0, k = 0;
    for (size_t i = 0; i < *n_unasked; i++) {
        while (k < n && left_out[k] < unasked[i])
            k++;
        if (k < n && left_out[k] == unasked[i])
            unasked[n_left++] = unasked[i];
    }
    *n_unasked = n_left;
}

status ges_rows_note_asked(ges_rows *r, ges_row *row, const size_t *left_out, size_t n, bool *is_known,
                           error_info *err) {
    size_t n_before = row->n_unasked;
    *is_known = false;
    if (!row->was_asked)
        return ask_first(r, row, left_out, n, err);
    ask_again(r->unasked + row->unasked_at, &row->n_unasked, left_out, n);
    *is_known = row->n_unasked == n_before;
    return STATUS_OK;
}

bool ges_rows_are_many(const ges_rows *r) {
    return r->n_blocks_waiting >= MOST_BLOCKS_WAITING;
}

status ges_rows_shrink(ges_rows *r, error_info *err) {
    if (r->n_gains + r->n_unasked / UNASKED_OF_A_GAIN <= MOST_GAINS)
        return STATUS_OK;
    r->n_gains = r->n_unasked = 0;
    return family_index_forget(r->index, err);
}

/* --- filling ---------------------------------------------------------------------------------- */

/* What was found for question i, into r->found. */
static status list_gains(ges_rows *r, const ges_row *row, size_t i, size_t *n, error_info *err) {
    const double *scores = ges_filling_scores(r->filling, i);
    size_t n_high;
    const high_score *high = ges_filling_high(r->filling, i, &n_high);
    CHECK(ARRAY_RESERVE(r->found, r->found_capacity, r->n, err));
    *n = scores ? ges_sift(scores, row->n_columns, row->without, r->found)
                : ges_sift_high(high, n_high, row->without, r->found);
    return row->is_of_pairs ? ges_pairs_turn(r, row, !scores, n, err) : (status)STATUS_OK;
}

static ges_gain *read_gain(const ges_row *row, size_t i) {
    return &row->open[row->room - 1 - i];
}

/* Of the n that were found, the row keeps those that come first, beside those that were read. */
static status keep_gains(ges_rows *r, ges_row *row, size_t n, error_info *err) {
    size_t room = row->n_read;
    ges_gain *open;
    row->rest = ges_sift_out(r->found, row->most, &n);
    room += n;
    CHECK_ALLOC(open = calloc(room + 1, sizeof *open));
    if (n > 0)
        memcpy(open, r->found, n * sizeof *open);
    for (size_t i = 0; i < row->n_read; i++)
        open[room - 1 - i] = *read_gain(row, i);
    free(row->open);
    row->open = open;
    row->room = room;
    row->n_open = n;
    row->is_heap = false;
    return STATUS_OK;
}

static void take_score(ges_rows *r, ges_row *row, size_t i) {
    if (!isnan(row->without))
        return;
    row->without = ges_filling_without(r->filling, i);
    score_node_end(r->scorer, row->y, row->family, row->n_family, row->without);
}

/* What a thread has kept for the row, by the score of its family in the order of the question. */
static status take_kept(ges_rows *r, ges_row *row, size_t i, bool *is_taken, error_info *err) {
    size_t n;
    const ges_gain *gains = ges_filling_gains(r->filling, i, &n, &row->rest);
    *is_taken = gains && row->without == ges_filling_without(r->filling, i);
    if (!*is_taken)
        return STATUS_OK;
    if (n > 0) {
        CHECK_ALLOC(row->open = malloc(n * sizeof *row->open));
        memcpy(row->open, gains, n * sizeof *row->open);
    }
    row->n_open = row->room = n;
    row->is_heap = true;
    return STATUS_OK;
}

static status take_gains(ges_rows *r, ges_row *row, size_t i, error_info *err) {
    size_t n;
    bool is_taken;
    if (row->is_of_pairs)
        return ges_pairs_take(r, row, ges_filling_scores(r->filling, i), err);
    take_score(r, row, i);
    CHECK(take_kept(r, row, i, &is_taken, err));
    if (!is_taken) {
        CHECK(list_gains(r, row, i, &n, err));
        CHECK(keep_gains(r, row, n, err));
    }
    r->n_gains += row->n_open + GAINS_OF_A_ROW;
    return STATUS_OK;
}

/* What is to be known of the rows that wait. */
static status list_questions(ges_rows *r, error_info *err) {
    CHECK(ARRAY_RESERVE(r->questions.items, r->questions_capacity, r->n_waiting, err));
    for (size_t i = 0; i < r->n_waiting; i++) {
        const ges_row *row = r->waiting[i];
        r->questions.items[i] =
            (ges_question){row->y, row->n_family, row->n_columns, row->family, row->is_of_pairs ? 0 : row->most};
    }
    r->questions.n = r->n_waiting;
    return STATUS_OK;
}

status ges_rows_ask(ges_rows *r, error_info *err) {
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
    r->foreseen.items[r->foreseen.n++] = (ges_question){y, n, r->n, copy, r->n_kept};
}

void ges_rows_tell_foreseen(ges_rows *r) {
    ges_filling_foresee_first(r->filling, &r->foreseen);
    r->foreseen.n = 0;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Marks the nodes whose gains are known, or takes the marks back. */
static void mark_known(ges_rows *r, const ges_row *row, bool is_known) {
    for (size_t i = 0; i < row->n_read; i++)
        r->is_known[read_gain(row, i)->x] = is_known;
    for (size_t i = 0; i < row->n_open; i++) {
        if (!row->open[i].is_bound)
            r->is_known[row->open[i].x] = is_known;
    }
}

/* Of what was found again, what was read is left out, and what was scored since needs no bound; how many are left. */
static size_t leave_known(ges_rows *r, const ges_row *row, size_t n_found) {
    size_t n = 0;
    mark_known(r, row, true);
    for (size_t i = 0; i < n_found; i++) {
        if (!r->is_known[r->found[i].x])
            r->found[n++] = r->found[i];
    }
    mark_known(r, row, false);
    for (size_t i = 0; i < row->n_open; i++) {
        if (!row->open[i].is_bound)
            r->found[n++] = row->open[i];
    }
    return n;
}

/* What was left out is looked for anew, to keep more of it. */
static status fill_again(ges_rows *r, ges_row *row, bool *is_expired, error_info *err) {
    ges_question question = {.y = row->y, .n_family = row->n_family, .n_columns = r->n, .family = row->family};
    ges_questions asked = {&question, 1}, foreseen = {0};
    size_t n;
    CHECK(ges_filling_answer(r->filling, &asked, &foreseen, is_expired, err));
    if (*is_expired)
        return STATUS_OK;
    row->n_columns = r->n;
    row->most *= GROWTH;
    CHECK(list_gains(r, row, 0, &n, err));
    return keep_gains(r, row, leave_known(r, row, n), err);
}

static status score_bound(const ges_rows *r, const ges_row *row, ges_gain *bound, error_info *err) {
    double with;
    bound->is_bound = false;
    if (row->is_of_pairs)
        return ges_pairs_score(r, row->y, bound->x, &bound->gain, err);
    CHECK(score_node_fresh(r->scorer, row->y, row->family, row->n_family, bound->x, &with, err));
    bound->gain = with - row->without;
    return STATUS_OK;
}

/* What comes first of the others is the next gain; or it is a bound, and what it bounds goes back to its place. */
static status look_at_first(const ges_rows *r, ges_row *row, error_info *err) {
    ges_gain *first = row->open, found = *first;
    if (found.is_bound)
        CHECK(score_bound(r, row, first, err));
    if (!found.is_bound || !(first->gain > SCORE_TOLERANCE))
        *first = row->open[--row->n_open];
    if (!found.is_bound) /* in a full room this is the place of the heap's last, which has moved by now */
        *read_gain(row, row->n_read++) = found;
    ges_gains_sink(row->open, row->n_open, 0);
    return STATUS_OK;
}

static void make_heap(ges_row *row) {
    if (!row->is_heap)
        ges_gains_make_heap(row->open, row->n_open);
    row->is_heap = true;
}

/* Does one that is kept come before all that are left out? */
static bool has_first(const ges_row *row) {
    return row->n_open > 0 && row->open->gain > row->rest;
}

status ges_rows_gain(ges_rows *r, ges_row *row, size_t i, bool *is_expired, const ges_gain **out, error_info *err) {
    size_t wanted = i + 1;
    make_heap(row);
    while (row->n_read < wanted && !*is_expired) {
        if (has_first(row)) {
            wanted = row->open->is_bound ? i + GAINS_AT_ONCE : wanted;
            CHECK(look_at_first(r, row, err));
        } else if (row->rest > 0 && row->n_read <= i) {
            CHECK(fill_again(r, row, is_expired, err));
            make_heap(row);
        } else {
            break;
        }
    }
    *out = i < row->n_read ? read_gain(row, i) : NULL;
    return STATUS_OK;
}
