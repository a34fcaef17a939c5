/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What came out under each reading of the paper: a row each, then table by table and learner by learner. */
#include "report/reproduction/reproduction_internal.h"

#include <stdlib.h>
#include <string.h>

void parts_count_learner(const reproduced_parts *p, const char *learner, size_t *n, size_t *of) {
    for (size_t i = 0; i < p->n_tables; i++) {
        const reproduced_table *r = &p->tables[i];
        for (size_t k = 0; r->figures && !r->t.has_no_n && k < r->t.n_rows * r->t.n_columns; k++) {
            size_t at = r->t.learners_are_columns ? k % r->t.n_columns : k / r->t.n_columns;
            if (!r->figures[k].counts || strcmp(table_learner_name(&r->t, at), learner) != 0)
                continue;
            *of += 1;
            *n += r->figures[k].state == FIGURE_WITHIN;
        }
    }
}

/* ---- a row a reading ---- */

/* The base is column 1. */
static const reproduced_parts *parts_of_column(const reproduction *p, size_t column) {
    return column == 1 ? &p->base : &p->readings[column - 2];
}

/* Figures of a learner within tolerance, in hundredths of a percent, so that readings with other cells compare. */
static size_t share_of_learner(const reproduced_parts *p, const char *learner) {
    size_t n = 0, of = 0;
    parts_count_learner(p, learner, &n, &of);
    return of > 0 ? n * 10000 / of : 0;
}

/* It fits better than the base, and no other reading fits better still. */
static bool fits_best(const reproduction *p, size_t column, const char *learner) {
    size_t mine = share_of_learner(parts_of_column(p, column), learner);
    for (size_t c = 1; c < p->n_readings + 2; c++) {
        size_t share = share_of_learner(parts_of_column(p, c), learner);
        if (share > mine || (c == 1 && column != 1 && share == mine))
            return false;
    }
    return mine > 0;
}

static void say_best(const reproduction *p, size_t column, document_grid *g, size_t row) {
    const experiment_outputs *o = p->in->of.outputs;
    size_t n = 0;
    for (size_t l = 0; l < o->n_learners; l++) {
        if (fits_best(p, column, o->learners[l]))
            grid_say(g, row, 4, SPAN_TEXT, "%s%s", n++ ? ", " : "", o->learners[l]);
    }
}

static void say_within(const reproduced_parts *r, document_grid *g, size_t row) {
    figure_counts all = parts_count(r, FIGURES_RESULTS);
    if (!r->is_run)
        grid_say(g, row, 3, SPAN_TEXT, "not run");
    else if (all.n > 0)
        grid_say(g, row, 3, SPAN_TEXT, "%zu/%zu", all.states[FIGURE_WITHIN], all.n);
}

void readings_append(const reproduction *p, document *d) {
    static const char *const bases[] = {"the text", "left open", "the figures †"};
    static const char *const head[] = {"reading", "what it takes otherwise", "chosen by", "within", "fits best"};
    enum { N_HEAD = sizeof head / sizeof *head };
    const experiment_outputs *o = p->in->of.outputs;
    document_grid *g;
    if (p->n_readings == 0)
        return;
    document_add_heading(d, 2, "Readings");
    g = document_add_grid(d, NULL, o->n_readings + 1, N_HEAD, true);
    grid_set_head(g, head, N_HEAD);
    for (size_t i = 0, column = 2; i < o->n_readings; i++) {
        const reading_spec *r = &o->readings[i];
        size_t c = reading_is_base(r) ? 1 : column++;
        grid_say(g, i + 1, 0, SPAN_TEXT, "%s", r->id);
        grid_say(g, i + 1, 1, SPAN_TEXT, "%s", r->text);
        grid_say(g, i + 1, 2, SPAN_TEXT, "%s", bases[r->basis]);
        say_within(parts_of_column(p, c), g, i + 1);
        say_best(p, c, g, i + 1);
    }
}

/* ---- table by table, learner by learner ---- */

/* Those chosen in view of the figures have a dagger wherever they stand. */
static void say_reading(document_grid *g, size_t column, const reproduced_parts *r) {
    grid_say(g, 0, column, SPAN_TEXT, "%s%s", r->reading ? r->reading->id : "base",
             r->reading && r->reading->basis == BASIS_FIGURES ? " †" : "");
}

