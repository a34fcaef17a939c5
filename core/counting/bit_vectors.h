/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Memory of bit vectors that lie one after the other, as the kernels want it. */
#ifndef BNB_CORE_COUNTING_BIT_VECTORS_H
#define BNB_CORE_COUNTING_BIT_VECTORS_H

#include "core/base/bits.h"
#include "core/base/cache_line.h"
#include "core/base/huge_pages.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** On 64 bytes, not written yet, with room for a vector more; NULL without memory. */
static inline uint64_t *bit_vectors_allocate(size_t n_vectors, size_t n_words) {
    uint64_t *vectors = cache_lines_allocate(n_vectors + 1, n_words * sizeof *vectors);
    if (vectors)
        huge_pages_ask(vectors, (n_vectors + 1) * n_words * sizeof *vectors);
    return vectors;
}

/** Sets the first n_rows bits of n_words, and no others. */
static inline void bit_vectors_set_first(uint64_t *vector, size_t n_words, size_t n_rows) {
    memset(vector, 0, n_words * sizeof *vector);
    for (size_t w = 0; w < n_words && w * 64 < n_rows; w++)
        vector[w] = bits_below(n_rows - w * 64);
}

/** Writes the rows of a word, of which the first is `first`, ascending; returns where the next one goes. */
static inline uint16_t *bit_vectors_list(uint64_t word, size_t first, uint16_t *out) {
    for (; word; word &= word - 1)
        *out++ = (uint16_t)(first + (size_t)__builtin_ctzll(word));
    return out;
}

#endif
