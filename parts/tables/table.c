/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/tables/table.h"

#include <float.h>
#include <stddef.h>
#include <stdlib.h>

void table_clear(table *t) {
    free(t->id);
    free(t->title);
    free(t->row_heading);
    for (size_t i = 0; t->cells && i < t->n_rows * t->n_columns; i++)
        free(t->cells[i].published);
    free(t->cells);
    free(t->learners);
    texts_destroy(t->row_names, t->n_rows);
    texts_destroy(t->column_names, t->n_columns);
    texts_destroy(t->notes, t->n_notes);
    *t = (table){0};
}

bool table_has_figures(const table *t) {
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (t->cells[i].kind == CELL_FIGURE)
            return true;
    }
    return false;
}

table_cell *table_cell_at(const table *t, size_t group, size_t learner) {
    return &t->cells[t->learners_are_columns ? group * t->n_columns + learner : learner * t->n_columns + group];
}

static void append_number(text_buffer *out, double value) {
    char number[32];
    text_append(out, text_from_double(value, number));
}

static void append_line(const table *t, size_t row, size_t column, text_buffer *out) {
    static const char *const states[] = {"figure", "not-applicable", "failed", "not-run", "empty"};
    const table_cell *cell = &t->cells[row * t->n_columns + column];
    const char *const names[] = {t->id, t->row_names[row], t->column_names[column]};
    for (size_t i = 0; i < 3; i++) {
        text_append_csv_label(out, names[i]);
        text_append(out, ",");
    }
    if (cell->kind == CELL_FIGURE)
        append_number(out, cell->value);
    text_append(out, ",");
    if (cell->published)
        append_number(out, cell->published_value);
    text_append(out, ",");
    if (cell->kind == CELL_FIGURE && cell->published && !cell->is_incomparable)
        append_number(out, cell->value - cell->published_value);
    text_append_format(out, ",%zu,%zu,%zu,%s\n", cell->n, cell->of, cell->n_imputed, states[cell->kind]);
}

void table_append_csv(const table *t, text_buffer *out) {
    text_append(out, "table,row,column,value,published,difference,n,of,imputed,state\n");
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        append_line(t, i / t->n_columns, i % t->n_columns, out);
}

const option_spec table_within_options[] = {
    PART_ROW(OPT_REAL, "relative", table_tolerance, relative, .most = DBL_MAX,
             .help = "of the published figure: 0.15 for 15%"),
    PART_ROW(OPT_REAL, "absolute", table_tolerance, absolute, .most = DBL_MAX, .help = "0: as printed"),
    {0},
};
