/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/catalogue/dataset_facts.h"

#include "core/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dataset_facts_add(dataset_facts *f, size_t n_distinct) {
    double sum = nearbyint(f->distinct_mean * (double)f->continuous) + (double)n_distinct;
    f->distinct_min = f->continuous == 0 || n_distinct < f->distinct_min ? n_distinct : f->distinct_min;
    f->distinct_max = n_distinct > f->distinct_max ? n_distinct : f->distinct_max;
    f->continuous++;
    f->distinct_mean = sum / (double)f->continuous;
}

static status count_reals(const double *values, size_t n, size_t *out, error_info *err) {
    AUTO_FREE double *sorted = calloc(n + 1, sizeof *sorted);
    size_t count = 0;
    CHECK_ALLOC(sorted);
    memcpy(sorted, values, n * sizeof *sorted);
    array_sort_reals(sorted, n);
    for (size_t i = 0; i < n; i++)
        count += i == 0 || sorted[i] > sorted[i - 1];
    *out = count;
    return STATUS_OK;
}

static status count_states(const dataset *data, size_t column, size_t *out, error_info *err) {
    AUTO_FREE bool *is_seen = calloc(dataset_state_count(data, column) + 1, sizeof *is_seen);
    size_t count = 0;
    CHECK_ALLOC(is_seen);
    for (size_t row = 0; row < dataset_row_count(data); row++) {
        size_t state = dataset_state(data, row, column);
        count += !is_seen[state];
        is_seen[state] = true;
    }
    *out = count;
    return STATUS_OK;
}

status dataset_count_distinct(const dataset *data, size_t column, size_t *out, error_info *err) {
    const double *values = dataset_reals(data, column);
    return values ? count_reals(values, dataset_row_count(data), out, err) : count_states(data, column, out, err);
}

status dataset_measure(const dataset *data, dataset_facts *out, error_info *err) {
    dataset_facts f = {.rows = dataset_row_count(data)};
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        size_t n = 0;
        if (!dataset_reals(data, c)) {
            f.discrete++;
            continue;
        }
        CHECK(dataset_count_distinct(data, c, &n, err));
        dataset_facts_add(&f, n);
    }
    *out = f;
    return STATUS_OK;
}
