/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Memory of bit vectors that lie one after the other, as the kernels want it. */
#ifndef BNB_CORE_COUNTING_BIT_VECTORS_H
#define BNB_CORE_COUNTING_BIT_VECTORS_H

#include "core/base/huge_pages.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** On 64 bytes, not written yet, with room for a vector more; NULL without memory. */
static inline uint64_t *bit_vectors_allocate(size_t n_vectors, size_t n_words) {
    size_t bytes;
    uint64_t *vectors;
    if (__builtin_mul_overflow(n_vectors + 1, n_words * sizeof(uint64_t), &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    vectors = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (vectors)
        huge_pages_ask(vectors, bytes);
    return vectors;
}

#endif
