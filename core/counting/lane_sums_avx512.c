/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/lane_avx512_internal.h"

#if defined(__x86_64__)

#define LEVEL AVX512BW
#define LEVEL_LANES 16
#define MULTIPLY_ADD(a, b, c) (reals) _mm512_fmadd_ps(a, b, c)
#define FEW_TERMS(counts)                                                                                              \
    (reals) _mm512_permutex2var_ps(_mm512_load_ps(few_terms), (__m512i)(counts), _mm512_load_ps(few_terms + 16))
enum { FEW_ROWS = 31 };

/* N log2 N, in two registers: most cells of strata have few rows. */
static const float few_terms[FEW_ROWS + 1] __attribute__((aligned(64))) = {
    0.0F,      0.0F,        2.0F,       4.7548876F, 8.0F,       11.60964F,  15.509775F, 19.651484F,
    24.0F,     28.529325F,  33.21928F,  38.05375F,  43.01955F,  48.105717F, 53.302967F, 58.60336F,
    64.0F,     69.48687F,   75.05865F,  80.710625F, 86.43856F,  92.23866F,  98.1075F,   104.04192F,
    110.0391F, 116.096405F, 122.21143F, 128.38196F, 134.60594F, 140.88145F, 147.20671F, 153.58008F,
};

#include "core/counting/lane_sums_internal.h"

void lane_sums_of_terms_avx512(const lane_tables *t, float *out) {
    sum_terms(t, out);
}

void lane_sums_of_strata_avx512(const lane_strata *t, float *sums, uint32_t *adjusted) {
    sum_strata(t, sums, adjusted);
}

void lane_strata_complete_avx512(const lane_strata *t, uint32_t *rest, uint32_t *margins) {
    complete(t, rest, margins);
}

void lane_sums_given_avx512(const lane_cross *t, size_t tile, float *sums, uint32_t *adjusted) {
    sum_given(t, tile, sums, adjusted);
}

/*
 * --- strata counted and summed at once ---
 *
 * All lanes side by side, so that no count goes through memory. Of cells with few rows only those steps are looked at
 * that have some.
 */

enum { TILES = KERNEL_LANES / KERNEL_TILE, AT_ONCE = 3 };

/* Adds what one step of a vector shares with some sets of lanes. */
AVX512 INLINED void add_step(const lane_vectors *v, const uint64_t *vector, size_t step, size_t first_set,
                             size_t n_sets, size_t n_tiles, numbers (*counts)[TILES]) {
    numbers x = ALL(bits_at(vector, step), numbers);
    for (size_t j = 0; j < n_sets; j++) {
        const uint32_t *lanes = v->lanes + ((first_set + j) * v->n_steps + step) * L;
        for (size_t k = 0; k < n_tiles; k++) {
            numbers shared = x & load_numbers(lanes + k * TILE);
            counts[j][k] += (numbers)_mm512_popcnt_epi32((__m512i)shared);
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
                               size_t n_sets, size_t n_tiles, numbers (*counts)[TILES]) {
    for (size_t j = 0; j < n_sets; j++) {
        for (size_t k = 0; k < n_tiles; k++)
            counts[j][k] = (numbers){0};
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
    reals terms[TILES];
    numbers adjusted[TILES];
} tile_sums;

/* One cell: its terms, and what it adds to the margins by state. */
AVX512 INLINED void add_cell(const lane_vectors *v, const lane_strata *t, size_t r, size_t at_once, size_t i,
                             size_t n_tiles, numbers (*margins)[TILES], tile_sums *sums) {
    const uint64_t *cell = v->vectors + i * v->n_words;
    bool is_sparse = t->tallies[i] <= v->n_steps;
    numbers counts[AT_ONCE][TILES], rest[TILES];
    for (size_t k = 0; k < n_tiles; k++)
        rest[k] = ALL(t->tallies[i], numbers);
    for (size_t j = 0; j + 1 < r; j += at_once) {
        count_cell(v, cell, is_sparse, j, at_once, n_tiles, counts);
        for (size_t of = 0; of < at_once; of++) {
            for (size_t k = 0; k < n_tiles; k++) {
                rest[k] -= counts[of][k];
                margins[j + of][k] += counts[of][k];
                sums->terms[k] = add_term_up_to(t->tallies[i], sums->terms[k], counts[of][k]);
            }
        }
    }
    for (size_t k = 0; k < n_tiles; k++) {
        margins[r - 1][k] += rest[k];
        sums->terms[k] = add_term_up_to(t->tallies[i], sums->terms[k], rest[k]);
    }
}

AVX512 INLINED void count_stratum(const lane_vectors *v, const lane_strata *t, size_t r, size_t at_once, size_t stratum,
                                  size_t n_tiles, tile_sums *sums) {
    size_t first = t->starts[stratum], end = t->starts[stratum + 1];
    uint32_t n_others = (uint32_t)(end - first - 1), n_rows = 0;
    numbers margins[PAIR_MOST_STATES][TILES];
    for (size_t j = 0; j < r; j++) {
        for (size_t k = 0; k < n_tiles; k++)
            margins[j][k] = (numbers){0};
    }
    for (size_t i = first; i < end; i++) {
        add_cell(v, t, r, at_once, i, n_tiles, margins, sums);
        n_rows += t->tallies[i];
    }
    for (size_t k = 0; k < n_tiles; k++)
        sums->adjusted[k] -= n_others;
    for (size_t j = 0; j < r; j++) {
        for (size_t k = 0; k < n_tiles; k++)
            subtract_margin(margins[j][k], n_rows, n_others, &sums->terms[k], &sums->adjusted[k]);
    }
}

AVX512 INLINED void sum_tiles(const lane_vectors *v, const lane_strata *t, size_t r, size_t at_once, size_t n_tiles,
                              float *out, uint32_t *adjusted) {
    tile_sums sums;
    for (size_t k = 0; k < n_tiles; k++) {
        sums.terms[k] = (reals){0};
        sums.adjusted[k] = (numbers){0};
    }
    for (size_t s = 0; s < t->n_strata; s++) {
        if (has_two_cells(t, s))
            count_stratum(v, t, r, at_once, s, n_tiles, &sums);
    }
    for (size_t k = 0; k < n_tiles; k++) {
        store_sums(out + k * TILE, sums.terms[k]);
        store_numbers(adjusted + k * TILE, sums.adjusted[k]);
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

#endif
