/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/document.h"

#include "core/base/array.h"
#include "document/display.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void spans_clear(span_list *l) {
    for (size_t i = 0; i < l->n; i++) {
        free(l->spans[i].text);
        free(l->spans[i].target);
    }
    free(l->spans);
}

static void grid_destroy(document_grid *g) {
    if (!g)
        return;
    for (size_t i = 0; g->cells && i < g->n_rows * g->n_columns; i++) {
        spans_clear(&g->cells[i].text);
        free(g->cells[i].published);
        free(g->cells[i].source.where);
    }
    free(g->cells);
    free(g->is_left);
    free(g->title);
    free(g);
}

void document_clear(document *d) {
    for (size_t i = 0; i < d->n; i++) {
        spans_clear(&d->blocks[i].text);
        free(d->blocks[i].name);
        free(d->blocks[i].program);
        grid_destroy(d->blocks[i].grid);
    }
    free(d->blocks);
    *d = (document){0};
}

status document_check(const document *d, error_info *err) {
    bool failed = d->failed;
    for (size_t i = 0; i < d->n; i++)
        failed = failed || (d->blocks[i].grid && d->blocks[i].grid->failed);
    return failed ? error_out_of_memory(err) : STATUS_OK;
}

/* ---- texts ---- */

/* A plain copy; NULL of NULL. */
static char *copy_plain(const char *text, bool *failed) {
    text_buffer b = {0};
    if (!text)
        return NULL;
    text_append(&b, "");
    display_append_plain(&b, text);
    *failed |= b.failed;
    if (b.failed)
        text_buffer_clear(&b);
    return b.data;
}

static void add_span(span_list *l, span_kind kind, const char *text, const char *target, bool *failed) {
    text_span *added;
    if (*failed || ARRAY_APPEND(l->spans, l->n, NULL, (text_span){.kind = kind}) != STATUS_OK) {
        *failed = true;
        return;
    }
    added = &l->spans[l->n - 1];
    added->text = copy_plain(text, failed);
    added->target = copy_plain(target, failed);
    if (*failed) {
        l->n--;
        free(added->text);
        free(added->target);
    }
}

static void BNB_PRINTF(3, 0) add_format(span_list *l, span_kind kind, const char *format, va_list list, bool *failed) {
    AUTO_FREE char *text = NULL;
    if (vasprintf(&text, format, list) < 0) {
        *failed = true;
        return;
    }
    add_span(l, kind, text, NULL, failed);
}

/* ---- blocks ---- */

void document_begin(document *d, block_kind kind) {
    d->failed =
        d->failed || ARRAY_PUSH(d->blocks, d->n, d->capacity, NULL, (document_block){.kind = kind}) != STATUS_OK;
}

static document_block *last(const document *d) {
    assert(d->failed || d->n > 0);
    return d->failed ? NULL : &d->blocks[d->n - 1];
}

static void add_block(document *d, block_kind kind, const char *text) {
    document_begin(d, kind);
    if (!d->failed)
        add_span(&last(d)->text, SPAN_TEXT, text, NULL, &d->failed);
}

void document_add_heading(document *d, int level, const char *text) {
    add_block(d, BLOCK_HEADING, text);
    if (!d->failed)
        last(d)->level = level;
}

void document_add_folded(document *d, int level, const char *text) {
    document_add_heading(d, level, text);
    if (!d->failed)
        last(d)->is_folded = true;
}

void document_end_section(document *d) {
    document_begin(d, BLOCK_END);
}

void document_add_paragraph(document *d, const char *text) {
    add_block(d, BLOCK_PARAGRAPH, text);
}

void document_add_item(document *d, const char *text) {
    add_block(d, BLOCK_ITEM, text);
}

void document_add_items(document *d, char *const *texts, size_t n) {
    for (size_t i = 0; i < n; i++)
        document_add_item(d, texts[i]);
}

