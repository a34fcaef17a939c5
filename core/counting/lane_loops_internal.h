/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plain loops that each level of lane_kernels_internal.h compiles for its own instructions. */
#ifndef BNB_CORE_COUNTING_LANE_LOOPS_INTERNAL_H
#define BNB_CORE_COUNTING_LANE_LOOPS_INTERNAL_H

#include "core/counting/lane_kernels_internal.h"

#include <string.h>

#define INLINED static inline __attribute__((always_inline))

enum { L = KERNEL_LANES, TILE = KERNEL_TILE };

/* A byte holds at most 8 ones a step: so many steps fit before they are widened. */
enum { STEPS = 31 };

INLINED uint32_t bits_at(const uint64_t *vector, size_t step) {
    uint32_t bits;
    memcpy(&bits, (const unsigned char *)vector + step * sizeof bits, sizeof bits);
    return bits;
}

/* The first takes the place of those that there are not. */
INLINED void pad(const uint64_t *const *vectors, size_t n_lanes, const uint64_t **out) {
    for (size_t lane = 0; lane < L; lane++)
        out[lane] = vectors[lane < n_lanes ? lane : 0];
}

/* --- sums of terms --- */

INLINED float multiply_add(float a, float b, float c, int fused) {
    return fused ? __builtin_fmaf(a, b, c) : a * b + c;
}

/* log2 m is m - 1 and the polynomial of these that is nearest to the rest for 1 <= m < 2, off by 1.3e-5 at most. */
static const float log2_rest[] = {-1.80036404F, 4.09171081F, -3.55079293F, 1.63114877F, -0.416563687F, 0.0448736103F};

/* N log2 N added to a sum. The bits of N = 2^e m as a number are 2^23 (e + m - 1) above those of 1. Where N = 0, it is
 * finite. */
INLINED float add_term(float sum, uint32_t count, int fused) {
    const float *c = log2_rest;
    float n = (float)(int32_t)count, m, rest;
    int32_t bits, mantissa;
    memcpy(&bits, &n, sizeof bits);
    mantissa = (bits & 0x7FFFFF) | 0x3F800000;
    memcpy(&m, &mantissa, sizeof m);
    rest = multiply_add(c[5], m, c[4], fused);
    rest = multiply_add(rest, m, c[3], fused);
    rest = multiply_add(rest, m, c[2], fused);
    rest = multiply_add(rest, m, c[1], fused);
    rest = multiply_add(rest, m, c[0], fused);
    rest = multiply_add((float)(bits - 0x3F800000), 0x1p-23F, rest, fused);
    return multiply_add(n, rest, sum, fused);
}

INLINED void add_terms(const uint32_t *restrict counts, float *restrict sums, int fused) {
    for (size_t k = 0; k < TILE; k++)
        sums[k] = add_term(sums[k], counts[k], fused);
}

INLINED void subtract_terms(const uint32_t *restrict counts, float *restrict sums, int fused) {
    for (size_t k = 0; k < TILE; k++)
        sums[k] -= add_term(0, counts[k], fused);
}

INLINED void add_where_seen(const uint32_t *restrict counts, uint32_t more, uint32_t *restrict sums) {
    for (size_t k = 0; k < TILE; k++)
        sums[k] += counts[k] > 0 ? more : 0;
}

/* What is not counted of a row of the table is what the others leave, and so with columns. */
INLINED void sum_terms_of_tile(const lane_tables *t, size_t r_x, size_t r_y, size_t tile, float *restrict out,
                               int fused) {
    uint32_t last[PAIR_MOST_STATES][TILE], rest[TILE];
    float sums[TILE] = {0};
    size_t columns = r_y - 1;
    for (size_t j = 0; j < r_y; j++)
        memcpy(last[j], t->y_margins + j * L + tile, sizeof last[j]);
    for (size_t i = 0; i + 1 < r_x; i++) {
        for (size_t k = 0; k < TILE; k++)
            rest[k] = t->x_margin[i];
        for (size_t j = 0; j < columns; j++) {
            const uint32_t *restrict cells = t->counts + (i * columns + j) * L + tile;
            for (size_t k = 0; k < TILE; k++) {
                rest[k] -= cells[k];
                last[j][k] -= cells[k];
            }
            add_terms(cells, sums, fused);
        }
        for (size_t k = 0; k < TILE; k++)
            last[columns][k] -= rest[k];
        add_terms(rest, sums, fused);
    }
    for (size_t j = 0; j < r_y; j++)
        add_terms(last[j], sums, fused);
    for (size_t k = 0; k < TILE; k++)
        out[tile + k] = sums[k] * 0.693147181F;
}

