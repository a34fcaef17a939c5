/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/lane_levels_internal.h"

#include "core/counting/byte_ones_internal.h"
#include "core/counting/lane_avx512_internal.h"

#if defined(__x86_64__)

/* --- avx512bw: the same of twice the width --- */

AVX512BW INLINED __m512i widen_512(__m512i bytes) {
    return _mm512_madd_epi16(_mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1)), _mm512_set1_epi16(1));
}

/* Two vectors of `a`, or one, with a few tiles: each is a register. */
AVX512BW INLINED void count_tiles_avx512bw(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes,
                                           size_t n_steps, size_t n_tiles, uint32_t *out, size_t stride) {
    __m512i sums[2][4] = {0};
    for (size_t s = 0; s < n_steps;) {
        size_t end = n_steps - s > STEPS ? s + STEPS : n_steps;
        __m512i bytes[2][4] = {0};
        for (; s < end; s++) {
            for (size_t i = 0; i < n_a; i++) {
                __m512i x = _mm512_set1_epi32((int)bits_at(a + i * n_words, s));
                for (size_t k = 0; k < n_tiles; k++)
                    bytes[i][k] = _mm512_add_epi8(
                        bytes[i][k], byte_ones_512(_mm512_and_si512(x, _mm512_load_si512(lanes + s * L + k * TILE))));
            }
        }
        for (size_t i = 0; i < n_a; i++) {
            for (size_t k = 0; k < n_tiles; k++)
                sums[i][k] = _mm512_add_epi32(sums[i][k], widen_512(bytes[i][k]));
        }
    }
    for (size_t i = 0; i < n_a; i++) {
        for (size_t k = 0; k < n_tiles; k++)
            _mm512_store_si512(out + i * stride + k * TILE, sums[i][k]);
    }
}

AVX512BW INLINED void count_some_avx512bw(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes,
                                          size_t n_sets, size_t n_steps, size_t n_tiles, uint32_t *out) {
    for (size_t i = 0; i < n_a; i += 2) {
        for (size_t k = 0; k < n_sets; k++) {
            const uint32_t *set = lanes + k * n_steps * L;
            uint32_t *at = out + (i * n_sets + k) * L;
            if (i + 2 <= n_a)
                count_tiles_avx512bw(a + i * n_words, 2, n_words, set, n_steps, n_tiles, at, n_sets * L);
            else
                count_tiles_avx512bw(a + i * n_words, 1, n_words, set, n_steps, n_tiles, at, n_sets * L);
        }
    }
}

AVX512BW static void count_avx512bw(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_sets,
                                    size_t n_steps, size_t n_lanes, uint32_t *out) {
    if (n_lanes > 2 * TILE)
        count_some_avx512bw(a, n_a, n_words, lanes, n_sets, n_steps, 4, out);
    else if (n_lanes > TILE)
        count_some_avx512bw(a, n_a, n_words, lanes, n_sets, n_steps, 2, out);
    else
        count_some_avx512bw(a, n_a, n_words, lanes, n_sets, n_steps, 1, out);
}

AVX512BW static uint64_t at_least_avx512(const float *values, const float *limits, float shift) {
    __m512 s = _mm512_set1_ps(shift);
    uint64_t mask = 0;
    for (size_t k = 0; k < L; k += 16) {
        __m512 limit = _mm512_add_ps(_mm512_load_ps(limits + k), s);
        mask |= (uint64_t)_mm512_cmp_ps_mask(_mm512_load_ps(values + k), limit, _CMP_GE_OQ) << k;
    }
    return mask;
}

AVX512BW INLINED __m256 gather_eight(const float *values, const uint32_t *places) {
    return _mm256_i32gather_ps(values, _mm256_load_si256((const __m256i *)(const void *)places), sizeof *values);
}

/* By halves: where nothing is optimised, GCC 12 takes its own macro for a gather of sixteen for a mistake. */
AVX512BW INLINED __m512 gather_sixteen(const float *values, const uint32_t *places) {
    __m512d low = _mm512_castps_pd(_mm512_castps256_ps512(gather_eight(values, places)));
    return _mm512_castpd_ps(_mm512_insertf64x4(low, _mm256_castps_pd(gather_eight(values, places + 8)), 1));
}

AVX512BW static uint32_t above_avx512(const float *sums, const float *own, const float *limits, const uint32_t *places,
                                      float shift) {
    __m512 limit = _mm512_add_ps(gather_sixteen(limits, places), _mm512_set1_ps(shift));
    __m512 value = _mm512_sub_ps(_mm512_load_ps(sums), _mm512_loadu_ps(own));
    return _mm512_cmp_ps_mask(value, limit, _CMP_GT_OQ);
}

