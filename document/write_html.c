/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HTML, as a part of a page: headings open sections, folded ones that a reader opens, and are where links to "#" with
 * an anchor lead (with "at-" before it, which no other id of a page has); grids scroll sideways. A figure
 * with results behind it is a button of class "fig"; the published one stands below it, and the class of the cell,
 * low1 .. low3 or high1 .. high3, says how far off it is.
 */
#include "document/document.h"

#include "core/base/file.h"
#include "document/display.h"

#include <math.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

/* Where the shades of a relative difference begin. */
static const double shade_starts[] = {0.02, 0.10, 0.25};
enum {
    N_SHADES = sizeof shade_starts / sizeof *shade_starts,
    WIDE_PICTURE = 1000, /* pixels: unreadable in a part of the page's width */
    LEAST_TO_FILTER = 8, /* names; fewer are seen at a glance */
    MOST_OPEN = 8,
    MOST_PICTURE_BYTES = 4 << 20,
    MOST_BYTES_OF_ALL = 5 << 19
};

void html_append_text(text_buffer *out, const char *text) {
    AUTO(text_buffer_clear) text_buffer clean = {0};
    display_append_plain(&clean, text);
    out->failed |= clean.failed;
    for (const char *at = clean.data && !clean.failed ? clean.data : ""; *at;) {
        size_t n = strcspn(at, "<>&\"'");
        text_append_bytes(out, at, n);
        at += n;
        if (*at)
            text_append(out, *at == '<'   ? "&lt;"
                             : *at == '>' ? "&gt;"
                             : *at == '&' ? "&amp;"
                             : *at == '"' ? "&quot;"
                                          : "&#39;");
        at += *at != '\0';
    }
}

void html_append_base64(text_buffer *out, const char *bytes, size_t n) {
    enum { PART = 3 * 1024 };
    unsigned char text[PART / 3 * 4 + 1];
    for (size_t at = 0; at < n; at += PART) {
        size_t length = n - at < PART ? n - at : PART;
        int written = EVP_EncodeBlock(text, (const unsigned char *)bytes + at, (int)length);
        text_append_bytes(out, (const char *)text, (size_t)written);
    }
}

/* ---- lines ---- */

static void append_element(text_buffer *out, const char *opening, const char *text, const char *closing) {
    text_append(out, opening);
    html_append_text(out, text);
    text_append(out, closing);
}

static void append_spans(text_buffer *out, const span_list *l) {
    for (size_t i = 0; i < l->n; i++) {
        const text_span *span = &l->spans[i];
        switch (span->kind) {
        case SPAN_TEXT:
            html_append_text(out, span->text);
            break;
        case SPAN_STRONG:
            append_element(out, "<strong>", span->text, "</strong>");
            break;
        case SPAN_BAD:
            append_element(out, "<span class=\"failed\">", span->text, "</span>");
            break;
        case SPAN_CODE:
            append_element(out, "<code>", span->text, "</code>");
            break;
        case SPAN_LINK:
            text_append(out, "<a href=\"");
            append_element(out, *span->target == '#' ? "#at-" : "", span->target + (*span->target == '#'), "\">");
            append_element(out, "", span->text, "</a>");
            break;
        }
    }
}

static void append_lines(text_buffer *out, const char *opening, const span_list *l, const char *closing) {
    text_append(out, opening);
    append_spans(out, l);
    text_append(out, closing);
}

/* ---- grids ---- */

/* " class=..." of a figure: the shade of its deviation, and whether it starts at the left. */
static void append_classes(text_buffer *out, double deviation, bool is_left) {
    size_t shade = 0;
    while (shade < N_SHADES && fabs(deviation) >= shade_starts[shade])
        shade++;
    if (shade == 0 && !is_left)
        return;
    text_append(out, " class=\"");
    if (shade > 0)
        text_append_format(out, "%s%zu%s", deviation < 0 ? "low" : "high", shade, is_left ? " " : "");
    text_append(out, is_left ? "word\"" : "\"");
}

static void append_published(text_buffer *out, const grid_cell *cell) {
    append_element(out, "<span class=\"pub\">[", cell->published, "]");
    if (fabs(cell->deviation) < 0.005)
        text_append(out, " &plusmn;0%");
    else if (isfinite(cell->deviation))
        text_append_format(out, " %+.0f%%", 100 * cell->deviation);
    text_append(out, "</span>");
}

