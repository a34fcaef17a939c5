/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_rows_internal.h"

#include "core/base/array.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_BLOCKS_WAITING = 1 << 14, /* 8 MiB of scores */
    SHARES_PER_WORKER = 4,
    LEAST_WORK = 120000, /* blocks times rows of data and what a block takes beside them: some 100 microseconds */
    ROWS_OF_A_BLOCK = 2000,
    MOST_GAINS = 1 << 22 /* in the index: 64 MiB */
};

/* What a thread takes at once: some blocks of one row. */
struct ges_share {
    ges_row *row;
    size_t first, end; /* blocks */
    size_t place;      /* of its scores, in blocks */
    size_t n_found;    /* gains, at the same place among the found */
};

typedef struct {
    ges_rows *rows;
    atomic_size_t n_taken;
    atomic_bool is_over; /* the deadline has passed, or a thread has failed */
} filling;

void ges_row_release(void *row) {
    ges_row *r = row;
    if (!r || --r->n_users > 0)
        return;
    free(r->gains);
    free(r->unasked);
    free(r);
}

status ges_rows_init(ges_rows *r, score *const *scorers, size_t n_scorers, size_t n_nodes, run_context *ctx,
                     error_info *err) {
    *r = (ges_rows){.n = n_nodes, .n_rows_of_data = score_row_count(scorers[0]), .ctx = ctx};
    CHECK(family_index_create(n_nodes, ges_row_release, &r->index, err));
    CHECK(score_columns_create(scorers[0], &r->columns, err));
    CHECK_ALLOC(r->workers = calloc(n_scorers, sizeof *r->workers));
    r->n_workers = n_scorers;
    for (size_t i = 0; i < n_scorers; i++) {
        r->workers[i].scorer = scorers[i];
        r->workers[i].columns = r->columns;
    }
    return crew_create(n_scorers, &r->crew, err);
}

