/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Candidates of a row that may be among the best, of which the one that may score most is at hand: a binary heap. */
#ifndef BNB_LEARNERS_GREEDY_CANDIDATE_HEAP_INTERNAL_H
#define BNB_LEARNERS_GREEDY_CANDIDATE_HEAP_INTERNAL_H

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
    open_candidate *items;
    size_t n, capacity;
} candidate_heap;

void candidate_heap_clear(candidate_heap *h);

/** O(log n). */
BNB_MUST_CHECK status candidate_heap_push(candidate_heap *h, open_candidate candidate, error_info *err);

/** Takes out one with the highest `most`; n > 0. O(log n). */
open_candidate candidate_heap_pop(candidate_heap *h);

/** The highest `most`; n > 0. */
static inline double candidate_heap_most(const candidate_heap *h) {
    return h->items[0].most;
}

#endif
