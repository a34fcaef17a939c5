/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Sums of tables, of strata, and of pairs given lanes, and what is not counted of strata, written once for registers of
 * any width. The file of each level includes this after it defines
 *   LEVEL                 the attribute of functions that use the level's instructions, or nothing
 *   LEVEL_LANES           how many numbers of 32 bits a register has
 *   MULTIPLY_ADD(a, b, c) a * b + c of registers, fused where the level can
 *   FEW_TERMS(counts)     N log2 N of counts up to FEW_ROWS, a constant: both only where the level has what is faster
 *                         than a logarithm
 * What is summed stays in registers, and terms are added to two sums, as each addition waits for the one before.
 */
#ifndef BNB_CORE_COUNTING_LANE_SUMS_INTERNAL_H
#define BNB_CORE_COUNTING_LANE_SUMS_INTERNAL_H

#include "core/counting/lane_base_internal.h"

/* The term of no rows is 0. */
#ifndef FEW_TERMS
#define FEW_TERMS(counts) ((void)(counts), (reals){0})
enum { FEW_ROWS = 0 };
#endif

#define ALL(x, type) ((type){0} + (x))

typedef float reals __attribute__((vector_size(sizeof(float) * LEVEL_LANES)));
typedef int32_t wholes __attribute__((vector_size(sizeof(int32_t) * LEVEL_LANES)));
typedef uint32_t numbers __attribute__((vector_size(sizeof(uint32_t) * LEVEL_LANES)));
typedef uint32_t loaded_numbers
    __attribute__((vector_size(sizeof(uint32_t) * LEVEL_LANES), aligned(sizeof(uint32_t)), may_alias));
typedef float stored_reals __attribute__((vector_size(sizeof(float) * LEVEL_LANES), aligned(sizeof(float)), may_alias));

LEVEL INLINED numbers load_numbers(const uint32_t *p) {
    return *(const loaded_numbers *)p;
}

/* -1 of every lane that has rows, and 0. */
LEVEL INLINED numbers seen(numbers counts) {
    return (numbers)((wholes)counts > 0);
}

/* log2 m is m - 1 and the polynomial of these that is nearest to the rest for 1 <= m < 2, off by 1.3e-5 at most. */
static const float log2_rest[] = {-1.80036404F, 4.09171081F, -3.55079293F, 1.63114877F, -0.416563687F, 0.0448736103F};

/* N log2 N added to a sum. The bits of N = 2^e m as a number are 2^23 (e + m - 1) above those of 1. Where N = 0, it is
 * finite. */
LEVEL INLINED reals add_term(reals sum, numbers count) {
    reals n = __builtin_convertvector((wholes)count, reals), rest = ALL(log2_rest[5], reals);
    wholes bits = (wholes)n;
    reals m = (reals)((bits & 0x7FFFFF) | 0x3F800000);
    for (size_t k = 5; k-- > 0;)
        rest = MULTIPLY_ADD(rest, m, ALL(log2_rest[k], reals));
    bits = (wholes)((numbers)bits - 0x3F800000);
    rest = MULTIPLY_ADD(__builtin_convertvector(bits, reals), ALL(0x1p-23F, reals), rest);
    return MULTIPLY_ADD(n, rest, sum);
}

/* The same of a count that is at most `most` in every lane. */
LEVEL INLINED reals add_term_up_to(uint32_t most, reals sum, numbers count) {
    return most <= FEW_ROWS ? sum + FEW_TERMS(count) : add_term(sum, count);
}

/* In nats, of the lanes from p on. */
LEVEL INLINED void store_sums(float *p, reals sums) {
    *(stored_reals *)p = sums * 0.693147181F;
}

LEVEL INLINED void store_numbers(uint32_t *p, numbers of) {
    *(loaded_numbers *)p = of;
}

INLINED size_t lanes_of_tiles(size_t n_lanes) {
    return (n_lanes + TILE - 1) / TILE * TILE;
}

/* --- tables --- */

/* What is not counted of a row of the table is what the others leave, and so with columns. */
LEVEL INLINED reals sum_table(const lane_tables *t, size_t r_x, size_t r_y, size_t lane) {
    size_t columns = r_y - 1;
    reals counted = {0}, left = {0};
    numbers last[PAIR_MOST_STATES];
    for (size_t j = 0; j < r_y; j++)
        last[j] = load_numbers(t->y_margins + j * L + lane);
    for (size_t i = 0; i + 1 < r_x; i++) {
        numbers rest = ALL(t->x_margin[i], numbers);
        for (size_t j = 0; j < columns; j++) {
            numbers cells = load_numbers(t->counts + (i * columns + j) * L + lane);
            rest -= cells;
            last[j] -= cells;
            counted = add_term(counted, cells);
        }
        last[columns] -= rest;
        left = add_term(left, rest);
    }
    for (size_t j = 0; j < r_y; j++)
        left = add_term(left, last[j]);
    return counted + left;
}

