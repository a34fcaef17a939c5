/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For a terminal: grids aligned and in blocks that fit, notes folded between words. */
#include "document/document.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t width; /* 0: endless */
    bool use_bold;
    text_buffer *out;
} text_writer;

static void append_blanks(text_buffer *b, size_t n) {
    while (n-- > 0)
        text_append(b, " ");
}

static void append_spans(const text_writer *w, const span_list *l, bool is_strong) {
    for (size_t i = 0; i < l->n; i++) {
        bool is_bold = w->use_bold && (is_strong || l->spans[i].kind == SPAN_STRONG);
        text_append_format(w->out, "%s%s%s", is_bold ? "\033[1m" : "", l->spans[i].text, is_bold ? "\033[0m" : "");
    }
}

/* ---- words in lines ---- */

static size_t count_columns(const char *s, size_t n) {
    size_t columns = 0;
    for (size_t i = 0; i < n; i++)
        columns += ((unsigned char)s[i] & 0xC0) != 0x80;
    return columns;
}

/* `name`, where there is one, stands in front; every line is indented. */
static void append_folded(const text_writer *w, const char *name, const span_list *l, size_t indent) {
    AUTO(text_buffer_clear) text_buffer line = {0};
    size_t used = 0;
    text_append_format(&line, "%s%s", name ? name : "", name ? ": " : "");
    for (size_t i = 0; i < l->n; i++)
        text_append(&line, l->spans[i].text);
    w->out->failed |= line.failed;
    for (const char *at = line.failed ? "" : line.data; *at;) {
        size_t length = strcspn(at, " "), columns = count_columns(at, length);
        bool is_first = used == 0, is_new = is_first || (w->width > 0 && used + 1 + columns > w->width);
        text_append(w->out, is_first ? "" : is_new ? "\n" : " ");
        append_blanks(w->out, is_new ? indent : 0);
        used = columns + (is_new ? indent : used + 1);
        text_append_bytes(w->out, at, length);
        at += length + strspn(at + length, " ");
    }
    text_append(w->out, "\n");
}

/* ---- grids ---- */

/* Figures end where `text` ends, so that published ones begin below each other. */
typedef struct {
    size_t text, beside;
} column_width;

static size_t spans_width(const span_list *l) {
    size_t width = 0;
    for (size_t i = 0; i < l->n; i++)
        width += text_width(l->spans[i].text);
    return width;
}

static size_t beside_width(const grid_cell *cell) {
    return cell->published ? text_width(cell->published) + 3 : 0;
}

static column_width measure(const document_grid *g, size_t column) {
    column_width w = {0};
    size_t head = spans_width(&grid_at(g, 0, column)->text);
    for (size_t r = 1; r < g->n_rows; r++) {
        const grid_cell *cell = grid_at(g, r, column);
        size_t beside = beside_width(cell), text = spans_width(&cell->text) + (g->is_left[column] ? beside : 0);
        w.text = text > w.text ? text : w.text;
        w.beside = beside > w.beside && !g->is_left[column] ? beside : w.beside;
    }
    if (w.text + w.beside < head)
        w.text = head - w.beside;
    return w;
}

static void append_cell(const text_writer *w, const document_grid *g, size_t row, size_t column, column_width width,
                        bool is_last) {
    const grid_cell *cell = grid_at(g, row, column);
    size_t text = spans_width(&cell->text), beside = beside_width(cell), all = width.text + width.beside;
    size_t before = g->is_left[column] ? 0 : (row == 0 ? all : width.text) - text;
    append_blanks(w->out, before);
    append_spans(w, &cell->text, false);
    if (cell->published)
        text_append_format(w->out, " [%s]", cell->published);
    append_blanks(w->out, is_last ? 0 : all - before - text - beside);
}

/* The columns from `first` on that fit behind the first column; at least one. */
static size_t count_fitting(const text_writer *w, const document_grid *g, const column_width *widths, size_t first) {
    size_t used = widths[0].text, n = 0;
    while (first + n < g->n_columns) {
        used += 2 + widths[first + n].text + widths[first + n].beside;
        if (w->width > 0 && used > w->width && n > 0)
            break;
        n++;
    }
    return n;
}

