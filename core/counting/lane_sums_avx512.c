/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strata counted and summed at once, all lanes side by side, so that no count goes through memory. Most cells of
 * strata have few rows, in few of the steps: only those steps are looked at, and what is below 32 has its term in two
 * registers.
 */
#include "core/counting/lane_avx512_internal.h"

#if defined(__x86_64__)

enum { TILES = KERNEL_LANES / KERNEL_TILE, AT_ONCE = 3, FEW = 32 };

/* N log2 N. */
static const float few_terms[FEW] __attribute__((aligned(64))) = {
    0.0F,      0.0F,        2.0F,       4.7548876F, 8.0F,       11.60964F,  15.509775F, 19.651484F,
    24.0F,     28.529325F,  33.21928F,  38.05375F,  43.01955F,  48.105717F, 53.302967F, 58.60336F,
    64.0F,     69.48687F,   75.05865F,  80.710625F, 86.43856F,  92.23866F,  98.1075F,   104.04192F,
    110.0391F, 116.096405F, 122.21143F, 128.38196F, 134.60594F, 140.88145F, 147.20671F, 153.58008F,
};

/* See add_term. */
AVX512 INLINED __m512 add_term_512(__m512 sum, __m512i count) {
    const __m512i one = _mm512_set1_epi32(0x3F800000), mantissa = _mm512_set1_epi32(0x7FFFFF);
    __m512 n = _mm512_cvtepi32_ps(count);
    __m512i bits = _mm512_castps_si512(n);
    __m512 m =
        _mm512_castsi512_ps(_mm512_ternarylogic_epi32(bits, mantissa, one, 0xEA)); /* bits and mantissa, or one */
    __m512 rest = _mm512_set1_ps(log2_rest[5]);
    for (size_t k = 5; k-- > 0;)
        rest = _mm512_fmadd_ps(rest, m, _mm512_set1_ps(log2_rest[k]));
    rest = _mm512_fmadd_ps(_mm512_cvtepi32_ps(_mm512_sub_epi32(bits, one)), _mm512_set1_ps(0x1p-23F), rest);
    return _mm512_fmadd_ps(n, rest, sum);
}

AVX512 INLINED __m512 few_term_512(__m512i count) {
    return _mm512_permutex2var_ps(_mm512_load_ps(few_terms), count, _mm512_load_ps(few_terms + 16));
}

/* Of counts that are below FEW where `is_few`. */
AVX512 INLINED void add_terms_512(const __m512i *counts, bool is_few, size_t n_tiles, __m512 *sums) {
    for (size_t k = 0; k < n_tiles; k++)
        sums[k] = is_few ? _mm512_add_ps(sums[k], few_term_512(counts[k])) : add_term_512(sums[k], counts[k]);
}

/* Adds what one step of a vector shares with some sets of lanes. */
AVX512 INLINED void add_step(const lane_vectors *v, const uint64_t *vector, size_t step, size_t first_set,
                             size_t n_sets, size_t n_tiles, __m512i (*counts)[TILES]) {
    __m512i x = _mm512_set1_epi32((int)bits_at(vector, step));
    for (size_t j = 0; j < n_sets; j++) {
        const uint32_t *lanes = v->lanes + ((first_set + j) * v->n_steps + step) * L;
        for (size_t k = 0; k < n_tiles; k++) {
            __m512i shared = _mm512_and_si512(x, _mm512_load_si512(lanes + k * TILE));
            counts[j][k] = _mm512_add_epi32(counts[j][k], _mm512_popcnt_epi32(shared));
        }
    }
}

/* Steps of a vector that have rows, of the 32 from `first` on: bit i is step first + i. */
AVX512 INLINED uint32_t steps_with_rows(const lane_vectors *v, const uint64_t *vector, size_t first) {
    const uint32_t *words = (const uint32_t *)(const void *)vector + first;
    __m512i low = _mm512_load_si512(words);
    uint32_t steps = _mm512_test_epi32_mask(low, low);
    if (first + 16 < v->n_steps) {
        __m512i high = _mm512_load_si512(words + 16);
        steps |= (uint32_t)_mm512_test_epi32_mask(high, high) << 16;
    }
    return steps;
}

