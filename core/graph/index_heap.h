/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A heap of indices, smallest first: the nodes that are ready, of which the lowest comes next. */
#ifndef BNB_CORE_GRAPH_INDEX_HEAP_H
#define BNB_CORE_GRAPH_INDEX_HEAP_H

#include "core/base/status.h"

/** Zero-initialise. */
typedef struct {
    size_t *items;
    size_t count, capacity;
} index_heap;

void index_heap_clear(index_heap *heap);

/** O(log count). */
BNB_MUST_CHECK status index_heap_push(index_heap *heap, size_t item, error_info *err);

/** Takes the smallest out; the heap must not be empty. O(log count). */
size_t index_heap_pop(index_heap *heap);

#endif