/* ---- rows whose cells are folded ---- */

static size_t whole_width(column_width w) {
    return w.text + w.beside;
}

/* The bytes of the first `columns` columns. */
static size_t bytes_of_columns(const char *s, size_t columns) {
    size_t i = 0;
    while (s[i] && (columns > 0 || ((unsigned char)s[i] & 0xC0) == 0x80))
        columns -= ((unsigned char)s[i++] & 0xC0) != 0x80;
    while (((unsigned char)s[i] & 0xC0) == 0x80)
        i++;
    return i;
}

/* The bytes of `s` that stand on one line of that width: whole words; of a word that is wider, a part. */
static size_t line_of_words(const char *s, size_t width) {
    size_t most = bytes_of_columns(s, width > 0 ? width : 1), n = most;
    if (!s[most])
        return most;
    while (n > 0 && s[n] != ' ')
        n--;
    return n > 0 ? n : most;
}

/* Takes a line off the front of the text. */
static void append_piece(const text_writer *w, const char **text, size_t width, bool is_left, bool is_strong,
                         bool is_last) {
    size_t n = line_of_words(*text, width), rest = width - count_columns(*text, n);
    bool is_bold = w->use_bold && is_strong && n > 0;
    append_blanks(w->out, is_left ? 0 : rest);
    text_append(w->out, is_bold ? "\033[1m" : "");
    text_append_bytes(w->out, *text, n);
    text_append(w->out, is_bold ? "\033[0m" : "");
    append_blanks(w->out, is_left && !is_last ? rest : 0);
    *text += n;
    *text += strspn(*text, " ");
}

/* On the heap; NULL without memory. */
static char *copy_cell(const grid_cell *cell) {
    text_buffer text = {0};
    text_append(&text, "");
    for (size_t i = 0; i < cell->text.n; i++)
        text_append(&text, cell->text.spans[i].text);
    if (cell->published)
        text_append_format(&text, " [%s]", cell->published);
    if (text.failed)
        text_buffer_clear(&text);
    return text.data;
}

static bool has_text(const char *const *rest, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (*rest[i])
            return true;
    }
    return false;
}

/* One line of the row: what is left of each cell loses its first words. */
static void append_line_of_row(const text_writer *w, const document_grid *g, size_t row, const column_width *widths,
                               size_t first, size_t n, const char **rest) {
    for (size_t i = 0; i < n; i++) {
        size_t column = i == 0 ? 0 : first + i - 1;
        const span_list *l = &grid_at(g, row, column)->text;
        text_append(w->out, i ? "  " : "");
        append_piece(w, &rest[i], whole_width(widths[column]), g->is_left[column],
                     l->n > 0 && l->spans[0].kind == SPAN_STRONG, i + 1 == n);
    }
    text_append(w->out, "\n");
}

/* The first column and n more, each cell on as many lines as it needs. */
static void append_folded_row(const text_writer *w, const document_grid *g, size_t row, const column_width *widths,
                              size_t first, size_t n) {
    AUTO_FREE char **texts = calloc(n + 1, sizeof *texts);
    AUTO_FREE const char **rest = calloc(n + 1, sizeof *rest);
    bool ok = texts && rest;
    for (size_t i = 0; i <= n && ok; i++) {
        rest[i] = texts[i] = copy_cell(grid_at(g, row, i == 0 ? 0 : first + i - 1));
        ok = texts[i] != NULL;
    }
    while (ok && has_text(rest, n + 1))
        append_line_of_row(w, g, row, widths, first, n + 1, rest);
    for (size_t i = 0; texts && i <= n; i++)
        free(texts[i]);
    w->out->failed |= !ok;
}

static bool cell_fits(const document_grid *g, size_t row, size_t column, const column_width *widths) {
    const grid_cell *cell = grid_at(g, row, column);
    return spans_width(&cell->text) + beside_width(cell) <= whole_width(widths[column]);
}

