/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Markdown with the tables of GitHub and Pandoc: blocks a line apart; facts are a table without a head. */
#include "document/format.h"

#include <ctype.h>
#include <string.h>

/* An underscore between letters is plain text to every Markdown reader. */
static bool is_inner_underscore(const char *start, const char *at) {
    return *at == '_' && at > start && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
}

/* Every character that Markdown or HTML would take for its own is escaped, as it must be in a table's cell too. */
static void append_text(text_buffer *out, const char *text) {
    for (const char *at = text; *at; at++) {
        if (*at == '<' || *at == '>' || *at == '&') {
            text_append(out, *at == '<' ? "&lt;" : *at == '>' ? "&gt;" : "&amp;");
            continue;
        }
        if (strchr("\\`*_[]|#~!$", *at) && !is_inner_underscore(text, at))
            text_append(out, "\\");
        text_append_bytes(out, at, 1);
    }
}

static void append_span(text_buffer *out, const text_span *span) {
    bool is_code = span->kind == SPAN_CODE && !strpbrk(span->text, "`|\\");
    const char *around = is_code ? "`" : span->kind == SPAN_STRONG ? "**" : "";
    text_append(out, span->kind == SPAN_LINK ? "[" : around);
    if (is_code)
        text_append(out, span->text);
    else
        append_text(out, span->text);
    text_append(out, around);
    if (span->kind == SPAN_LINK)
        text_append_format(out, "](%s)", span->target);
}

static void append_spans(text_buffer *out, const span_list *l) {
    for (size_t i = 0; i < l->n; i++)
        append_span(out, &l->spans[i]);
}

static void append_cell(text_buffer *out, const grid_cell *cell) {
    text_append(out, cell->text.n ? " " : "");
    append_spans(out, &cell->text);
    if (cell->published) {
        text_append(out, " \\[");
        append_text(out, cell->published);
        text_append(out, "\\]");
    }
    text_append(out, " |");
}

static void append_grid(text_buffer *out, const document_grid *g) {
    for (size_t r = 0; r < g->n_rows; r++) {
        text_append(out, "|");
        for (size_t c = 0; c < g->n_columns; c++)
            append_cell(out, grid_at(g, r, c));
        text_append(out, r == 0 ? "\n|" : "\n");
        for (size_t c = 0; r == 0 && c < g->n_columns; c++)
            text_append(out, g->is_left[c] ? ":--|" : "--:|");
        text_append(out, r == 0 ? "\n" : "");
    }
}

static void append_fact(text_buffer *out, const document_block *b, bool is_first) {
    text_append(out, is_first ? "| | |\n|:--|:--|\n| " : "| ");
    append_text(out, b->name);
    text_append(out, " | ");
    append_spans(out, &b->text);
    text_append(out, " |\n");
}

static void append_block(text_buffer *out, const document_block *b, bool is_first) {
    switch (b->kind) {
    case BLOCK_HEADING:
        for (int i = 0; i < b->level; i++)
            text_append(out, "#");
        text_append(out, " ");
        append_spans(out, &b->text);
        text_append(out, "\n");
        break;
    case BLOCK_PARAGRAPH:
        append_spans(out, &b->text);
        text_append(out, b->text.n ? "\n" : "");
        break;
    case BLOCK_ITEM:
        text_append(out, "- ");
        append_spans(out, &b->text);
        text_append(out, "\n");
        break;
    case BLOCK_FACT:
        append_fact(out, b, is_first);
        break;
    case BLOCK_PICTURE:
        text_append(out, "![");
        append_spans(out, &b->text);
        text_append_format(out, "](%s)\n", b->name);
        break;
    case BLOCK_GRID:
        append_grid(out, b->grid);
        break;
    case BLOCK_END:
        break;
    }
}

static bool is_shown(const document_block *b) {
    return b->kind != BLOCK_END && !(b->kind == BLOCK_PICTURE && !b->name);
}

void document_write_markdown(const document *d, text_buffer *out) {
    block_kind above = BLOCK_END;
    if (document_check(d, NULL) != STATUS_OK)
        out->failed = true;
    for (size_t i = 0; !out->failed && i < d->n; i++) {
        const document_block *b = &d->blocks[i];
        bool goes_on = b->kind == above && (b->kind == BLOCK_ITEM || b->kind == BLOCK_FACT);
        if (!is_shown(b))
            continue;
        text_append(out, out->length > 0 && !goes_on ? "\n" : "");
        append_block(out, b, !goes_on);
        above = b->kind;
    }
}

const document_format document_format_markdown = {
    .name = "md", .file = "report", .ending = ".md", .has_pictures = true, .append = document_write_markdown};
