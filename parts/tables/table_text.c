/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables for a terminal: figures right-aligned, published ones left-aligned beside them. */
#include "parts/tables/table_internal.h"

#include <stdlib.h>
#include <string.h>

static const char bold_on[] = "\033[1m", bold_off[] = "\033[0m";

/* A table as texts, n of N included; (row, column) at row * n_columns + column. */
typedef struct {
    size_t n_rows, n_columns;
    char **heads, **names;    /* of columns and rows */
    char **figures, **beside; /* "1.02" and "[1.00]" */
    bool *is_best;
    size_t *figure_width, *beside_width; /* by column */
    size_t name_width;
} sheet;

static void free_texts(char **texts, size_t n) {
    for (size_t i = 0; texts && i < n; i++)
        free(texts[i]);
    free(texts);
}

static void sheet_clear(sheet *s) {
    free_texts(s->heads, s->n_columns);
    free_texts(s->names, s->n_rows);
    free_texts(s->figures, s->n_rows * s->n_columns);
    free_texts(s->beside, s->n_rows * s->n_columns);
    free(s->is_best);
    free(s->figure_width);
    free(s->beside_width);
}

static bool sheet_allocate(sheet *s) {
    size_t n = s->n_rows * s->n_columns;
    s->heads = calloc(s->n_columns + 1, sizeof *s->heads);
    s->names = calloc(s->n_rows + 1, sizeof *s->names);
    s->figures = calloc(n + 1, sizeof *s->figures);
    s->beside = calloc(n + 1, sizeof *s->beside);
    s->is_best = calloc(n + 1, sizeof *s->is_best);
    s->figure_width = calloc(s->n_columns + 1, sizeof *s->figure_width);
    s->beside_width = calloc(s->n_columns + 1, sizeof *s->beside_width);
    return s->heads && s->names && s->figures && s->beside && s->is_best && s->figure_width && s->beside_width;
}

/* What the buffer holds, which starts anew. */
static char *take(text_buffer *b) {
    char *text;
    text_append(b, "");
    text = b->failed ? NULL : b->data;
    if (!text)
        text_buffer_clear(b);
    *b = (text_buffer){0};
    return text;
}

static char *plain(const char *name) {
    text_buffer b = {0};
    display_append_plain(&b, name);
    return take(&b);
}

static char *figure_text(const table *t, size_t row, size_t column) {
    text_buffer b = {0};
    table_append_cell(t, &t->cells[row * t->n_columns + column], table_cell_needs_n(t, row, column), &b);
    return take(&b);
}

static char *beside_text(const table_cell *cell) {
    text_buffer b = {0};
    if (cell->published)
        text_append_format(&b, "[%s]", cell->published);
    return take(&b);
}

static char *group_n_text(const table *t, size_t group) {
    text_buffer b = {0};
    table_append_group_n(t, group, &b);
    return take(&b);
}

static void fill_names(const table *t, sheet *s) {
    for (size_t c = 0; c < s->n_columns; c++)
        s->heads[c] = c < t->n_columns ? plain(t->column_names[c]) : text_copy("n of N");
    for (size_t r = 0; r < s->n_rows; r++)
        s->names[r] = r < t->n_rows ? plain(t->row_names[r]) : text_copy("n of N");
}

static void fill_cells(const table *t, sheet *s) {
    for (size_t r = 0; r < s->n_rows; r++) {
        for (size_t c = 0; c < s->n_columns; c++) {
            size_t at = r * s->n_columns + c;
            bool is_inside = r < t->n_rows && c < t->n_columns;
            s->figures[at] = is_inside ? figure_text(t, r, c) : group_n_text(t, t->learners_are_columns ? r : c);
            s->beside[at] = is_inside ? beside_text(&t->cells[r * t->n_columns + c]) : text_copy("");
            s->is_best[at] = is_inside && t->cells[r * t->n_columns + c].is_best;
        }
    }
}