static bool row_fits(const document_grid *g, size_t row, const column_width *widths, size_t first, size_t n) {
    bool fits = cell_fits(g, row, 0, widths);
    for (size_t c = first; c < first + n; c++)
        fits &= cell_fits(g, row, c, widths);
    return fits;
}

/* Narrows a column that does not fit beside the first one, and that one to a third of the line. */
static void narrow(const text_writer *w, column_width *widths, size_t n) {
    enum { GAP = 2 };
    size_t widest = 0, third = w->width / 3;
    for (size_t c = 1; c < n; c++)
        widest = whole_width(widths[c]) > widest ? whole_width(widths[c]) : widest;
    if (w->width == 0 || n < 2 || widths[0].text + GAP + widest <= w->width)
        return;
    if (widths[0].text > third)
        widths[0].text = widest + GAP + third <= w->width ? w->width - widest - GAP : third;
    for (size_t c = 1; c < n; c++) {
        if (widths[0].text + GAP + whole_width(widths[c]) > w->width)
            widths[c] = (column_width){.text = w->width - GAP - widths[0].text};
    }
}

static void append_columns(const text_writer *w, const document_grid *g, const column_width *widths, size_t first,
                           size_t n) {
    for (size_t r = 0; r < g->n_rows; r++) {
        if (!row_fits(g, r, widths, first, n)) {
            append_folded_row(w, g, r, widths, first, n);
            continue;
        }
        append_cell(w, g, r, 0, widths[0], false);
        for (size_t c = first; c < first + n; c++) {
            text_append(w->out, "  ");
            append_cell(w, g, r, c, widths[c], c + 1 == first + n);
        }
        text_append(w->out, "\n");
    }
}

static void append_grid(const text_writer *w, const document_grid *g) {
    AUTO_FREE column_width *widths = calloc(g->n_columns + 1, sizeof *widths);
    w->out->failed |= !widths;
    for (size_t c = 0; widths && c < g->n_columns; c++)
        widths[c] = measure(g, c);
    if (widths)
        narrow(w, widths, g->n_columns);
    for (size_t first = 1, n; widths && first < g->n_columns; first += n) {
        n = count_fitting(w, g, widths, first);
        text_append(w->out, first > 1 ? "\n" : "");
        append_columns(w, g, widths, first, n);
    }
}

/* ---- all of it ---- */

/* A heading stands close to what it names, and a list to the grid above it. */
static bool stands_apart(block_kind above, block_kind kind) {
    if (kind == BLOCK_HEADING || above == BLOCK_END)
        return true;
    return above != BLOCK_HEADING && kind != BLOCK_ITEM && !(kind == BLOCK_FACT && above == BLOCK_FACT);
}

static void append_block(const text_writer *w, const document_block *b) {
    switch (b->kind) {
    case BLOCK_HEADING:
        append_spans(w, &b->text, true);
        text_append(w->out, "\n");
        break;
    case BLOCK_PARAGRAPH:
        append_folded(w, NULL, &b->text, 0);
        break;
    case BLOCK_ITEM:
    case BLOCK_FACT:
        append_folded(w, b->name, &b->text, 2);
        break;
    case BLOCK_GRID:
        append_grid(w, b->grid);
        break;
    case BLOCK_PICTURE:
    case BLOCK_END:
        break;
    }
}

void document_write_text(const document *d, size_t width, bool use_bold, text_buffer *out) {
    text_writer w = {.width = width, .use_bold = use_bold, .out = out};
    if (document_check(d, NULL) != STATUS_OK)
        out->failed = true;
    for (size_t i = 0; !out->failed && i < d->n; i++) {
        block_kind kind = d->blocks[i].kind;
        bool is_shown = kind != BLOCK_END && kind != BLOCK_PICTURE;
        if (is_shown && out->length > 0 && stands_apart(i ? d->blocks[i - 1].kind : BLOCK_END, kind))
            text_append(out, "\n");
        append_block(&w, &d->blocks[i]);
    }
}
