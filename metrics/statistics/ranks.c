/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/statistics/ranks.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double value; /* less is better here */
    size_t at;
} ranked;

/* Failures (NAN) behind everything. */
static int compare(const void *first, const void *second) {
    const ranked *a = first, *b = second;
    if (isnan(a->value) || isnan(b->value))
        return (isnan(a->value) != 0) - (isnan(b->value) != 0);
    return (a->value > b->value) - (a->value < b->value);
}

static bool is_tie(double a, double b, double relative) {
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

/* Gives the group of ties that starts at `first` its mean rank; returns its size. */
static size_t rank_group_at(const ranked *sorted, size_t n, size_t first, double relative, double *ranks) {
    size_t size = 1;
    while (first + size < n && is_tie(sorted[first].value, sorted[first + size].value, relative))
        size++;
    for (size_t i = first; i < first + size; i++)
        ranks[sorted[i].at] = (double)first + ((double)size + 1) / 2;
    return size;
}

status rank_values(const double *values, size_t n, const rank_rule *rule, double *ranks, double *tie_term,
                   error_info *err) {
    AUTO_FREE ranked *sorted = calloc(n + 1, sizeof *sorted);
    double ties = 0;
    CHECK_ALLOC(sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = (ranked){rule->more_is_better ? -values[i] : values[i], i};
    qsort(sorted, n, sizeof *sorted, compare);
    for (size_t i = 0; i < n;) {
        double t;
        size_t size = rank_group_at(sorted, n, i, rule->relative_tie, ranks);
        t = (double)size;
        ties += t * t * t - t;
        i += size;
    }
    if (tie_term)
        *tie_term = ties;
    return STATUS_OK;
}
