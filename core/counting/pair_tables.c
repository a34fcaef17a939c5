/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/pair_tables.h"

#include "core/base/cache_line.h"
#include "core/counting/bit_vectors.h"
#include "core/counting/count_kernels_internal.h"
#include "core/counting/lane_kernels_internal.h"
#include "core/counting/state_vectors_internal.h"
#include "core/run/parallel.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 4,           /* that a thread takes at once */
    LEAST_CELLS = 1 << 23, /* of all columns: some milliseconds */
};

struct pair_tables {
    const dataset *data;
    const count_kernels *kernels;
    size_t n_rows, n_words; /* of a vector */
    size_t most_states;     /* of a column that has vectors */
    pair_column *columns;
    uint64_t *bits;    /* the vectors, one after the other */
    uint32_t *margins; /* rows by column and state */
    uint16_t *rows;    /* of all columns, where they are listed; and by column where its own begin: */
    size_t *row_starts;
    octet_columns *octets; /* NULL: they are not laid */
};

void pair_tables_destroy(pair_tables *t) {
    if (!t)
        return;
    free(t->columns);
    free(t->bits);
    free(t->margins);
    free(t->rows);
    free(t->row_starts);
    octet_columns_destroy(t->octets);
    free(t);
}

static bool has_bits(const dataset *data, size_t column) {
    return dataset_state_count(data, column) <= PAIR_MOST_STATES;
}

/* Says where everything lies. */
static void lay_out(pair_tables *t) {
    uint64_t *bits = t->bits;
    uint32_t *margin = t->margins;
    for (size_t i = 0; i < dataset_column_count(t->data); i++) {
        size_t r = dataset_state_count(t->data, i);
        t->columns[i] =
            (pair_column){.n_states = (uint32_t)r, .bits = has_bits(t->data, i) ? bits : NULL, .margin = margin};
        if (has_bits(t->data, i) && r > t->most_states)
            t->most_states = r;
        bits += has_bits(t->data, i) ? (r - 1) * t->n_words : 0;
        margin += r;
    }
}

static void fill_column(const pair_tables *t, size_t column) {
    const pair_column *c = &t->columns[column];
    uint32_t *rows = t->margins + (c->margin - t->margins), rest = (uint32_t)t->n_rows;
    if (!has_bits(t->data, column)) {
        for (size_t i = 0; i < t->n_rows; i++)
            rows[dataset_state(t->data, i, column)]++;
        return;
    }
    state_vectors_fill(t->kernels, &(state_vectors){t->data, column, c->n_states - 1}, t->n_words,
                       t->bits + (c->bits - t->bits), t->n_words);
    for (size_t k = 0; k + 1 < c->n_states; k++) {
        rows[k] = t->kernels->count_and(c->bits + k * t->n_words, c->bits + k * t->n_words, t->n_words);
        rest -= rows[k];
    }
    rows[c->n_states - 1] = rest;
}

typedef struct {
    const pair_tables *tables;
    atomic_size_t next; /* column */
} filling;

static status fill_some(void *self, size_t worker, error_info *err) {
    filling *f = self;
    size_t p = dataset_column_count(f->tables->data), first;
    (void)worker;
    (void)err;
    while ((first = atomic_fetch_add(&f->next, COLUMNS)) < p) {
        for (size_t i = first; i < first + COLUMNS && i < p; i++)
            fill_column(f->tables, i);
    }
    return STATUS_OK;
}

/* Threads take longer to start than small data take to fill. */
static size_t threads_for(const pair_tables *t, size_t n_threads) {
    size_t p = dataset_column_count(t->data), most = (p + COLUMNS - 1) / COLUMNS;
    if (t->n_rows < LEAST_CELLS / p)
        return 1;
    return n_threads < most ? n_threads : most;
}

static status fill(pair_tables *t, size_t n_threads, crew *threads, error_info *err) {
    filling all = {.tables = t};
    size_t p = dataset_column_count(t->data), n_vectors = 0, n_states = 0;
    for (size_t i = 0; i < p; i++) {
        n_vectors += has_bits(t->data, i) ? dataset_state_count(t->data, i) - 1 : 0;
        n_states += dataset_state_count(t->data, i);
    }
    CHECK_ALLOC(t->columns = cache_lines_allocate(p, sizeof *t->columns));
    CHECK_ALLOC(t->bits = bit_vectors_allocate(n_vectors, t->n_words));
    CHECK_ALLOC(t->margins = calloc(n_states + 1, sizeof *t->margins));
    lay_out(t);
    return threads ? crew_run(threads, fill_some, &all, err)
                   : parallel_run(threads_for(t, n_threads), fill_some, &all, err);
}

