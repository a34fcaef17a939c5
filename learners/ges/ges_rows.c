/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_rows_internal.h"

#include "core/base/array.h"
#include "core/counting/tuple_cache.h"

#include <math.h>
#include <stdlib.h>

struct ges_rows {
    size_t n_nodes, max_rows;
    tuple_cache *index; /* a node and its family, ascending, to the row's number */
    double **rows;
    size_t count, capacity;
    uint32_t *key;
};

static void drop_rows(ges_rows *rows) {
    for (size_t i = 0; i < rows->count; i++)
        free(rows->rows[i]);
    rows->count = 0;
    tuple_cache_destroy(rows->index);
    rows->index = NULL;
}

void ges_rows_destroy(ges_rows *rows) {
    if (!rows)
        return;
    drop_rows(rows);
    free(rows->rows);
    free(rows->key);
    free(rows);
}

status ges_rows_create(size_t n_nodes, ges_rows **out, error_info *err) {
    status st = STATUS_OK;
    ges_rows *rows = NULL;
    TRY_ALLOC(rows = calloc(1, sizeof *rows));
    rows->n_nodes = n_nodes;
    rows->max_rows = GES_ROWS_MAX_BYTES / ((n_nodes + 16) * sizeof(double)) + 1;
    TRY_ALLOC(rows->key = calloc(n_nodes + 2, sizeof *rows->key));
    TRY(tuple_cache_create(SIZE_MAX, &rows->index, err));
    *out = rows;
    rows = NULL;
cleanup:
    ges_rows_destroy(rows);
    return st;
}

static status reserve(ges_rows *rows, error_info *err) {
    return ARRAY_ROOM(rows->rows, rows->count, rows->capacity, err);
}

static status add_row(ges_rows *rows, size_t n_key, double **out, error_info *err) {
    double *row;
    if (rows->count == rows->max_rows) {
        drop_rows(rows);
        CHECK(tuple_cache_create(SIZE_MAX, &rows->index, err));
    }
    CHECK(reserve(rows, err));
    CHECK_ALLOC(row = malloc((rows->n_nodes + 1) * sizeof *row));
    for (size_t i = 0; i < rows->n_nodes; i++)
        row[i] = (double)NAN;
    tuple_cache_add(rows->index, rows->key, n_key, (tuple_value){(double)rows->count, 0});
    *out = rows->rows[rows->count++] = row;
    return STATUS_OK;
}

status ges_rows_get(ges_rows *rows, size_t y, const size_t *family, size_t n, double **out, error_info *err) {
    const tuple_value *known;
    size_t n_key = 1;
    rows->key[0] = (uint32_t)y;
    for (size_t i = 0; i < n; i++)
        n_key = tuple_key_insert(rows->key, 1, n_key, family[i]);
    known = tuple_cache_find(rows->index, rows->key, n_key);
    if (!known)
        return add_row(rows, n_key, out, err);
    *out = rows->rows[(size_t)known->a];
    return STATUS_OK;
}