AVX512 INLINED void count_cell(const lane_vectors *v, const uint64_t *cell, bool is_sparse, size_t first_set,
                               size_t n_sets, size_t n_tiles, __m512i (*counts)[TILES]) {
    for (size_t j = 0; j < n_sets; j++) {
        for (size_t k = 0; k < n_tiles; k++)
            counts[j][k] = _mm512_setzero_si512();
    }
    if (!is_sparse) {
        for (size_t s = 0; s < v->n_steps; s++)
            add_step(v, cell, s, first_set, n_sets, n_tiles, counts);
        return;
    }
    for (size_t first = 0; first < v->n_steps; first += 32) {
        for (uint32_t left = steps_with_rows(v, cell, first); left; left &= left - 1)
            add_step(v, cell, first + (size_t)__builtin_ctz(left), first_set, n_sets, n_tiles, counts);
    }
}

/* The sums of all tiles. */
typedef struct {
    __m512 terms[TILES];
    __m512i adjusted[TILES];
} tile_sums;

/* One cell: its terms, and what it adds to the margins by state. */
AVX512 INLINED void add_cell(const lane_vectors *v, const lane_strata *t, size_t r, size_t at_once, size_t i,
                             size_t n_tiles, __m512i (*margins)[TILES], tile_sums *sums) {
    const uint64_t *cell = v->vectors + i * v->n_words;
    bool is_few = t->tallies[i] < FEW, is_sparse = t->tallies[i] <= v->n_steps;
    __m512i counts[AT_ONCE][TILES], rest[TILES];
    for (size_t k = 0; k < n_tiles; k++)
        rest[k] = _mm512_set1_epi32((int)t->tallies[i]);
    for (size_t j = 0; j + 1 < r; j += at_once) {
        count_cell(v, cell, is_sparse, j, at_once, n_tiles, counts);
        for (size_t of = 0; of < at_once; of++) {
            for (size_t k = 0; k < n_tiles; k++) {
                rest[k] = _mm512_sub_epi32(rest[k], counts[of][k]);
                margins[j + of][k] = _mm512_add_epi32(margins[j + of][k], counts[of][k]);
            }
            add_terms_512(counts[of], is_few, n_tiles, sums->terms);
        }
    }
    for (size_t k = 0; k < n_tiles; k++)
        margins[r - 1][k] = _mm512_add_epi32(margins[r - 1][k], rest[k]);
    add_terms_512(rest, is_few, n_tiles, sums->terms);
}

AVX512 INLINED void subtract_margin(const __m512i *margin, bool is_few, uint32_t n_others, size_t n_tiles,
                                    tile_sums *sums) {
    __m512i more = _mm512_set1_epi32((int)n_others);
    for (size_t k = 0; k < n_tiles; k++) {
        __mmask16 is_seen = _mm512_test_epi32_mask(margin[k], margin[k]);
        __m512 term = is_few ? few_term_512(margin[k]) : add_term_512(_mm512_setzero_ps(), margin[k]);
        sums->adjusted[k] = _mm512_mask_add_epi32(sums->adjusted[k], is_seen, sums->adjusted[k], more);
        sums->terms[k] = _mm512_sub_ps(sums->terms[k], term);
    }
}

/* One of a single cell is passed over: its cell and its margins take each other away. */
AVX512 INLINED void add_stratum(const lane_vectors *v, const lane_strata *t, size_t r, size_t at_once, size_t stratum,
                                size_t n_tiles, tile_sums *sums) {
    size_t first = t->starts[stratum], end = t->starts[stratum + 1];
    uint32_t n_others = (uint32_t)(end - first - 1), n_rows = 0;
    __m512i margins[PAIR_MOST_STATES][TILES];
    if (n_others == 0)
        return;
    for (size_t j = 0; j < r; j++) {
        for (size_t k = 0; k < n_tiles; k++)
            margins[j][k] = _mm512_setzero_si512();
    }
    for (size_t i = first; i < end; i++) {
        add_cell(v, t, r, at_once, i, n_tiles, margins, sums);
        n_rows += t->tallies[i];
    }
    for (size_t k = 0; k < n_tiles; k++)
        sums->adjusted[k] = _mm512_sub_epi32(sums->adjusted[k], _mm512_set1_epi32((int)n_others));
    for (size_t j = 0; j < r; j++)
        subtract_margin(margins[j], n_rows < FEW, n_others, n_tiles, sums);
}