status pair_tables_create_by(const dataset *data, size_t n_threads, crew *threads, pair_tables **out, error_info *err) {
    AUTO_PTR(pair_tables_destroy) pair_tables *t = NULL;
    if (!dataset_is_discrete(data))
        return error_set(err, STATUS_INVALID, "counting needs discrete columns");
    if (dataset_row_count(data) > UINT32_MAX - 64)
        return error_set(err, STATUS_INVALID, "%zu rows; at most %u can be counted", dataset_row_count(data),
                         UINT32_MAX - 64);
    CHECK_ALLOC(t = calloc(1, sizeof *t));
    t->data = data;
    t->kernels = count_kernels_choose();
    t->n_rows = dataset_row_count(data);
    t->n_words = (t->n_rows / 64 / KERNEL_WORDS + 1) * KERNEL_WORDS;
    CHECK(fill(t, n_threads, threads, err));
    *out = TAKE(t);
    return STATUS_OK;
}

status pair_tables_create(const dataset *data, size_t n_threads, pair_tables **out, error_info *err) {
    return pair_tables_create_by(data, n_threads, NULL, out, err);
}

/* --- side by side --- */

static size_t all_vectors(const pair_tables *t) {
    size_t n = 0;
    for (size_t i = 0; i < dataset_column_count(t->data); i++)
        n += pair_tables_vectors(t, i);
    return n;
}

status pair_tables_lay_octets(pair_tables *t, size_t n_threads, error_info *err) {
    return octet_columns_create(t->bits, all_vectors(t), t->n_words, t->n_rows, n_threads, &t->octets, err);
}

const octet_columns *pair_tables_octets(const pair_tables *t) {
    return t->octets;
}

size_t pair_tables_first_vector(const pair_tables *t, size_t column) {
    return (size_t)(t->columns[column].bits - t->bits) / t->n_words;
}

/* --- rows by state --- */

static uint32_t most_frequent(const pair_column *c) {
    uint32_t most = 0;
    for (uint32_t k = 1; k < c->n_states; k++)
        most = c->margin[k] > c->margin[most] ? k : most;
    return most;
}

static size_t room_for_rows(const pair_column *c) {
    size_t n = 0;
    for (size_t k = 0; k < c->n_states; k++)
        n += k == c->most || !c->bits ? 0 : pair_rows_room(c->margin[k]);
    return n;
}

/* Says where those of each state begin, and fills up what they leave. */
static void lay_lists(const pair_column *c, uint16_t *rows, uint16_t **at) {
    for (size_t k = 0; k < c->n_states; k++) {
        at[k] = rows;
        if (k == c->most)
            continue;
        rows += pair_rows_room(c->margin[k]);
        for (uint16_t *rest = at[k] + c->margin[k]; rest < rows; rest++)
            *rest = PAIR_MOST_LISTED_ROWS;
    }
}

static void list_column(const pair_tables *t, size_t column) {
    const pair_column *c = &t->columns[column];
    size_t last = c->n_states - 1;
    uint16_t *at[PAIR_MOST_STATES], *rows = t->rows + t->row_starts[column];
    for (size_t k = 0; k < PAIR_MOST_STATES; k++)
        at[k] = rows;
    lay_lists(c, rows, at);
    for (size_t first = 0; first < t->n_rows; first += 64) {
        uint64_t rest = bits_below(t->n_rows - first);
        for (size_t k = 0; k < last; k++) {
            uint64_t bits = c->bits[k * t->n_words + first / 64];
            rest &= ~bits;
            at[k] = k == c->most ? at[k] : bit_vectors_list(bits, first, at[k]);
        }
        if (c->most != last)
            at[last] = bit_vectors_list(rest, first, at[last]);
    }
}

static status list_some(void *self, size_t worker, error_info *err) {
    filling *f = self;
    size_t p = dataset_column_count(f->tables->data), i;
    (void)worker;
    (void)err;
    while ((i = atomic_fetch_add(&f->next, 1)) < p) {
        if (f->tables->columns[i].rows)
            list_column(f->tables, i);
    }
    return STATUS_OK;
}

status pair_tables_list_rows_by(pair_tables *t, size_t n_threads, crew *threads, error_info *err) {
    filling all = {.tables = t};
    size_t p = dataset_column_count(t->data), n = 0;
    if (t->rows || !lane_kernels_choose()->count_rows || t->n_rows < PAIR_FEWEST_LISTED_ROWS ||
        t->n_rows > PAIR_MOST_LISTED_ROWS)
        return STATUS_OK;
    CHECK_ALLOC(t->row_starts = calloc(p + 1, sizeof *t->row_starts));
    for (size_t i = 0; i < p; i++) {
        t->columns[i].most = most_frequent(&t->columns[i]);
        t->row_starts[i] = n;
        n += room_for_rows(&t->columns[i]);
    }
    CHECK_ALLOC(t->rows = calloc(n + 1, sizeof *t->rows));
    for (size_t i = 0; i < p; i++)
        t->columns[i].rows = t->columns[i].bits ? t->rows + t->row_starts[i] : NULL;
    return threads ? crew_run(threads, list_some, &all, err)
                   : parallel_run(threads_for(t, n_threads), list_some, &all, err);
}

