/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What lane_kernels_avx2.c has in files of their own. */
#ifndef BNB_CORE_COUNTING_LANE_AVX2_INTERNAL_H
#define BNB_CORE_COUNTING_LANE_AVX2_INTERNAL_H

#include "core/counting/lane_base_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,fma")))

AVX2 INLINED __m256i load_256(const void *p) {
    return _mm256_load_si256((const __m256i *)p);
}

AVX2 INLINED void store_256(void *p, __m256i v) {
    _mm256_store_si256((__m256i *)p, v);
}

/** See turn of lane_kernels. */
void lane_rows_turn_avx2(const uint32_t *lanes, size_t n_sets, size_t n_steps, uint64_t *rows);

/** See count_rows of lane_kernels. */
void lane_rows_count_avx2(const uint64_t *rows, size_t n_sets, const uint16_t *list, size_t n, uint32_t *out);

#endif

#endif
