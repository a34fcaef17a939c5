/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/set_lattice_cells_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,popcnt")))

enum { HALF = SIDE / 2, BYTE_STEPS = 31 }; /* lanes of a register; a byte holds as many words' eight ones at most */

AVX2 static inline __m256i load_half(const void *p) {
    return _mm256_loadu_si256(p);
}

/* Pairs of states of c and d as lay_both, but each word as two: its lower halves of bytes, and the upper ones in their
 * place. */
AVX2 static void lay_halves(walk *w, size_t c, size_t d) {
    const __m256i low = _mm256_set1_epi8(0x0F);
    const uint64_t *x = w->column[c].bits, *y = w->column[d].bits;
    size_t n = w->n_words;
    for (size_t k = 0; k < 4; k++) {
        uint64_t *to = w->halves + 2 * k * n;
        for (size_t at = 0; at < n; at += HALF) {
            __m256i both = _mm256_and_si256(load_half(x + k / 2 * n + at), load_half(y + k % 2 * n + at));
            _mm256_store_si256((__m256i *)(void *)(to + at), _mm256_and_si256(both, low));
            _mm256_store_si256((__m256i *)(void *)(to + n + at), _mm256_and_si256(_mm256_srli_epi16(both, 4), low));
        }
    }
}

/* The first word of a lane. */
static inline size_t start_of(const walk *w, size_t lane) {
    return lane < SIDE ? lane : SIDE * w->depth[0] + lane - SIDE;
}

/* Words that a lane has, and those of the same register after it, which have no more rows. */
static inline size_t depth_of(const walk *w, size_t lane) {
    return (w->lane_rows[lane] + WORD - 1) / WORD;
}

AVX2 static inline __m256i nibble_ones(void) {
    return _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3,
                            4);
}

AVX2 static inline void store_sums(__m256i sums, uint32_t out[HALF]) {
    __m256i even = _mm256_permutevar8x32_epi32(sums, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)(void *)out, _mm256_castsi256_si128(even));
}

/* Ones in four lanes of a AND b, by nibble look-up (Mula, Kurz, Lemire 2018, Computer Journal 61(1)); the words of a
 * lane are SIDE apart. */
AVX2 static inline void count_one_half(const uint64_t *a, const uint64_t *b, size_t depth, uint32_t out[HALF]) {
    const __m256i low = _mm256_set1_epi8(0x0F), none = _mm256_setzero_si256(), ones = nibble_ones();
    __m256i sum = none;
    for (size_t done = 0; done < depth;) {
        size_t end = depth - done > BYTE_STEPS ? done + BYTE_STEPS : depth;
        __m256i bytes = none;
        for (; done < end; done++, a += SIDE, b += SIDE) {
            __m256i both = _mm256_and_si256(load_half(a), load_half(b));
            __m256i upper = _mm256_and_si256(_mm256_srli_epi16(both, 4), low);
            bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(ones, _mm256_and_si256(both, low)));
            bytes = _mm256_add_epi8(bytes, _mm256_shuffle_epi8(ones, upper));
        }
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, none));
    }
    store_sums(sum, out);
}

AVX2 static void count_lanes_avx2(const walk *w, const uint64_t *a, size_t n, const uint64_t *b, lane_counts *out) {
    for (size_t lane = 0; lane < LANES; lane += HALF) {
        size_t start = start_of(w, lane), depth = depth_of(w, lane);
        for (size_t k = 0; k < n; k++)
            count_one_half(a + k * w->n_words + start, b + start, depth, out[k] + lane);
    }
}