status pair_tables_list_rows(pair_tables *t, size_t n_threads, error_info *err) {
    return pair_tables_list_rows_by(t, n_threads, NULL, err);
}

const dataset *pair_tables_data(const pair_tables *t) {
    return t->data;
}

const pair_column *pair_tables_columns(const pair_tables *t) {
    return t->columns;
}

size_t pair_tables_word_count(const pair_tables *t) {
    return t->n_words;
}

uint32_t pair_tables_count_joint(const pair_tables *t, const uint64_t *a, const uint64_t *b) {
    return t->kernels->count_and(a, b, t->n_words);
}

uint32_t pair_tables_store_joint(const pair_tables *t, const uint64_t *a, const uint64_t *b, uint64_t *out) {
    return t->kernels->store_and(a, b, out, t->n_words);
}

void pair_tables_count_joints(const pair_tables *t, const uint64_t *a, const uint64_t *vectors, size_t n,
                              uint32_t *out) {
    t->kernels->count_block(a, vectors, n, t->n_words, out);
}

size_t pair_tables_most_states(const pair_tables *t) {
    return t->most_states;
}

size_t pair_tables_vectors(const pair_tables *t, size_t column) {
    return t->columns[column].bits ? t->columns[column].n_states - 1 : 0;
}

size_t pair_tables_split(const pair_tables *t, uint64_t *set, size_t column, uint64_t *out, uint32_t *tally) {
    size_t n_vectors = pair_tables_vectors(t, column), n = 0;
    for (size_t k = 0; k <= n_vectors; k++) {
        const uint64_t *state = k < n_vectors ? t->columns[column].bits + k * t->n_words : set; /* last: the rest */
        uint64_t *part = out + n * t->n_words;
        tally[n] = t->kernels->take(set, state, part, t->n_words);
        n += tally[n] > 0;
    }
    return n;
}

void pair_tables_count_sets(const pair_tables *t, size_t column, size_t k, const uint64_t *sets, size_t n,
                            uint32_t *out) {
    pair_tables_count_joints(t, t->columns[column].bits + k * t->n_words, sets, n, out);
}

static void count_by_rows(const pair_tables *t, size_t x, size_t y, uint32_t *cells) {
    size_t r_x = t->columns[x].n_states, r_y = t->columns[y].n_states;
    memset(cells, 0, r_x * r_y * sizeof *cells);
    for (size_t i = 0; i < t->n_rows; i++)
        cells[dataset_state(t->data, i, x) * r_y + dataset_state(t->data, i, y)]++;
}

/* The table of what all states but the last ones have in common. */
static inline void complete(const uint32_t *counts, const uint32_t *x_margin, const uint32_t *y_margin, size_t r_x,
                            size_t r_y, uint32_t *cells) {
    uint32_t *last = cells + (r_x - 1) * r_y;
    for (size_t j = 0; j < r_y; j++)
        last[j] = y_margin[j];
    for (size_t i = 0; i + 1 < r_x; i++) {
        uint32_t *row = cells + i * r_y, rest = x_margin[i];
        for (size_t j = 0; j + 1 < r_y; j++) {
            row[j] = counts[i * (r_y - 1) + j];
            rest -= row[j];
            last[j] -= row[j];
        }
        row[r_y - 1] = rest;
        last[r_y - 1] -= rest;
    }
}

void pair_tables_complete(const pair_tables *t, size_t x, size_t y, const uint32_t *counts, uint32_t *cells) {
    const pair_column *a = &t->columns[x], *b = &t->columns[y];
    complete(counts, a->margin, b->margin, a->n_states, b->n_states, cells);
}

void pair_tables_count(const pair_tables *t, size_t x, size_t y, uint32_t *cells) {
    uint32_t counts[(PAIR_MOST_STATES - 1) * (PAIR_MOST_STATES - 1)];
    const pair_column *a = &t->columns[x], *b = &t->columns[y];
    if (!a->bits || !b->bits) {
        count_by_rows(t, x, y, cells);
        return;
    }
    for (size_t i = 0; i + 1 < a->n_states; i++)
        pair_tables_count_joints(t, a->bits + i * t->n_words, b->bits, b->n_states - 1, counts + i * (b->n_states - 1));
    pair_tables_complete(t, x, y, counts, cells);
}
