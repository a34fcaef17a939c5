/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/statistics/p_adjust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *summary;
} kinds[P_ADJUSTMENT_COUNT] = {
    [ADJUST_HOLM] = {"holm", "Holm 1979, step-down, family-wise error"},
    [ADJUST_BONFERRONI] = {"bonferroni", "Bonferroni, family-wise error"},
    [ADJUST_BH] = {"bh", "Benjamini and Hochberg 1995, false discovery rate"},
    [ADJUST_HOCHBERG] = {"hochberg", "Hochberg 1988, step-up, family-wise error of independent tests"},
    [ADJUST_BY] = {"by", "Benjamini and Yekutieli 2001, false discovery rate of any tests"},
    [ADJUST_NONE] = {"none", "no adjustment"},
};

const char *p_adjustment_name(p_adjustment kind) {
    return kinds[kind].name;
}

const char *p_adjustment_summary(p_adjustment kind) {
    return kinds[kind].summary;
}

bool p_adjustment_find(const char *name, p_adjustment *out) {
    for (size_t i = 0; i < P_ADJUSTMENT_COUNT; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            *out = (p_adjustment)i;
            return true;
        }
    }
    return false;
}

typedef struct {
    double p;
    size_t at;
} sorted_p;

static int compare(const void *first, const void *second) {
    const sorted_p *a = first, *b = second;
    return (a->p > b->p) - (a->p < b->p);
}

static double harmonic(size_t n) {
    double sum = 0;
    for (size_t i = n; i > 0; i--)
        sum += 1 / (double)i;
    return sum;
}

/* By how much the p of rank i (from 0, ascending) is multiplied, before the steps. */
static double factor_of(p_adjustment kind, size_t i, size_t m, double sum_of_inverses) {
    switch (kind) {
    case ADJUST_HOLM:
    case ADJUST_HOCHBERG:
        return (double)(m - i);
    case ADJUST_BONFERRONI:
        return (double)m;
    case ADJUST_BH:
        return (double)m / (double)(i + 1);
    case ADJUST_BY:
        return sum_of_inverses * (double)m / (double)(i + 1);
    case ADJUST_NONE:
        break;
    }
    return 1;
}

/* Step-down takes the largest product so far, step-up the smallest still to come (a test not run has p = 1). */
static void adjust_sorted(p_adjustment kind, sorted_p *sorted, size_t n, size_t m) {
    double sum = kind == ADJUST_BY ? harmonic(m) : 0, most = 0, least = 1;
    for (size_t i = 0; i < n; i++)
        sorted[i].p = fmin(1, factor_of(kind, i, m, sum) * sorted[i].p);
    for (size_t i = 0; kind == ADJUST_HOLM && i < n; i++)
        most = sorted[i].p = fmax(most, sorted[i].p);
    for (size_t i = n; (kind == ADJUST_BH || kind == ADJUST_BY || kind == ADJUST_HOCHBERG) && i-- > 0;)
        least = sorted[i].p = fmin(least, sorted[i].p);
}

static status check(const double *p, size_t n, size_t n_tests, error_info *err) {
    if (n_tests > 0 && n_tests < n)
        return error_set(err, STATUS_INVALID, "the family has %zu tests, and %zu p-values are given", n_tests, n);
    for (size_t i = 0; i < n; i++) {
        if (!(p[i] >= 0 && p[i] <= 1))
            return error_set(err, STATUS_INVALID, "p-value %zu is %g; it must lie in [0, 1]", i + 1, p[i]);
    }
    return STATUS_OK;
}

status p_adjust(p_adjustment kind, const double *p, size_t n, size_t n_tests, double *adjusted, error_info *err) {
    AUTO_FREE sorted_p *sorted = NULL;
    CHECK(check(p, n, n_tests, err));
    CHECK_ALLOC(sorted = calloc(n + 1, sizeof *sorted));
    for (size_t i = 0; i < n; i++)
        sorted[i] = (sorted_p){p[i], i};
    qsort(sorted, n, sizeof *sorted, compare);
    adjust_sorted(kind, sorted, n, n_tests ? n_tests : n);
    for (size_t i = 0; i < n; i++)
        adjusted[sorted[i].at] = sorted[i].p;
    return STATUS_OK;
}
