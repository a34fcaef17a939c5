/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much came out as the paper is read here, and why the rest did not. */
#include "report/reproduction/reproduction_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_words[N_FIGURE_STATES] = {"within", "shown", "in words", "open"};

/* ---- tables and tests ---- */

static void say_tolerance(document_grid *g, size_t row, size_t column, const table_tolerance *within) {
    bool has_relative = within->relative > 0, has_absolute = within->absolute > 0;
    if (has_relative)
        grid_say(g, row, column, SPAN_TEXT, "%g%%", 100 * within->relative);
    else if (!has_absolute)
        grid_say(g, row, column, SPAN_TEXT, "as printed");
    if (has_absolute)
        grid_say(g, row, column, SPAN_TEXT, "%s%g", has_relative ? " or " : "", within->absolute);
}

enum { COLUMN_TOLERANCE = 3, COLUMN_STATES };

static void add_states(document_grid *g, size_t row, const figure_counts *c) {
    grid_say(g, row, 1, SPAN_TEXT, "%zu", c->n);
    grid_say(g, row, 2, SPAN_TEXT, "%zu", c->n_there);
    for (size_t s = 0; s < N_FIGURE_STATES; s++)
        grid_say(g, row, COLUMN_STATES + s, SPAN_TEXT, "%zu", c->states[s]);
    if (c->n > 0)
        grid_say(g, row, COLUMN_STATES, SPAN_TEXT, " (%.0f%%)", 100 * (double)c->states[FIGURE_WITHIN] / (double)c->n);
}

/* The anchor that Markdown readers give a heading: letters in lower case and figures, a hyphen for a space. */
static void append_anchor(const char *heading, text_buffer *out) {
    text_append(out, "#");
    for (const char *at = heading; *at; at++) {
        int c = *at == ' ' ? '-' : tolower((unsigned char)*at);
        if (isalnum(c) || c == '-' || c == '_' || c >= 0x80)
            text_append_bytes(out, &(char){(char)c}, 1);
    }
}

/* A link to the heading of that name in the appendix. */
static void link_part(document_grid *g, size_t row, const char *title) {
    AUTO(text_buffer_clear) text_buffer target = {0};
    append_anchor(title, &target);
    if (g)
        g->failed |= target.failed;
    if (!target.failed)
        grid_link(g, row, 0, title, target.data);
}

static void add_table_row(const reproduced_table *r, document_grid *g, size_t row) {
    figure_counts c = table_count(r);
    link_part(g, row, r->t.title);
    say_tolerance(g, row, COLUMN_TOLERANCE, r->within);
    add_states(g, row, &c);
}

static void add_test_row(const reproduced_test *t, document_grid *g, size_t row) {
    figure_counts c = test_count(t);
    link_part(g, row, t->title ? t->title : t->id);
    grid_say(g, row, 0, SPAN_TEXT, " (test)");
    grid_say(g, row, COLUMN_TOLERANCE, SPAN_TEXT, "the same");
    add_states(g, row, &c);
}

size_t parts_count_parts(const reproduced_parts *p) {
    size_t n = 0;
    for (size_t i = 0; i < p->n_tables; i++)
        n += table_counts(&p->tables[i]);
    for (size_t i = 0; i < p->n_tests; i++)
        n += p->tests[i].outcomes.n > 0;
    return n;
}

static void name_uncounted(const reproduced_parts *p, document *d) {
    size_t n = 0;
    for (size_t i = 0; i < p->n_tables; i++) {
        const reproduced_table *r = &p->tables[i];
        if (table_counts(r) || r->n_published == 0)
            continue;
        if (n++ == 0)
            document_add_paragraph(d, "Compared and not counted, as no tolerance is declared: ");
        document_say(d, SPAN_TEXT, "%s%s (%zu figure%s)", n > 1 ? "; " : "", r->t.title, r->n_published,
                     r->n_published == 1 ? "" : "s");
    }
    if (n > 0)
        document_say(d, SPAN_TEXT, ".");
}

/* Results, times and facts apart, where the experiment has two of them or more, and all together. */
static size_t add_sums(const reproduced_parts *p, document_grid *g, size_t row) {
    static const char *const names[] = {"results", "times", "facts of networks", "all"};
    size_t n = 0, n_kinds = 0;
    for (figure_kind kind = FIGURES_RESULTS; kind < N_FIGURE_KINDS; kind++)
        n_kinds += parts_count(p, kind).n > 0;
    for (figure_kind kind = FIGURES_RESULTS; kind <= N_FIGURE_KINDS; kind++) {
        figure_counts c = parts_count(p, kind);
        if (kind < N_FIGURE_KINDS && (c.n == 0 || n_kinds < 2))
            continue;
        grid_say(g, row + n, 0, SPAN_STRONG, "%s", names[kind]);
        add_states(g, row + n, &c);
        n++;
    }
    return n;
}