/* Sixteen steps of sixteen vectors, which change places: pairs of numbers, pairs of pairs, then quarters twice. */
AVX512BW INLINED void lay_sixteen(const uint64_t *const *vectors, size_t step, size_t n_steps, uint32_t *out) {
    __m512i a[16], b[16];
    for (size_t i = 0; i < 16; i++)
        a[i] = _mm512_loadu_si512((const uint32_t *)(const void *)vectors[i] + step);
    for (size_t i = 0; i < 16; i += 2) {
        b[i] = _mm512_unpacklo_epi32(a[i], a[i + 1]);
        b[i + 1] = _mm512_unpackhi_epi32(a[i], a[i + 1]);
    }
    for (size_t i = 0; i < 16; i += 4) {
        for (size_t k = 0; k < 2; k++) { /* steps 2 k and 2 k + 1 of each four */
            a[i + 2 * k] = _mm512_unpacklo_epi64(b[i + k], b[i + k + 2]);
            a[i + 2 * k + 1] = _mm512_unpackhi_epi64(b[i + k], b[i + k + 2]);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 2; k++) { /* fours 0 and 2, 1 and 3 of lanes 8 k to 8 k + 7 */
            b[4 * k + i] = _mm512_shuffle_i32x4(a[8 * k + i], a[8 * k + 4 + i], 0x88);
            b[8 + 4 * k + i] = _mm512_shuffle_i32x4(a[8 * k + i], a[8 * k + 4 + i], 0xDD);
        }
    }
    for (size_t i = 0; i < 4 && i < n_steps; i++) {
        _mm512_store_si512(out + i * L, _mm512_shuffle_i32x4(b[i], b[4 + i], 0x88));
        if (i + 4 < n_steps)
            _mm512_store_si512(out + (i + 4) * L, _mm512_shuffle_i32x4(b[8 + i], b[12 + i], 0x88));
        if (i + 8 < n_steps)
            _mm512_store_si512(out + (i + 8) * L, _mm512_shuffle_i32x4(b[i], b[4 + i], 0xDD));
        if (i + 12 < n_steps)
            _mm512_store_si512(out + (i + 12) * L, _mm512_shuffle_i32x4(b[8 + i], b[12 + i], 0xDD));
    }
}

AVX512BW static void lay_avx512(const uint64_t *const *vectors, size_t n_lanes, size_t n_steps, uint32_t *out) {
    const uint64_t *padded[L];
    size_t n_all = (n_lanes + TILE - 1) / TILE * TILE;
    pad(vectors, n_lanes, padded);
    for (size_t lane = 0; lane < n_all; lane += 16) {
        for (size_t s = 0; s < n_steps; s += 16)
            lay_sixteen(padded + lane, s, n_steps - s, out + s * L + lane);
    }
    for (size_t s = 0; s < n_steps; s++)
        memset(out + s * L + n_lanes, 0, (n_all - n_lanes) * sizeof *out);
}

const lane_kernels lane_kernels_avx512bw = {.name = "avx512bw",
                                            .lay = lay_avx512,
                                            .count = count_avx512bw,
                                            .sum_terms = lane_sums_of_terms_avx512,
                                            .sum_strata = lane_sums_of_strata_avx512,
                                            .complete = lane_strata_complete_avx512,
                                            .sum_given = lane_sums_given_avx512,
                                            .at_least = at_least_avx512,
                                            .above = above_avx512};

/* --- avx512 with VPOPCNTDQ --- */

/* Up to three vectors of `a` with a few tiles: twelve sums stay in registers. */
AVX512 INLINED void count_tiles_avx512(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes,
                                       size_t n_steps, size_t n_tiles, uint32_t *out, size_t stride) {
    __m512i sums[3][4] = {0};
    for (size_t s = 0; s < n_steps; s++) {
        __m512i y[4];
        for (size_t k = 0; k < n_tiles; k++)
            y[k] = _mm512_load_si512(lanes + s * L + k * TILE);
        for (size_t i = 0; i < n_a; i++) {
            __m512i x = _mm512_set1_epi32((int)bits_at(a + i * n_words, s));
            for (size_t k = 0; k < n_tiles; k++)
                sums[i][k] = _mm512_add_epi32(sums[i][k], _mm512_popcnt_epi32(_mm512_and_si512(x, y[k])));
        }
    }
    for (size_t i = 0; i < n_a; i++) {
        for (size_t k = 0; k < n_tiles; k++)
            _mm512_store_si512(out + i * stride + k * TILE, sums[i][k]);
    }
}

AVX512 INLINED void count_some_avx512(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes,
                                      size_t n_sets, size_t n_steps, size_t n_tiles, uint32_t *out) {
    for (size_t i = 0; i < n_a; i += 3) {
        for (size_t k = 0; k < n_sets; k++) {
            const uint32_t *set = lanes + k * n_steps * L;
            uint32_t *at = out + (i * n_sets + k) * L;
            if (n_a - i >= 3)
                count_tiles_avx512(a + i * n_words, 3, n_words, set, n_steps, n_tiles, at, n_sets * L);
            else if (n_a - i == 2)
                count_tiles_avx512(a + i * n_words, 2, n_words, set, n_steps, n_tiles, at, n_sets * L);
            else
                count_tiles_avx512(a + i * n_words, 1, n_words, set, n_steps, n_tiles, at, n_sets * L);
        }
    }
}

AVX512 static void count_avx512(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_sets,
                                size_t n_steps, size_t n_lanes, uint32_t *out) {
    if (n_lanes > 2 * TILE)
        count_some_avx512(a, n_a, n_words, lanes, n_sets, n_steps, 4, out);
    else if (n_lanes > TILE)
        count_some_avx512(a, n_a, n_words, lanes, n_sets, n_steps, 2, out);
    else
        count_some_avx512(a, n_a, n_words, lanes, n_sets, n_steps, 1, out);
}

const lane_kernels lane_kernels_avx512 = {.name = "avx512",
                                          .lay = lay_avx512,
                                          .count = count_avx512,
                                          .sum_terms = lane_sums_of_terms_avx512,
                                          .sum_strata = lane_sums_of_strata_avx512,
                                          .complete = lane_strata_complete_avx512,
                                          .sum_given = lane_sums_given_avx512,
                                          .at_least = at_least_avx512,
                                          .above = above_avx512,
                                          .sum_vectors = lane_sums_of_vectors_avx512};

#endif
