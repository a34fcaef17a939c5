/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Candidates of a row that may be among the best, of which the one that may score most is at hand. Of thousands some
 * dozens are taken: these are a binary heap, and the others lie behind it as they came, until it is empty.
 */
#ifndef BNB_LEARNERS_GREEDY_CANDIDATE_HEAP_INTERNAL_H
#define BNB_LEARNERS_GREEDY_CANDIDATE_HEAP_INTERNAL_H

#include "core/base/array.h"
#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A candidate scores no more than `most`; just that where it is exact. */
typedef struct {
    double most; /* not NaN */
    uint32_t node;
    bool is_exact, is_close; /* the second: bounded as closely as can be */
} open_candidate;

/** Zero-initialise. */
typedef struct {
    open_candidate *items; /* in no order that tells anything; n of them: */
    size_t n, capacity;
    size_t n_first; /* a heap */
    double bar;     /* where there are others: none of them may score more, and none of the heap less */
    size_t n_looks; /* at the others, since candidate_heap_empty */
} candidate_heap;

/** So many are in the heap at first, and four times as many after each look at the others; or one of so many, where
 * that is more; or up to twice as many. */
enum { CANDIDATES_FIRST = 16, CANDIDATES_SHARE = 64 };

void candidate_heap_clear(candidate_heap *h);

/** Takes all out, and keeps the memory. */
static inline void candidate_heap_empty(candidate_heap *h) {
    h->n = h->n_first = h->n_looks = 0;
}

/** Of candidate_heap_push: one of the first; there is room. */
void candidate_heap_push_first(candidate_heap *h, open_candidate candidate);

/** O(1), or on average O(log n) where it is one of the first. */
BNB_MUST_CHECK static inline status candidate_heap_push(candidate_heap *h, open_candidate candidate, error_info *err) {
    bool has_others = h->n > h->n_first;
    CHECK(ARRAY_ROOM(h->items, h->n, h->capacity, err));
    if (has_others && !(candidate.most > h->bar))
        h->items[h->n++] = candidate;
    else
        candidate_heap_push_first(h, candidate);
    return STATUS_OK;
}

/** The highest `most`; n > 0. O(1), or O(n) once the heap is empty. */
double candidate_heap_most(candidate_heap *h);

/** Takes out one with the highest `most`; n > 0. O(log n), or as that. */
open_candidate candidate_heap_pop(candidate_heap *h);

#endif
