/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Bit vectors side by side, for layouts in which a row is one byte of each of them. For files with AVX2 kernels. */
#ifndef BNB_CORE_COUNTING_TURNED_WORDS_INTERNAL_H
#define BNB_CORE_COUNTING_TURNED_WORDS_INTERNAL_H

#if defined(__x86_64__)

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
 * Row i, lane k: byte i of words w and w + 1 of vector k, of TURNED_LANES vectors.
 *
 * A register has the bytes of one vector in its lower half, and those of the vector sixteen later in its upper half. In
 * a half, registers and their bytes both have numbers of four bits. A round joins registers eight apart, byte by byte:
 * it moves the top bit of the number of each byte's register to the bottom of the byte's own number, and the top bit of
 * that one to the bottom of the register's. After four rounds the two numbers have changed places.
 */
__attribute__((target("avx2"))) static inline void turn_words(const uint64_t *const *vectors, size_t w, __m256i *rows) {
    for (size_t i = 0; i < TURNED_ROWS; i++)
        rows[i] = _mm256_set_m128i(words_at(vectors[TURNED_LANES / 2 + i], w), words_at(vectors[i], w));
    for (size_t round = 0; round < 4; round++) {
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

#endif
