/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is not counted (the last state of a cell, the states of a stratum) is made for all lanes first. What is left is
 * one look-up a number: these are single loads and additions, which a compiler must not put into vectors two by two
 * (CMakeLists.txt sees to that), as taking indices out of vectors costs more.
 */
#include "core/counting/lane_values_internal.h"

#include <string.h>

enum { L = KERNEL_LANES, TILE = KERNEL_TILE, STEP = 8 };

static void find_rest(const lane_strata *t, size_t cell, size_t tile, uint32_t *restrict rest) {
    size_t columns = t->r - 1;
    for (size_t k = 0; k < TILE; k++)
        rest[k] = t->tallies[cell];
    for (size_t e = 0; e < columns; e++) {
        const uint32_t *restrict counts = t->counts + (cell * columns + e) * L + tile;
        for (size_t k = 0; k < TILE; k++)
            rest[k] -= counts[k];
    }
}

static void add_numbers(const uint32_t *restrict from, uint32_t *restrict to) {
    for (size_t k = 0; k < TILE; k++)
        to[k] += from[k];
}

static void complete_tile(const lane_strata *t, size_t tile, uint32_t *rest, uint32_t *margins) {
    size_t columns = t->r - 1;
    for (size_t s = 0; s < t->n_strata; s++) {
        uint32_t *of_states = margins + s * t->r * L + tile;
        for (size_t e = 0; e < t->r; e++)
            memset(of_states + e * L, 0, TILE * sizeof *of_states);
        for (size_t i = t->starts[s] - t->starts[0]; i < t->starts[s + 1] - t->starts[0]; i++) {
            find_rest(t, i, tile, rest + i * L + tile);
            for (size_t e = 0; e < columns; e++)
                add_numbers(t->counts + (i * columns + e) * L + tile, of_states + e * L);
            add_numbers(rest + i * L + tile, of_states + columns * L);
        }
    }
}

void lane_values_complete(const lane_strata *t, uint32_t *rest, uint32_t *margins) {
    for (size_t tile = 0; tile < t->n_lanes; tile += TILE)
        complete_tile(t, tile, rest, margins);
}

/* Adds to each sum the values of n numbers. */
static void add_values(const double *values, const uint32_t *numbers, size_t n, double *sums) {
    double a = sums[0], b = sums[1], c = sums[2], d = sums[3], e = sums[4], f = sums[5], g = sums[6], h = sums[7];
    for (const uint32_t *at = numbers; at < numbers + n * L; at += L) {
        a += values[at[0]];
        b += values[at[1]];
        c += values[at[2]];
        d += values[at[3]];
        e += values[at[4]];
        f += values[at[5]];
        g += values[at[6]];
        h += values[at[7]];
    }
    memcpy(sums, (double[STEP]){a, b, c, d, e, f, g, h}, STEP * sizeof *sums);
}

/* Of a full set of lanes; those outside of the range are left as they are. */
void lane_values_add(const lane_values *v, size_t first, size_t end, const double *cell, const double *row,
                     double *sums) {
    for (size_t lane = first / STEP * STEP; lane < end; lane += STEP) {
        double more[STEP] = {0}, less[STEP] = {0};
        add_values(cell, v->counts + lane, v->n_cells * (v->r - 1), more);
        add_values(cell, v->rest + lane, v->n_cells, more);
        add_values(row, v->margins + lane, v->n_strata * v->r, less);
        for (size_t k = 0; k < STEP; k++)
            sums[lane + k] += lane + k >= first && lane + k < end ? more[k] - less[k] : 0;
    }
}
