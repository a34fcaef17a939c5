/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Gains of further parents, and bounds of such, in a heap: what comes first is what is to be looked at first. */
#ifndef BNB_LEARNERS_GES_GES_GAINS_INTERNAL_H
#define BNB_LEARNERS_GES_GES_GAINS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One that is worth keeping: more than SCORE_TOLERANCE, unless it is a bound: then it may be less than it says. */
typedef struct {
    double gain;
    uint32_t x;
    bool is_bound;
} ges_gain;

/** The larger; of equal ones a bound, then the lower x. */
bool ges_gain_comes_first(const ges_gain *a, const ges_gain *b);

void ges_gains_make_heap(ges_gain *gains, size_t n);

/** Puts the one at `at` in its place in a heap, at `at` or below. */
void ges_gains_sink(ges_gain *heap, size_t n, size_t at);

/** Moves the `most` that come first, or all, to the front, in no order; returns how many. `*rest` is raised to what
 * none of the others passes. */
size_t ges_gains_cut(ges_gain *gains, size_t n, size_t most, double *rest);

#endif