static void append_figure(text_buffer *out, const grid_cell *cell) {
    const grid_source *source = &cell->source;
    if (source->where) {
        text_append_format(out,
                           "<button type=\"button\" class=\"fig\" aria-haspopup=\"dialog\" data-group=\"%zu\" "
                           "data-learner=\"%ld\"",
                           source->group, source->learner);
        append_element(out, " data-where=\"", source->where, "\">");
    }
    append_spans(out, &cell->text);
    text_append(out, source->where ? "</button>" : "");
    if (cell->published)
        append_published(out, cell);
}

static void append_cell(text_buffer *out, const document_grid *g, size_t row, size_t column) {
    const grid_cell *cell = grid_at(g, row, column);
    bool is_head = row == 0 || column == 0;
    text_append(out, row == 0 ? "<th scope=\"col\"" : is_head ? "<th scope=\"row\"" : "<td");
    text_append(out, cell->is_name ? " data-name" : "");
    append_classes(out, cell->deviation, column > 0 && g->is_left[column]);
    text_append(out, ">");
    append_figure(out, cell);
    text_append(out, is_head ? "</th>" : "</td>");
}

static size_t count_names(const document_grid *g, bool *are_columns) {
    size_t n = 0;
    for (size_t i = 0; i < g->n_rows * g->n_columns; i++) {
        n += g->cells[i].is_name;
        *are_columns = *are_columns || (g->cells[i].is_name && i < g->n_columns);
    }
    return n;
}