void document_begin_fact(document *d, const char *name) {
    document_block *fact;
    document_begin(d, BLOCK_FACT);
    fact = last(d);
    if (fact)
        fact->name = copy_plain(name, &d->failed);
}

void document_add_fact(document *d, const char *name, const char *value) {
    if (!value || !*value)
        return;
    document_begin_fact(d, name);
    document_say(d, SPAN_TEXT, "%s", value);
}

void document_begin_figure(document *d, const char *name) {
    document_begin_fact(d, name);
    if (!d->failed)
        last(d)->is_figure = true;
}

void document_add_picture(document *d, const char *title, const char *file, const char *program) {
    add_block(d, BLOCK_PICTURE, title);
    document_block *b = last(d);
    if (!b)
        return;
    b->name = copy_plain(file, &d->failed);
    b->program = copy_plain(program, &d->failed);
}

void document_say(document *d, span_kind kind, const char *format, ...) {
    va_list list;
    if (d->failed)
        return;
    va_start(list, format);
    add_format(&last(d)->text, kind, format, list, &d->failed);
    va_end(list);
}

void document_link(document *d, const char *text, const char *name, const char *ending) {
    AUTO(text_buffer_clear) text_buffer target = {0};
    text_append_format(&target, "%s%s", name, ending);
    d->failed |= target.failed;
    if (!d->failed)
        add_span(&last(d)->text, SPAN_LINK, text, target.data, &d->failed);
}

/* ---- grids ---- */

document_grid *document_add_grid(document *d, const char *title, size_t n_rows, size_t n_columns, bool is_left) {
    document_grid *g;
    document_begin(d, BLOCK_GRID);
    g = d->failed ? NULL : calloc(1, sizeof *g);
    d->failed |= !g;
    if (!g)
        return NULL;
    last(d)->grid = g;
    *g = (document_grid){.n_rows = n_rows, .n_columns = n_columns, .number = -1};
    g->title = copy_plain(title, &d->failed);
    g->cells = calloc(n_rows * n_columns + 1, sizeof *g->cells);
    g->is_left = calloc(n_columns + 1, sizeof *g->is_left);
    d->failed |= !g->cells || !g->is_left;
    if (d->failed)
        return NULL;
    for (size_t c = 0; c < n_columns; c++)
        g->is_left[c] = is_left || c == 0;
    for (size_t i = 0; i < n_rows * n_columns; i++)
        g->cells[i].deviation = NAN;
    return g;
}

grid_cell *grid_at(const document_grid *g, size_t row, size_t column) {
    return g ? &g->cells[row * g->n_columns + column] : NULL;
}

void grid_say(document_grid *g, size_t row, size_t column, span_kind kind, const char *format, ...) {
    va_list list;
    if (!g)
        return;
    va_start(list, format);
    add_format(&grid_at(g, row, column)->text, kind, format, list, &g->failed);
    va_end(list);
}

void grid_link(document_grid *g, size_t row, size_t column, const char *text, const char *target) {
    if (g && !g->failed)
        add_span(&grid_at(g, row, column)->text, SPAN_LINK, text, target, &g->failed);
}

void document_append_anchor(const char *heading, text_buffer *out) {
    for (const char *at = heading; *at; at++) {
        char c = (char)(*at == ' ' ? '-' : tolower((unsigned char)*at));
        if (isalnum((unsigned char)c) || c == '-' || c == '_' || (unsigned char)c >= 0x80)
            text_append_bytes(out, &c, 1);
    }
}

void grid_set_head(document_grid *g, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        grid_say(g, 0, i, SPAN_TEXT, "%s", names[i]);
}

void grid_set_published(document_grid *g, size_t row, size_t column, const char *figure) {
    if (g)
        grid_at(g, row, column)->published = copy_plain(figure, &g->failed);
}

void grid_set_source(document_grid *g, size_t row, size_t column, size_t group, long learner, const char *where) {
    if (g)
        grid_at(g, row, column)->source = (grid_source){copy_plain(where, &g->failed), group, learner};
}
