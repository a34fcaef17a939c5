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
    size_t bits;   /* where its vectors start, in words; they lie one after the other */
    size_t margin; /* where its margins start */
    bool has_bits;
} pair_column;

struct pair_tables {
    const dataset *data;
    const count_kernels *kernels;
    size_t n_rows, n_words; /* of a vector */
    pair_column *columns;
    uint64_t *bits;
    uint32_t *margins; /* rows by column and state */
};

void pair_tables_destroy(pair_tables *t) {
    if (!t)
        return;
    free(t->columns);
    free(t->bits);
    free(t->margins);
    free(t);
}

/* Where everything will lie: the sum of vectors and that of states. */
static void lay_out(pair_tables *t, size_t *n_vectors, size_t *n_margins) {
    *n_vectors = *n_margins = 0;
    for (size_t i = 0; i < dataset_column_count(t->data); i++) {
        pair_column *c = &t->columns[i];
        c->n_states = dataset_state_count(t->data, i);
        c->has_bits = c->n_states <= MOST_STATES_AS_BITS;
        c->bits = *n_vectors * t->n_words;
        c->margin = *n_margins;
        *n_vectors += c->has_bits ? c->n_states : 0;
        *n_margins += c->n_states;
    }
}

static void fill_column(pair_tables *t, size_t column) {
    const pair_column *c = &t->columns[column];
    uint32_t *margin = t->margins + c->margin;
    for (size_t i = 0; !c->has_bits && i < t->n_rows; i++)
        margin[dataset_state(t->data, i, column)]++;
    for (size_t k = 0; c->has_bits && k < c->n_states; k++) {
        uint64_t *vector = t->bits + c->bits + k * t->n_words;
        t->kernels->match(dataset_bytes(t->data, column), t->n_rows, (uint8_t)k, vector, t->n_words);
        margin[k] = t->kernels->count_and(vector, vector, t->n_words);
    }
}

static uint64_t *allocate_vectors(size_t n_vectors, size_t n_words) {
    size_t bytes;
    if (__builtin_mul_overflow(n_vectors + 1, n_words * sizeof(uint64_t), &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

status pair_tables_create(const dataset *data, pair_tables **out, error_info *err) {
    AUTO_PTR(pair_tables_destroy) pair_tables *t = NULL;
    size_t n_vectors, n_margins;
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
    CHECK_ALLOC(t->columns = calloc(dataset_column_count(data), sizeof *t->columns));
    lay_out(t, &n_vectors, &n_margins);
    CHECK_ALLOC(t->bits = allocate_vectors(n_vectors, t->n_words));
    CHECK_ALLOC(t->margins = calloc(n_margins, sizeof *t->margins));
    for (size_t i = 0; i < dataset_column_count(data); i++)
        fill_column(t, i);
    *out = TAKE(t);
    return STATUS_OK;
}

const uint32_t *pair_tables_margin(const pair_tables *t, size_t column) {
    return t->margins + t->columns[column].margin;
}

static void count_by_rows(const pair_tables *t, size_t x, size_t y, uint32_t *cells) {
    size_t r_x = t->columns[x].n_states, r_y = t->columns[y].n_states;
    memset(cells, 0, r_x * r_y * sizeof *cells);
    for (size_t i = 0; i < t->n_rows; i++)
        cells[dataset_state(t->data, i, x) * r_y + dataset_state(t->data, i, y)]++;
}

/* One state of x: the last state of y is what the others leave. */
static void count_state(const pair_tables *t, const uint64_t *state, uint32_t rest, const pair_column *y,
                        uint32_t *cells) {
    const uint64_t *other = t->bits + y->bits;
    size_t j = 0, r_y = y->n_states, n_words = t->n_words;
    for (; j + 2 < r_y; j += 2) {
        t->kernels->count_and2(state, other + j * n_words, other + (j + 1) * n_words, n_words, &cells[j]);
        rest -= cells[j] + cells[j + 1];
    }
    if (j + 1 < r_y) {
        cells[j] = t->kernels->count_and(state, other + j * n_words, n_words);
        rest -= cells[j++];
    }
    cells[j] = rest;
}

void pair_tables_count(const pair_tables *t, size_t x, size_t y, uint32_t *cells) {
    const pair_column *a = &t->columns[x], *b = &t->columns[y];
    size_t r_x = a->n_states, r_y = b->n_states;
    uint32_t *last = cells + (r_x - 1) * r_y;
    if (!a->has_bits || !b->has_bits) {
        count_by_rows(t, x, y, cells);
        return;
    }
    memcpy(last, t->margins + b->margin, r_y * sizeof *last);
    for (size_t i = 0; i + 1 < r_x; i++) {
        uint32_t *row = cells + i * r_y;
        count_state(t, t->bits + a->bits + i * t->n_words, t->margins[a->margin + i], b, row);
        for (size_t j = 0; j < r_y; j++)
            last[j] -= row[j];
    }
}
