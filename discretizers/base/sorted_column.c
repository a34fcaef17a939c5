/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/base/sorted_column.h"

#include "core/base/array.h"
#include "discretizers/base/policy.h"

#include <stdlib.h>

typedef struct {
    double value;
    uint32_t row;
} placed_value;

static int compare(const void *a, const void *b) {
    const placed_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

void sorted_column_clear(sorted_column *s) {
    free(s->values);
    free(s->rows);
    free(s->cuts);
    *s = (sorted_column){0};
}

/* -0 becomes 0, or the order of equal values would show. */
static status sort(const double *values, sorted_column *s, error_info *err) {
    AUTO_FREE placed_value *placed = calloc(s->n + 1, sizeof *placed);
    CHECK_ALLOC(placed);
    for (size_t i = 0; i < s->n; i++)
        placed[i] = (placed_value){values[i] + 0.0, (uint32_t)i};
    qsort(placed, s->n, sizeof *placed, compare);
    for (size_t i = 0; i < s->n; i++) {
        s->values[i] = placed[i].value;
        s->rows[i] = placed[i].row;
    }
    return STATUS_OK;
}

status sorted_column_init(sorted_column *s, const double *values, size_t n, error_info *err) {
    AUTO(sorted_column_clear) sorted_column made = {.n = n};
    if (n > UINT32_MAX)
        return error_set(err, STATUS_INVALID, "a column of %zu rows is too long to be cut", n);
    CHECK_ALLOC(made.values = calloc(n + 1, sizeof *made.values));
    CHECK_ALLOC(made.rows = calloc(n + 1, sizeof *made.rows));
    CHECK_ALLOC(made.cuts = calloc(n + 1, sizeof *made.cuts));
    CHECK(sort(values, &made, err));
    for (size_t i = 1; i < n; i++) {
        if (made.values[i] > made.values[i - 1])
            made.cuts[made.n_cuts++] = i;
    }
    *s = TAKE(made);
    return STATUS_OK;
}

double sorted_column_threshold(const sorted_column *s, size_t below) {
    return policy_between(s->values[below - 1], s->values[below]);
}

size_t sorted_column_first_cut(const sorted_column *s, size_t below) {
    return array_count_below(s->cuts, s->n_cuts, below);
}

size_t sorted_column_below(const sorted_column *s, double bound) {
    size_t at;
    ARRAY_FIND_PLACE(at, s->n, s->values[at] < bound);
    return at;
}
