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

/* One more than the number of a row; 0: none. */
typedef size_t row_link;

typedef struct {
    row_link before;              /* of the same column */
    size_t parents_at, n_parents; /* where they are in asked_families.parents, ascending */
    sparse_bits extras;           /* where there is no source */
    left_out_source source;       /* has == NULL: there is none */
    size_t number;                /* of the row there */
} asked_row;

/* Rows and parents of all columns lie together: a search adds hundreds, and forgets them all at once. */
struct asked_families {
    size_t n_columns;
    row_link *last; /* of a column */
    asked_row *rows;
    size_t n, capacity;
    uint32_t *parents;
    size_t n_parents, parents_capacity;
    size_t *left_out; /* scratch */
};

status asked_families_create(size_t n_columns, asked_families **out, error_info *err) {
    AUTO_PTR(asked_families_destroy) asked_families *a = NULL;
    CHECK_ALLOC(a = calloc(1, sizeof *a));
    CHECK_ALLOC(a->last = calloc(n_columns + 1, sizeof *a->last));
    CHECK_ALLOC(a->left_out = calloc(n_columns + 1, sizeof *a->left_out));
    a->n_columns = n_columns;
    *out = TAKE(a);
    return STATUS_OK;
}

void asked_families_destroy(asked_families *a) {
    if (!a)
        return;
    for (size_t i = 0; i < a->n; i++)
        sparse_bits_clear(&a->rows[i].extras);
    free(a->last);
    free(a->rows);
    free(a->parents);
    free(a->left_out);
    free(a);
}

/* The row of the link; NULL: it leads nowhere. */
static asked_row *row_at(const asked_families *a, row_link link) {
    return link > 0 ? &a->rows[link - 1] : NULL;
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

static status add_row(asked_families *a, size_t x, const uint32_t *parents, size_t n_parents, asked_row **out,
                      error_info *err) {
    CHECK(ARRAY_ROOM(a->rows, a->n, a->capacity, err));
    CHECK(ARRAY_RESERVE(a->parents, a->parents_capacity, a->n_parents + n_parents + 1, err));
    memcpy(a->parents + a->n_parents, parents, n_parents * sizeof *parents);
    *out = &a->rows[a->n++];
    **out = (asked_row){.before = a->last[x], .parents_at = a->n_parents, .n_parents = n_parents};
    a->last[x] = a->n;
    a->n_parents += n_parents;
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
    for (const asked_row *row = row_at(a, a->last[x]); row; row = row_at(a, row->before)) {
        uint32_t extra;
        if (row->n_parents == n_parents &&
            count_missing(parents, n_parents, a->parents + row->parents_at, n_parents, &extra) < 2)
            return true;
    }
    return false;
}

status asked_families_add(asked_families *a, size_t x, const uint32_t *parents, size_t n_parents, sparse_bits *extras,
                          const left_out_source *source, size_t number, error_info *err) {
    asked_row *own = NULL;
    for (asked_row *row = row_at(a, a->last[x]); row; row = row_at(a, row->before)) {
        const uint32_t *their_parents = a->parents + row->parents_at;
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
        CHECK(add_row(a, x, parents, n_parents, &own, err));
    if (source) {
        own->source = *source;
        own->number = number;
        return STATUS_OK;
    }
    return sparse_bits_unite(&own->extras, extras, err);
}

bool asked_families_has(const asked_families *a, size_t x, const uint32_t *parents, size_t n_parents) {
    for (const asked_row *row = row_at(a, a->last[x]); row; row = row_at(a, row->before)) {
        uint32_t extra = 0;
        if (row->n_parents + 1 == n_parents &&
            count_missing(parents, n_parents, a->parents + row->parents_at, row->n_parents, &extra) == 1 &&
            has_extra(row, extra))
            return true;
    }
    return false;
}
