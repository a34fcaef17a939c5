/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as Markdown and CSV, and the texts of cells that every form shares. */
#include "parts/tables/table_internal.h"

#include <string.h>

void table_append_cell(const table *t, const table_cell *cell, bool with_n, text_buffer *out) {
    static const char *const words[] = {"", "-", "failed", "not run", "-"};
    char number[DISPLAY_NUMBER_SIZE];
    if (cell->kind != CELL_FIGURE) {
        text_append(out, words[cell->kind]);
        return;
    }
    text_append(out, display_number(cell->value, t->style, cell->is_whole ? 0 : t->decimals, number));
    if (cell->n_imputed)
        text_append(out, "*");
    if (with_n)
        text_append_format(out, " (%zu/%zu)", cell->n, cell->of);
}

void table_append_figure(const table *t, const table_cell *cell, text_buffer *out) {
    table_append_cell(t, cell, false, out);
}

static const table_cell *cell_of_group(const table *t, size_t group, size_t i) {
    return t->learners_are_columns ? &t->cells[group * t->n_columns + i] : &t->cells[i * t->n_columns + group];
}

static size_t learner_count(const table *t) {
    return t->learners_are_columns ? t->n_columns : t->n_rows;
}

static size_t count_alike(const table *t, size_t group, const table_cell *one) {
    size_t n = 0;
    for (size_t i = 0; i < learner_count(t); i++) {
        const table_cell *cell = cell_of_group(t, group, i);
        n += cell->kind == CELL_FIGURE && cell->n == one->n && cell->of == one->of;
    }
    return n;
}

/* A figure of the group with the n of N that most of them have; NULL where there is no figure. */
static const table_cell *typical_cell(const table *t, size_t group) {
    const table_cell *best = NULL;
    for (size_t i = 0; i < learner_count(t); i++) {
        const table_cell *cell = cell_of_group(t, group, i);
        if (cell->kind == CELL_FIGURE && (!best || count_alike(t, group, cell) > count_alike(t, group, best)))
            best = cell;
    }
    return best;
}

bool table_cell_needs_n(const table *t, size_t row, size_t column) {
    const table_cell *cell = &t->cells[row * t->n_columns + column];
    const table_cell *typical = typical_cell(t, t->learners_are_columns ? row : column);
    return cell->kind == CELL_FIGURE && !t->has_no_n && (cell->n != typical->n || cell->of != typical->of);
}

void table_append_group_n(const table *t, size_t group, text_buffer *out) {
    const table_cell *cell = typical_cell(t, group);
    if (cell)
        text_append_format(out, "%zu/%zu", cell->n, cell->of);
    else if (learner_count(t) > 0)
        text_append_format(out, "0/%zu", cell_of_group(t, group, 0)->of);
    else
        text_append(out, "-");
}

static void append_markdown_cell(const table *t, size_t row, size_t column, text_buffer *out) {
    const table_cell *cell = &t->cells[row * t->n_columns + column];
    text_buffer shown = {0};
    table_append_cell(t, cell, table_cell_needs_n(t, row, column), &shown);
    text_append(out, cell->is_best ? " **" : " ");
    display_append_markdown(out, shown.data ? shown.data : "");
    text_append(out, cell->is_best ? "**" : "");
    if (cell->published) {
        text_append(out, " \\[");
        display_append_markdown(out, cell->published);
        text_append(out, "\\]");
    }
    text_append(out, " |");
    out->failed |= shown.failed;
    text_buffer_clear(&shown);
}

bool table_has_n_column(const table *t) {
    return t->learners_are_columns && !t->has_no_n;
}

static void append_markdown_head(const table *t, text_buffer *out) {
    text_append_format(out, "| %s |", t->row_heading);
    for (size_t c = 0; c < t->n_columns; c++) {
        text_append(out, " ");
        display_append_markdown(out, t->column_names[c]);
        text_append(out, " |");
    }
    text_append(out, table_has_n_column(t) ? " n of N |\n|:--|" : "\n|:--|");
    for (size_t c = 0; c < t->n_columns + table_has_n_column(t); c++)
        text_append(out, "--:|");
    text_append(out, "\n");
}

static void append_markdown_rows(const table *t, text_buffer *out) {
    for (size_t r = 0; r < t->n_rows; r++) {
        text_append(out, "| ");
        display_append_markdown(out, t->row_names[r]);
        text_append(out, " |");
        for (size_t c = 0; c < t->n_columns; c++)
            append_markdown_cell(t, r, c, out);
        if (table_has_n_column(t)) {
            text_append(out, " ");
            table_append_group_n(t, r, out);
            text_append(out, " |");
        }
        text_append(out, "\n");
    }
}

static void append_markdown_n_row(const table *t, text_buffer *out) {
    text_append(out, "| n of N |");
    for (size_t c = 0; c < t->n_columns; c++) {
        text_append(out, " ");
        table_append_group_n(t, c, out);
        text_append(out, " |");
    }
    text_append(out, "\n");
}

void table_append_markdown(const table *t, text_buffer *out) {
    text_append(out, "## ");
    display_append_markdown(out, t->title);
    text_append(out, "\n\n");
    append_markdown_head(t, out);
    append_markdown_rows(t, out);
    if (!t->has_no_n && !t->learners_are_columns)
        append_markdown_n_row(t, out);
    text_append(out, "\n");
    for (size_t i = 0; i < t->n_notes; i++) {
        text_append(out, "- ");
        display_append_markdown(out, t->notes[i]);
        text_append(out, "\n");
    }
}

static void append_number(text_buffer *out, double value) {
    char number[32];
    text_append(out, text_from_double(value, number));
}

static void append_csv_cell(const table *t, size_t row, size_t column, text_buffer *out) {
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
    if (cell->kind == CELL_FIGURE && cell->published)
        append_number(out, cell->value - cell->published_value);
    text_append_format(out, ",%zu,%zu,%zu,%s\n", cell->n, cell->of, cell->n_imputed, states[cell->kind]);
}

void table_append_csv(const table *t, text_buffer *out) {
    text_append(out, "table,row,column,value,published,difference,n,of,imputed,state\n");
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t c = 0; c < t->n_columns; c++)
            append_csv_cell(t, r, c, out);
    }
}
