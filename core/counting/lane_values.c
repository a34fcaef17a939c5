/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One look-up a number: these are single loads and additions, which a compiler must not put into vectors two by two
 * (CMakeLists.txt sees to that), as taking indices out of vectors costs more.
 */
#include "core/counting/lane_values_internal.h"

#include <string.h>

enum { L = KERNEL_LANES, STEP = 8 };

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
