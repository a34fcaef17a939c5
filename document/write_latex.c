/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grids as floats of LaTeX, by booktabs, to stand in a document of its own preamble. */
#include "document/format.h"

#include "document/display.h"

#include <string.h>

static const struct {
    const char *character, *text;
} replacements[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"$", "\\$"},
    {"&", "\\&"},
    {"#", "\\#"},
    {"^", "\\textasciicircum{}"},
    {"_", "\\_"},
    {"~", "\\textasciitilde{}"},
    {"%", "\\%"},
    {"\"", "\\textquotedbl{}"},
    {"'", "\\textquotesingle{}"},
    {"`", "\\textasciigrave{}"},
    {"<", "\\textless{}"},
    {">", "\\textgreater{}"},
    {"|", "\\textbar{}"},
    {"-", "{-}"}, /* two of them would be joined to a dash */
    {"[", "{[}"}, /* behind \\ it would be a length */
    {"]", "{]}"},
    {"*", "{*}"}, /* behind \\ it would be its other form */
    {"\xE2\x80\xA6", "\\ldots{}"},
    {"\xE2\x80\x93", "\\textendash{}"},
    {"\xE2\x80\x94", "\\textemdash{}"},
    {"\xE2\x80\x99", "\\textquoteright{}"},
    {"\xE2\x86\x92", "$\\rightarrow$"},
    {"\xC3\x97", "$\\times$"},
    {"\xC2\xB1", "$\\pm$"},
};
enum { N_REPLACEMENTS = sizeof replacements / sizeof *replacements };

