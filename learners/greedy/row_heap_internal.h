/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rows 0 .. n - 1, each with a key, of which the highest are at hand: a binary heap. No key is NaN. */
#ifndef BNB_LEARNERS_GREEDY_ROW_HEAP_INTERNAL_H
#define BNB_LEARNERS_GREEDY_ROW_HEAP_INTERNAL_H

#include "core/base/status.h"

typedef struct {
    size_t n;
    double *keys;   /* by row */
    size_t *order;  /* the heap: rows */
    size_t *places; /* by row: where it is in the heap */
} row_heap;

/** Every key is -INFINITY. `h` is zero before; row_heap_clear in any case. */
BNB_MUST_CHECK status row_heap_init(row_heap *h, size_t n, error_info *err);
void row_heap_clear(row_heap *h);

/** O(log n). */
void row_heap_set(row_heap *h, size_t row, double key);

/** A row of the highest key; n > 0. */
static inline size_t row_heap_top(const row_heap *h) {
    return h->order[0];
}

/** Lists the rows of which the key is at least `least`, in no order that means anything; returns how many. `out` has
 * room for all rows. O(listed). */
size_t row_heap_list(const row_heap *h, double least, size_t *out);

#endif