LEVEL INLINED void sum_tables(const lane_tables *t, size_t r_x, size_t r_y, float *out) {
    size_t n_lanes = lanes_of_tiles(t->n_lanes), lane = 0;
    for (; lane < n_lanes; lane += LEVEL_LANES)
        store_sums(out + lane, sum_table(t, r_x, r_y, lane));
    memset(out + lane, 0, (L - lane) * sizeof *out);
}

/* Tables of two and three states are the most frequent by far: their numbers stay in registers. */
LEVEL static void sum_terms(const lane_tables *t, float *out) {
    if (t->r_x == 2 && t->r_y == 2)
        sum_tables(t, 2, 2, out);
    else if (t->r_x == 3 && t->r_y == 2)
        sum_tables(t, 3, 2, out);
    else if (t->r_x == 2 && t->r_y == 3)
        sum_tables(t, 2, 3, out);
    else if (t->r_x == 3 && t->r_y == 3)
        sum_tables(t, 3, 3, out);
    else
        sum_tables(t, t->r_x, t->r_y, out);
}

/* --- strata --- */

/* What is taken off for a stratum's rows of one state of the lanes' columns, and what these add to the degrees. */
LEVEL INLINED void subtract_margin(numbers margin, uint32_t most, uint32_t n_others, reals *sum, numbers *adjusted) {
    *adjusted += seen(margin) & n_others;
    *sum -= add_term_up_to(most, (reals){0}, margin);
}

/* One of a single cell is passed over: its cell and its margins take each other away. */
INLINED bool has_two_cells(const lane_strata *t, size_t stratum) {
    return t->starts[stratum + 1] - t->starts[stratum] > 1;
}

/* Adds the terms of a stratum's table to the sum, and its degrees of freedom to the adjusted ones. */
LEVEL INLINED void add_stratum(const lane_strata *t, size_t r, size_t stratum, size_t lane, reals *sum,
                               numbers *adjusted) {
    size_t columns = r - 1, first = t->starts[stratum], end = t->starts[stratum + 1];
    uint32_t n_others = (uint32_t)(end - first - 1), n_rows = 0;
    reals counted = *sum, left = {0};
    numbers margins[PAIR_MOST_STATES];
    for (size_t j = 0; j < r; j++)
        margins[j] = (numbers){0};
    for (size_t i = first; i < end; i++) {
        numbers rest = ALL(t->tallies[i], numbers);
        for (size_t j = 0; j < columns; j++) {
            numbers cells = load_numbers(t->counts + (i * columns + j) * L + lane);
            rest -= cells;
            margins[j] += cells;
            counted = add_term_up_to(t->tallies[i], counted, cells);
        }
        margins[columns] += rest;
        left = add_term_up_to(t->tallies[i], left, rest);
        n_rows += t->tallies[i];
    }
    *adjusted -= n_others;
    for (size_t j = 0; j < r; j++)
        subtract_margin(margins[j], n_rows, n_others, &left, adjusted);
    *sum = counted + left;
}

LEVEL INLINED void sum_all_strata(const lane_strata *t, size_t r, float *sums, uint32_t *adjusted) {
    size_t n_lanes = lanes_of_tiles(t->n_lanes), lane = 0;
    for (; lane < n_lanes; lane += LEVEL_LANES) {
        reals sum = {0};
        numbers degrees = {0};
        for (size_t s = 0; s < t->n_strata; s++) {
            if (has_two_cells(t, s))
                add_stratum(t, r, s, lane, &sum, &degrees);
        }
        store_sums(sums + lane, sum);
        store_numbers(adjusted + lane, degrees);
    }
    memset(sums + lane, 0, (L - lane) * sizeof *sums);
    memset(adjusted + lane, 0, (L - lane) * sizeof *adjusted);
}

LEVEL static void sum_strata(const lane_strata *t, float *sums, uint32_t *adjusted) {
    if (t->r == 2)
        sum_all_strata(t, 2, sums, adjusted);
    else if (t->r == 3)
        sum_all_strata(t, 3, sums, adjusted);
    else if (t->r == 4)
        sum_all_strata(t, 4, sums, adjusted);
    else
        sum_all_strata(t, t->r, sums, adjusted);
}

/* Gives what is not counted of a stratum: the last column of its table, and its margins. It walks as add_stratum does,
 * and stores what that one keeps in registers. */
LEVEL INLINED void complete_stratum(const lane_strata *t, size_t r, size_t stratum, size_t lane, uint32_t *rest,
                                    uint32_t *margins) {
    size_t columns = r - 1, first = t->starts[stratum] - t->starts[0], end = t->starts[stratum + 1] - t->starts[0];
    numbers of_states[PAIR_MOST_STATES];
    for (size_t j = 0; j < r; j++)
        of_states[j] = (numbers){0};
    for (size_t i = first; i < end; i++) {
        numbers left = ALL(t->tallies[i], numbers);
        for (size_t j = 0; j < columns; j++) {
            numbers cells = load_numbers(t->counts + (i * columns + j) * L + lane);
            left -= cells;
            of_states[j] += cells;
        }
        of_states[columns] += left;
        store_numbers(rest + i * L + lane, left);
    }
    for (size_t j = 0; j < r; j++)
        store_numbers(margins + (stratum * r + j) * L + lane, of_states[j]);
}

