/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ancestors in a DAG as a bit matrix: x is in the row of y where a path leads from x to y. Adding an arc ors the row of
 * its tail into those of all that its head reaches; removing one rebuilds these rows in topological order, parents
 * first. The matrix is that of the DAG after every call.
 */
#include "learners/greedy/ancestry_internal.h"

#include <stdlib.h>
#include <string.h>

struct ancestry {
    const dag *g;
    size_t n, n_words;
    uint64_t *above; /* row y: bit x set where x reaches y; NULL past ANCESTRY_MAX_NODES */
    size_t *order;   /* scratch, n entries */
};

static uint64_t *row_of(const ancestry *a, size_t y) {
    return a->above + y * a->n_words;
}

static void set_bit(uint64_t *row, size_t x) {
    row[x / 64] |= UINT64_C(1) << (x % 64);
}

static bool has_bit(const uint64_t *row, size_t x) {
    return row[x / 64] >> (x % 64) & 1;
}

void ancestry_destroy(ancestry *a) {
    if (!a)
        return;
    free(a->above);
    free(a->order);
    free(a);
}

status ancestry_create(const dag *g, ancestry **out, error_info *err) {
    AUTO_PTR(ancestry_destroy) ancestry *a = NULL;
    CHECK_ALLOC(a = calloc(1, sizeof *a));
    a->g = g;
    a->n = dag_node_count(g);
    a->n_words = (a->n + 63) / 64;
    if (a->n <= ANCESTRY_MAX_NODES) {
        CHECK_ALLOC(a->order = calloc(a->n + 1, sizeof *a->order));
        CHECK_ALLOC(a->above = calloc(a->n * a->n_words + 1, sizeof *a->above));
        for (size_t y = 0; y < a->n; y++)
            set_bit(row_of(a, y), y);
    }
    *out = TAKE(a);
    return STATUS_OK;
}

bool ancestry_has_rows(const ancestry *a) {
    return a->above != NULL;
}

bool ancestry_reaches(const ancestry *a, size_t x, size_t y) {
    return a->above ? has_bit(row_of(a, y), x) : dag_reaches(a->g, x, y);
}

bool ancestry_reaches_otherwise(const ancestry *a, size_t x, size_t y) {
    size_t n_children;
    const size_t *children = dag_children(a->g, x, &n_children);
    for (size_t i = 0; i < n_children; i++) {
        if (children[i] != y && ancestry_reaches(a, children[i], y))
            return true;
    }
    return false;
}

void ancestry_arc_added(ancestry *a, size_t from, size_t to) {
    const uint64_t *more = a->above ? row_of(a, from) : NULL;
    for (size_t y = 0; a->above && y < a->n; y++) {
        uint64_t *row = row_of(a, y);
        if (!has_bit(row, to) || has_bit(row, from))
            continue; /* it is not below, or was below `from` already */
        for (size_t w = 0; w < a->n_words; w++)
            row[w] |= more[w];
    }
}

/* Parents' rows are right before their children's are made again: topological order. */
static void rebuild_row(ancestry *a, size_t y) {
    size_t n_parents;
    const size_t *parents = dag_parents(a->g, y, &n_parents);
    uint64_t *row = row_of(a, y);
    memset(row, 0, a->n_words * sizeof *row);
    set_bit(row, y);
    for (size_t i = 0; i < n_parents; i++) {
        const uint64_t *above = row_of(a, parents[i]);
        for (size_t w = 0; w < a->n_words; w++)
            row[w] |= above[w];
    }
}

status ancestry_arc_removed(ancestry *a, size_t to, error_info *err) {
    if (!a->above)
        return STATUS_OK;
    CHECK(dag_topological_order(a->g, a->order, err));
    for (size_t i = 0; i < a->n; i++) {
        if (has_bit(row_of(a, a->order[i]), to))
            rebuild_row(a, a->order[i]);
    }
    return STATUS_OK;
}
