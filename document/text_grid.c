/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/text_grid.h"

#include "document/display.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

status text_grid_create(size_t n_rows, size_t n_columns, bool is_left, text_grid *out, error_info *err) {
    text_grid g = {.n_rows = n_rows, .n_columns = n_columns, .is_left = is_left};
    g.texts = calloc(n_rows * n_columns + 1, sizeof *g.texts);
    if (!g.texts)
        return error_out_of_memory(err);
    *out = g;
    return STATUS_OK;
}

void text_grid_clear(text_grid *g) {
    for (size_t i = 0; g->texts && i < g->n_rows * g->n_columns; i++)
        free(g->texts[i]);
    free(g->texts);
    *g = (text_grid){0};
}

static const char *text_at(const text_grid *g, size_t row, size_t column) {
    const char *text = g->texts[row * g->n_columns + column];
    return text ? text : "";
}

status text_grid_add(text_grid *g, size_t row, size_t column, error_info *err, const char *format, ...) {
    char piece[512];
    char **cell = &g->texts[row * g->n_columns + column];
    text_buffer b = {0};
    status st;
    va_list list;
    va_start(list, format);
    (void)vsnprintf(piece, sizeof piece, format, list);
    va_end(list);
    text_append(&b, *cell ? *cell : "");
    display_append_plain(&b, piece);
    st = text_buffer_check(&b, err);
    if (st != STATUS_OK) {
        text_buffer_clear(&b);
        return st;
    }
    free(*cell);
    *cell = b.data;
    return STATUS_OK;
}

static size_t column_width(const text_grid *g, size_t column) {
    size_t width = 0;
    for (size_t r = 0; r < g->n_rows; r++) {
        size_t n = text_width(text_at(g, r, column));
        width = n > width ? n : width;
    }
    return width;
}

static void append_blanks(text_buffer *b, size_t n) {
    while (n-- > 0)
        text_append(b, " ");
}

/* The columns from `first` on that fit behind the first column; at least one. */
static size_t count_fitting(const text_grid *g, size_t first, size_t width) {
    size_t used = column_width(g, 0), n = 0;
    while (first + n < g->n_columns) {
        used += 2 + column_width(g, first + n);
        if (width > 0 && used > width && n > 0)
            break;
        n++;
    }
    return n;
}

static void append_cell(const text_grid *g, size_t row, size_t column, bool is_last, text_buffer *out) {
    const char *text = text_at(g, row, column);
    size_t blanks = column_width(g, column) - text_width(text);
    bool is_left = g->is_left || column == 0;
    append_blanks(out, is_left ? 0 : blanks);
    text_append(out, text);
    append_blanks(out, is_left && !is_last ? blanks : 0);
}

static void append_block(const text_grid *g, size_t first, size_t n, text_buffer *out) {
    for (size_t r = 0; r < g->n_rows; r++) {
        append_cell(g, r, 0, n == 0, out);
        for (size_t c = first; c < first + n; c++) {
            text_append(out, "  ");
            append_cell(g, r, c, c + 1 == first + n, out);
        }
        text_append(out, "\n");
    }
}

void text_grid_append_text(const text_grid *g, size_t width, text_buffer *out) {
    for (size_t first = 1; first < g->n_columns;) {
        size_t n = count_fitting(g, first, width);
        if (first > 1)
            text_append(out, "\n");
        append_block(g, first, n, out);
        first += n;
    }
}

void text_grid_append_markdown(const text_grid *g, text_buffer *out) {
    for (size_t r = 0; r < g->n_rows; r++) {
        text_append(out, "|");
        for (size_t c = 0; c < g->n_columns; c++) {
            text_append(out, " ");
            display_append_markdown(out, text_at(g, r, c));
            text_append(out, " |");
        }
        text_append(out, r == 0 ? "\n|:--|" : "\n");
        for (size_t c = 1; r == 0 && c < g->n_columns; c++)
            text_append(out, g->is_left ? ":--|" : "--:|");
        text_append(out, r == 0 ? "\n" : "");
    }
}

void text_grid_append_html(const text_grid *g, text_buffer *out) {
    text_append(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Test\"><table");
    text_append(out, g->is_left ? " class=\"left\">\n<thead>" : ">\n<thead>");
    for (size_t r = 0; r < g->n_rows; r++) {
        text_append(out, "<tr>");
        for (size_t c = 0; c < g->n_columns; c++) {
            bool is_head = r == 0 || c == 0;
            text_append(out, r == 0 ? "<th scope=\"col\">" : c == 0 ? "<th scope=\"row\">" : "<td>");
            display_append_html(out, text_at(g, r, c));
            text_append(out, is_head ? "</th>" : "</td>");
        }
        text_append(out, r == 0 ? "</tr></thead>\n<tbody>" : "</tr>\n");
    }
    text_append(out, "</tbody></table></div>\n");
}

void text_grid_append_latex(const text_grid *g, text_buffer *out) {
    text_append(out, "\\begin{tabular}{@{}l");
    for (size_t c = 1; c < g->n_columns; c++)
        text_append(out, g->is_left ? "l" : "r");
    text_append(out, "@{}}\n\\toprule\n");
    for (size_t r = 0; r < g->n_rows; r++) {
        for (size_t c = 0; c < g->n_columns; c++) {
            text_append(out, c > 0 ? " & " : "");
            display_append_latex(out, text_at(g, r, c));
        }
        text_append(out, r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n");
    }
    text_append(out, "\\bottomrule\n\\end{tabular}\n");
}
