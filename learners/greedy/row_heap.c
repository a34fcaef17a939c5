/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/row_heap_internal.h"

#include <math.h>
#include <stdlib.h>

void row_heap_clear(row_heap *h) {
    free(h->keys);
    free(h->order);
    free(h->places);
    *h = (row_heap){0};
}

status row_heap_init(row_heap *h, size_t n, error_info *err) {
    h->n = n;
    CHECK_ALLOC(h->keys = calloc(n + 1, sizeof *h->keys));
    CHECK_ALLOC(h->order = calloc(n + 1, sizeof *h->order));
    CHECK_ALLOC(h->places = calloc(n + 1, sizeof *h->places));
    for (size_t i = 0; i < n; i++) {
        h->keys[i] = -INFINITY;
        h->order[i] = h->places[i] = i;
    }
    return STATUS_OK;
}

static double key_at(const row_heap *h, size_t place) {
    return h->keys[h->order[place]];
}

static void put(row_heap *h, size_t row, size_t place) {
    h->order[place] = row;
    h->places[row] = place;
}

static void rise(row_heap *h, size_t row) {
    size_t at = h->places[row];
    for (; at > 0 && key_at(h, (at - 1) / 2) < h->keys[row]; at = (at - 1) / 2)
        put(h, h->order[(at - 1) / 2], at);
    put(h, row, at);
}

static void sink(row_heap *h, size_t row) {
    size_t at = h->places[row];
    for (size_t child; (child = 2 * at + 1) < h->n; at = child) {
        if (child + 1 < h->n && key_at(h, child + 1) > key_at(h, child))
            child++;
        if (!(key_at(h, child) > h->keys[row]))
            break;
        put(h, h->order[child], at);
    }
    put(h, row, at);
}

void row_heap_set(row_heap *h, size_t row, double key) {
    double before = h->keys[row];
    h->keys[row] = key;
    if (key > before)
        rise(h, row);
    else
        sink(h, row);
}

size_t row_heap_list(const row_heap *h, double least, size_t *out) {
    size_t n = 0, n_read = 0;
    if (h->n > 0 && key_at(h, 0) >= least)
        out[n++] = 0;
    for (; n_read < n; n_read++) { /* places, each made a row once its children are listed */
        size_t child = 2 * out[n_read] + 1;
        for (size_t i = child; i < child + 2 && i < h->n; i++) {
            if (key_at(h, i) >= least)
                out[n++] = i;
        }
        out[n_read] = h->order[out[n_read]];
    }
    return n;
}