void ges_rows_clear(ges_rows *r) {
    crew_destroy(r->crew);
    for (size_t i = 0; i < r->n_workers; i++)
        score_rows_clear(&r->workers[i]);
    free(r->workers);
    score_columns_destroy(r->columns);
    family_index_destroy(r->index);
    free(r->waiting);
    free(r->shares);
    free(r->scores);
    free(r->found);
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

/* The gains of a block that are worth keeping, among those found. */
static void sift(ges_rows *r, struct ges_share *s, size_t block, const double *scores) {
    size_t first = block * COLUMN_BLOCK, left = s->row->n_columns - first;
    size_t n = left < COLUMN_BLOCK ? left : COLUMN_BLOCK;
    ges_gain *found = r->found + s->place * COLUMN_BLOCK;
    for (size_t i = 0; i < n; i++) {
        double gain = scores[i] - s->row->without;
        if (gain > SCORE_TOLERANCE) /* nor where it is NaN */
            found[s->n_found++] = (ges_gain){gain, (uint32_t)(first + i)};
    }
}

static status fill_share(filling *f, size_t worker, struct ges_share *s, error_info *err) {
    ges_rows *r = f->rows;
    const ges_row *row = s->row;
    for (size_t block = s->first; block < s->end; block++) {
        double *scores = r->scores + worker * COLUMN_BLOCK;
        if (run_context_is_expired(r->ctx))
            atomic_store(&f->is_over, true);
        if (atomic_load(&f->is_over))
            return STATUS_OK;
        CHECK(score_rows_block(&r->workers[worker], block, row->y, row->family, row->n_family, scores, err));
        sift(r, s, block, scores);
    }
    return STATUS_OK;
}

static status fill(void *self, size_t worker, error_info *err) {
    filling *f = self;
    while (!atomic_load(&f->is_over)) {
        size_t taken = atomic_fetch_add(&f->n_taken, 1);
        status st;
        if (taken >= f->rows->n_shares)
            break;
        st = fill_share(f, worker, &f->rows->shares[taken], err);
        if (st != STATUS_OK) {
            atomic_store(&f->is_over, true);
            return st;
        }
    }
    return STATUS_OK;
}

/* Waking a thread takes longer than what is less. */
static bool is_worth_sharing(const ges_rows *r) {
    return r->n_workers > 1 && r->n_blocks_waiting * (r->n_rows_of_data + ROWS_OF_A_BLOCK) >= LEAST_WORK;
}

static status share_out(ges_rows *r, size_t n_workers, error_info *err) {
    size_t wanted = r->n_blocks_waiting / (n_workers * SHARES_PER_WORKER) + 1, place = 0;
    r->n_shares = 0;
    for (size_t i = 0; i < r->n_waiting; i++) {
        size_t n = blocks_of(r->waiting[i]);
        for (size_t first = 0; first < n; first += wanted) {
            struct ges_share s = {r->waiting[i], first, n - first < wanted ? n : first + wanted, place, 0};
            CHECK(ARRAY_PUSH(r->shares, r->n_shares, r->shares_capacity, err, s));
            place += s.end - first;
        }
    }
    return STATUS_OK;
}

static int compare_gains(const void *left, const void *right) {
    const ges_gain *a = left, *b = right;
    if (a->gain != b->gain)
        return a->gain > b->gain ? -1 : 1;
    return (a->x > b->x) - (a->x < b->x);
}

static void sort_gains(ges_row *row) {
    if (row->n > 1)
        qsort(row->gains, row->n, sizeof *row->gains, compare_gains);
}

static status take_found(ges_rows *r, error_info *err) {
    for (size_t i = 0; i < r->n_shares; i++) {
        const struct ges_share *s = &r->shares[i];
        ges_row *row = s->row;
        if (s->n_found == 0)
            continue;
        CHECK(ARRAY_RESERVE(row->gains, row->capacity, row->n + s->n_found, err));
        memcpy(row->gains + row->n, r->found + s->place * COLUMN_BLOCK, s->n_found * sizeof *row->gains);
        row->n += s->n_found;
        r->n_gains += s->n_found;
    }
    return STATUS_OK;
}

status ges_rows_fill(ges_rows *r, bool *is_expired, error_info *err) {
    filling f = {.rows = r};
    bool is_shared = is_worth_sharing(r);
    if (r->n_waiting == 0)
        return STATUS_OK;
    CHECK(share_out(r, is_shared ? r->n_workers : 1, err));
    CHECK(ARRAY_RESERVE(r->scores, r->scores_capacity, r->n_workers * COLUMN_BLOCK, err));
    CHECK(ARRAY_RESERVE(r->found, r->found_capacity, r->n_blocks_waiting * COLUMN_BLOCK, err));
    CHECK(is_shared ? crew_run(r->crew, fill, &f, err) : fill(&f, 0, err));
    *is_expired = *is_expired || atomic_load(&f.is_over);
    CHECK(take_found(r, err));
    for (size_t i = 0; i < r->n_waiting; i++)
        sort_gains(r->waiting[i]);
    r->n_waiting = r->n_blocks_waiting = 0;
    return STATUS_OK;
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
    for (size_t y = 0; y < n; y++)
        sort_gains(rows[y]);
    return STATUS_OK;
}

status ges_rows_of_pairs(ges_rows *r, const double *alone, ges_row **out, bool *is_expired, error_info *err) {
    for (size_t y = 0; y < r->n; y++)
        CHECK(row_create(y, NULL, 0, y, alone[y], &out[y], err));
    for (size_t y = 0; y < r->n && !*is_expired; y++) {
        CHECK(wait_for_fill(r, out[y], err));
        if (ges_rows_are_many(r) || y + 1 == r->n)
            CHECK(ges_rows_fill(r, is_expired, err));
    }
    r->n_gains = 0;
    return *is_expired ? STATUS_OK : mirror(out, r->n, err);
}