/* The same of each of the four pairs that are laid out AND e. */
AVX2 static inline void count_half(const walk *w, const uint64_t *e, size_t at, size_t depth, __m256i sum[4]) {
    const __m256i none = _mm256_setzero_si256(), ones = nibble_ones();
    for (size_t k = 0; k < 4; k++)
        sum[k] = none;
    for (size_t done = 0; done < depth;) {
        size_t end = depth - done > BYTE_STEPS ? done + BYTE_STEPS : depth;
        __m256i bytes[4] = {none, none, none, none};
        for (; done < end; done++, at += SIDE) {
            __m256i lower = load_half(e + at), upper = _mm256_srli_epi16(lower, 4);
            for (size_t k = 0; k < 4; k++) {
                const uint64_t *halves = w->halves + 2 * k * w->n_words + at;
                __m256i first = _mm256_and_si256(lower, load_half(halves));
                __m256i second = _mm256_and_si256(upper, load_half(halves + w->n_words));
                bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(ones, first));
                bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(ones, second));
            }
        }
        for (size_t k = 0; k < 4; k++)
            sum[k] = _mm256_add_epi64(sum[k], _mm256_sad_epu8(bytes[k], none));
    }
}

/* out[2 k + i]: ones by lane of pair k of states of c and d, neither the last, with state i of e. */
AVX2 static inline void count_eight_avx2(const walk *w, const uint64_t *e, lane_counts out[8]) {
    for (size_t lane = 0; lane < w->n_sides * SIDE; lane += HALF) {
        for (size_t i = 0; i < 2; i++) {
            __m256i sum[4];
            count_half(w, e + i * w->n_words, start_of(w, lane), depth_of(w, lane), sum);
            for (size_t k = 0; k < 4; k++)
                store_sums(sum[k], out[2 * k + i] + lane);
        }
    }
}

/* A side of the table of three columns, as sum_triple: what of every row and column is not counted is what its margin
 * leaves. */
AVX2 static inline void fill_side(lane_counts *cells, lane_counts *counted, lane_counts *cd, lane_counts *ce,
                                  lane_counts *de, size_t first) {
    __m256i last[9];
    for (size_t i = 0; i < 9; i++)
        last[i] = load_half(de[i] + first);
    for (size_t i = 0; i < 2; i++) {
        __m256i row[3];
        for (size_t k = 0; k < 3; k++)
            row[k] = load_half(ce[3 * i + k] + first);
        for (size_t j = 0; j < 2; j++) {
            __m256i cell[3] = {load_half(counted[4 * i + 2 * j] + first), load_half(counted[4 * i + 2 * j + 1] + first),
                               load_half(cd[3 * i + j] + first)};
            cell[2] = _mm256_sub_epi32(cell[2], _mm256_add_epi32(cell[0], cell[1]));
            for (size_t k = 0; k < 3; k++) {
                row[k] = _mm256_sub_epi32(row[k], cell[k]);
                last[3 * j + k] = _mm256_sub_epi32(last[3 * j + k], cell[k]);
                _mm256_storeu_si256((__m256i *)(void *)(cells[9 * i + 3 * j + k] + first), cell[k]);
            }
        }
        for (size_t k = 0; k < 3; k++) {
            last[6 + k] = _mm256_sub_epi32(last[6 + k], row[k]);
            _mm256_storeu_si256((__m256i *)(void *)(cells[9 * i + 6 + k] + first), row[k]);
        }
    }
    for (size_t i = 0; i < 9; i++)
        _mm256_storeu_si256((__m256i *)(void *)(cells[18 + i] + first), last[i]);
}

AVX2 static int64_t sum_three_avx2(const walk *w, size_t c, size_t d, size_t e) {
    lane_counts cells[27], counted[8];
    lane_counts *cd = pair_of(w, c, d), *ce = pair_of(w, c, e), *de = pair_of(w, d, e);
    count_eight_avx2(w, w->column[e].bits, counted);
    for (size_t first = 0; first < w->n_lanes; first += SIDE)
        fill_side(cells, counted, cd, ce, de, first);
    return sum_cells(w->terms, cells, w->n_lanes);
}
AVX2 void set_lattice_walk_avx2(walk *w, size_t first) {
    w->count = count_lanes_avx2;
    w->of_three = sum_three_avx2;
    w->lay_three = lay_halves;
    walk_sets(w, first);
}

#endif
