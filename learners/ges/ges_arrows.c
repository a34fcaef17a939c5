/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_arrows_internal.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

void ges_arrows_clear(ges_arrows *a) {
    free(a->items);
    *a = (ges_arrows){0};
}

status ges_arrows_append(ges_arrows *a, const ges_arrow *arrow, error_info *err) {
    return ARRAY_PUSH(a->items, a->count, a->capacity, err, *arrow);
}

status ges_arrows_push(ges_arrows *a, const ges_arrow *arrow, error_info *err) {
    CHECK(ges_arrows_append(a, arrow, err));
    size_t at = a->count - 1;
    for (; at > 0 && a->items[(at - 1) / 2].gain < arrow->gain; at = (at - 1) / 2)
        a->items[at] = a->items[(at - 1) / 2];
    a->items[at] = *arrow;
    return STATUS_OK;
}

/* Puts `arrow` in its place at `at` or below. */
static void sift_down(ges_arrows *a, size_t at, ges_arrow arrow) {
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= a->count)
            break;
        child += child + 1 < a->count && a->items[child + 1].gain > a->items[child].gain;
        if (a->items[child].gain <= arrow.gain)
            break;
        a->items[at] = a->items[child];
        at = child;
    }
    a->items[at] = arrow;
}

ges_arrow ges_arrows_pop(ges_arrows *a) {
    ges_arrow top = a->items[0], last = a->items[--a->count];
    sift_down(a, 0, last);
    return top;
}

void ges_arrows_drop_stale(ges_arrows *a, const uint32_t *stamp, void (*dropped)(void *self, const ges_arrow *arrow),
                           void *self) {
    size_t n = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (a->items[i].stamp == stamp[a->items[i].y])
            a->items[n++] = a->items[i];
        else
            dropped(self, &a->items[i]);
    }
    a->count = n;
    for (size_t i = n / 2; i-- > 0;)
        sift_down(a, i, a->items[i]);
}

void ges_sets_clear(ges_sets *s) {
    free(s->items);
    *s = (ges_sets){0};
}

status ges_sets_add(ges_sets *s, const size_t *nodes, size_t n, uint32_t *id, error_info *err) {
    if (s->count + n + 1 > UINT32_MAX)
        return error_out_of_memory(err);
    CHECK(ARRAY_RESERVE(s->items, s->capacity, s->count + n + 1, err));
    *id = (uint32_t)s->count;
    s->items[s->count++] = n;
    if (n > 0)
        memcpy(s->items + s->count, nodes, n * sizeof *nodes);
    s->count += n;
    return STATUS_OK;
}

const size_t *ges_sets_get(const ges_sets *s, uint32_t id, size_t *n) {
    *n = s->items[id];
    return s->items + id + 1;
}
