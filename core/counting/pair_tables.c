/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/pair_tables.h"

#include "core/counting/count_kernels_internal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A column with more states is counted row by row: 32 x 32 vectors of a thousand rows cost more than the rows. */
enum { MOST_STATES_AS_BITS = 32 };

typedef struct {
    size_t n_states;
    size_t vector; /* its first one: one a state but for the last, which is what the others leave */
    size_t margin; /* where its margins start */
    bool has_bits;
} pair_column;

struct pair_tables {
    const dataset *data;
    const count_kernels *kernels;
    size_t n_rows, n_words; /* of a vector */
    pair_column *columns;   /* and one past the last */
    uint64_t *bits;         /* the vectors, one after the other */
    uint32_t *margins;      /* rows by column and state */
};

void pair_tables_destroy(pair_tables *t) {
    if (!t)
        return;
    free(t->columns);
    free(t->bits);
    free(t->margins);
    free(t);
}

/* Where everything will lie; the place past the last has the sum of vectors and that of states. */
static const pair_column *lay_out(pair_tables *t) {
    pair_column *c = t->columns;
    for (size_t i = 0; i < dataset_column_count(t->data); i++, c++) {
        c->n_states = dataset_state_count(t->data, i);
        c->has_bits = c->n_states <= MOST_STATES_AS_BITS;
        c[1].vector = c->vector + (c->has_bits ? c->n_states - 1 : 0);
        c[1].margin = c->margin + c->n_states;
    }
    return c;
}

static uint64_t *vector_at(const pair_tables *t, size_t i) {
    return t->bits + i * t->n_words;
}

static void fill_column(pair_tables *t, size_t column) {
    const pair_column *c = &t->columns[column];
    uint32_t *margin = t->margins + c->margin, rest = (uint32_t)t->n_rows;
    for (size_t i = 0; !c->has_bits && i < t->n_rows; i++)
        margin[dataset_state(t->data, i, column)]++;
    for (size_t k = 0; c->has_bits && k + 1 < c->n_states; k++) {
        uint64_t *vector = vector_at(t, c->vector + k);
        t->kernels->match(dataset_bytes(t->data, column), t->n_rows, (uint8_t)k, vector, t->n_words);
        margin[k] = t->kernels->count_and(vector, vector, t->n_words);
        rest -= margin[k];
    }
    if (c->has_bits)
        margin[c->n_states - 1] = rest;
}

