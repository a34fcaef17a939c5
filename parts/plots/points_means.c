/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means over networks of means over data sets, and how sure they are. */
#include "parts/plots/plot_internal.h"

#include <math.h>

/* What to divide by, of the data set whose first learner's value is values[0]. */
static double base_of(const double *values, size_t baseline) {
    return baseline == NO_BASELINE ? 1 : values[baseline];
}

static double sum_of_squares(const metric_values *m, size_t baseline, grid_element at, const bool *kept, size_t learner,
                             double ratio) {
    double squares = 0;
    for (size_t r = 0; r < m->grid->n_replicates; r++) {
        const double *values = m->values + result_grid_index(m->grid, at.place, at.size, r, 0);
        double off = kept[r] ? values[learner] - ratio * base_of(values, baseline) : 0;
        squares += off * off;
    }
    return squares;
}

bool points_mean_add(const metric_values *m, size_t baseline, grid_element at, const bool *kept, size_t learner,
                     points_mean *sum) {
    double own = 0, base = 0, n = 0, squares;
    for (size_t r = 0; r < m->grid->n_replicates; r++) {
        const double *values = m->values + result_grid_index(m->grid, at.place, at.size, r, 0);
        if (!kept[r])
            continue;
        own += values[learner];
        base += base_of(values, baseline);
        n++;
    }
    if (n == 0 || base == 0 || (baseline != NO_BASELINE && own / base < 0)) /* nor of different signs */
        return false;
    squares = sum_of_squares(m, baseline, at, kept, learner, own / base);
    sum->mean += own / base;
    sum->variance += n > 1 ? squares / (n - 1) * n / (base * base) : 0;
    sum->n++;
    return true;
}

plot_spread points_mean_spread(const points_mean *sum) {
    double n = (double)sum->n, mean = sum->mean / n, error = sqrt(sum->variance) / n;
    return (plot_spread){.middle = mean, .low = mean - error, .high = mean + error};
}
