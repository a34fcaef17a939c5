/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/base/cut_rules.h"

#include <math.h>

static double width_cut(double least, double most, size_t m, size_t k) {
    double width = most - least;
    if (isfinite(width))
        return least + (double)m * width / (double)k;
    return least * ((double)(k - m) / (double)k) + most * ((double)m / (double)k);
}

size_t cut_equal_width(const sorted_column *s, size_t k, double *thresholds) {
    double least = s->values[0], most = s->values[s->n - 1];
    size_t n = 0;
    for (size_t m = 1; m < k; m++) {
        double cut = width_cut(least, most, m, k);
        if (cut > least && cut <= most) /* neighbouring doubles leave no room for every cut */
            thresholds[n++] = cut;
    }
    return n;
}

/* The place (n - 1) m / k is exact in whole numbers. */
static double quantile7(const sorted_column *s, size_t m, size_t k) {
    size_t i = (s->n - 1) * m / k;
    double share = (double)((s->n - 1) * m % k) / (double)k;
    double a = s->values[i], b = i + 1 < s->n ? s->values[i + 1] : a;
    return isfinite(b - a) ? fmin(a + share * (b - a), b) : a * (1 - share) + b * share;
}

size_t cut_quantiles(const sorted_column *s, size_t k, double *thresholds) {
    size_t n = 0;
    for (size_t m = 1; m < k; m++) {
        double cut = quantile7(s, m, k);
        if (cut > s->values[0])
            thresholds[n++] = cut;
    }
    return n;
}

static size_t round_share(size_t n, size_t m, size_t k) {
    size_t whole = n * m / k, rest = n * m % k;
    return whole + (2 * rest > k || (2 * rest == k && whole % 2 == 1));
}

static size_t nearest_cut(const sorted_column *s, size_t wanted) {
    size_t at = sorted_column_first_cut(s, wanted);
    if (at == s->n_cuts || (at > 0 && wanted - s->cuts[at - 1] <= s->cuts[at] - wanted))
        at--;
    return s->cuts[at];
}

size_t cut_nearest_counts(const sorted_column *s, size_t k, double *thresholds) {
    for (size_t m = 1; m < k; m++)
        thresholds[m - 1] = sorted_column_threshold(s, nearest_cut(s, round_share(s->n, m, k)));
    return k - 1;
}

size_t cut_everywhere(const sorted_column *s, double *thresholds) {
    for (size_t i = 0; i < s->n_cuts; i++)
        thresholds[i] = sorted_column_threshold(s, s->cuts[i]);
    return s->n_cuts;
}