void summary_append(const reproduction *p, document *d) {
    const char *const head[] = {"table",        "figures",      "here",         "tolerance",
                                state_words[0], state_words[1], state_words[2], state_words[3]};
    enum { N_HEAD = sizeof head / sizeof *head };
    size_t row = 0;
    document_grid *g;
    document_add_heading(d, 2, "How much came out");
    if (parts_count_parts(&p->base) == 0) {
        document_add_paragraph(d, "No published figure is counted here.");
        name_uncounted(&p->base, d);
        return;
    }
    g = document_add_grid(d, NULL, parts_count_parts(&p->base) + 1 + add_sums(&p->base, NULL, 0), N_HEAD, false);
    if (!g)
        return;
    grid_set_head(g, head, N_HEAD);
    g->is_left[COLUMN_TOLERANCE] = true;
    for (size_t i = 0; i < p->base.n_tables; i++) {
        if (table_counts(&p->base.tables[i]))
            add_table_row(&p->base.tables[i], g, ++row);
    }
    for (size_t i = 0; i < p->base.n_tests; i++) {
        if (p->base.tests[i].outcomes.n > 0)
            add_test_row(&p->base.tests[i], g, ++row);
    }
    (void)add_sums(&p->base, g, row + 1);
    name_uncounted(&p->base, d);
}

/* ---- reasons ---- */

void parts_count_reason(const reproduced_parts *p, const reason_spec *reason, size_t *states) {
    for (size_t i = 0; i < p->n_tables; i++) {
        const reproduced_table *r = &p->tables[i];
        for (size_t k = 0; r->figures && k < r->t.n_rows * r->t.n_columns; k++)
            states[r->figures[k].state] += r->figures[k].counts && r->figures[k].reason == reason;
    }
    for (size_t i = 0; i < p->n_tests; i++) {
        const reproduced_test *t = &p->tests[i];
        for (size_t k = 0; k < t->outcomes.n; k++)
            states[t->figures[k].state] += t->figures[k].reason == reason;
    }
}

/* The tables that it covers, at most so many by name. */
static void say_cells(const reason_spec *r, document_grid *g, size_t row, size_t column) {
    enum { MOST_NAMED = 3 };
    size_t n = 0;
    for (size_t i = 0; i < r->n_cells; i++) {
        bool is_new = true;
        for (size_t k = 0; k < i; k++)
            is_new &= strcmp(r->cells[k].table, r->cells[i].table) != 0;
        if (is_new && n++ < MOST_NAMED)
            grid_say(g, row, column, SPAN_TEXT, "%s%s", n > 1 ? ", " : "", r->cells[i].table);
    }
    if (n > MOST_NAMED)
        grid_say(g, row, column, SPAN_TEXT, " and %zu more", n - MOST_NAMED);
}

/* The command that runs it and prints it, or the table that holds it. */
static void say_evidence(const experiment_outputs *o, const reason_spec *r, document_grid *g, size_t row,
                         size_t column) {
    bool has_command = r->n_readings > 0 || r->claim;
    if (has_command)
        grid_say(g, row, column, SPAN_CODE, "bnbench reproduce %s --reason %s", o->name, r->id);
    if (r->claim)
        grid_say(g, row, column, SPAN_TEXT, "; the claim %s", r->claim);
    if (r->shown_in)
        grid_say(g, row, column, SPAN_TEXT, "%s%s", has_command ? "; " : "", r->shown_in);
}

enum { COLUMN_KIND = 1, COLUMN_CELLS, COLUMN_MISSES, COLUMN_EVIDENCE = COLUMN_MISSES + N_FIGURE_STATES, N_OF_REASON };

static void add_reason(const reproduction *p, const reason_spec *r, document_grid *g, size_t row) {
    static const char *const kinds[] = {"reading", "data not to be had", "hardware of the time",
                                        "the paper contradicts itself", "not known"};
    size_t states[N_FIGURE_STATES] = {0};
    parts_count_reason(&p->base, r, states);
    grid_say(g, row, 0, SPAN_STRONG, "%s", r->id);
    grid_say(g, row, 0, SPAN_TEXT, ": %s", r->text);
    grid_say(g, row, COLUMN_KIND, SPAN_TEXT, "%s", kinds[r->kind]);
    say_cells(r, g, row, COLUMN_CELLS);
    grid_say(g, row, COLUMN_MISSES, SPAN_TEXT, "%zu", states[FIGURE_SHOWN] + states[FIGURE_SAID] + states[FIGURE_OPEN]);
    for (size_t s = FIGURE_SHOWN; s < N_FIGURE_STATES; s++)
        grid_say(g, row, COLUMN_MISSES + s, SPAN_TEXT, "%zu", states[s]);
    say_evidence(p->in->of.outputs, r, g, row, COLUMN_EVIDENCE);
}

void reasons_append(const reproduction *p, document *d) {
    static const char *const head[N_OF_REASON] = {"reason", "kind",     "tables", "misses",
                                                  "shown",  "in words", "open",   "what shows it"};
    const experiment_outputs *o = p->in->of.outputs;
    document_grid *g;
    if (o->n_reasons == 0)
        return;
    document_add_heading(d, 2, "Why figures do not come out");
    g = document_add_grid(d, NULL, o->n_reasons + 1, N_OF_REASON, false);
    if (!g)
        return;
    grid_set_head(g, head, N_OF_REASON);
    g->is_left[COLUMN_KIND] = g->is_left[COLUMN_CELLS] = g->is_left[COLUMN_EVIDENCE] = true;
    for (size_t i = 0; i < o->n_reasons; i++)
        add_reason(p, &o->reasons[i], g, i + 1);
}
