/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as LaTeX: booktabs, compiled by pdflatex as it is. */
#include "parts/tables/table_internal.h"

static void append_head(const table *t, text_buffer *out) {
    text_append(out, "\\begin{tabular}{@{}l");
    for (size_t c = 0; c < t->n_columns + table_has_n_column(t); c++)
        text_append(out, "r");
    text_append_format(out, "@{}}\n\\toprule\n%s", t->row_heading);
    for (size_t c = 0; c < t->n_columns; c++) {
        text_append(out, " & ");
        display_append_latex(out, t->column_names[c]);
    }
    text_append(out, table_has_n_column(t) ? " & $n$ of $N$ \\\\\n\\midrule\n" : " \\\\\n\\midrule\n");
}

static void append_cell(const table *t, size_t row, size_t column, text_buffer *out) {
    const table_cell *cell = &t->cells[row * t->n_columns + column];
    text_buffer shown = {0};
    table_append_cell(t, cell, table_cell_needs_n(t, row, column), &shown);
    text_append(out, cell->is_best ? " & \\textbf{" : " & ");
    display_append_latex(out, shown.data ? shown.data : "");
    text_append(out, cell->is_best ? "}" : "");
    if (cell->published) {
        text_append(out, " {[}");
        display_append_latex(out, cell->published);
        text_append(out, "{]}");
    }
    out->failed |= shown.failed;
    text_buffer_clear(&shown);
}

static void append_n_row(const table *t, text_buffer *out) {
    text_append(out, "\\midrule\n$n$ of $N$");
    for (size_t c = 0; c < t->n_columns; c++) {
        text_append(out, " & ");
        table_append_group_n(t, c, out);
    }
    text_append(out, " \\\\\n");
}

static void append_rows(const table *t, text_buffer *out) {
    for (size_t r = 0; r < t->n_rows; r++) {
        display_append_latex(out, t->row_names[r]);
        for (size_t c = 0; c < t->n_columns; c++)
            append_cell(t, r, c, out);
        if (table_has_n_column(t)) {
            text_append(out, " & ");
            table_append_group_n(t, r, out);
        }
        text_append(out, " \\\\\n");
    }
    if (!t->learners_are_columns && !t->has_no_n)
        append_n_row(t, out);
}

void table_append_latex(const table *t, text_buffer *out) {
    text_append(out, "\\begin{table}[htbp]\n\\centering\n\\caption{");
    display_append_latex(out, t->title);
    text_append(out, "}\n\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n");
    append_head(t, out);
    append_rows(t, out);
    text_append(out, "\\bottomrule\n\\end{tabular}}\n");
    for (size_t i = 0; i < t->n_notes; i++) {
        text_append(out, "\\par\\smallskip{\\footnotesize ");
        display_append_latex(out, t->notes[i]);
        text_append(out, "\\par}\n");
    }
    text_append(out, "\\end{table}\n");
}