static document_grid *begin_grid(const reproduction *p, const char *first, size_t n_rows, document *d) {
    size_t n_columns = p->n_readings + 2;
    document_grid *g = document_add_grid(d, NULL, n_rows, n_columns, false);
    grid_say(g, 0, 0, SPAN_TEXT, "%s", first);
    for (size_t c = 1; g && c < n_columns; c++)
        say_reading(g, c, parts_of_column(p, c));
    return g;
}

/* n of N in each column, the largest n strong. */
static void add_shares(document_grid *g, size_t row, const size_t *n, const size_t *of, size_t n_columns) {
    size_t most = 0;
    for (size_t c = 1; c < n_columns; c++)
        most = n[c] > most ? n[c] : most;
    for (size_t c = 1; c < n_columns; c++) {
        if (of[c] > 0)
            grid_say(g, row, c, n[c] == most ? SPAN_STRONG : SPAN_TEXT, "%zu/%zu", n[c], of[c]);
        else
            grid_say(g, row, c, SPAN_TEXT, "-");
    }
}

/* Figures of a table or test by reading: how many are within tolerance, of how many. */
static void count_part(const reproduction *p, const char *id, size_t *n, size_t *of) {
    for (size_t c = 1; c < p->n_readings + 2; c++) {
        const reproduced_table *r = parts_find_table(parts_of_column(p, c), id);
        const reproduced_test *t = parts_find_test(parts_of_column(p, c), id);
        n[c] = r ? r->n_within : t ? t->states[FIGURE_WITHIN] : 0;
        of[c] = r ? r->n_published : t ? t->outcomes.n : 0;
    }
}

static void add_by_table(const reproduction *p, size_t *n, size_t *of, document *d) {
    size_t n_columns = p->n_readings + 2, row = 0;
    document_grid *g = begin_grid(p, "within tolerance", parts_count_parts(&p->base) + 2, d);
    for (size_t i = 0; i < p->base.n_tables; i++) {
        const reproduced_table *r = &p->base.tables[i];
        if (!table_counts(r))
            continue;
        count_part(p, r->id, n, of);
        grid_say(g, ++row, 0, SPAN_TEXT, "%s", r->t.title);
        add_shares(g, row, n, of, n_columns);
    }
    for (size_t i = 0; i < p->base.n_tests; i++) {
        const reproduced_test *t = &p->base.tests[i];
        if (t->outcomes.n == 0)
            continue;
        count_part(p, t->id, n, of);
        grid_say(g, ++row, 0, SPAN_TEXT, "%s (test)", t->title ? t->title : t->id);
        add_shares(g, row, n, of, n_columns);
    }
    for (size_t c = 1; c < n_columns; c++) {
        figure_counts all = parts_count(parts_of_column(p, c), FIGURES_RESULTS);
        n[c] = all.states[FIGURE_WITHIN];
        of[c] = all.n;
    }
    grid_say(g, ++row, 0, SPAN_STRONG, "all results");
    add_shares(g, row, n, of, n_columns);
}

static void add_by_learner(const reproduction *p, size_t *n, size_t *of, document *d) {
    const experiment_outputs *o = p->in->of.outputs;
    size_t n_columns = p->n_readings + 2, n_rows = 0, row = 0;
    document_grid *g;
    for (size_t l = 0; l < o->n_learners; l++) {
        size_t within = 0, all = 0;
        parts_count_learner(&p->base, o->learners[l], &within, &all);
        n_rows += all > 0;
    }
    if (n_rows == 0)
        return;
    document_add_paragraph(d, "The same by learner; the reading that fits a learner best is in bold.");
    g = begin_grid(p, "learner", n_rows + 1, d);
    for (size_t l = 0; l < o->n_learners; l++) {
        for (size_t c = 1; c < n_columns; c++) {
            n[c] = of[c] = 0;
            parts_count_learner(parts_of_column(p, c), o->learners[l], &n[c], &of[c]);
        }
        if (of[1] == 0)
            continue;
        grid_say(g, ++row, 0, SPAN_TEXT, "%s", o->learners[l]);
        add_shares(g, row, n, of, n_columns);
    }
}

void readings_append_shares(const reproduction *p, document *d) {
    AUTO_FREE size_t *n = calloc(p->n_readings + 2, sizeof *n), *of = calloc(p->n_readings + 2, sizeof *of);
    d->failed |= !n || !of;
    if (p->n_readings == 0 || d->failed)
        return;
    document_add_heading(d, 2, "Readings, table by table");
    add_by_table(p, n, of, d);
    add_by_learner(p, n, of, d);
}