AVX512 INLINED void sum_tiles(const lane_vectors *v, const lane_strata *t, size_t r, size_t at_once, size_t n_tiles,
                              float *out, uint32_t *adjusted) {
    tile_sums sums;
    for (size_t k = 0; k < n_tiles; k++) {
        sums.terms[k] = _mm512_setzero_ps();
        sums.adjusted[k] = _mm512_setzero_si512();
    }
    for (size_t s = 0; s < t->n_strata; s++)
        add_stratum(v, t, r, at_once, s, n_tiles, &sums);
    for (size_t k = 0; k < n_tiles; k++) {
        _mm512_store_ps(out + k * TILE, _mm512_mul_ps(sums.terms[k], _mm512_set1_ps(0.693147181F)));
        _mm512_store_si512(adjusted + k * TILE, sums.adjusted[k]);
    }
}

AVX512 INLINED void sum_lanes(const lane_vectors *v, const lane_strata *t, size_t r, size_t at_once, float *sums,
                              uint32_t *adjusted) {
    if (t->n_lanes > 2 * TILE)
        sum_tiles(v, t, r, at_once, 4, sums, adjusted);
    else if (t->n_lanes > TILE)
        sum_tiles(v, t, r, at_once, 2, sums, adjusted);
    else
        sum_tiles(v, t, r, at_once, 1, sums, adjusted);
}

AVX512 void lane_sums_of_vectors_avx512(const lane_vectors *v, const lane_strata *t, float *sums, uint32_t *adjusted) {
    if (t->r == 2)
        sum_lanes(v, t, 2, 1, sums, adjusted);
    else if (t->r == 3)
        sum_lanes(v, t, 3, 2, sums, adjusted);
    else if (t->r == 4)
        sum_lanes(v, t, 4, 3, sums, adjusted);
    else
        sum_lanes(v, t, t->r, 1, sums, adjusted);
}

/* --- tables --- */

AVX512 INLINED __m512i load_counts(const uint32_t *counts) {
    return _mm512_loadu_si512(counts);
}

/* As sum_terms_of_tile; terms go to two sums, as each addition waits for the one before. */
AVX512 INLINED __m512 sum_table(const lane_tables *t, size_t r_x, size_t r_y, size_t lane) {
    size_t columns = r_y - 1;
    __m512 counted = _mm512_setzero_ps(), left = _mm512_setzero_ps();
    __m512i last[PAIR_MOST_STATES];
    for (size_t j = 0; j < r_y; j++)
        last[j] = load_counts(t->y_margins + j * L + lane);
    for (size_t i = 0; i + 1 < r_x; i++) {
        __m512i rest = _mm512_set1_epi32((int)t->x_margin[i]);
        for (size_t j = 0; j < columns; j++) {
            __m512i cells = load_counts(t->counts + (i * columns + j) * L + lane);
            rest = _mm512_sub_epi32(rest, cells);
            last[j] = _mm512_sub_epi32(last[j], cells);
            counted = add_term_512(counted, cells);
        }
        last[columns] = _mm512_sub_epi32(last[columns], rest);
        left = add_term_512(left, rest);
    }
    for (size_t j = 0; j < r_y; j++)
        left = add_term_512(left, last[j]);
    return _mm512_add_ps(counted, left);
}

AVX512 INLINED void sum_terms_of(const lane_tables *t, size_t r_x, size_t r_y, float *sums) {
    size_t lane = 0;
    for (; lane < t->n_lanes; lane += TILE)
        _mm512_store_ps(sums + lane, _mm512_mul_ps(sum_table(t, r_x, r_y, lane), _mm512_set1_ps(0.693147181F)));
    for (; lane < L; lane += TILE)
        _mm512_store_ps(sums + lane, _mm512_setzero_ps());
}

