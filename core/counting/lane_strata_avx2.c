/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As sum_strata_loop, eight lanes at a time, so that what is summed stays in registers. A stratum of one cell is passed
 * over: its cell and its margins take each other away.
 */
#include "core/counting/lane_avx2_internal.h"

#if defined(__x86_64__)

/* See add_term. */
AVX2 INLINED __m256 add_term_256(__m256 sum, __m256i count) {
    const __m256i one = _mm256_set1_epi32(0x3F800000), mantissa = _mm256_set1_epi32(0x7FFFFF);
    __m256 n = _mm256_cvtepi32_ps(count);
    __m256i bits = _mm256_castps_si256(n);
    __m256 m = _mm256_castsi256_ps(_mm256_or_si256(_mm256_and_si256(bits, mantissa), one));
    __m256 rest = _mm256_set1_ps(log2_rest[5]);
    for (size_t k = 5; k-- > 0;)
        rest = _mm256_fmadd_ps(rest, m, _mm256_set1_ps(log2_rest[k]));
    rest = _mm256_fmadd_ps(_mm256_cvtepi32_ps(_mm256_sub_epi32(bits, one)), _mm256_set1_ps(0x1p-23F), rest);
    return _mm256_fmadd_ps(n, rest, sum);
}

typedef struct {
    __m256 terms;
    __m256i adjusted;
} eight_sums;

AVX2 INLINED void add_stratum(const lane_strata *t, size_t r, size_t stratum, size_t lane, eight_sums *sums) {
    size_t columns = r - 1, first = t->starts[stratum], end = t->starts[stratum + 1];
    __m256i margins[PAIR_MOST_STATES], n_others = _mm256_set1_epi32((int)(end - first - 1));
    __m256 gone = _mm256_setzero_ps();
    for (size_t j = 0; j < r; j++)
        margins[j] = _mm256_setzero_si256();
    for (size_t i = first; i < end; i++) {
        __m256i rest = _mm256_set1_epi32((int)t->tallies[i]);
        for (size_t j = 0; j < columns; j++) {
            __m256i cells = load_256(t->counts + (i * columns + j) * L + lane);
            rest = _mm256_sub_epi32(rest, cells);
            margins[j] = _mm256_add_epi32(margins[j], cells);
            sums->terms = add_term_256(sums->terms, cells);
        }
        margins[columns] = _mm256_add_epi32(margins[columns], rest);
        sums->terms = add_term_256(sums->terms, rest);
    }
    sums->adjusted = _mm256_sub_epi32(sums->adjusted, n_others);
    for (size_t j = 0; j < r; j++) {
        __m256i is_seen = _mm256_cmpgt_epi32(margins[j], _mm256_setzero_si256());
        sums->adjusted = _mm256_add_epi32(sums->adjusted, _mm256_and_si256(is_seen, n_others));
        gone = add_term_256(gone, margins[j]);
    }
    sums->terms = _mm256_sub_ps(sums->terms, gone);
}

AVX2 INLINED void sum_strata_of(const lane_strata *t, size_t r, float *sums, uint32_t *adjusted) {
    size_t n_lanes = (t->n_lanes + TILE - 1) / TILE * TILE;
    for (size_t lane = 0; lane < L; lane += 8) {
        eight_sums all = {_mm256_setzero_ps(), _mm256_setzero_si256()};
        for (size_t s = 0; s < t->n_strata && lane < n_lanes; s++) {
            if (t->starts[s + 1] - t->starts[s] > 1)
                add_stratum(t, r, s, lane, &all);
        }
        _mm256_storeu_ps(sums + lane, _mm256_mul_ps(all.terms, _mm256_set1_ps(0.693147181F)));
        _mm256_storeu_si256((__m256i *)(void *)(adjusted + lane), all.adjusted);
    }
}

AVX2 void lane_strata_sum_avx2(const lane_strata *t, float *sums, uint32_t *adjusted) {
    if (t->r == 2)
        sum_strata_of(t, 2, sums, adjusted);
    else if (t->r == 3)
        sum_strata_of(t, 3, sums, adjusted);
    else if (t->r == 4)
        sum_strata_of(t, 4, sums, adjusted);
    else
        sum_strata_of(t, t->r, sums, adjusted);
}

#endif
