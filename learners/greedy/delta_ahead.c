/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pile of pieces, a few columns of a row each, that all threads take from. The rows are a list beside it; the
 * caller's thread takes them up in any order, and works at the pile while a row is not complete.
 */
#include "learners/greedy/delta_ahead_internal.h"

#include "core/base/array.h"
#include "core/counting/base_tables.h"
#include "core/run/crew.h"
#include "core/run/spin.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 32,        /* columns */
    PIECE_OF_MANY = 8, /* the same where the data have many rows */
};

/* The cost of a column is that of as many words of its vectors, and this many to sum up its table. */
enum { WORDS_TO_SUM = 32 };

/* In words: telling the others of less takes as long as scoring it; and so does starting them for less in all. */
static const size_t least_shared = 4608, least_to_start = 393216;

typedef struct {
    size_t y;
    size_t parents, n_parents; /* from there on in `parents` */
    size_t first, end;         /* in `columns` */
    size_t next;               /* the row of the same node that was added before; SIZE_MAX: none */
    atomic_size_t n_left;      /* pieces that are not done */
    atomic_bool is_refused;    /* another way costs less, or a thread has failed */
} row;

typedef struct {
    size_t row, first, end;
} piece;

typedef struct {
    score *twin; /* NULL: the caller's thread */
    scored_extras *extras;
} worker;

struct delta_ahead {
    score *scorer;
    const pair_tables *tables;
    scored_extras *own;
    size_t n_threads;
    crew *threads; /* NULL: not started */
    worker *workers;
    size_t column_cost, piece_size;
    size_t cost_so_far; /* of all columns that were added */
    bool is_shared;     /* between crew_begin and crew_end */
    row *rows;
    size_t n_rows, rows_capacity;
    size_t *last_row; /* by node, the row that was added last; SIZE_MAX: none */
    size_t *parents, n_parents, parents_capacity;
    size_t *columns, n_columns, columns_capacity;
    double *with; /* by place among the columns */
    size_t with_capacity;
    piece *pieces;
    size_t n_pieces, pieces_capacity;
    atomic_size_t n_taken; /* pieces */
};

static size_t column_cost(const pair_tables *tables) {
    return pair_tables_word_count(tables) + WORDS_TO_SUM;
}

bool delta_ahead_pays(const pair_tables *tables) {
    return dataset_column_count(pair_tables_data(tables)) * column_cost(tables) >= 2 * least_shared;
}

/* --- life --- */

static void stop_taking(delta_ahead *a) {
    atomic_store(&a->n_taken, a->n_pieces);
}

static void clear_workers(delta_ahead *a) {
    for (size_t i = 0; a->workers && i < a->n_threads; i++) {
        if (!a->workers[i].twin)
            continue;
        scored_extras_destroy(a->workers[i].extras);
        score_destroy(a->workers[i].twin);
    }
    free(a->workers);
}

void delta_ahead_destroy(delta_ahead *a) {
    if (!a)
        return;
    stop_taking(a);
    if (a->is_shared)
        (void)crew_end(a->threads, NULL);
    crew_destroy(a->threads);
    clear_workers(a);
    free(a->rows);
    free(a->last_row);
    free(a->parents);
    free(a->columns);
    free(a->with);
    free(a->pieces);
    free(a);
}
AUTO_PTR_OF(delta_ahead, delta_ahead_destroy)

status delta_ahead_create(score *s, const pair_tables *tables, scored_extras *own, size_t n_threads, delta_ahead **out,
                          error_info *err) {
    AUTO_PTR(delta_ahead_destroy) delta_ahead *a = NULL;
    size_t n = dataset_column_count(pair_tables_data(tables));
    CHECK_ALLOC(a = calloc(1, sizeof *a));
    a->scorer = s;
    a->tables = tables;
    a->own = own;
    a->n_threads = n_threads;
    a->column_cost = column_cost(tables);
    a->piece_size = base_tables_suit(pair_tables_data(tables)) ? PIECE_OF_MANY : PIECE;
    CHECK_ALLOC(a->last_row = calloc(n + 1, sizeof *a->last_row));
    for (size_t y = 0; y < n; y++)
        a->last_row[y] = SIZE_MAX;
    *out = TAKE(a);
    return STATUS_OK;
}

static status start(delta_ahead *a, error_info *err) {
    CHECK_ALLOC(a->workers = calloc(a->n_threads, sizeof *a->workers));
    a->workers[0].extras = a->own;
    for (size_t i = 1; i < a->n_threads; i++) {
        CHECK(score_create_twin(a->scorer, &a->workers[i].twin, err));
        CHECK(scored_extras_create(a->workers[i].twin, a->tables, &a->workers[i].extras, err));
    }
    return crew_create(a->n_threads, &a->threads, err);
}

/* --- the pile --- */

status delta_ahead_forget(delta_ahead *a, error_info *err) {
    status st = STATUS_OK;
    stop_taking(a);
    if (a->is_shared)
        st = crew_end(a->threads, err);
    a->is_shared = false;
    for (size_t i = 0; i < a->n_rows; i++)
        a->last_row[a->rows[i].y] = SIZE_MAX;
    a->n_rows = a->n_parents = a->n_columns = a->n_pieces = 0;
    return st;
}

static status add_pieces(delta_ahead *a, size_t first, size_t end, error_info *err) {
    for (size_t at = first; at < end; at += a->piece_size)
        CHECK(ARRAY_PUSH(a->pieces, a->n_pieces, a->pieces_capacity, err,
                         (piece){a->n_rows, at, end - at < a->piece_size ? end : at + a->piece_size}));
    return STATUS_OK;
}

