/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/discretize/sorted_column.h"

#include "learners/discretize/policy.h"

#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sorted_column_clear(sorted_column *s) {
    free(s->values);
    free(s->cuts);
    *s = (sorted_column){0};
}

status sorted_column_init(sorted_column *s, const double *values, size_t n, error_info *err) {
    sorted_column made = {.n = n};
    status st = STATUS_OK;
    TRY_ALLOC(made.values = calloc(n + 1, sizeof *made.values));
    TRY_ALLOC(made.cuts = calloc(n + 1, sizeof *made.cuts));
    for (size_t i = 0; i < n; i++)
        made.values[i] = values[i] + 0.0; /* -0 becomes 0, or the order of equal values would show */
    qsort(made.values, n, sizeof *made.values, compare);
    for (size_t i = 1; i < n; i++) {
        if (made.values[i] > made.values[i - 1])
            made.cuts[made.n_cuts++] = i;
    }
    *s = made;
    made = (sorted_column){0};
cleanup:
    sorted_column_clear(&made);
    return st;
}

double sorted_column_threshold(const sorted_column *s, size_t below) {
    return policy_between(s->values[below - 1], s->values[below]);
}
