/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_gains_internal.h"

bool ges_gain_comes_first(const ges_gain *a, const ges_gain *b) {
    if (a->gain != b->gain)
        return a->gain > b->gain;
    return a->is_bound != b->is_bound ? a->is_bound : a->x < b->x;
}

void ges_gains_sink(ges_gain *heap, size_t n, size_t at) {
    ges_gain own;
    if (at >= n)
        return;
    own = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && ges_gain_comes_first(&heap[child + 1], &heap[child]);
        if (!ges_gain_comes_first(&heap[child], &own))
            break;
        heap[at] = heap[child];
    }
    heap[at] = own;
}

void ges_gains_make_heap(ges_gain *gains, size_t n) {
    for (size_t i = n / 2; i > 0; i--)
        ges_gains_sink(gains, n, i - 1);
}

static void swap(ges_gain *a, ges_gain *b) {
    ges_gain before = *a;
    *a = *b;
    *b = before;
}

/* Hoare's partition of first ... end - 1: none of the first, up to *before, comes after one of them, and none of the
 * last, from *behind on, before it. */
static void divide(ges_gain *gains, size_t first, size_t end, size_t *before, size_t *behind) {
    ges_gain middle = gains[first + (end - first) / 2];
    size_t i = first, k = end;
    while (i < k) {
        while (ges_gain_comes_first(&gains[i], &middle))
            i++;
        while (ges_gain_comes_first(&middle, &gains[k - 1]))
            k--;
        if (i < k)
            swap(&gains[i++], &gains[--k]);
    }
    *before = k;
    *behind = i;
}

size_t ges_gains_cut(ges_gain *gains, size_t n, size_t most, double *rest) {
    size_t first = 0, end = n;
    if (n <= most)
        return n;
    while (end - first > 1) {
        size_t before, behind;
        divide(gains, first, end, &before, &behind);
        if (most <= before)
            end = before;
        else if (most >= behind)
            first = behind;
        else
            break;
    }
    for (size_t i = most; i < n; i++)
        *rest = gains[i].gain > *rest ? gains[i].gain : *rest;
    return most;
}
