/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sets of numbers as words of 64 bits: number i is bit i % 64 of word i / 64. The caller holds the words. */
#ifndef BNB_CORE_BASE_BITS_H
#define BNB_CORE_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The bit of number i in its word. */
static inline uint64_t bit_of(size_t i) {
    return UINT64_C(1) << i % 64;
}

/** The first n numbers of a word, all of them for n >= 64. */
static inline uint64_t bits_below(size_t n) {
    return n < 64 ? bit_of(n) - 1 : UINT64_MAX;
}

static inline bool bits_have(const uint64_t *bits, size_t i) {
    return bits[i / 64] >> i % 64 & 1;
}

static inline void bits_add(uint64_t *bits, size_t i) {
    bits[i / 64] |= bit_of(i);
}

static inline void bits_drop(uint64_t *bits, size_t i) {
    bits[i / 64] &= ~bit_of(i);
}

static inline void bits_flip(uint64_t *bits, size_t i) {
    bits[i / 64] ^= bit_of(i);
}

/** Takes the numbers of `out` out of `bits`, both of n_words. */
static inline void bits_take_out(uint64_t *bits, const uint64_t *out, size_t n_words) {
    for (size_t w = 0; w < n_words; w++)
        bits[w] &= ~out[w];
}

/** The numbers of a set of n_words, ascending; how many. */
static inline size_t bits_list(const uint64_t *bits, size_t n_words, size_t *out) {
    size_t n = 0;
    for (size_t w = 0; w < n_words; w++) {
        for (uint64_t left = bits[w]; left != 0; left &= left - 1)
            out[n++] = w * 64 + (size_t)__builtin_ctzll(left);
    }
    return n;
}

/** Whether two sets of n_words have a number in common. */
static inline bool bits_meet(const uint64_t *a, const uint64_t *b, size_t n_words) {
    uint64_t any = 0;
    for (size_t w = 0; w < n_words; w++)
        any |= a[w] & b[w];
    return any != 0;
}

#endif