static bool all_there(char **texts, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!texts[i])
            return false;
    }
    return true;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static void measure(const table *t, sheet *s) {
    s->name_width = text_width(t->row_heading);
    for (size_t r = 0; r < s->n_rows; r++)
        s->name_width = larger(s->name_width, text_width(s->names[r]));
    for (size_t c = 0; c < s->n_columns; c++) {
        for (size_t r = 0; r < s->n_rows; r++) {
            size_t at = r * s->n_columns + c;
            s->figure_width[c] = larger(s->figure_width[c], text_width(s->figures[at]));
            if (*s->beside[at])
                s->beside_width[c] = larger(s->beside_width[c], text_width(s->beside[at]) + 1);
        }
        if (s->figure_width[c] + s->beside_width[c] < text_width(s->heads[c]))
            s->figure_width[c] = text_width(s->heads[c]) - s->beside_width[c];
    }
}

static bool sheet_create(const table *t, sheet *s) {
    *s = (sheet){.n_rows = t->n_rows + (!t->has_no_n && !t->learners_are_columns),
                 .n_columns = t->n_columns + (!t->has_no_n && t->learners_are_columns)};
    if (!sheet_allocate(s))
        return false;
    fill_names(t, s);
    fill_cells(t, s);
    if (!all_there(s->heads, s->n_columns) || !all_there(s->names, s->n_rows) ||
        !all_there(s->figures, s->n_rows * s->n_columns) || !all_there(s->beside, s->n_rows * s->n_columns))
        return false;
    measure(t, s);
    return true;
}

static void append_blanks(text_buffer *b, size_t n) {
    while (n-- > 0)
        text_append(b, " ");
}

static size_t column_width(const sheet *s, size_t column) {
    return 2 + s->figure_width[column] + s->beside_width[column];
}

/* How many columns from `first` on fit; at least one. */
static size_t count_fitting(const sheet *s, size_t first, size_t width) {
    size_t used = s->name_width, n = 0;
    while (first + n < s->n_columns) {
        used += column_width(s, first + n);
        if (width > 0 && used > width && n > 0)
            break;
        n++;
    }
    return n;
}

static void append_head(const table *t, const sheet *s, size_t first, size_t n, text_buffer *out) {
    text_append(out, t->row_heading);
    append_blanks(out, s->name_width - text_width(t->row_heading));
    for (size_t c = first; c < first + n; c++) {
        append_blanks(out, column_width(s, c) - text_width(s->heads[c]));
        text_append(out, s->heads[c]);
    }
    text_append(out, "\n");
}

static void append_figure(const sheet *s, size_t row, size_t column, bool use_bold, bool is_last, text_buffer *out) {
    size_t at = row * s->n_columns + column;
    bool is_bold = use_bold && s->is_best[at];
    append_blanks(out, 2 + s->figure_width[column] - text_width(s->figures[at]));
    text_append_format(out, "%s%s%s", is_bold ? bold_on : "", s->figures[at], is_bold ? bold_off : "");
    if (*s->beside[at])
        text_append_format(out, " %s", s->beside[at]);
    if (!is_last)
        append_blanks(out, s->beside_width[column] - (*s->beside[at] ? text_width(s->beside[at]) + 1 : 0));
}

static void append_block(const table *t, const sheet *s, size_t first, size_t n, bool use_bold, text_buffer *out) {
    append_head(t, s, first, n, out);
    for (size_t r = 0; r < s->n_rows; r++) {
        text_append(out, s->names[r]);
        append_blanks(out, s->name_width - text_width(s->names[r]));
        for (size_t c = first; c < first + n; c++)
            append_figure(s, r, c, use_bold, c + 1 == first + n, out);
        text_append(out, "\n");
    }
}

static void append_blocks(const table *t, size_t width, bool use_bold, text_buffer *out) {
    sheet s;
    if (!sheet_create(t, &s)) {
        sheet_clear(&s);
        out->failed = true;
        return;
    }
    for (size_t first = 0; first < s.n_columns;) {
        size_t n = count_fitting(&s, first, width);
        if (first > 0)
            text_append(out, "\n");
        append_block(t, &s, first, n, use_bold, out);
        first += n;
    }
    sheet_clear(&s);
}

void table_append_text(const table *t, size_t width, bool use_bold, text_buffer *out) {
    text_append(out, use_bold ? bold_on : "");
    display_append_plain(out, t->title);
    text_append(out, use_bold ? bold_off : "");
    text_append(out, "\n");
    append_blocks(t, width, use_bold, out);
    for (size_t i = 0; i < t->n_notes; i++)
        display_append_wrapped(out, t->notes[i], width);
}
