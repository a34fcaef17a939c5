/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Ones of each byte of a register, by look-up of nibbles: for processors that count none in registers. */
#ifndef BNB_CORE_COUNTING_BYTE_ONES_INTERNAL_H
#define BNB_CORE_COUNTING_BYTE_ONES_INTERNAL_H

#if defined(__x86_64__)

#include <immintrin.h>

#define BYTE_ONES(level) __attribute__((target(level), always_inline)) static inline

/** By nibble. */
BYTE_ONES("avx2") __m256i nibble_ones_256(void) {
    return _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3,
                            4);
}

BYTE_ONES("avx2") __m256i byte_ones_256(__m256i v) {
    const __m256i table = nibble_ones_256();
    const __m256i low = _mm256_set1_epi8(0x0F);
    __m256i lows = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
    __m256i highs = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
    return _mm256_add_epi8(lows, highs);
}

BYTE_ONES("avx512f,avx512bw,avx512vl") __m512i byte_ones_512(__m512i v) {
    const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m512i low = _mm512_set1_epi8(0x0F);
    __m512i lows = _mm512_shuffle_epi8(table, _mm512_and_si512(v, low));
    __m512i highs = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(v, 4), low));
    return _mm512_add_epi8(lows, highs);
}

#undef BYTE_ONES

#endif

#endif
