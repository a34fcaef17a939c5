/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/figures/absent_rows.h"

#include <string.h>

static bool is_met(const row_condition *c, const csv_table *rows, size_t row) {
    const char *field = csv_table_field(rows, row, csv_table_column(rows, c->column));
    for (size_t i = 0; i < c->n_values; i++) {
        if (strcmp(c->values[i], field) == 0)
            return true;
    }
    return false;
}

bool absent_is_row(const absent_rows *a, const csv_table *rows, size_t row) {
    for (size_t i = 0; i < a->n_conditions; i++) {
        if (!is_met(&a->conditions[i], rows, row))
            return false;
    }
    return true;
}

size_t absent_count(const absent_rows *a, const csv_table *rows) {
    size_t n = 0;
    for (size_t i = 0; i < csv_table_row_count(rows); i++)
        n += absent_is_row(a, rows, i);
    return n;
}
