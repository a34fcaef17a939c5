/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bit vectors side by side, for layouts in which a row is one byte of each of them. For files with AVX2 kernels. */
#ifndef BNB_CORE_COUNTING_TURNED_WORDS_INTERNAL_H
#define BNB_CORE_COUNTING_TURNED_WORDS_INTERNAL_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TURNED_LANES = 32, /* vectors */
    TURNED_WORDS = 2,  /* of each at once */
    TURNED_ROWS = TURNED_WORDS * 8
};

/** Words w and w + 1 of a vector; NULL: one of noughts. */
static inline __m128i words_at(const uint64_t *vector, size_t w) {
    return vector ? _mm_loadu_si128((const __m128i *)(const void *)(vector + w)) : _mm_setzero_si128();
}

/**
 * Row i, vector k: byte i of words w and w + 1 of vector k. Rows are bytes of 16 vectors twice, and their numbers have
 * four bits, as those of the bytes in them; that two rows eight apart join, byte by byte, makes the highest bit of the
 * one number the lowest of the other, and four times turns all.
 */
__attribute__((target("avx2"))) static inline void turn_words(const uint64_t *const *vectors, size_t w, __m256i *rows) {
    for (size_t i = 0; i < TURNED_ROWS; i++)
        rows[i] = _mm256_set_m128i(words_at(vectors[TURNED_ROWS + i], w), words_at(vectors[i], w));
    for (size_t bit = 0; bit < 4; bit++) {
        __m256i joined[TURNED_ROWS];
        for (size_t i = 0; i < TURNED_ROWS / 2; i++) {
            joined[2 * i] = _mm256_unpacklo_epi8(rows[i], rows[i + TURNED_ROWS / 2]);
            joined[2 * i + 1] = _mm256_unpackhi_epi8(rows[i], rows[i + TURNED_ROWS / 2]);
        }
        for (size_t i = 0; i < TURNED_ROWS; i++)
            rows[i] = joined[i];
    }
}

#endif
