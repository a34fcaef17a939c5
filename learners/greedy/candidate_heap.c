/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/candidate_heap_internal.h"

#include <math.h>
#include <stdlib.h>

void candidate_heap_clear(candidate_heap *h) {
    free(h->items);
    *h = (candidate_heap){0};
}

/* --- a heap of n --- */

static void rise(open_candidate *items, size_t at, open_candidate candidate) {
    for (; at > 0 && items[(at - 1) / 2].most < candidate.most; at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = candidate;
}

static void sink(open_candidate *items, size_t n, size_t at, open_candidate candidate) {
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && items[child + 1].most > items[child].most;
        if (!(items[child].most > candidate.most))
            break;
        items[at] = items[child];
    }
    items[at] = candidate;
}

/* --- the first and the others --- */

/* Hoare's partition of first ... end - 1: none of the first, up to *before, may score less than one of the last, from
 * *behind on; at most one lies between, and may score `middle`. */
static void divide(open_candidate *items, size_t first, size_t end, size_t *before, size_t *behind) {
    double middle = items[first + (end - first) / 2].most;
    size_t i = first, k = end;
    while (i < k) {
        while (items[i].most > middle)
            i++;
        while (items[k - 1].most < middle)
            k--;
        if (i < k) {
            open_candidate moved = items[i];
            items[i++] = items[--k];
            items[k] = moved;
        }
    }
    *before = k;
    *behind = i;
}

/* Moves those that may score most to the front, n_first of n. */
static void select_first(open_candidate *items, size_t n, size_t n_first) {
    size_t first = 0, end = n;
    while (end - first > 1) {
        size_t before, behind;
        divide(items, first, end, &before, &behind);
        if (n_first <= before)
            end = before;
        else if (n_first >= behind)
            first = behind;
        else
            break;
    }
}

static size_t most_first(const candidate_heap *h) {
    size_t least = (size_t)CANDIDATES_FIRST << 2 * h->n_looks, share = h->n / CANDIDATES_SHARE;
    return share > least ? share : least;
}

/* Of the n at the front, the first are the heap from now on, and the bar is what the best of the others may score. */
static void leave_first(candidate_heap *h, size_t n) {
    double bar = -INFINITY;
    h->n_first = n < most_first(h) ? n : most_first(h);
    select_first(h->items, n, h->n_first);
    for (size_t i = h->n_first; i < n; i++)
        bar = h->items[i].most > bar ? h->items[i].most : bar;
    for (size_t i = h->n_first / 2; i > 0; i--)
        sink(h->items, h->n_first, i - 1, h->items[i - 1]);
    h->bar = bar;
}

/* It takes the place of one of the others, which goes to the end. */
void candidate_heap_push_first(candidate_heap *h, open_candidate candidate) {
    h->items[h->n++] = h->items[h->n_first];
    rise(h->items, h->n_first++, candidate);
    if (h->n_first >= 2 * most_first(h))
        leave_first(h, h->n_first);
}

/* Where the heap is empty. */
static void look_at_others(candidate_heap *h) {
    if (h->n_first > 0)
        return;
    h->n_looks++;
    leave_first(h, h->n);
}

double candidate_heap_most(candidate_heap *h) {
    look_at_others(h);
    return h->items[0].most;
}

open_candidate candidate_heap_pop(candidate_heap *h) {
    open_candidate top, last;
    look_at_others(h);
    top = h->items[0];
    last = h->items[--h->n_first];
    sink(h->items, h->n_first, 0, last);
    h->items[h->n_first] = h->items[--h->n];
    return top;
}
