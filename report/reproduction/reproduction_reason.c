/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One reason why figures do not come out: each of them as published, as it is here, and under the readings that show
 * it. */
#include "report/reproduction/reproduction_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const state_words[N_FIGURE_STATES] = {"within", "shown", "not shown", "open"};

/* The readings that the reason names, in their order in the experiment, as columns behind those of every figure. */
enum { COLUMN_PUBLISHED = 2, COLUMN_BASE, COLUMN_READINGS };

typedef struct {
    const reproduction *p;
    const reason_spec *reason;
    size_t n_readings;
    const reproduced_parts **readings;
} shown_reason;

static void shown_clear(shown_reason *s) {
    free(s->readings);
}

static status choose_readings(shown_reason *s, error_info *err) {
    CHECK_ALLOC(s->readings = calloc(s->p->n_readings + 1, sizeof *s->readings));
    for (size_t i = 0; i < s->p->n_readings; i++) {
        const reproduced_parts *r = &s->p->readings[i];
        for (size_t k = 0; k < s->reason->n_readings; k++) {
            if (strcmp(s->reason->readings[k], r->reading->id) == 0)
                s->readings[s->n_readings++] = r;
        }
    }
    return STATUS_OK;
}

static size_t count_covered(const judged_figure *figures, size_t n, const reason_spec *reason) {
    size_t n_covered = 0;
    for (size_t i = 0; figures && i < n; i++)
        n_covered += figures[i].counts && figures[i].reason == reason;
    return n_covered;
}

static document_grid *begin_grid(const shown_reason *s, const char *title, const char *first, const char *second,
                                 size_t n_rows, document *d) {
    const char *const head[] = {first, second, "published", "here"};
    size_t n_columns = COLUMN_READINGS + s->n_readings + 1;
    document_grid *g;
    document_add_heading(d, 2, title);
    g = document_add_grid(d, NULL, n_rows + 1, n_columns, false);
    if (!g)
        return NULL;
    grid_set_head(g, head, COLUMN_READINGS);
    g->is_left[1] = g->is_left[n_columns - 1] = true;
    for (size_t i = 0; i < s->n_readings; i++)
        grid_say(g, 0, COLUMN_READINGS + i, SPAN_TEXT, "%s", s->readings[i]->reading->id);
    return g;
}

static void say_state(const shown_reason *s, const judged_figure *f, document_grid *g, size_t row) {
    grid_say(g, row, COLUMN_READINGS + s->n_readings, f->state == FIGURE_SHOWN ? SPAN_STRONG : SPAN_TEXT, "%s",
             state_words[f->state]);
}

/* ---- tables ---- */

static void say_figure(const table *t, const table_cell *cell, document_grid *g, size_t row, size_t column) {
    AUTO(text_buffer_clear) text_buffer shown = {0};
    if (cell)
        table_append_figure(t, cell, &shown);
    if (g)
        g->failed |= shown.failed;
    grid_say(g, row, column, SPAN_TEXT, "%s", shown.data ? shown.data : "-");
}

static void add_figure(const shown_reason *s, const reproduced_table *r, size_t at, document_grid *g, size_t row) {
    const table *t = &r->t;
    const char *name = t->row_names[at / t->n_columns], *column = t->column_names[at % t->n_columns];
    grid_say(g, row, 0, SPAN_TEXT, "%s", name);
    grid_say(g, row, 1, SPAN_TEXT, "%s", column);
    grid_say(g, row, COLUMN_PUBLISHED, SPAN_TEXT, "%s", t->cells[at].published);
    say_figure(t, &t->cells[at], g, row, COLUMN_BASE);
    for (size_t i = 0; i < s->n_readings; i++) {
        const reproduced_table *theirs = parts_find_table(s->readings[i], r->id);
        say_figure(t, theirs ? table_find_cell(&theirs->t, name, column) : NULL, g, row, COLUMN_READINGS + i);
    }
    say_state(s, &r->figures[at], g, row);
}

static void add_table(const shown_reason *s, const reproduced_table *r, document *d) {
    const table *t = &r->t;
    size_t n = count_covered(r->figures, t->n_rows * t->n_columns, s->reason), row = 0;
    document_grid *g;
    if (n == 0)
        return;
    g = begin_grid(s, t->title, t->row_heading, t->learners_are_columns ? "learner" : "at", n, d);
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (r->figures[i].counts && r->figures[i].reason == s->reason)
            add_figure(s, r, i, g, ++row);
    }
}

/* ---- tests ---- */