status delta_ahead_add(delta_ahead *a, size_t y, const size_t *parents, size_t n_parents, const size_t *columns,
                       size_t n, error_info *err) {
    row *r;
    CHECK(ARRAY_ROOM(a->rows, a->n_rows, a->rows_capacity, err));
    CHECK(ARRAY_RESERVE(a->parents, a->parents_capacity, a->n_parents + n_parents + 1, err));
    CHECK(ARRAY_RESERVE(a->columns, a->columns_capacity, a->n_columns + n, err));
    CHECK(ARRAY_RESERVE(a->with, a->with_capacity, a->n_columns + n, err));
    CHECK(add_pieces(a, a->n_columns, a->n_columns + n, err));
    r = &a->rows[a->n_rows];
    *r = (row){.y = y, .parents = a->n_parents, .n_parents = n_parents, .first = a->n_columns, .next = a->last_row[y]};
    for (size_t i = 0; i < n_parents; i++)
        a->parents[a->n_parents++] = parents[i];
    for (size_t i = 0; i < n; i++)
        a->columns[a->n_columns++] = columns[i];
    r->end = a->n_columns;
    atomic_init(&r->n_left, (n + a->piece_size - 1) / a->piece_size);
    atomic_init(&r->is_refused, false);
    a->last_row[y] = a->n_rows++;
    return STATUS_OK;
}

size_t delta_ahead_size(const delta_ahead *a) {
    return a->n_columns;
}

static status score_piece(delta_ahead *a, scored_extras *extras, const piece *p, bool *is_done, error_info *err) {
    const row *r = &a->rows[p->row];
    *is_done = false;
    CHECK(scored_extras_set(extras, r->y, a->parents + r->parents, r->n_parents, a->columns + p->first,
                            p->end - p->first, is_done, err));
    for (size_t i = p->first; i < p->end && *is_done; i++)
        a->with[i] = scored_extras_with(extras, a->columns[i]);
    return STATUS_OK;
}

/* False into `*is_any`: there is none left. */
static status work_at_one(delta_ahead *a, size_t index, bool *is_any, error_info *err) {
    size_t at = atomic_fetch_add(&a->n_taken, 1);
    row *r;
    bool is_done;
    status st;
    *is_any = at < a->n_pieces;
    if (!*is_any)
        return STATUS_OK;
    st = score_piece(a, a->workers[index].extras, &a->pieces[at], &is_done, err);
    r = &a->rows[a->pieces[at].row];
    if (!is_done)
        atomic_store(&r->is_refused, true);
    atomic_fetch_sub(&r->n_left, 1);
    return st;
}

static status work(void *self, size_t index, error_info *err) {
    bool is_any = true;
    while (is_any)
        CHECK(work_at_one(self, index, &is_any, err));
    return STATUS_OK;
}

status delta_ahead_begin(delta_ahead *a, error_info *err) {
    size_t cost = a->n_columns * a->column_cost;
    a->cost_so_far += cost;
    if (cost >= least_shared && a->cost_so_far >= least_to_start && !a->threads)
        CHECK(start(a, err));
    if (cost < least_shared || !a->threads || crew_size(a->threads) < 2)
        return delta_ahead_forget(a, err);
    atomic_store(&a->n_taken, 0);
    a->is_shared = true;
    crew_begin(a->threads, work, a);
    return STATUS_OK;
}

/* --- the rows --- */

static bool is_of(const delta_ahead *a, const row *r, const size_t *parents, size_t n_parents) {
    return r->n_parents == n_parents &&
           (n_parents == 0 || memcmp(a->parents + r->parents, parents, n_parents * sizeof *parents) == 0);
}

/* The row of y that reaches from `first` to `last`. */
static row *find_row(const delta_ahead *a, size_t y, const size_t *parents, size_t n_parents, size_t first,
                     size_t last) {
    size_t at = a->last_row[y];
    while (at != SIZE_MAX) {
        row *r = &a->rows[at];
        if (a->columns[r->first] <= first && last <= a->columns[r->end - 1] && is_of(a, r, parents, n_parents))
            return r;
        at = r->next;
    }
    return NULL;
}

static status complete(delta_ahead *a, row *r, error_info *err) {
    bool is_any = true;
    while (atomic_load(&r->n_left) > 0 && is_any)
        CHECK(work_at_one(a, 0, &is_any, err));
    for (spin s = {0}; atomic_load(&r->n_left) > 0;)
        spin_wait(&s);
    return STATUS_OK;
}

/* The columns are among those of the row, as a rule all of a stretch. */
static bool copy_scores(const delta_ahead *a, const row *r, const size_t *columns, size_t n, double *out) {
    size_t at = r->first + array_count_below(a->columns + r->first, r->end - r->first, columns[0]);
    for (size_t i = 0; i < n; i++) {
        while (at < r->end && a->columns[at] < columns[i])
            at++;
        if (at == r->end || a->columns[at] != columns[i])
            return false;
        out[i] = a->with[at];
    }
    return true;
}

status delta_ahead_take(delta_ahead *a, size_t y, const size_t *parents, size_t n_parents, const size_t *columns,
                        size_t n, double *out, bool *is_known, error_info *err) {
    row *r = a->is_shared ? find_row(a, y, parents, n_parents, columns[0], columns[n - 1]) : NULL;
    *is_known = false;
    if (!r)
        return STATUS_OK;
    CHECK(complete(a, r, err));
    *is_known = !atomic_load(&r->is_refused) && copy_scores(a, r, columns, n, out);
    return STATUS_OK;
}