LEVEL INLINED void complete_all(const lane_strata *t, size_t r, uint32_t *rest, uint32_t *margins) {
    for (size_t lane = 0; lane < lanes_of_tiles(t->n_lanes); lane += LEVEL_LANES) {
        for (size_t s = 0; s < t->n_strata; s++)
            complete_stratum(t, r, s, lane, rest, margins);
    }
}

LEVEL static void complete(const lane_strata *t, uint32_t *rest, uint32_t *margins) {
    if (t->r == 2)
        complete_all(t, 2, rest, margins);
    else if (t->r == 3)
        complete_all(t, 3, rest, margins);
    else
        complete_all(t, t->r, rest, margins);
}

/* --- tables given the lanes' columns: one table for each of their states --- */

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

INLINED bool has_shape(cross_shape of, size_t r_first, size_t r_second) {
    return of.has_all && of.r_first == r_first && of.r_second == r_second;
}

/* Sums, and how many there are of what has rows. */
typedef struct {
    reals counted, left, gone;
    numbers adjusted;
} given_sums;

/* Of one state: its cells but for those of the second column's last state, and what the first column has of it, of
 * which the cells are taken off. */
LEVEL INLINED void add_given_state(const lane_cross *t, cross_shape of, const numbers *cells, numbers *rest,
                                   given_sums *sums) {
    numbers seconds[PAIR_MOST_STATES], n_firsts = {0}, n_seconds = {0};
    for (size_t i = 0; i < of.r_second; i++)
        seconds[i] = (numbers){0};
    for (size_t i = 0; i < of.r_first; i++)
        n_firsts -= seen(rest[i]);
    for (size_t c = 0; c < of.n_cells; c++) {
        rest[first_of(t, of, c)] -= cells[c];
        seconds[second_of(t, of, c)] += cells[c];
        sums->counted = add_term_up_to(t->tallies[c], sums->counted, cells[c]);
    }
    for (size_t i = 0; i < of.r_first; i++) {
        seconds[of.r_second - 1] += rest[i];
        sums->left = add_term(sums->left, rest[i]);
    }
    for (size_t i = 0; i < of.r_second; i++) {
        n_seconds -= seen(seconds[i]);
        sums->gone = add_term(sums->gone, seconds[i]);
    }
    sums->adjusted += (n_firsts - 1) * (n_seconds - 1) & seen(n_firsts);
}

LEVEL INLINED void sum_given_lanes(const lane_cross *t, cross_shape of, size_t lane, float *sums, uint32_t *adjusted) {
    const lane_tables *x = &t->first;
    size_t n_counted = x->r_y - 1, last = of.r_first - 1;
    numbers cells[LANE_MOST_CELLS], last_cells[LANE_MOST_CELLS];
    numbers firsts[PAIR_MOST_STATES], last_firsts[PAIR_MOST_STATES];
    given_sums all = {0};
    for (size_t c = 0; c < of.n_cells; c++)
        last_cells[c] = ALL(t->tallies[c], numbers);
    for (size_t i = 0; i < last; i++)
        last_firsts[i] = ALL(x->x_margin[i], numbers);
    last_firsts[last] = load_numbers(x->y_margins + n_counted * L + lane);
    for (size_t k = 0; k < n_counted; k++) {
        firsts[last] = load_numbers(x->y_margins + k * L + lane);
        for (size_t i = 0; i < last; i++) {
            firsts[i] = load_numbers(x->counts + (i * n_counted + k) * L + lane);
            firsts[last] -= firsts[i];
            last_firsts[i] -= firsts[i];
        }
        for (size_t c = 0; c < of.n_cells; c++) {
            cells[c] = load_numbers(t->counts + (c * n_counted + k) * L + lane);
            last_cells[c] -= cells[c];
        }
        add_given_state(t, of, cells, firsts, &all);
    }
    for (size_t i = 0; i < last; i++)
        last_firsts[last] -= last_firsts[i];
    add_given_state(t, of, last_cells, last_firsts, &all);
    store_sums(sums + lane, all.counted + (all.left - all.gone));
    store_numbers(adjusted + lane, all.adjusted);
}

LEVEL INLINED void sum_given_tile(const lane_cross *t, cross_shape of, size_t tile, float *sums, uint32_t *adjusted) {
    for (size_t lane = tile; lane < tile + TILE; lane += LEVEL_LANES)
        sum_given_lanes(t, of, lane, sums, adjusted);
}

/* All cells have rows. */
LEVEL INLINED void sum_all_given(const lane_cross *t, size_t r_first, size_t r_second, size_t tile, float *sums,
                                 uint32_t *adjusted) {
    sum_given_tile(t, (cross_shape){r_first, r_second, r_first * (r_second - 1), true}, tile, sums, adjusted);
}

LEVEL static void sum_given(const lane_cross *t, size_t tile, float *sums, uint32_t *adjusted) {
    cross_shape of = {t->first.r_x, t->r_second, t->n_cells, t->n_cells == t->first.r_x * (t->r_second - 1)};
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
