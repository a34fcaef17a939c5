/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/index_heap.h"

#include "core/base/array.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

void index_heap_clear(index_heap *heap) {
    free(heap->items);
    *heap = (index_heap){0};
}

status index_heap_push(index_heap *heap, size_t item, error_info *err) {
    CHECK(ARRAY_PUSH(heap->items, heap->count, heap->capacity, err, item));
    size_t at = heap->count - 1;
    while (at > 0 && heap->items[(at - 1) / 2] > item) {
        heap->items[at] = heap->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->items[at] = item;
    return STATUS_OK;
}

size_t index_heap_pop(index_heap *heap) {
    assert(heap->count > 0);
    size_t *items = heap->items, top = items[0], last = items[--heap->count], at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && items[child + 1] < items[child])
            child++;
        if (items[child] >= last)
            break;
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return top;
}
