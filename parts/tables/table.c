/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/tables/table.h"

#include <float.h>
#include <stddef.h>
#include <stdlib.h>

static void free_names(char **names, size_t n) {
    for (size_t i = 0; names && i < n; i++)
        free(names[i]);
    free(names);
}

void table_clear(table *t) {
    free(t->id);
    free(t->title);
    free(t->row_heading);
    for (size_t i = 0; t->cells && i < t->n_rows * t->n_columns; i++)
        free(t->cells[i].published);
    free(t->cells);
    free_names(t->row_names, t->n_rows);
    free_names(t->column_names, t->n_columns);
    free_names(t->notes, t->n_notes);
    *t = (table){0};
}

bool table_has_figures(const table *t) {
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (t->cells[i].kind == CELL_FIGURE)
            return true;
    }
    return false;
}

const option_spec table_within_options[] = {
    PART_ROW(OPT_REAL, "relative", table_tolerance, relative, .most = DBL_MAX,
             .help = "of the published figure: 0.15 for 15%"),
    PART_ROW(OPT_REAL, "absolute", table_tolerance, absolute, .most = DBL_MAX, .help = "0: as printed"),
    {0},
};