INLINED void sum_terms_of_size(const lane_tables *t, size_t r_x, size_t r_y, float *restrict sums, int fused) {
    for (size_t tile = 0; tile < t->n_lanes; tile += TILE)
        sum_terms_of_tile(t, r_x, r_y, tile, sums, fused);
}

/* Tables of two and three states are the most frequent by far: their numbers stay in registers. */
INLINED void sum_terms_loop(const lane_tables *t, float *restrict sums, int fused) {
    memset(sums, 0, L * sizeof *sums);
    if (t->r_x == 2 && t->r_y == 2)
        sum_terms_of_size(t, 2, 2, sums, fused);
    else if (t->r_x == 3 && t->r_y == 2)
        sum_terms_of_size(t, 3, 2, sums, fused);
    else if (t->r_x == 2 && t->r_y == 3)
        sum_terms_of_size(t, 2, 3, sums, fused);
    else if (t->r_x == 3 && t->r_y == 3)
        sum_terms_of_size(t, 3, 3, sums, fused);
    else
        sum_terms_of_size(t, t->r_x, t->r_y, sums, fused);
}

INLINED void sum_stratum(const lane_strata *t, size_t r, size_t stratum, size_t tile, float *restrict sums,
                         uint32_t *restrict adjusted, int fused) {
    uint32_t margins[PAIR_MOST_STATES][TILE], rest[TILE];
    size_t columns = r - 1, first = t->starts[stratum], end = t->starts[stratum + 1];
    uint32_t n_others = (uint32_t)(end - first - 1);
    memset(margins, 0, r * sizeof margins[0]);
    for (size_t i = first; i < end; i++) {
        for (size_t k = 0; k < TILE; k++)
            rest[k] = t->tallies[i];
        for (size_t j = 0; j < columns; j++) {
            const uint32_t *restrict cells = t->counts + (i * columns + j) * L + tile;
            for (size_t k = 0; k < TILE; k++) {
                rest[k] -= cells[k];
                margins[j][k] += cells[k];
            }
            add_terms(cells, sums, fused);
        }
        for (size_t k = 0; k < TILE; k++)
            margins[columns][k] += rest[k];
        add_terms(rest, sums, fused);
    }
    for (size_t k = 0; k < TILE; k++)
        adjusted[k] -= n_others;
    for (size_t j = 0; j < r; j++) {
        add_where_seen(margins[j], n_others, adjusted);
        subtract_terms(margins[j], sums, fused);
    }
}

INLINED void sum_strata_of_size(const lane_strata *t, size_t r, float *restrict sums, uint32_t *restrict adjusted,
                                int fused) {
    for (size_t tile = 0; tile < t->n_lanes; tile += TILE) {
        for (size_t s = 0; s < t->n_strata; s++)
            sum_stratum(t, r, s, tile, sums + tile, adjusted + tile, fused);
        for (size_t k = 0; k < TILE; k++)
            sums[tile + k] *= 0.693147181F;
    }
}

INLINED void sum_strata_loop(const lane_strata *t, float *restrict sums, uint32_t *restrict adjusted, int fused) {
    memset(sums, 0, L * sizeof *sums);
    memset(adjusted, 0, L * sizeof *adjusted);
    if (t->r == 2)
        sum_strata_of_size(t, 2, sums, adjusted, fused);
    else if (t->r == 3)
        sum_strata_of_size(t, 3, sums, adjusted, fused);
    else
        sum_strata_of_size(t, t->r, sums, adjusted, fused);
}

