/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A document: headings, paragraphs, lists, facts, pictures and grids, made once and written as text, Markdown, HTML and
 * LaTeX. Texts may hold anything: each is made plain as it enters (display_append_plain), and each writer escapes what
 * its medium would take for its own.
 *
 * The functions that add return nothing: where memory runs out they add nothing more, which document_check tells. A
 * grid that could not be made is NULL, which the functions of grids take.
 */
#ifndef BNB_DOCUMENT_DOCUMENT_H
#define BNB_DOCUMENT_DOCUMENT_H

#include "core/base/status.h"
#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum { SPAN_TEXT, SPAN_STRONG, SPAN_BAD, SPAN_CODE, SPAN_LINK } span_kind;

/** A piece of a line in one form. */
typedef struct {
    span_kind kind;
    char *text;
    char *target; /* SPAN_LINK: a file, relative to the document; else NULL */
} text_span;

typedef struct {
    size_t n;
    text_span *spans;
} span_list;

/** The results that a figure was made of: on a page the figure is a button that shows them. */
typedef struct {
    char *where; /* "500 rows"; NULL: no button */
    size_t group;
    long learner;
} grid_source;

typedef struct {
    span_list text;
    char *published;  /* a figure of the literature, in brackets beside the text; NULL: none */
    double deviation; /* of the figure from the published one, relative to that; NAN: none, infinite where that is 0 */
    grid_source source;
    bool is_name; /* one of those that a reader may search for; on one axis of a grid */
} grid_cell;

/** Cell (row, column) at cells[row * n_columns + column]; row 0 is the head, column 0 says what the rows are. */
typedef struct {
    char *title; /* NULL: the heading above */
    size_t n_rows, n_columns;
    grid_cell *cells;
    bool *is_left;   /* by column; the first always is */
    size_t n_foot;   /* rows at the end that stand below a rule */
    bool may_shrink; /* LaTeX sets it smaller where it is wider than the line */
    long number;     /* of a grid with sources, by which the script of the page knows it; -1: none */
    bool failed;
} document_grid;

typedef enum {
    BLOCK_HEADING,
    BLOCK_END, /* of the innermost section: what follows belongs to the one around it */
    BLOCK_PARAGRAPH,
    BLOCK_ITEM, /* those that follow each other are one list, as facts are */
    BLOCK_FACT,
    BLOCK_PICTURE,
    BLOCK_GRID
} block_kind;

typedef struct {
    block_kind kind;
    span_list text; /* of a paragraph without any, Markdown shows the distance alone */
    int level;      /* of a heading, from 1 on */
    bool is_folded; /* a heading below which a page shows nothing until it is asked to */
    bool is_figure; /* a fact that a page shows large */
    char *name;     /* of a fact; of a picture: its file, relative to the document, NULL where `program` is absent */
    char *program;  /* that draws the picture */
    document_grid *grid;
} document_block;

/** Zero-initialise. */
typedef struct {
    size_t n, capacity;
    document_block *blocks;
    bool failed;
} document;

void document_clear(document *d);

/** STATUS_MEMORY if anything could not be added. */
BNB_MUST_CHECK status document_check(const document *d, error_info *err);

void document_add_heading(document *d, int level, const char *text);
void document_add_folded(document *d, int level, const char *text);
void document_end_section(document *d);

/** A block of that kind, for document_say. */
void document_begin(document *d, block_kind kind);
void document_add_paragraph(document *d, const char *text);
void document_add_item(document *d, const char *text);
void document_add_items(document *d, char *const *texts, size_t n);

/** A name with its value; none where the value is NULL or "". */
void document_add_fact(document *d, const char *name, const char *value);

/** For document_say; a figure is shown large on a page. */
void document_begin_fact(document *d, const char *name);
void document_begin_figure(document *d, const char *name);

/** @param file NULL: `program`, which would have drawn it, is absent or failed */
void document_add_picture(document *d, const char *title, const char *file, const char *program);

/** Adds to the text of the last block. */
void document_say(document *d, span_kind kind, const char *format, ...) BNB_PRINTF(3, 4);

/** The same, as a link to the file `name` with that ending. */
void document_link(document *d, const char *text, const char *name, const char *ending);

/** A grid without texts whose cells start at the left or, but for the first column, end at the right. */
document_grid *document_add_grid(document *d, const char *title, size_t n_rows, size_t n_columns, bool is_left);

/** The cell, to be filled; NULL without a grid. */
grid_cell *grid_at(const document_grid *g, size_t row, size_t column);

/** Adds to the text of a cell. */
void grid_say(document_grid *g, size_t row, size_t column, span_kind kind, const char *format, ...) BNB_PRINTF(5, 6);

/** Adds a link to a cell, to a file or to "#" with an anchor. */
void grid_link(document_grid *g, size_t row, size_t column, const char *text, const char *target);

/** The anchor that Markdown readers give a heading: letters in lower case and figures, a hyphen for a space. */
void document_append_anchor(const char *heading, text_buffer *out);

/** The texts of the head. */
void grid_set_head(document_grid *g, const char *const *names, size_t n);

/** The figure that stands beside the text, as printed. */
void grid_set_published(document_grid *g, size_t row, size_t column, const char *figure);
void grid_set_source(document_grid *g, size_t row, size_t column, size_t group, long learner, const char *where);

/** The head of a row or column of counts, which LaTeX sets as formulas. */
#define GRID_COUNTS "n of N"

/**
 * For a terminal: grids in blocks of columns that fit into `width`, cells folded where one column does not,
 * paragraphs folded there (0: nothing is folded);
 * strong texts and headings in bold (ANSI) with `use_bold`. Pictures are left out.
 */
void document_write_text(const document *d, size_t width, bool use_bold, text_buffer *out);

void document_write_markdown(const document *d, text_buffer *out);

/** How documents become parts of a page. */
typedef struct {
    int top;              /* the level of heading that a level of 1 becomes */
    const char *folder;   /* the document's, where its pictures lie; they go into the page */
    size_t picture_bytes; /* that pictures took so far; those that would make the page large are left out */
} html_writer;

/** @return STATUS_IO, STATUS_MISSING: a picture that cannot be read. STATUS_MEMORY. */
BNB_MUST_CHECK status document_write_html(const document *d, html_writer *w, text_buffer *out, error_info *err);

/** Text as it stands in HTML, SVG and XML, also in a quoted attribute. */
void html_append_text(text_buffer *out, const char *text);
void html_append_base64(text_buffer *out, const char *bytes, size_t n);

/**
 * Sections with grids, as floats of booktabs and graphicx: the grids and the items below them. An inner section is a
 * float of its own; other blocks are left out.
 */
void document_write_latex(const document *d, text_buffer *out);

/**
 * Text for LaTeX (inputenc utf8, T1): its specials as text, what pdflatex may not know as "?" beyond Latin and the
 * dashes, quotes and arrows that we print ourselves.
 */
void latex_append_text(text_buffer *out, const char *text);

#endif
