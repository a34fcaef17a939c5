/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/ges/ges_gains_internal.h"

#include <string.h>

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

size_t ges_gains_cut(ges_gain *gains, size_t n, size_t most, double *rest) {
    size_t n_left = n;
    if (n <= most)
        return n;
    ges_gains_make_heap(gains, n);
    while (n - n_left < most) {
        ges_gain first = gains[0];
        gains[0] = gains[--n_left];
        gains[n_left] = first;
        ges_gains_sink(gains, n_left, 0);
    }
    *rest = gains[0].gain > *rest ? gains[0].gain : *rest;
    memmove(gains, gains + n_left, most * sizeof *gains);
    return most;
}
