/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/statistics/quantile.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

static const double fuzz = 4 * DBL_EPSILON; /* a place this near to a whole one is meant to be whole */

static double at(const double *sorted, size_t n, double j) {
    if (j < 1)
        return sorted[0];
    return j >= (double)n ? sorted[n - 1] : sorted[(size_t)j - 1];
}

/* Types 1 to 3 jump between order statistics. */
static double jumping(const double *sorted, size_t n, double p, int type) {
    double place = (double)n * p - (type == 3 ? 0.5 : 0), j = floor(place + fuzz), share;
    bool is_whole = place <= j + fuzz;
    if (type == 1)
        share = is_whole ? 0 : 1;
    else if (type == 2)
        share = is_whole ? 0.5 : 1;
    else
        share = is_whole && fmod(j, 2) == 0 ? 0 : 1;
    if (share == 0)
        return at(sorted, n, j);
    return share == 1 ? at(sorted, n, j + 1) : (at(sorted, n, j) + at(sorted, n, j + 1)) / 2;
}

double quantile(const double *sorted, size_t n, double p, int type) {
    /* The plotting positions (a, b) of types 4 to 9. */
    static const double positions[][2] = {{0, 1}, {0.5, 0.5}, {0, 0}, {1, 1}, {1.0 / 3, 1.0 / 3}, {3.0 / 8, 3.0 / 8}};
    double a, b, place, j, share;
    if (type < 4)
        return jumping(sorted, n, p, type);
    a = positions[type - 4][0];
    b = positions[type - 4][1];
    place = a + p * ((double)n + 1 - a - b);
    j = floor(place + fuzz);
    share = place - j;
    if (fabs(share) < fuzz)
        return at(sorted, n, j);
    return at(sorted, n, j) + share * (at(sorted, n, j + 1) - at(sorted, n, j));
}
