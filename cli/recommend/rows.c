/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/recommend/rows.h"

#include <stdlib.h>

static void take_column(const dataset *data, const size_t *rows, size_t n, size_t column, dataset *to) {
    const double *from =
        dataset_variable(data, column)->kind == VARIABLE_CONTINUOUS ? dataset_reals(data, column) : NULL;
    double *reals = from ? dataset_build_reals(to, column) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (from)
            reals[i] = from[rows[i]];
        else
            dataset_set_state(to, i, column, dataset_state(data, rows[i], column));
    }
}

status rows_take(const dataset *data, const size_t *rows, size_t n, dataset **out, error_info *err) {
    size_t p = dataset_column_count(data);
    AUTO_FREE variable *variables = calloc(p + 1, sizeof *variables);
    CHECK_ALLOC(variables);
    for (size_t c = 0; c < p; c++)
        variables[c] = *dataset_variable(data, c); /* borrowed: dataset_create copies */
    CHECK(dataset_create(variables, p, n, out, err));
    for (size_t c = 0; c < p; c++)
        take_column(data, rows, n, c, *out);
    return STATUS_OK;
}