/* The bytes of a character of text that is UTF-8. */
static size_t length_at(const char *s) {
    unsigned char c = (unsigned char)*s;
    return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

/* Letters of Latin-1 and Latin Extended-A, which T1 has; not the few there that it lacks. */
static bool is_known(const char *s, size_t n) {
    unsigned code = n == 2 ? ((unsigned char)s[0] & 0x1Fu) << 6 | ((unsigned char)s[1] & 0x3Fu) : 0;
    if (n == 1)
        return true;
    if (n > 2 || code == 0xD7 || code == 0xF7)
        return false;
    return (code >= 0xC0 && code <= 0xFF) || (code >= 0x100 && code <= 0x107) || (code >= 0x10C && code <= 0x111) ||
           (code >= 0x118 && code <= 0x11B) || (code >= 0x141 && code <= 0x144) || (code >= 0x158 && code <= 0x15B) ||
           (code >= 0x160 && code <= 0x161) || (code >= 0x179 && code <= 0x17E);
}

static const char *replacement_of(const char *s, size_t n) {
    for (size_t i = 0; i < N_REPLACEMENTS; i++) {
        if (strlen(replacements[i].character) == n && strncmp(replacements[i].character, s, n) == 0)
            return replacements[i].text;
    }
    return is_known(s, n) ? NULL : "?";
}

void latex_append_text(text_buffer *out, const char *text) {
    AUTO(text_buffer_clear) text_buffer clean = {0};
    display_append_plain(&clean, text);
    out->failed |= clean.failed;
    for (const char *s = clean.data && !clean.failed ? clean.data : ""; *s;) {
        size_t n = length_at(s);
        const char *replacement = replacement_of(s, n);
        if (replacement)
            text_append(out, replacement);
        else
            text_append_bytes(out, s, n);
        s += n;
    }
}

static void append_spans(text_buffer *out, const span_list *l) {
    for (size_t i = 0; i < l->n; i++) {
        bool is_strong = l->spans[i].kind == SPAN_STRONG;
        text_append(out, is_strong ? "\\textbf{" : "");
        latex_append_text(out, l->spans[i].text);
        text_append(out, is_strong ? "}" : "");
    }
}

/* ---- grids ---- */

static void append_cell(text_buffer *out, const grid_cell *cell) {
    if (cell->text.n == 1 && strcmp(cell->text.spans[0].text, GRID_COUNTS) == 0)
        text_append(out, "$n$ of $N$");
    else
        append_spans(out, &cell->text);
    if (!cell->published)
        return;
    text_append(out, " {[}");
    latex_append_text(out, cell->published);
    text_append(out, "{]}");
}

static void append_grid(text_buffer *out, const document_grid *g) {
    text_append(out, "\\begin{tabular}{@{}");
    for (size_t c = 0; c < g->n_columns; c++)
        text_append(out, g->is_left[c] ? "l" : "r");
    text_append(out, "@{}}\n\\toprule\n");
    for (size_t r = 0; r < g->n_rows; r++) {
        text_append(out, g->n_foot > 0 && r + g->n_foot == g->n_rows ? "\\midrule\n" : "");
        for (size_t c = 0; c < g->n_columns; c++) {
            text_append(out, c > 0 ? " & " : "");
            append_cell(out, grid_at(g, r, c));
        }
        text_append(out, r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n");
    }
    text_append(out, "\\bottomrule\n\\end{tabular}");
}

/* ---- floats ---- */

enum { OUTER_LEVEL = 2 };

typedef struct {
    text_buffer *out;
    const span_list *title, *inner_title; /* of the sections that are open; NULL: none */
    bool is_open;
} float_writer;

static void open_float(float_writer *w) {
    text_append_format(w->out, "\\begin{table}[%s]\n\\centering\n\\caption{", w->inner_title ? "ht" : "htbp");
    if (w->title)
        append_spans(w->out, w->title);
    text_append(w->out, w->title && w->inner_title ? ": " : "");
    if (w->inner_title)
        append_spans(w->out, w->inner_title);
    text_append(w->out, "}\n");
    w->is_open = true;
}

static void close_float(float_writer *w) {
    text_append(w->out, w->is_open ? "\\end{table}\n" : "");
    w->is_open = false;
}

static void write_grid(float_writer *w, const document_grid *g) {
    if (!w->is_open)
        open_float(w);
    if (g->may_shrink)
        text_append(w->out, "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n");
    append_grid(w->out, g);
    text_append(w->out, !g->may_shrink ? "\n" : w->inner_title ? "\n}\n" : "}\n");
}

static void write_heading(float_writer *w, const document_block *b) {
    close_float(w);
    w->title = b->level <= OUTER_LEVEL ? &b->text : w->title;
    w->inner_title = b->level <= OUTER_LEVEL ? NULL : &b->text;
}

static void write_note(float_writer *w, const span_list *text) {
    text_append(w->out, "\\par\\smallskip{\\footnotesize ");
    append_spans(w->out, text);
    text_append(w->out, "\\par}\n");
}

void document_write_latex(const document *d, text_buffer *out) {
    float_writer w = {.out = out};
    if (document_check(d, NULL) != STATUS_OK)
        out->failed = true;
    for (size_t i = 0; !out->failed && i < d->n; i++) {
        const document_block *b = &d->blocks[i];
        if (b->kind == BLOCK_HEADING)
            write_heading(&w, b);
        else if (b->kind == BLOCK_GRID)
            write_grid(&w, b->grid);
        else if (b->kind == BLOCK_END)
            close_float(&w);
        else if (b->kind == BLOCK_ITEM && w.is_open)
            write_note(&w, &b->text);
    }
    close_float(&w);
}

/* It compiles as it is, and reads what another document may read too. */
static void append_frame(const char *title, text_buffer *out) {
    text_append(out, "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
                     "\\usepackage{textcomp}\n\\usepackage{booktabs}\n\\usepackage{graphicx}\n"
                     "\\usepackage[margin=2cm]{geometry}\n\\begin{document}\n\\section*{");
    latex_append_text(out, title);
    text_append(out, "}\n\\input{tables}\n\\end{document}\n");
}

const document_format document_format_latex = {
    .name = "latex",
    .file = "tables",
    .ending = ".tex",
    .head = "% needs booktabs and graphicx: \\input{tables} in a document of one's own\n",
    .append = document_write_latex,
    .append_frame = append_frame};
