/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A family F of x is remembered by any row of x whose parents are F less one column, that column among its extras. So
 * the rows (P, x) and (Q, z) meet in one family alone, where P and Q have as many columns and differ in one: P + x = Q
 * + z with x the column that only Q has, z the one that only P has.
 */
#include "metrics/scores/asked_families_internal.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t parents_at, n_parents; /* where they are in column_rows.parents, ascending */
    sparse_bits extras;           /* where there is no source */
    left_out_source source;       /* has == NULL: there is none */
    size_t number;                /* of the row there */
} asked_row;

typedef struct {
    asked_row *rows;
    size_t n, capacity;
    uint32_t *parents; /* of all rows */
    size_t n_parents, parents_capacity;
} column_rows;

struct asked_families {
    size_t n_columns;
    column_rows *columns;
    size_t *left_out; /* scratch */
};

status asked_families_create(size_t n_columns, asked_families **out, error_info *err) {
    AUTO_PTR(asked_families_destroy) asked_families *a = NULL;
    CHECK_ALLOC(a = calloc(1, sizeof *a));
    CHECK_ALLOC(a->columns = calloc(n_columns + 1, sizeof *a->columns));
    CHECK_ALLOC(a->left_out = calloc(n_columns + 1, sizeof *a->left_out));
    a->n_columns = n_columns;
    *out = TAKE(a);
    return STATUS_OK;
}

void asked_families_destroy(asked_families *a) {
    for (size_t x = 0; a && x < a->n_columns; x++) {
        for (size_t i = 0; i < a->columns[x].n; i++)
            sparse_bits_clear(&a->columns[x].rows[i].extras);
        free(a->columns[x].rows);
        free(a->columns[x].parents);
    }
    if (a) {
        free(a->columns);
        free(a->left_out);
    }
    free(a);
}

/* How many of the ascending `a` are not in the ascending `b`, counted up to two; *last is the last of them. */
static size_t count_missing(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b, uint32_t *last) {
    size_t missing = 0;
    for (size_t i = 0, j = 0; i < n_a && missing < 2; i++) {
        while (j < n_b && b[j] < a[i])
            j++;
        if (j == n_b || b[j] != a[i]) {
            *last = a[i];
            missing++;
        }
    }
    return missing;
}

static status add_row(column_rows *c, const uint32_t *parents, size_t n_parents, asked_row **out, error_info *err) {
    CHECK(ARRAY_ROOM(c->rows, c->n, c->capacity, err));
    CHECK(ARRAY_RESERVE(c->parents, c->parents_capacity, c->n_parents + n_parents + 1, err));
    memcpy(c->parents + c->n_parents, parents, n_parents * sizeof *parents);
    *out = &c->rows[c->n++];
    **out = (asked_row){.parents_at = c->n_parents, .n_parents = n_parents};
    c->n_parents += n_parents;
    return STATUS_OK;
}

static bool has_extra(const void *of, size_t column) {
    const asked_row *row = of;
    const left_out_source *source = &row->source;
    return source->has ? !source->has(source->of, row->number, column) : sparse_bits_has(&row->extras, column);
}

status asked_families_recall(const asked_families *a, const left_out_source *source, size_t row, sparse_bits *out,
                             error_info *err) {
    size_t n = source->list(source->of, row, a->left_out);
    return sparse_bits_set_all_but(out, a->n_columns, a->left_out, n, err);
}

/* A source is asked about so many columns one by one; a quick one about that share of all. */
enum { FEW = 64, SHARE_OF_FEW = 4 };

static bool are_few(const asked_families *a, const left_out_source *source, const sparse_bits *extras) {
    size_t n;
    if (extras->others)
        return false;
    n = sparse_bits_count(extras, a->n_columns);
    return n <= FEW || (source->is_quick && n <= a->n_columns / SHARE_OF_FEW);
}

/* Takes the extras of a row out of those of another with the same parents. */
static status subtract_row(const asked_families *a, const asked_row *row, sparse_bits *extras, error_info *err) {
    AUTO(sparse_bits_clear) sparse_bits told = {0};
    if (!row->source.has)
        return sparse_bits_subtract(extras, &row->extras, err);
    if (are_few(a, &row->source, extras)) {
        sparse_bits_remove_if(extras, has_extra, row);
        return STATUS_OK;
    }
    CHECK(asked_families_recall(a, &row->source, row->number, &told, err));
    return sparse_bits_subtract(extras, &told, err);
}

bool asked_families_has_near(const asked_families *a, size_t x, const uint32_t *parents, size_t n_parents) {
    const column_rows *c = &a->columns[x];
    for (size_t i = 0; i < c->n; i++) {
        const asked_row *row = &c->rows[i];
        uint32_t extra;
        if (row->n_parents == n_parents &&
            count_missing(parents, n_parents, c->parents + row->parents_at, n_parents, &extra) < 2)
            return true;
    }
    return false;
}

status asked_families_add(asked_families *a, size_t x, const uint32_t *parents, size_t n_parents, sparse_bits *extras,
                          const left_out_source *source, size_t number, error_info *err) {
    column_rows *c = &a->columns[x];
    asked_row *own = NULL;
    for (size_t i = 0; i < c->n; i++) {
        asked_row *row = &c->rows[i];
        const uint32_t *their_parents = c->parents + row->parents_at;
        uint32_t theirs = 0, ours = 0;
        size_t missing =
            row->n_parents == n_parents ? count_missing(their_parents, n_parents, parents, n_parents, &theirs) : 2;
        if (missing == 0) {
            CHECK(subtract_row(a, row, extras, err));
            own = source || row->source.has ? own : row;
        } else if (missing == 1) {
            (void)count_missing(parents, n_parents, their_parents, n_parents, &ours);
            if (has_extra(row, ours))
                CHECK(sparse_bits_remove(extras, theirs, err));
        }
    }
    if (!own)
        CHECK(add_row(c, parents, n_parents, &own, err));
    if (source) {
        own->source = *source;
        own->number = number;
        return STATUS_OK;
    }
    return sparse_bits_unite(&own->extras, extras, err);
}

bool asked_families_has(const asked_families *a, size_t x, const uint32_t *parents, size_t n_parents) {
    const column_rows *c = &a->columns[x];
    for (size_t i = 0; i < c->n; i++) {
        const asked_row *row = &c->rows[i];
        uint32_t extra = 0;
        if (row->n_parents + 1 == n_parents &&
            count_missing(parents, n_parents, c->parents + row->parents_at, row->n_parents, &extra) == 1 &&
            has_extra(row, extra))
            return true;
    }
    return false;
}