static uint64_t *allocate_vectors(size_t n_vectors, size_t n_words) {
    size_t bytes;
    if (__builtin_mul_overflow(n_vectors + 1, n_words * sizeof(uint64_t), &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

status pair_tables_create(const dataset *data, pair_tables **out, error_info *err) {
    AUTO_PTR(pair_tables_destroy) pair_tables *t = NULL;
    const pair_column *end;
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
    CHECK_ALLOC(t->columns = calloc(dataset_column_count(data) + 1, sizeof *t->columns));
    end = lay_out(t);
    CHECK_ALLOC(t->bits = allocate_vectors(end->vector, t->n_words));
    CHECK_ALLOC(t->margins = calloc(end->margin + 1, sizeof *t->margins));
    for (size_t i = 0; i < dataset_column_count(data); i++)
        fill_column(t, i);
    *out = TAKE(t);
    return STATUS_OK;
}

const uint32_t *pair_tables_margin(const pair_tables *t, size_t column) {
    return t->margins + t->columns[column].margin;
}

size_t pair_tables_words(const pair_tables *t) {
    return t->n_words;
}

size_t pair_tables_vectors(const pair_tables *t, size_t column) {
    return t->columns[column + 1].vector - t->columns[column].vector;
}

size_t pair_tables_split(const pair_tables *t, uint64_t *set, size_t column, uint64_t *out, uint32_t *tally) {
    size_t n_vectors = pair_tables_vectors(t, column), n = 0;
    for (size_t k = 0; k <= n_vectors; k++) {
        const uint64_t *state = k < n_vectors ? vector_at(t, t->columns[column].vector + k) : set; /* last: the rest */
        uint64_t *part = out + n * t->n_words;
        tally[n] = t->kernels->store_and(set, state, part, t->n_words);
        for (size_t w = 0; tally[n] > 0 && w < t->n_words; w++)
            set[w] &= ~part[w];
        n += tally[n] > 0;
    }
    return n;
}

void pair_tables_count_sets(const pair_tables *t, size_t column, size_t k, const uint64_t *sets, size_t n,
                            uint32_t *out) {
    t->kernels->count_block(vector_at(t, t->columns[column].vector + k), sets, n, t->n_words, out);
}

static void count_by_rows(const pair_tables *t, size_t x, size_t y, uint32_t *cells) {
    size_t r_x = t->columns[x].n_states, r_y = t->columns[y].n_states;
    memset(cells, 0, r_x * r_y * sizeof *cells);
    for (size_t i = 0; i < t->n_rows; i++)
        cells[dataset_state(t->data, i, x) * r_y + dataset_state(t->data, i, y)]++;
}

/* The table of what all states but the last ones have in common, `stride` numbers for each of x. */
static inline void complete(const uint32_t *counts, size_t stride, const uint32_t *x_margin, const uint32_t *y_margin,
                            size_t r_x, size_t r_y, uint32_t *cells) {
    uint32_t *last = cells + (r_x - 1) * r_y;
    for (size_t j = 0; j < r_y; j++)
        last[j] = y_margin[j];
    for (size_t i = 0; i + 1 < r_x; i++) {
        uint32_t *row = cells + i * r_y, rest = x_margin[i];
        for (size_t j = 0; j + 1 < r_y; j++) {
            row[j] = counts[i * stride + j];
            rest -= row[j];
            last[j] -= row[j];
        }
        row[r_y - 1] = rest;
        last[r_y - 1] -= rest;
    }
}

static size_t vectors_of(const pair_block *b) {
    return b->tables->columns[b->end].vector - b->tables->columns[b->first].vector;
}

status pair_block_begin(pair_block *b, const pair_tables *t, size_t first, size_t end, error_info *err) {
    size_t wanted;
    b->tables = t;
    b->first = first;
    b->end = end;
    wanted = (MOST_STATES_AS_BITS - 1) * vectors_of(b);
    if (wanted > b->capacity) {
        free(b->counts);
        b->capacity = 0;
        CHECK_ALLOC(b->counts = calloc(wanted, sizeof *b->counts));
        b->capacity = wanted;
    }
    return STATUS_OK;
}

void pair_block_clear(pair_block *b) {
    free(b->counts);
    *b = (pair_block){0};
}

/* `counts` has room for all states of x but the last, each with all of the vectors. */
static void count_vectors(const pair_tables *t, size_t x, size_t start, size_t n, uint32_t *counts) {
    const pair_column *a = &t->columns[x];
    for (size_t i = 0; a->has_bits && i + 1 < a->n_states; i++)
        t->kernels->count_block(vector_at(t, a->vector + i), vector_at(t, start), n, t->n_words, counts + i * n);
}

/* x and y of what count_vectors counted, `stride` vectors of which those of y come first. */
static void lay(const pair_tables *t, size_t x, size_t y, const uint32_t *counts, size_t stride, uint32_t *cells) {
    const pair_column *a = &t->columns[x], *b = &t->columns[y];
    if (a->has_bits && b->has_bits)
        complete(counts, stride, t->margins + a->margin, t->margins + b->margin, a->n_states, b->n_states, cells);
    else
        count_by_rows(t, x, y, cells);
}

void pair_block_count(pair_block *b, size_t x) {
    b->x = x;
    count_vectors(b->tables, x, b->tables->columns[b->first].vector, vectors_of(b), b->counts);
}

void pair_block_lay(const pair_block *b, size_t y, uint32_t *cells) {
    const pair_column *columns = b->tables->columns;
    lay(b->tables, b->x, y, b->counts + (columns[y].vector - columns[b->first].vector), vectors_of(b), cells);
}

void pair_tables_count(const pair_tables *t, size_t x, size_t y, uint32_t *cells) {
    uint32_t counts[(MOST_STATES_AS_BITS - 1) * (MOST_STATES_AS_BITS - 1)];
    size_t n = t->columns[y + 1].vector - t->columns[y].vector;
    count_vectors(t, x, t->columns[y].vector, n, counts);
    lay(t, x, y, counts, n, cells);
}
