/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/set_lattice_walk_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

/* Whole registers of 512 bits: the compilers have no common word for it. */
#if defined(__clang__)
#define WIDE_AVX512 target("avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt"), min_vector_width(512)
#else
#define WIDE_AVX512 target("avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt,prefer-vector-width=512")
#endif

/* Counts by strip become counts by lane. What is in lanes without rows is not read. */
__attribute__((WIDE_AVX512)) static inline __m512i join_strips(const strip_plan *s, __m256i first, __m256i second) {
    __m512i strips = _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1), lanes = strips;
    for (size_t k = 0; k < s->n_further; k++) {
        __m512i of = _mm512_loadu_si512(s->further[k]);
        lanes = _mm512_add_epi32(lanes, _mm512_maskz_permutexvar_epi32(s->has[k], of, strips));
    }
    return lanes;
}

/* Ones by lane of n <= 2 vectors, each AND b. */
__attribute__((WIDE_AVX512)) static inline __attribute__((always_inline)) void
count_few(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out) {
    size_t at = 0;
    __m256i half[2][2];
    for (size_t side = 0; side < LANES / SIDE; side++) {
        size_t end = side < w->n_sides ? at + SIDE * w->depth[side] : at;
        __m512i sum[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
        for (; at < end; at += SIDE) {
            __m512i with = _mm512_load_si512(b + at);
            for (size_t k = 0; k < n; k++) {
                __m512i both = _mm512_and_si512(_mm512_load_si512(a + k * w->n_words + at), with);
                sum[k] = _mm512_add_epi64(sum[k], _mm512_popcnt_epi64(both));
            }
        }
        for (size_t k = 0; k < n; k++)
            half[side][k] = _mm512_cvtepi64_epi32(sum[k]);
    }
    for (size_t k = 0; k < n; k++)
        _mm512_storeu_si512(out[k], join_strips(&w->strips, half[0][k], half[1][k]));
}

__attribute__((WIDE_AVX512)) static void count_lanes_avx512(const walk *w, const uint64_t *a, size_t n,
                                                            const uint64_t *b, lane_counts *out) {
    size_t k = 0;
    for (; k + 2 <= n; k += 2)
        count_few(w, a + k * w->n_words, 2, b, out + k);
    if (k < n)
        count_few(w, a + k * w->n_words, 1, b, out + k);
}

/* Ones by lane of the four pairs of states of c and d that are not last, each with each of two states of e. */
__attribute__((WIDE_AVX512)) static inline void count_eight(const walk *w, const uint64_t *e, __m512i out[8]) {
    const uint64_t *both = w->both, *other = e + w->n_words;
    size_t step = w->n_words, at = 0;
    __m256i half[LANES / SIDE][8];
    for (size_t side = 0; side < LANES / SIDE; side++) {
        size_t end = side < w->n_sides ? at + SIDE * w->depth[side] : at;
        __m512i sum[8];
        for (size_t k = 0; k < 8; k++)
            sum[k] = _mm512_setzero_si512();
        for (; at < end; at += SIDE) {
            __m512i first = _mm512_load_si512(e + at), second = _mm512_load_si512(other + at);
            for (size_t k = 0; k < 4; k++) {
                __m512i pair = _mm512_load_si512(both + k * step + at);
                sum[2 * k] = _mm512_add_epi64(sum[2 * k], _mm512_popcnt_epi64(_mm512_and_si512(pair, first)));
                sum[2 * k + 1] = _mm512_add_epi64(sum[2 * k + 1], _mm512_popcnt_epi64(_mm512_and_si512(pair, second)));
            }
        }
        for (size_t k = 0; k < 8; k++)
            half[side][k] = _mm512_cvtepi64_epi32(sum[k]);
    }
    for (size_t k = 0; k < 8; k++)
        out[k] = join_strips(&w->strips, half[0][k], half[1][k]);
}

__attribute__((WIDE_AVX512)) static inline __m512i load_lanes(lane_counts *cells, size_t i) {
    return _mm512_loadu_si512(cells[i]);
}

/* As sum_triple: what of every row and column of the table is not counted is what its margin leaves. */
__attribute__((WIDE_AVX512)) static int64_t sum_three_avx512(const walk *w, size_t c, size_t d, size_t e) {
    lane_counts *cd = pair_of(w, c, d), *ce = pair_of(w, c, e), *de = pair_of(w, d, e);
    lane_counts out[27];
    __m512i counted[8], last[9];
    count_eight(w, w->column[e].bits, counted);
    for (size_t i = 0; i < 9; i++)
        last[i] = load_lanes(de, i);
    for (size_t i = 0; i < 2; i++) {
        __m512i row[3];
        for (size_t k = 0; k < 3; k++)
            row[k] = load_lanes(ce, 3 * i + k);
        for (size_t j = 0; j < 2; j++) {
            __m512i cell[3] = {counted[4 * i + 2 * j], counted[4 * i + 2 * j + 1], load_lanes(cd, 3 * i + j)};
            cell[2] = _mm512_sub_epi32(cell[2], _mm512_add_epi32(cell[0], cell[1]));
            for (size_t k = 0; k < 3; k++) {
                row[k] = _mm512_sub_epi32(row[k], cell[k]);
                last[3 * j + k] = _mm512_sub_epi32(last[3 * j + k], cell[k]);
                _mm512_storeu_si512(out[9 * i + 3 * j + k], cell[k]);
            }
        }
        for (size_t k = 0; k < 3; k++) {
            last[6 + k] = _mm512_sub_epi32(last[6 + k], row[k]);
            _mm512_storeu_si512(out[9 * i + 6 + k], row[k]);
        }
    }
    for (size_t i = 0; i < 9; i++)
        _mm512_storeu_si512(out[18 + i], last[i]);
    return sum_terms(w, out, 27);
}

__attribute__((WIDE_AVX512)) static void lay_both_avx512(walk *w, size_t c, size_t d) {
    lay_both(w, c, d);
}

__attribute__((WIDE_AVX512)) void set_lattice_walk_avx512(walk *w, size_t first) {
    w->count = count_lanes_avx512;
    w->of_three = sum_three_avx512;
    w->lay_three = lay_both_avx512;
    walk_sets(w, first);
}

#endif
