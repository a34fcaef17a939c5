/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/candidate_heap_internal.h"

#include "core/base/array.h"

#include <stdlib.h>

void candidate_heap_clear(candidate_heap *h) {
    free(h->items);
    *h = (candidate_heap){0};
}

status candidate_heap_push(candidate_heap *h, open_candidate candidate, error_info *err) {
    size_t at = h->n;
    CHECK(ARRAY_ROOM(h->items, h->n, h->capacity, err));
    for (; at > 0 && h->items[(at - 1) / 2].most < candidate.most; at = (at - 1) / 2)
        h->items[at] = h->items[(at - 1) / 2];
    h->items[at] = candidate;
    h->n++;
    return STATUS_OK;
}

open_candidate candidate_heap_pop(candidate_heap *h) {
    open_candidate top = h->items[0], last = h->items[--h->n];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < h->n; at = child) {
        child += child + 1 < h->n && h->items[child + 1].most > h->items[child].most;
        if (!(h->items[child].most > last.most))
            break;
        h->items[at] = h->items[child];
    }
    h->items[at] = last;
    return top;
}