AVX512 void lane_sums_of_terms_avx512(const lane_tables *t, float *out) {
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

/* --- tables given the lanes' columns: one table for each of their states --- */

/* Sums of a tile, and how many there are of what has rows. */
typedef struct {
    __m512 counted, left, gone;
    __m512i adjusted;
} given_sums;

AVX512 INLINED __m512i add_where_seen_512(__m512i n, __m512i counts) {
    return _mm512_mask_add_epi32(n, _mm512_test_epi32_mask(counts, counts), n, _mm512_set1_epi32(1));
}

/* Of one state: its cells but for those of the second column's last state, and what the first column has of it, of
 * which the cells are taken off. */
AVX512 INLINED void add_given_state(const lane_cross *t, cross_shape of, const __m512i *cells, __m512i *rest,
                                    given_sums *sums) {
    __m512i seconds[PAIR_MOST_STATES], zero = _mm512_setzero_si512(), one = _mm512_set1_epi32(1);
    __m512i n_firsts = zero, n_seconds = zero, product;
    for (size_t i = 0; i < of.r_second; i++)
        seconds[i] = zero;
    for (size_t i = 0; i < of.r_first; i++)
        n_firsts = add_where_seen_512(n_firsts, rest[i]);
    for (size_t c = 0; c < of.n_cells; c++) {
        size_t i = first_of(t, of, c), j = second_of(t, of, c);
        rest[i] = _mm512_sub_epi32(rest[i], cells[c]);
        seconds[j] = _mm512_add_epi32(seconds[j], cells[c]);
        add_terms_512(&cells[c], t->tallies[c] < FEW, 1, &sums->counted);
    }
    for (size_t i = 0; i < of.r_first; i++) {
        seconds[of.r_second - 1] = _mm512_add_epi32(seconds[of.r_second - 1], rest[i]);
        sums->left = add_term_512(sums->left, rest[i]);
    }
    for (size_t i = 0; i < of.r_second; i++) {
        n_seconds = add_where_seen_512(n_seconds, seconds[i]);
        sums->gone = add_term_512(sums->gone, seconds[i]);
    }
    product = _mm512_mullo_epi32(_mm512_sub_epi32(n_firsts, one), _mm512_sub_epi32(n_seconds, one));
    sums->adjusted =
        _mm512_mask_add_epi32(sums->adjusted, _mm512_test_epi32_mask(n_firsts, n_firsts), sums->adjusted, product);
}

AVX512 INLINED void sum_given_16(const lane_cross *t, cross_shape of, size_t lane, float *sums, uint32_t *adjusted) {
    const lane_tables *x = &t->first;
    size_t n_counted = x->r_y - 1, last = of.r_first - 1;
    __m512i cells[LANE_MOST_CELLS], last_cells[LANE_MOST_CELLS], firsts[PAIR_MOST_STATES];
    __m512i last_firsts[PAIR_MOST_STATES];
    given_sums all = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_si512()};
    for (size_t c = 0; c < of.n_cells; c++)
        last_cells[c] = _mm512_set1_epi32((int)t->tallies[c]);
    for (size_t i = 0; i < last; i++)
        last_firsts[i] = _mm512_set1_epi32((int)x->x_margin[i]);
    last_firsts[last] = load_counts(x->y_margins + n_counted * L + lane);
    for (size_t k = 0; k < n_counted; k++) {
        firsts[last] = load_counts(x->y_margins + k * L + lane);
        for (size_t i = 0; i < last; i++) {
            firsts[i] = load_counts(x->counts + (i * n_counted + k) * L + lane);
            firsts[last] = _mm512_sub_epi32(firsts[last], firsts[i]);
            last_firsts[i] = _mm512_sub_epi32(last_firsts[i], firsts[i]);
        }
        for (size_t c = 0; c < of.n_cells; c++) {
            cells[c] = load_counts(t->counts + (c * n_counted + k) * L + lane);
            last_cells[c] = _mm512_sub_epi32(last_cells[c], cells[c]);
        }
        add_given_state(t, of, cells, firsts, &all);
    }
    for (size_t i = 0; i < last; i++)
        last_firsts[last] = _mm512_sub_epi32(last_firsts[last], last_firsts[i]);
    add_given_state(t, of, last_cells, last_firsts, &all);
    all.counted = _mm512_add_ps(all.counted, _mm512_sub_ps(all.left, all.gone));
    _mm512_store_ps(sums + lane, _mm512_mul_ps(all.counted, _mm512_set1_ps(0.693147181F)));
    _mm512_store_si512(adjusted + lane, all.adjusted);
}

AVX512 INLINED void sum_all_given(const lane_cross *t, size_t r_first, size_t r_second, size_t tile, float *sums,
                                  uint32_t *adjusted) {
    sum_given_16(t, (cross_shape){r_first, r_second, r_first * (r_second - 1), true}, tile, sums, adjusted);
}

AVX512 void lane_sums_given_avx512(const lane_cross *t, size_t tile, float *sums, uint32_t *adjusted) {
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
        sum_given_16(t, of, tile, sums, adjusted);
}

#endif