static void append_grid(text_buffer *out, const document_grid *g, const char *heading) {
    bool are_columns = false;
    if (count_names(g, &are_columns) >= LEAST_TO_FILTER && g->number >= 0)
        text_append_format(out,
                           "<div class=\"tools\" hidden><label>Show names that hold<input type=\"search\" "
                           "class=\"filter\" aria-controls=\"table-%ld\"></label></div>\n",
                           g->number);
    append_element(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"",
                   g->title ? g->title : heading, "\"><table");
    if (g->number >= 0)
        text_append_format(out, " id=\"table-%ld\" data-table=\"%ld\"%s", g->number, g->number,
                           are_columns ? " data-learner-columns" : "");
    text_append(out, ">\n<thead>");
    for (size_t r = 0; r < g->n_rows; r++) {
        text_append(out, "<tr>");
        for (size_t c = 0; c < g->n_columns; c++)
            append_cell(out, g, r, c);
        text_append(out, r == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    }
    text_append(out, "</tbody></table></div>\n");
}

/* ---- pictures ---- */

/* Its size, so that the page does not move when the picture is drawn late. */
static void append_size(const char *svg, text_buffer *out) {
    static const char start[] = "viewBox=\"";
    const char *at = strstr(svg, start);
    double box[4] = {0};
    char *end = NULL;
    at = at ? at + strlen(start) : "";
    for (size_t i = 0; i < sizeof box / sizeof *box; i++) {
        box[i] = strtod(at, &end);
        if (end == at)
            return;
        at = end;
    }
    if (box[2] >= 1 && box[3] >= 1 && box[2] < 1e5 && box[3] < 1e5)
        text_append_format(out, " width=\"%.0f\" height=\"%.0f\"%s", box[2], box[3],
                           box[2] > WIDE_PICTURE ? " class=\"wide\"" : "");
}

/* The picture itself, where there is room for it. */
static status append_image(html_writer *w, const document_block *b, text_buffer *out, error_info *err) {
    AUTO_FREE char *path = path_join(w->folder, b->name), *svg = NULL;
    size_t length = 0;
    status st = STATUS_OK;
    CHECK_ALLOC(path);
    CHECK(file_read(path, MOST_PICTURE_BYTES, &svg, &length, err));
    if (w->picture_bytes + length / 3 * 4 > MOST_BYTES_OF_ALL) {
        text_append(out, "<p>The picture is left out to keep this page small; it lies beside it.</p>\n");
        return st;
    }
    w->picture_bytes += length / 3 * 4;
    text_append(out, "<figure><button type=\"button\" class=\"zoom\" aria-pressed=\"false\" title=\"Full size\"><img "
                     "loading=\"lazy\"");
    append_size(svg, out);
    append_lines(out, " alt=\"", &b->text, "\" src=\"data:image/svg+xml;base64,");
    html_append_base64(out, svg, length);
    text_append(out, "\"></button></figure>\n");
    return st;
}

static status append_picture(html_writer *w, const document_block *b, text_buffer *out, error_info *err) {
    if (b->name)
        return append_image(w, b, out, err);
    text_append_format(out,
                       "<p class=\"failed\">There is no picture: %s could not draw it (see what could not be made, "
                       "below).</p>\n",
                       b->program);
    return STATUS_OK;
}

/* ---- sections ---- */

typedef struct {
    html_writer *page;
    text_buffer *out;
    const char *heading; /* the last one */
    size_t n_open;
    const document_block *open[MOST_OPEN]; /* headings of the sections around what comes */
} section_writer;

static void close_section(section_writer *w) {
    text_append(w->out, w->open[--w->n_open]->is_folded ? "</details>\n" : "</section>\n");
}

static void open_section(section_writer *w, const document_block *b) {
    int level = w->page->top + b->level - 1;
    while (w->n_open > 0 && (w->open[w->n_open - 1]->level >= b->level || w->n_open == MOST_OPEN))
        close_section(w);
    w->open[w->n_open++] = b;
    w->heading = b->text.spans[0].text;
    if (b->is_folded) {
        append_lines(w->out, "<details><summary>", &b->text, "</summary>\n");
        return;
    }
    text_append_format(w->out, "<section>\n<h%d id=\"at-", level);
    document_append_anchor(w->heading, w->out);
    text_append(w->out, "\">");
    append_spans(w->out, &b->text);
    text_append_format(w->out, "</h%d>\n", level);
}

static void append_fact(text_buffer *out, const document_block *b) {
    append_element(out, b->is_figure ? "<div><dt>" : "<dt>", b->name, "</dt><dd>");
    append_lines(out, "", &b->text, b->is_figure ? "</dd></div>\n" : "</dd>\n");
}

static status append_block(section_writer *w, const document_block *b, error_info *err) {
    switch (b->kind) {
    case BLOCK_HEADING:
        open_section(w, b);
        break;
    case BLOCK_END:
        if (w->n_open > 0)
            close_section(w);
        break;
    case BLOCK_PARAGRAPH:
        if (b->text.n > 0)
            append_lines(w->out, "<p>", &b->text, "</p>\n");
        break;
    case BLOCK_ITEM:
        append_lines(w->out, "<li>", &b->text, "</li>\n");
        break;
    case BLOCK_FACT:
        append_fact(w->out, b);
        break;
    case BLOCK_PICTURE:
        return append_picture(w->page, b, w->out, err);
    case BLOCK_GRID:
        append_grid(w->out, b->grid, w->heading);
        break;
    }
    return STATUS_OK;
}

/* Neighbours of these kinds stand in one list. */
static bool is_of_list(const document_block *a, const document_block *b) {
    return a && b && a->kind == b->kind && a->is_figure == b->is_figure;
}

static void begin_list(const document_block *b, text_buffer *out) {
    if (b->kind == BLOCK_ITEM)
        text_append(out, "<ul class=\"notes\">\n");
    else if (b->kind == BLOCK_FACT)
        text_append_format(out, "<dl class=\"%s\">\n", b->is_figure ? "tiles" : "facts");
}

static void end_list(const document_block *b, text_buffer *out) {
    if (b->kind == BLOCK_ITEM)
        text_append(out, "</ul>\n");
    else if (b->kind == BLOCK_FACT)
        text_append(out, "</dl>\n");
}

status document_write_html(const document *d, html_writer *page, text_buffer *out, error_info *err) {
    section_writer w = {.page = page, .out = out, .heading = ""};
    CHECK(document_check(d, err));
    for (size_t i = 0; i < d->n; i++) {
        const document_block *b = &d->blocks[i];
        if (!is_of_list(i > 0 ? b - 1 : NULL, b))
            begin_list(b, out);
        CHECK(append_block(&w, b, err));
        if (!is_of_list(i + 1 < d->n ? b + 1 : NULL, b))
            end_list(b, out);
    }
    while (w.n_open > 0)
        close_section(&w);
    return text_buffer_check(out, err);
}
