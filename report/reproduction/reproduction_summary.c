/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much came out: as the paper is read here, under each other reading, and why the rest did not. */
#include "report/reproduction/reproduction_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const state_words[N_FIGURE_STATES] = {"within tolerance", "shown by an experiment",
                                                         "explained in words", "open"};

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

static void add_table_row(const reproduced_table *r, document_grid *g, size_t row) {
    figure_counts c = table_count(r);
    grid_say(g, row, 0, SPAN_TEXT, "%s", r->t.title);
    say_tolerance(g, row, COLUMN_TOLERANCE, r->within);
    add_states(g, row, &c);
}

static void add_test_row(const reproduced_test *t, document_grid *g, size_t row) {
    figure_counts c = test_count(t);
    grid_say(g, row, 0, SPAN_TEXT, "%s (test)", t->title ? t->title : t->id);
    grid_say(g, row, COLUMN_TOLERANCE, SPAN_TEXT, "the same");
    add_states(g, row, &c);
}

static size_t count_counted(const reproduced_parts *p) {
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
    const char *const head[] = {"table",        "published figures", "regenerated",  "tolerance",
                                state_words[0], state_words[1],      state_words[2], state_words[3]};
    enum { N_HEAD = sizeof head / sizeof *head };
    size_t row = 0;
    document_grid *g;
    document_add_heading(d, 2, "How much came out");
    document_add_paragraph(d, "A figure that is 1 by definition, the baseline's own, is not counted. A miss is shown "
                              "by an experiment where a reason covers it and a reading that the reason "
                              "names "
                              "brings the figure within tolerance, or past the published one and nearer to it.");
    g = document_add_grid(d, NULL, count_counted(&p->base) + 1 + add_sums(&p->base, NULL, 0), N_HEAD, false);
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

/* ---- readings ---- */

static const char *basis_words(reading_basis basis) {
    static const char *const words[] = {"The paper says so.", "The paper leaves it open.",
                                        "Chosen in view of the published figures."};
    return words[basis];
}

/* Those chosen in view of the figures have a dagger wherever they stand. */
static void say_reading(document_grid *g, size_t column, const reproduced_parts *r) {
    grid_say(g, 0, column, SPAN_TEXT, "%s%s", r->reading ? r->reading->id : "base",
             r->reading && r->reading->basis == BASIS_FIGURES ? " †" : "");
}

static void describe_readings(const reproduction *p, document *d) {
    const experiment_outputs *o = p->in->of.outputs;
    for (size_t i = 0, k = 0; i < o->n_readings; i++) {
        const reading_spec *r = &o->readings[i];
        bool is_base = reading_is_base(r), is_run = is_base || p->readings[k].is_run;
        k += !is_base;
        document_begin(d, BLOCK_ITEM);
        document_say(d, SPAN_STRONG, "%s%s", r->id, r->basis == BASIS_FIGURES ? " †" : "");
        document_say(d, SPAN_TEXT, ": %s %s%s", r->text, basis_words(r->basis), is_run ? "" : " It has not been run.");
    }
}

/* The base is column 1. */
static const reproduced_parts *parts_of_column(const reproduction *p, size_t column) {
    return column == 1 ? &p->base : &p->readings[column - 2];
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
    document_grid *g = begin_grid(p, "within tolerance", count_counted(&p->base) + 2, d);
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

/* A learner's figures in the tables that count. */
static void count_learner(const reproduced_parts *p, const char *learner, size_t *n, size_t *of) {
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

static void add_by_learner(const reproduction *p, size_t *n, size_t *of, document *d) {
    const experiment_outputs *o = p->in->of.outputs;
    size_t n_columns = p->n_readings + 2, n_rows = 0, row = 0;
    document_grid *g;
    for (size_t l = 0; l < o->n_learners; l++) {
        size_t within = 0, all = 0;
        count_learner(&p->base, o->learners[l], &within, &all);
        n_rows += all > 0;
    }
    if (n_rows == 0)
        return;
    document_add_paragraph(d, "The same by learner; the reading that fits a learner best is in bold.");
    g = begin_grid(p, "learner", n_rows + 1, d);
    for (size_t l = 0; l < o->n_learners; l++) {
        for (size_t c = 1; c < n_columns; c++) {
            n[c] = of[c] = 0;
            count_learner(parts_of_column(p, c), o->learners[l], &n[c], &of[c]);
        }
        if (of[1] == 0)
            continue;
        grid_say(g, ++row, 0, SPAN_TEXT, "%s", o->learners[l]);
        add_shares(g, row, n, of, n_columns);
    }
}

void readings_append(const reproduction *p, document *d) {
    AUTO_FREE size_t *n = calloc(p->n_readings + 2, sizeof *n), *of = calloc(p->n_readings + 2, sizeof *of);
    d->failed |= !n || !of;
    if (p->n_readings == 0 || d->failed)
        return;
    document_add_heading(d, 2, "Readings");
    document_add_paragraph(
        d, "What the paper leaves open can be read in several ways. Each reading changes one thing; what "
           "is counted above is the base. † marks what was chosen in view of the published figures.");
    describe_readings(p, d);
    add_by_table(p, n, of, d);
    add_by_learner(p, n, of, d);
}

/* ---- reasons ---- */

static void count_reason(const reproduced_parts *p, const reason_spec *reason, size_t *states) {
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

/* The command that computes it, or the table that holds it. */
static void say_evidence(const experiment_outputs *o, const reason_spec *r, document_grid *g, size_t row,
                         size_t column) {
    AUTO(text_buffer_clear) text_buffer list = {0};
    for (size_t i = 0; i < r->n_readings; i++)
        text_append_format(&list, "%s%s", i ? "," : "", r->readings[i]);
    if (r->n_readings > 0)
        grid_say(g, row, column, SPAN_CODE, "bnbench run %s --readings %s", o->name, list.data ? list.data : "");
    if (r->claim)
        grid_say(g, row, column, SPAN_TEXT, "%sthe claim %s", r->n_readings ? "; " : "", r->claim);
    if (r->shown_in)
        grid_say(g, row, column, SPAN_TEXT, "%sthe table %s", r->n_readings ? "; " : "", r->shown_in);
    g->failed |= list.failed;
}

void reasons_append(const reproduction *p, document *d) {
    static const char *const kinds[] = {"how the paper is read", "data that cannot be had", "the hardware of the time",
                                        "the paper's own inconsistency", "not known"};
    const experiment_outputs *o = p->in->of.outputs;
    const char *const head[] = {"reason",       "kind",         "what shows it", "misses",
                                state_words[1], state_words[2], state_words[3]};
    enum { N_HEAD = sizeof head / sizeof *head };
    document_grid *g;
    if (o->n_reasons == 0)
        return;
    document_add_heading(d, 2, "Why figures do not come out");
    for (size_t i = 0; i < o->n_reasons; i++) {
        document_begin(d, BLOCK_ITEM);
        document_say(d, SPAN_STRONG, "%s", o->reasons[i].id);
        document_say(d, SPAN_TEXT, ": %s", o->reasons[i].text);
    }
    g = document_add_grid(d, NULL, o->n_reasons + 1, N_HEAD, false);
    if (!g)
        return;
    grid_set_head(g, head, N_HEAD);
    g->is_left[1] = g->is_left[2] = true;
    for (size_t i = 0; i < o->n_reasons; i++) {
        const reason_spec *r = &o->reasons[i];
        size_t states[N_FIGURE_STATES] = {0};
        count_reason(&p->base, r, states);
        grid_say(g, i + 1, 0, SPAN_TEXT, "%s", r->id);
        grid_say(g, i + 1, 1, SPAN_TEXT, "%s", kinds[r->kind]);
        say_evidence(o, r, g, i + 1, 2);
        grid_say(g, i + 1, 3, SPAN_TEXT, "%zu", states[FIGURE_SHOWN] + states[FIGURE_SAID] + states[FIGURE_OPEN]);
        for (size_t s = FIGURE_SHOWN; s < N_FIGURE_STATES; s++)
            grid_say(g, i + 1, 3 + s, SPAN_TEXT, "%zu", states[s]);
    }
}
