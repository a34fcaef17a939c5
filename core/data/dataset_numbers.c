/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/dataset_numbers.h"

#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

static void number_states(const variable *v, double *numbers) {
    bool are_numbers = true;
    for (size_t k = 0; k < v->n_states; k++)
        are_numbers = are_numbers && text_to_double(v->states[k], &numbers[k]);
    for (size_t k = 0; !are_numbers && k < v->n_states; k++)
        numbers[k] = (double)k;
}

static status fill_column(const dataset *data, size_t column, dataset *out, error_info *err) {
    const double *reals = dataset_reals(data, column);
    double *to = dataset_build_reals(out, column);
    AUTO_FREE double *numbers = NULL;
    size_t n_rows = dataset_row_count(data);
    if (reals) {
        memcpy(to, reals, n_rows * sizeof *to);
        return STATUS_OK;
    }
    CHECK_ALLOC(numbers = calloc(dataset_state_count(data, column) + 1, sizeof *numbers));
    number_states(dataset_variable(data, column), numbers);
    for (size_t row = 0; row < n_rows; row++)
        to[row] = numbers[dataset_state(data, row, column)];
    return STATUS_OK;
}

status dataset_as_numbers(const dataset *data, dataset **out, error_info *err) {
    AUTO_PTR(dataset_destroy) dataset *made = NULL;
    CHECK(dataset_create_reals_like(data, &made, err));
    for (size_t c = 0; c < dataset_column_count(data); c++)
        CHECK(fill_column(data, c, made, err));
    *out = TAKE(made);
    return STATUS_OK;
}