static void add_outcome(const shown_reason *s, const reproduced_test *t, size_t at, document_grid *g, size_t row) {
    const test_outcome *o = &t->outcomes.items[at];
    grid_say(g, row, 0, SPAN_TEXT, "%s", o->place);
    grid_say(g, row, 1, SPAN_TEXT, "%s%s%s", o->learners[0], o->learners[1] ? " - " : "",
             o->learners[1] ? o->learners[1] : "");
    grid_say(g, row, COLUMN_PUBLISHED, SPAN_TEXT, "%s", o->published);
    grid_say(g, row, COLUMN_BASE, SPAN_TEXT, "%s", o->here);
    for (size_t i = 0; i < s->n_readings; i++) {
        const reproduced_test *theirs = parts_find_test(s->readings[i], t->id);
        const test_outcome *same = theirs ? test_outcomes_find(&theirs->outcomes, o) : NULL;
        grid_say(g, row, COLUMN_READINGS + i, SPAN_TEXT, "%s", same ? same->here : "-");
    }
    say_state(s, &t->figures[at], g, row);
}

static void add_test(const shown_reason *s, const reproduced_test *t, document *d) {
    size_t n = count_covered(t->figures, t->outcomes.n, s->reason), row = 0;
    document_grid *g;
    if (n == 0)
        return;
    g = begin_grid(s, t->title ? t->title : t->id, "at", "learner", n, d);
    for (size_t i = 0; i < t->outcomes.n; i++) {
        if (t->figures[i].counts && t->figures[i].reason == s->reason)
            add_outcome(s, t, i, g, ++row);
    }
}

/* ---- all of it ---- */

static void say_counts(size_t n, size_t n_shown, document *d) {
    document_begin(d, BLOCK_PARAGRAPH);
    if (n == 0)
        document_say(d, SPAN_TEXT, "No figure that it covers is a miss here.");
    else
        document_say(
            d, SPAN_TEXT,
            "%zu published figure%s missed: %zu shown, %zu not. A reading shows a miss where its figure is within "
            "tolerance, or past the published one and nearer to it.",
            n, n == 1 ? " is" : "s are", n_shown, n - n_shown);
}

/* Whole tables, under the base and each reading: of results in which nothing that it covers is a miss. */
static void add_whole_tables(const shown_reason *s, const reproduced_parts *p, document *d) {
    for (size_t i = 0; i < p->n_tables; i++) {
        bool is_covered = false;
        for (size_t k = 0; k < s->reason->n_cells; k++)
            is_covered |= strcmp(s->reason->cells[k].table, p->tables[i].id) == 0;
        if (is_covered)
            table_append_document(&p->tables[i].t, -1, d);
    }
}

static void show_whole_tables(const shown_reason *s, document *d) {
    document_add_heading(d, 2, "As the experiment is declared");
    add_whole_tables(s, &s->p->base, d);
    for (size_t i = 0; i < s->n_readings; i++) {
        document_add_heading(d, 2, s->readings[i]->reading->id);
        add_whole_tables(s, s->readings[i], d);
    }
}

static void add_reason(const shown_reason *s, document *d) {
    const reproduced_parts *base = &s->p->base;
    const reproduced_table *shown = s->reason->shown_in ? parts_find_table(base, s->reason->shown_in) : NULL;
    const claim_spec *claim = s->reason->claim ? outputs_find_claim(s->p->in->of.outputs, s->reason->claim) : NULL;
    size_t states[N_FIGURE_STATES] = {0}, n;
    parts_count_reason(base, s->reason, states);
    n = states[FIGURE_SHOWN] + states[FIGURE_SAID] + states[FIGURE_OPEN];
    document_add_heading(d, 1, s->reason->id);
    words_append("", s->reason->text, d);
    for (size_t i = 0; i < s->n_readings; i++) {
        document_begin(d, BLOCK_ITEM);
        document_say(d, SPAN_STRONG, "%s", s->readings[i]->reading->id);
        document_say(d, SPAN_TEXT, ": %s", s->readings[i]->reading->text);
    }
    for (size_t i = 0; i < base->n_tables; i++)
        add_table(s, &base->tables[i], d);
    for (size_t i = 0; i < base->n_tests; i++)
        add_test(s, &base->tests[i], d);
    if (shown)
        table_append_document(&shown->t, -1, d);
    if (claim)
        claim_append_conditions(claim, 2, base, d);
    if (n == 0)
        show_whole_tables(s, d);
    say_counts(n, states[FIGURE_SHOWN], d);
}

status reproduction_append_reason(const reproduction_input *in, const char *id, document *d, error_info *err) {
    AUTO(reproduction_clear) reproduction p = {0};
    AUTO(shown_clear) shown_reason s = {.p = &p, .reason = outputs_find_reason(in->of.outputs, id)};
    if (!s.reason)
        return error_set(err, STATUS_INVALID, "the experiment has no reason '%.60s'", id);
    CHECK(reproduction_compute(in, &p, err));
    CHECK(choose_readings(&s, err));
    add_reason(&s, d);
    return document_check(d, err);
}
