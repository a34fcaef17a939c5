/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/lane_columns.h"

#include <stdlib.h>

enum { WASTE = 2 }; /* so many lanes a column are too many */

struct lane_columns {
    pair_block *blocks;
    size_t n_blocks;
    size_t *columns; /* of the blocks, in order of the lanes */
    size_t *loose, n_loose;
};

void lane_columns_destroy(lane_columns *c) {
    if (!c)
        return;
    for (size_t i = 0; c->blocks && i < c->n_blocks; i++)
        pair_block_clear(&c->blocks[i]);
    free(c->blocks);
    free(c->columns);
    free(c->loose);
    free(c);
}

typedef struct {
    size_t n_states, column;
    uint32_t label;
} entry;

static int by_states_and_label(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->n_states != y->n_states)
        return x->n_states < y->n_states ? -1 : 1;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return x->column < y->column ? -1 : 1;
}

/* Those that have vectors, in order; the others become loose. */
static status list_columns(lane_columns *c, const pair_tables *t, const uint32_t *labels, entry *out, size_t *n,
                           error_info *err) {
    size_t p = dataset_column_count(pair_tables_data(t));
    CHECK_ALLOC(c->loose = calloc(p + 1, sizeof *c->loose));
    *n = 0;
    for (size_t i = 0; i < p; i++) {
        if (pair_tables_vectors(t, i) > 0)
            out[(*n)++] = (entry){pair_tables_columns(t)[i].n_states, i, labels[i]};
        else
            c->loose[c->n_loose++] = i;
    }
    qsort(out, *n, sizeof *out, by_states_and_label);
    return STATUS_OK;
}

static size_t end_of_block(const entry *columns, size_t n, size_t first) {
    size_t end = first + 1;
    while (end < n && end - first < PAIR_BLOCK_COLUMNS && columns[end].n_states == columns[first].n_states)
        end++;
    return end;
}

static size_t count_blocks(const entry *columns, size_t n) {
    size_t n_blocks = 0;
    for (size_t first = 0; first < n; first = end_of_block(columns, n, first))
        n_blocks++;
    return n_blocks;
}

static status fill(lane_columns *c, const pair_tables *t, const entry *columns, size_t n, error_info *err) {
    CHECK_ALLOC(c->blocks = calloc(count_blocks(columns, n) + 1, sizeof *c->blocks));
    CHECK_ALLOC(c->columns = calloc(n + 1, sizeof *c->columns));
    for (size_t i = 0; i < n; i++)
        c->columns[i] = columns[i].column;
    for (size_t first = 0, end; first < n; first = end) {
        end = end_of_block(columns, n, first);
        CHECK(pair_block_begin(&c->blocks[c->n_blocks++], t, c->columns + first, end - first, err));
    }
    return STATUS_OK;
}

status lane_columns_create(const pair_tables *tables, const uint32_t *labels, lane_columns **out, error_info *err) {
    AUTO_PTR(lane_columns_destroy) lane_columns *c = NULL;
    AUTO_FREE entry *columns = calloc(dataset_column_count(pair_tables_data(tables)) + 1, sizeof *columns);
    size_t n = 0;
    *out = NULL;
    CHECK_ALLOC(columns);
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    CHECK(list_columns(c, tables, labels, columns, &n, err));
    if (n == 0 || count_blocks(columns, n) * PAIR_BLOCK_COLUMNS > WASTE * n)
        return STATUS_OK;
    CHECK(fill(c, tables, columns, n, err));
    *out = TAKE(c);
    return STATUS_OK;
}

size_t lane_columns_count(const lane_columns *c) {
    return c->n_blocks;
}

const pair_block *lane_columns_at(const lane_columns *c, size_t block) {
    return &c->blocks[block];
}

const size_t *lane_columns_loose(const lane_columns *c, size_t *n) {
    *n = c->n_loose;
    return c->loose;
}