/* --- what is not counted: integers --- */

INLINED void complete_stratum(const lane_strata *t, size_t r, size_t stratum, size_t tile, uint32_t *restrict rest,
                              uint32_t *restrict margins) {
    size_t columns = r - 1, first = t->starts[stratum] - t->starts[0], end = t->starts[stratum + 1] - t->starts[0];
    uint32_t of_states[PAIR_MOST_STATES][TILE];
    memset(of_states, 0, r * sizeof of_states[0]);
    for (size_t i = first; i < end; i++) {
        uint32_t left[TILE];
        for (size_t k = 0; k < TILE; k++)
            left[k] = t->tallies[i];
        for (size_t j = 0; j < columns; j++) {
            const uint32_t *restrict cells = t->counts + (i * columns + j) * L + tile;
            for (size_t k = 0; k < TILE; k++) {
                left[k] -= cells[k];
                of_states[j][k] += cells[k];
            }
        }
        for (size_t k = 0; k < TILE; k++)
            of_states[columns][k] += left[k];
        memcpy(rest + i * L + tile, left, sizeof left);
    }
    for (size_t j = 0; j < r; j++)
        memcpy(margins + (stratum * r + j) * L + tile, of_states[j], sizeof of_states[j]);
}

INLINED void complete_of_size(const lane_strata *t, size_t r, uint32_t *restrict rest, uint32_t *restrict margins) {
    for (size_t tile = 0; tile < t->n_lanes; tile += TILE) {
        for (size_t s = 0; s < t->n_strata; s++)
            complete_stratum(t, r, s, tile, rest, margins);
    }
}

INLINED void complete_loop(const lane_strata *t, uint32_t *restrict rest, uint32_t *restrict margins) {
    if (t->r == 2)
        complete_of_size(t, 2, rest, margins);
    else if (t->r == 3)
        complete_of_size(t, 3, rest, margins);
    else
        complete_of_size(t, t->r, rest, margins);
}

/* Of the first column, what has one state of the lanes' columns; of their last state, what the others leave. */
INLINED void take_state(const lane_tables *t, size_t r_x, size_t state, size_t tile,
                        uint32_t (*restrict firsts)[TILE]) {
    size_t columns = t->r_y - 1, last = r_x - 1;
    memcpy(firsts[last], t->y_margins + state * L + tile, sizeof firsts[last]);
    for (size_t i = 0; i < last; i++) {
        const uint32_t *restrict counts = t->counts + i * columns * L + tile;
        if (state < columns) {
            memcpy(firsts[i], counts + state * L, sizeof firsts[i]);
        } else {
            for (size_t k = 0; k < TILE; k++)
                firsts[i][k] = t->x_margin[i];
            for (size_t j = 0; j < columns; j++) {
                for (size_t k = 0; k < TILE; k++)
                    firsts[i][k] -= counts[j * L + k];
            }
        }
        for (size_t k = 0; k < TILE; k++)
            firsts[last][k] -= firsts[i][k];
    }
}

/* The columns whose cells are counted. All of those cells but the ones of the second column's last state have rows, or
 * else each says which it is. */
typedef struct {
    size_t r_first, r_second, n_cells;
    bool has_all;
} cross_shape;

INLINED size_t first_of(const lane_cross *t, cross_shape of, size_t cell) {
    return of.has_all ? cell % of.r_first : t->firsts[cell];
}

INLINED size_t second_of(const lane_cross *t, cross_shape of, size_t cell) {
    return of.has_all ? cell / of.r_first : t->seconds[cell];
}

/* Of one state of the lanes' columns, whose counts lie `stride` apart. The cells that are not counted are what the
 * others leave of the first column. */
