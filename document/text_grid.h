/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A small table of texts, for a terminal and as Markdown. */
#ifndef BNB_DOCUMENT_TEXT_GRID_H
#define BNB_DOCUMENT_TEXT_GRID_H

#include "core/base/text.h"

/** Owns its texts; row 0 is the head. Zero-initialise. */
typedef struct {
    size_t n_rows, n_columns; /* the head is one of the rows */
    char **texts;             /* (row, column) at row * n_columns + column; NULL is "" */
    bool is_left;             /* cells start at the left of their column, as the first column always does */
} text_grid;

BNB_MUST_CHECK status text_grid_create(size_t n_rows, size_t n_columns, bool is_left, text_grid *out, error_info *err);
void text_grid_clear(text_grid *g);

/** Appends to the text of a cell; STATUS_MEMORY. */
BNB_MUST_CHECK status text_grid_add(text_grid *g, size_t row, size_t column, error_info *err, const char *format, ...)
    BNB_PRINTF(5, 6);

/** Aligned, in blocks of columns that fit into `width` (0: one block), the first column in front of each. */
void text_grid_append_text(const text_grid *g, size_t width, text_buffer *out);
void text_grid_append_markdown(const text_grid *g, text_buffer *out);
void text_grid_append_html(const text_grid *g, text_buffer *out);
void text_grid_append_latex(const text_grid *g, text_buffer *out);

#endif
