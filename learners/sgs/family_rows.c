/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/sgs/family_rows_internal.h"

#include "core/base/array.h"
#include "core/counting/tuple_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct family_rows {
    const family_source *source;
    const sgs_plan *plan;
    size_t n;
    tuple_cache *index; /* (x, Q) to the row's number */
    family_row **rows;
    size_t n_rows, capacity, n_bytes;
    uint32_t *key;       /* scratch, n + 1 */
    struct place *ranks; /* scratch, n */
};

/* A position and its value, to be sorted. */
struct place {
    double value;
    uint32_t position;
};

static void destroy_row(family_row *row) {
    if (row)
        free(row->order);
    free(row);
}

static void drop_rows(family_rows *rows) {
    for (size_t i = 0; i < rows->n_rows; i++)
        destroy_row(rows->rows[i]);
    rows->n_rows = rows->n_bytes = 0;
    tuple_cache_destroy(rows->index);
    rows->index = NULL;
}

void family_rows_destroy(family_rows *rows) {
    if (!rows)
        return;
    drop_rows(rows);
    free(rows->rows);
    free(rows->key);
    free(rows->ranks);
    free(rows);
}

status family_rows_create(const family_source *source, const sgs_plan *plan, family_rows **out, error_info *err) {
    status st = STATUS_OK;
    family_rows *rows = NULL;
    TRY_ALLOC(rows = calloc(1, sizeof *rows));
    rows->source = source;
    rows->plan = plan;
    rows->n = source->n_variables;
    TRY_ALLOC(rows->key = calloc(rows->n + 1, sizeof *rows->key));
    TRY_ALLOC(rows->ranks = calloc(rows->n + 1, sizeof *rows->ranks));
    TRY(tuple_cache_create(SIZE_MAX, &rows->index, err));
    *out = rows;
    rows = NULL;
cleanup:
    family_rows_destroy(rows);
    return st;
}

status family_rows_trim(family_rows *rows, size_t max_bytes, error_info *err) {
    if (rows->n_bytes <= max_bytes)
        return STATUS_OK;
    drop_rows(rows);
    return tuple_cache_create(SIZE_MAX, &rows->index, err);
}

size_t family_rows_width(const family_rows *rows, size_t x) {
    return rows->plan->candidates ? rows->plan->n_candidates[x] : rows->n;
}

size_t family_rows_node(const family_rows *rows, size_t x, size_t position) {
    return rows->plan->candidates ? rows->plan->candidates[x][position] : position;
}

size_t family_rows_position(const family_rows *rows, size_t x, size_t y) {
    size_t low = 0, n = family_rows_width(rows, x), high = n;
    if (!rows->plan->candidates)
        return y;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows->plan->candidates[x][middle] < y)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && rows->plan->candidates[x][low] == y ? low : n;
}

static void rule_out(const family_rows *rows, family_row *row, size_t y) {
    size_t at = family_rows_position(rows, row->x, y);
    if (at == family_rows_width(rows, row->x))
        return;
    row->values[at] = -INFINITY;
    row->n_unknown--;
}

static status make_row(family_rows *rows, size_t x, const size_t *parents, size_t n, family_row **out,
                       error_info *err) {
    status st = STATUS_OK;
    size_t width = family_rows_width(rows, x), n_bytes = sizeof(family_row) + width * sizeof(double);
    size_t *own_parents;
    family_row *row = malloc(n_bytes + n * sizeof *own_parents);
    TRY_ALLOC(row);
    own_parents = (size_t *)(void *)(row->values + width);
    for (size_t i = 0; i < n; i++)
        own_parents[i] = parents[i];
    *row = (family_row){.x = x, .n_parents = n, .parents = own_parents, .top = -INFINITY, .n_unknown = width};
    TRY(rows->source->family(rows->source->self, x, own_parents, n, FAMILY_NO_EXTRA, &row->base, err));
    for (size_t i = 0; i < width; i++)
        row->values[i] = (double)NAN;
    rule_out(rows, row, x);
    for (size_t i = 0; i < n; i++)
        rule_out(rows, row, parents[i]);
    rows->n_bytes += n_bytes + n * sizeof *own_parents;
    *out = row;
    row = NULL;
cleanup:
    free(row);
    return st;
}

static status keep_row(family_rows *rows, family_row *row, size_t key_length, error_info *err) {
    CHECK(ARRAY_ROOM(rows->rows, rows->n_rows, rows->capacity, err));
    tuple_cache_add(rows->index, rows->key, key_length, (tuple_value){(double)rows->n_rows, 0});
    rows->rows[rows->n_rows++] = row;
    return STATUS_OK;
}

status family_rows_get(family_rows *rows, size_t x, const size_t *parents, size_t n, family_row **out,
                       error_info *err) {
    status st = STATUS_OK;
    const tuple_value *known;
    family_row *row = NULL;
    rows->key[0] = (uint32_t)x;
    for (size_t i = 0; i < n; i++)
        rows->key[i + 1] = (uint32_t)parents[i];
    known = tuple_cache_find(rows->index, rows->key, n + 1);
    if (known) {
        *out = rows->rows[(size_t)known->a];
        return STATUS_OK;
    }
    TRY(make_row(rows, x, parents, n, &row, err));
    TRY(keep_row(rows, row, n + 1, err));
    *out = row;
    row = NULL;
cleanup:
    destroy_row(row);
    return st;
}

status family_row_ask(family_rows *rows, family_row *row, size_t position, error_info *err) {
    const family_source *source = rows->source;
    size_t y = family_rows_node(rows, row->x, position);
    double value = 0;
    CHECK(source->family(source->self, row->x, row->parents, row->n_parents, y, &value, err));
    row->values[position] = value;
    row->n_unknown--;
    if (value > row->top)
        row->top = value;
    return STATUS_OK;
}

static int compare_places(const void *a, const void *b) {
    const struct place *p = a, *q = b;
    if (p->value != q->value)
        return p->value > q->value ? -1 : 1;
    return (p->position > q->position) - (p->position < q->position);
}

static status put_in_order(family_rows *rows, family_row *row, size_t width, error_info *err) {
    row->order = calloc(width + 1, sizeof *row->order);
    if (!row->order)
        return error_out_of_memory(err);
    rows->n_bytes += (width + 1) * sizeof *row->order;
    for (size_t i = 0; i < width; i++)
        rows->ranks[i] = (struct place){row->values[i], (uint32_t)i};
    qsort(rows->ranks, width, sizeof *rows->ranks, compare_places);
    for (size_t i = 0; i < width; i++)
        row->order[i] = rows->ranks[i].position;
    return STATUS_OK;
}

status family_row_fill(family_rows *rows, family_row *row, error_info *err) {
    size_t width = family_rows_width(rows, row->x);
    if (row->order)
        return STATUS_OK;
    for (size_t i = 0; i < width; i++) {
        if (isnan(row->values[i]))
            CHECK(family_row_ask(rows, row, i, err));
    }
    return put_in_order(rows, row, width, err);
}

status family_score_dag(const family_source *source, const dag *g, double *out, error_info *err) {
    double sum = 0;
    for (size_t x = 0; x < source->n_variables; x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(g, x, &n_parents);
        double value = 0;
        CHECK(source->family(source->self, x, parents, n_parents, FAMILY_NO_EXTRA, &value, err));
        sum += value;
    }
    *out = sum;
    return STATUS_OK;
}