INLINED void sum_state(const lane_cross *t, cross_shape of, const uint32_t *restrict counts, size_t stride,
                       uint32_t (*restrict rest)[TILE], float *restrict sums, uint32_t *restrict adjusted, int fused) {
    uint32_t seconds[PAIR_MOST_STATES][TILE], n_firsts[TILE] = {0}, n_seconds[TILE] = {0};
    uint32_t(*last)[TILE] = &seconds[of.r_second - 1];
    memset(seconds, 0, of.r_second * sizeof seconds[0]);
    for (size_t i = 0; i < of.r_first; i++)
        add_where_seen(rest[i], 1, n_firsts);
    for (size_t c = 0; c < of.n_cells; c++) {
        const uint32_t *restrict cells = counts + c * stride;
        for (size_t k = 0; k < TILE; k++) {
            rest[first_of(t, of, c)][k] -= cells[k];
            seconds[second_of(t, of, c)][k] += cells[k];
        }
        add_terms(cells, sums, fused);
    }
    for (size_t i = 0; i < of.r_first; i++) {
        for (size_t k = 0; k < TILE; k++)
            (*last)[k] += rest[i][k];
        add_terms(rest[i], sums, fused);
    }
    for (size_t i = 0; i < of.r_second; i++) {
        add_where_seen(seconds[i], 1, n_seconds);
        subtract_terms(seconds[i], sums, fused);
    }
    for (size_t k = 0; k < TILE; k++)
        adjusted[k] += n_firsts[k] > 0 ? (n_firsts[k] - 1) * (n_seconds[k] - 1) : 0;
}

INLINED void sum_given_of(const lane_cross *t, cross_shape of, size_t tile, float *restrict out,
                          uint32_t *restrict all_adjusted, int fused) {
    uint32_t last[LANE_MOST_CELLS][TILE], firsts[PAIR_MOST_STATES][TILE], adjusted[TILE] = {0};
    float sums[TILE] = {0};
    size_t n_counted = t->first.r_y - 1;
    for (size_t c = 0; c < of.n_cells; c++) {
        for (size_t k = 0; k < TILE; k++)
            last[c][k] = t->tallies[c];
        for (size_t j = 0; j < n_counted; j++) {
            const uint32_t *restrict cells = t->counts + (c * n_counted + j) * L + tile;
            for (size_t k = 0; k < TILE; k++)
                last[c][k] -= cells[k];
        }
    }
    for (size_t j = 0; j < n_counted; j++) {
        take_state(&t->first, of.r_first, j, tile, firsts);
        sum_state(t, of, t->counts + j * L + tile, n_counted * L, firsts, sums, adjusted, fused);
    }
    take_state(&t->first, of.r_first, n_counted, tile, firsts);
    sum_state(t, of, last[0], TILE, firsts, sums, adjusted, fused);
    for (size_t k = 0; k < TILE; k++)
        out[tile + k] = sums[k] * 0.693147181F;
    memcpy(all_adjusted + tile, adjusted, sizeof adjusted);
}

INLINED bool has_shape(cross_shape of, size_t r_first, size_t r_second) {
    return of.has_all && of.r_first == r_first && of.r_second == r_second;
}

INLINED cross_shape shape_of(const lane_cross *t) {
    return (cross_shape){t->first.r_x, t->r_second, t->n_cells, t->n_cells == t->first.r_x * (t->r_second - 1)};
}

/* As of sum_terms. */
INLINED void sum_given_loop(const lane_cross *t, size_t tile, float *restrict sums, uint32_t *restrict adjusted,
                            int fused) {
    cross_shape of = shape_of(t);
    if (has_shape(of, 2, 2))
        sum_given_of(t, (cross_shape){2, 2, 2, true}, tile, sums, adjusted, fused);
    else if (has_shape(of, 3, 2))
        sum_given_of(t, (cross_shape){3, 2, 3, true}, tile, sums, adjusted, fused);
    else if (has_shape(of, 2, 3))
        sum_given_of(t, (cross_shape){2, 3, 4, true}, tile, sums, adjusted, fused);
    else if (has_shape(of, 3, 3))
        sum_given_of(t, (cross_shape){3, 3, 6, true}, tile, sums, adjusted, fused);
    else
        sum_given_of(t, of, tile, sums, adjusted, fused);
}

#endif
