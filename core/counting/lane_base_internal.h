/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the levels of lane_kernels_internal.h have in common. */
#ifndef BNB_CORE_COUNTING_LANE_BASE_INTERNAL_H
#define BNB_CORE_COUNTING_LANE_BASE_INTERNAL_H

#include "core/counting/lane_kernels_internal.h"

#include <string.h>

#define INLINED static inline __attribute__((always_inline))

enum { L = KERNEL_LANES, TILE = KERNEL_TILE };

/* A byte holds at most 8 ones a step: so many steps fit before they are widened. */
enum { STEPS = 31 };

INLINED uint32_t bits_at(const uint64_t *vector, size_t step) {
    uint32_t bits;
    memcpy(&bits, (const unsigned char *)vector + step * sizeof bits, sizeof bits);
    return bits;
}

/* The first takes the place of those that there are not. */
INLINED void pad(const uint64_t *const *vectors, size_t n_lanes, const uint64_t **out) {
    for (size_t lane = 0; lane < L; lane++)
        out[lane] = vectors[lane < n_lanes ? lane : 0];
}

#endif
