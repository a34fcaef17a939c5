/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As the loops of sums, eight lanes at a time, so that what is summed stays in registers. Terms are added to two sums,
 * as each addition waits for the one before.
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

AVX2 INLINED __m256i load_counts(const uint32_t *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* --- tables --- */

AVX2 INLINED __m256 sum_table(const lane_tables *t, size_t r_x, size_t r_y, size_t lane) {
    size_t columns = r_y - 1;
    __m256 counted = _mm256_setzero_ps(), left = _mm256_setzero_ps();
    __m256i last[PAIR_MOST_STATES];
    for (size_t j = 0; j < r_y; j++)
        last[j] = load_counts(t->y_margins + j * L + lane);
    for (size_t i = 0; i + 1 < r_x; i++) {
        __m256i rest = _mm256_set1_epi32((int)t->x_margin[i]);
        for (size_t j = 0; j < columns; j++) {
            __m256i cells = load_counts(t->counts + (i * columns + j) * L + lane);
            rest = _mm256_sub_epi32(rest, cells);
            last[j] = _mm256_sub_epi32(last[j], cells);
            counted = add_term_256(counted, cells);
        }
        last[columns] = _mm256_sub_epi32(last[columns], rest);
        left = add_term_256(left, rest);
    }
    for (size_t j = 0; j < r_y; j++)
        left = add_term_256(left, last[j]);
    return _mm256_add_ps(counted, left);
}

AVX2 INLINED void sum_terms_of(const lane_tables *t, size_t r_x, size_t r_y, float *sums) {
    size_t n_lanes = (t->n_lanes + TILE - 1) / TILE * TILE, lane = 0;
    for (; lane < n_lanes; lane += 8)
        _mm256_storeu_ps(sums + lane, _mm256_mul_ps(sum_table(t, r_x, r_y, lane), _mm256_set1_ps(0.693147181F)));
    for (; lane < L; lane += 8)
        _mm256_storeu_ps(sums + lane, _mm256_setzero_ps());
}

AVX2 void lane_sums_of_terms_avx2(const lane_tables *t, float *out) {
    if (t->r_x == 2 && t->r_y == 2)
        sum_terms_of(t, 2, 2, out);
    else if (t->r_x == 3 && t->r_y == 2)
        sum_terms_of(t, 3, 2, out);
    else if (t->r_x == 2 && t->r_y == 3)
        sum_terms_of(t, 2, 3, out);
    else if (t->r_x == 3 && t->r_y == 3)
        sum_terms_of(t, 3, 3, out);
    else
        sum_terms_of(t, t->r_x, t->r_y, out);
}

/* --- strata: one of a single cell is passed over, for its cell and its margins take each other away --- */

typedef struct {
    __m256 terms;
    __m256i adjusted;
} eight_sums;

AVX2 INLINED void add_stratum(const lane_strata *t, size_t r, size_t stratum, size_t lane, eight_sums *sums) {
    size_t columns = r - 1, first = t->starts[stratum], end = t->starts[stratum + 1];
    __m256i margins[PAIR_MOST_STATES], n_others = _mm256_set1_epi32((int)(end - first - 1));
    __m256 left = _mm256_setzero_ps(), gone = _mm256_setzero_ps();
    for (size_t j = 0; j < r; j++)
        margins[j] = _mm256_setzero_si256();
    for (size_t i = first; i < end; i++) {
        __m256i rest = _mm256_set1_epi32((int)t->tallies[i]);
        for (size_t j = 0; j < columns; j++) {
            __m256i cells = load_counts(t->counts + (i * columns + j) * L + lane);
            rest = _mm256_sub_epi32(rest, cells);
            margins[j] = _mm256_add_epi32(margins[j], cells);
            sums->terms = add_term_256(sums->terms, cells);
        }
        margins[columns] = _mm256_add_epi32(margins[columns], rest);
        left = add_term_256(left, rest);
    }
    sums->adjusted = _mm256_sub_epi32(sums->adjusted, n_others);
    for (size_t j = 0; j < r; j++) {
        __m256i is_seen = _mm256_cmpgt_epi32(margins[j], _mm256_setzero_si256());
        sums->adjusted = _mm256_add_epi32(sums->adjusted, _mm256_and_si256(is_seen, n_others));
        gone = add_term_256(gone, margins[j]);
    }
    sums->terms = _mm256_add_ps(sums->terms, _mm256_sub_ps(left, gone));
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

AVX2 void lane_sums_of_strata_avx2(const lane_strata *t, float *sums, uint32_t *adjusted) {
    if (t->r == 2)
        sum_strata_of(t, 2, sums, adjusted);
    else if (t->r == 3)
        sum_strata_of(t, 3, sums, adjusted);
    else if (t->r == 4)
        sum_strata_of(t, 4, sums, adjusted);
    else
        sum_strata_of(t, t->r, sums, adjusted);
}

/* --- tables given the lanes' columns: one table for each of their states --- */

/* Sums of eight lanes, and how many there are of what has rows. */
typedef struct {
    __m256 counted, left, gone;
    __m256i adjusted;
} given_sums;

/* Has a number rows? -1, or 0. */
AVX2 INLINED __m256i is_seen(__m256i numbers) {
    return _mm256_cmpgt_epi32(numbers, _mm256_setzero_si256());
}

/* Of one state: its cells but for those of the second column's last state, and what the first column has of it, of
 * which the cells are taken off. */
AVX2 INLINED void add_given_state(const lane_cross *t, cross_shape of, const __m256i *cells, __m256i *rest,
                                  given_sums *sums) {
    __m256i seconds[PAIR_MOST_STATES], zero = _mm256_setzero_si256(), one = _mm256_set1_epi32(1);
    __m256i n_firsts = zero, n_seconds = zero, product;
    for (size_t i = 0; i < of.r_second; i++)
        seconds[i] = zero;
    for (size_t i = 0; i < of.r_first; i++)
        n_firsts = _mm256_sub_epi32(n_firsts, is_seen(rest[i]));
    for (size_t c = 0; c < of.n_cells; c++) {
        size_t i = first_of(t, of, c), j = second_of(t, of, c);
        rest[i] = _mm256_sub_epi32(rest[i], cells[c]);
        seconds[j] = _mm256_add_epi32(seconds[j], cells[c]);
        sums->counted = add_term_256(sums->counted, cells[c]);
    }
    for (size_t i = 0; i < of.r_first; i++) {
        seconds[of.r_second - 1] = _mm256_add_epi32(seconds[of.r_second - 1], rest[i]);
        sums->left = add_term_256(sums->left, rest[i]);
    }
    for (size_t i = 0; i < of.r_second; i++) {
        n_seconds = _mm256_sub_epi32(n_seconds, is_seen(seconds[i]));
        sums->gone = add_term_256(sums->gone, seconds[i]);
    }
    product = _mm256_mullo_epi32(_mm256_sub_epi32(n_firsts, one), _mm256_sub_epi32(n_seconds, one));
    sums->adjusted = _mm256_add_epi32(sums->adjusted, _mm256_and_si256(product, is_seen(n_firsts)));
}

AVX2 INLINED void sum_given_eight(const lane_cross *t, cross_shape of, size_t lane, float *sums, uint32_t *adjusted) {
    const lane_tables *x = &t->first;
    size_t n_counted = x->r_y - 1, last = of.r_first - 1;
    __m256i cells[LANE_MOST_CELLS], last_cells[LANE_MOST_CELLS], firsts[PAIR_MOST_STATES];
    __m256i last_firsts[PAIR_MOST_STATES];
    given_sums all = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_si256()};
    for (size_t c = 0; c < of.n_cells; c++)
        last_cells[c] = _mm256_set1_epi32((int)t->tallies[c]);
    for (size_t i = 0; i < last; i++)
        last_firsts[i] = _mm256_set1_epi32((int)x->x_margin[i]);
    last_firsts[last] = load_counts(x->y_margins + n_counted * L + lane);
    for (size_t k = 0; k < n_counted; k++) {
        firsts[last] = load_counts(x->y_margins + k * L + lane);
        for (size_t i = 0; i < last; i++) {
            firsts[i] = load_counts(x->counts + (i * n_counted + k) * L + lane);
            firsts[last] = _mm256_sub_epi32(firsts[last], firsts[i]);
            last_firsts[i] = _mm256_sub_epi32(last_firsts[i], firsts[i]);
        }
        for (size_t c = 0; c < of.n_cells; c++) {
            cells[c] = load_counts(t->counts + (c * n_counted + k) * L + lane);
            last_cells[c] = _mm256_sub_epi32(last_cells[c], cells[c]);
        }
        add_given_state(t, of, cells, firsts, &all);
    }
    for (size_t i = 0; i < last; i++)
        last_firsts[last] = _mm256_sub_epi32(last_firsts[last], last_firsts[i]);
    add_given_state(t, of, last_cells, last_firsts, &all);
    all.counted = _mm256_add_ps(all.counted, _mm256_sub_ps(all.left, all.gone));
    _mm256_storeu_ps(sums + lane, _mm256_mul_ps(all.counted, _mm256_set1_ps(0.693147181F)));
    _mm256_storeu_si256((__m256i *)(void *)(adjusted + lane), all.adjusted);
}

AVX2 INLINED void sum_given_tile(const lane_cross *t, cross_shape of, size_t tile, float *sums, uint32_t *adjusted) {
    for (size_t lane = tile; lane < tile + TILE; lane += 8)
        sum_given_eight(t, of, lane, sums, adjusted);
}

/* All cells have rows. */
AVX2 INLINED void sum_all_given(const lane_cross *t, size_t r_first, size_t r_second, size_t tile, float *sums,
                                uint32_t *adjusted) {
    sum_given_tile(t, (cross_shape){r_first, r_second, r_first * (r_second - 1), true}, tile, sums, adjusted);
}

AVX2 void lane_sums_given_avx2(const lane_cross *t, size_t tile, float *sums, uint32_t *adjusted) {
    cross_shape of = shape_of(t);
    if (has_shape(of, 2, 2))
        sum_all_given(t, 2, 2, tile, sums, adjusted);
    else if (has_shape(of, 3, 2))
        sum_all_given(t, 3, 2, tile, sums, adjusted);
    else if (has_shape(of, 2, 3))
        sum_all_given(t, 2, 3, tile, sums, adjusted);
    else if (has_shape(of, 3, 3))
        sum_all_given(t, 3, 3, tile, sums, adjusted);
    else
        sum_given_tile(t, of, tile, sums, adjusted);
}

#endif
