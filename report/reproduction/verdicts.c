/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/reproduction/verdicts.h"

#include "parts/figures/aggregate.h"
#include "report/reproduction/reproduction_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rule, which the page states. */
#define SHARE_CONFIRMED 0.8
#define RHO_CONFIRMED 0.7

typedef struct {
    size_t n;
    reproduction *all;
} pages;

static void pages_clear(pages *p) {
    for (size_t i = 0; p->all && i < p->n; i++)
        reproduction_clear(&p->all[i]);
    free(p->all);
}

/* ---- verdicts ---- */

/* The median over the table's groups; NAN where none has an order. */
static status median_order(const reproduced_table *r, double *out, error_info *err) {
    size_t n = 0, n_learners;
    AUTO_FREE double *rhos = calloc(table_group_count(&r->t) + 1, sizeof *rhos);
    CHECK_ALLOC(rhos);
    for (size_t g = 0; !r->t.has_no_n && g < r->t.n_groups; g++) {
        double rho = NAN;
        CHECK(table_order(&r->t, g, &rho, &n_learners, err));
        if (!isnan(rho))
            rhos[n++] = rho;
    }
    *out = n ? sorted_quantile(rhos, n, 0.5) : NAN;
    return STATUS_OK;
}

static const char *verdict_words(size_t n, size_t n_there, size_t n_within, double rho) {
    if (n_there == 0)
        return "cannot be tested";
    if ((double)n_within >= SHARE_CONFIRMED * (double)n)
        return rho < RHO_CONFIRMED ? "confirmed in size, not in order" : "confirmed"; /* NAN: there is no order */
    return rho >= RHO_CONFIRMED ? "confirmed in order, not in size" : "not confirmed";
}

/* ---- one paper ---- */

enum { COLUMN_FIGURES = 1, COLUMN_STATES, COLUMN_RHO = COLUMN_STATES + N_FIGURE_STATES, COLUMN_VERDICT, N_COLUMNS };

static void add_states(document_grid *g, size_t row, const figure_counts *c) {
    grid_say(g, row, COLUMN_FIGURES, SPAN_TEXT, "%zu", c->n);
    for (size_t s = 0; s < N_FIGURE_STATES; s++)
        grid_say(g, row, COLUMN_STATES + s, SPAN_TEXT, "%zu", c->states[s]);
}

static status add_table_row(const reproduced_table *r, document_grid *g, size_t row, error_info *err) {
    figure_counts c = table_count(r);
    double rho = NAN;
    CHECK(median_order(r, &rho, err));
    grid_say(g, row, 0, SPAN_TEXT, "%s", r->t.title);
    add_states(g, row, &c);
    if (isnan(rho))
        grid_say(g, row, COLUMN_RHO, SPAN_TEXT, "-");
    else
        grid_say(g, row, COLUMN_RHO, SPAN_TEXT, "%.2f", rho);
    grid_say(g, row, COLUMN_VERDICT, SPAN_TEXT, "%s", verdict_words(r->n_published, r->n_there, r->n_within, rho));
    return STATUS_OK;
}

static void add_test_row(const reproduced_test *t, document_grid *g, size_t row) {
    figure_counts c = test_count(t);
    grid_say(g, row, 0, SPAN_TEXT, "%s (test)", t->title ? t->title : t->id);
    add_states(g, row, &c);
    grid_say(g, row, COLUMN_RHO, SPAN_TEXT, "-");
    grid_say(g, row, COLUMN_VERDICT, SPAN_TEXT, "%s",
             verdict_words(t->outcomes.n, t->n_there, t->states[FIGURE_WITHIN], NAN));
}

static status add_parts(const reproduced_parts *p, document *d, error_info *err) {
    static const char *const head[] = {"table", "figures", "within", "shown", "in words", "open", "rho", "verdict"};
    size_t n_rows = 1, row = 0;
    document_grid *g;
    for (size_t i = 0; i < p->n_tables; i++)
        n_rows += table_counts(&p->tables[i]);
    for (size_t i = 0; i < p->n_tests; i++)
        n_rows += p->tests[i].outcomes.n > 0;
    if (n_rows == 1) {
        document_add_paragraph(d, "No published figure is counted here.");
        return STATUS_OK;
    }
    g = document_add_grid(d, NULL, n_rows, N_COLUMNS, false);
    grid_set_head(g, head, N_COLUMNS);
    if (g)
        g->is_left[COLUMN_VERDICT] = true;
    for (size_t i = 0; i < p->n_tables; i++) {
        if (table_counts(&p->tables[i]))
            CHECK(add_table_row(&p->tables[i], g, ++row, err));
    }
    for (size_t i = 0; i < p->n_tests; i++) {
        if (p->tests[i].outcomes.n > 0)
            add_test_row(&p->tests[i], g, ++row);
    }
    return STATUS_OK;
}

static void add_claims(const experiment_outputs *o, const reproduced_parts *p, document *d) {
    static const char *const words[] = {"holds", "does not hold", "cannot be decided"};
    for (size_t i = 0; i < o->n_claims; i++) {
        const claim_spec *claim = &o->claims[i];
        size_t n_holds, n_places;
        verdict v = claim_judge(claim, p, false, &n_holds, &n_places);
        document_begin(d, BLOCK_ITEM);
        document_say(d, SPAN_TEXT, "%.*s ", (int)strcspn(claim->text, "\n"), claim->text);
        if (claim->n_checks == 0)
            document_say(d, SPAN_STRONG, "Not checked by figures.");
        else
            document_say(d, SPAN_STRONG, "It %s.", words[v]);
        if (v == VERDICT_FAILS && n_holds > 0)
            document_say(d, SPAN_TEXT, " %zu of %zu conditions are met.", n_holds, n_places);
        if (claim_judge(claim, p, true, &n_holds, &n_places) == VERDICT_FAILS)
            document_say(d, SPAN_TEXT, " The paper's own figures do not satisfy it.");
    }
}

/* A conclusion is written by hand, of the full protocol. */
static void say_what_ran(const reproduction_input *in, document *d) {
    const char *profile = in->run ? in->run->profile : NULL;
    if (!profile && in->of.n_records >= in->n_planned)
        return;
    document_begin(d, BLOCK_PARAGRAPH);
    document_say(d, SPAN_STRONG,
                 "%s%s%s%zu of %zu cells have results: what follows is of these alone, and the conclusion of the "
                 "full protocol.",
                 profile ? "Profile " : "", profile ? profile : "", profile ? ": " : "", in->of.n_records,
                 in->n_planned);
}

static status add_paper(const reproduction *p, document *d, error_info *err) {
    const experiment_outputs *o = p->in->of.outputs;
    document_add_heading(d, 2, o->title ? o->title : o->name);
    if (o->conclusion)
        words_append("", o->conclusion, d);
    say_what_ran(p->in, d);
    document_begin(d, BLOCK_PARAGRAPH);
    document_say(d, SPAN_TEXT, "The report: ");
    document_link(d, o->name, o->name, ".md");
    CHECK(add_parts(&p->base, d, err));
    if (o->n_claims > 0)
        document_add_paragraph(d, "What the paper claims:");
    add_claims(o, &p->base, d);
    return STATUS_OK;
}

/* ---- all ---- */

static void add_total_row(document_grid *g, size_t row, const char *name, span_kind kind, const figure_counts *c) {
    size_t done = c->states[FIGURE_WITHIN] + c->states[FIGURE_SHOWN];
    grid_say(g, row, 0, kind, "%s", name);
    add_states(g, row, c);
    if (c->n > 0)
        grid_say(g, row, COLUMN_RHO, SPAN_TEXT, "%.0f%%", 100 * (double)done / (double)c->n);
}

/* The experiments with figures of a kind, and their sum; the grid may be NULL, to count the rows. */
static size_t add_kind(const pages *p, figure_kind kind, figure_counts *sum, document_grid *g, size_t row) {
    static const char *const of[] = {"", ", times", ", facts"}, *const names[] = {"results", "times", "facts"};
    size_t n = 0;
    *sum = (figure_counts){0};
    for (size_t i = 0; i < p->n; i++) {
        figure_counts c = parts_count(&p->all[i].base, kind);
        if (c.n == 0)
            continue;
        add_total_row(g, row + n, p->all[i].in->of.outputs->name, SPAN_TEXT, &c);
        grid_say(g, row + n++, 0, SPAN_TEXT, "%s", of[kind]);
        counts_add(sum, &c);
    }
    if (sum->n > 0)
        add_total_row(g, row + n++, names[kind], SPAN_STRONG, sum);
    return n;
}

static void add_totals(const pages *p, document *d) {
    static const char *const head[] = {"experiment", "figures", "within",         "shown",
                                       "in words",   "open",    "within or shown"};
    figure_counts all = {0}, sum;
    size_t n_rows = 2, row = 1;
    document_grid *g;
    for (figure_kind kind = FIGURES_RESULTS; kind < N_FIGURE_KINDS; kind++)
        n_rows += add_kind(p, kind, &sum, NULL, 0);
    g = document_add_grid(d, NULL, n_rows, COLUMN_RHO + 1, false);
    grid_set_head(g, head, sizeof head / sizeof *head);
    for (figure_kind kind = FIGURES_RESULTS; kind < N_FIGURE_KINDS; kind++) {
        row += add_kind(p, kind, &sum, g, row);
        counts_add(&all, &sum);
    }
    add_total_row(g, row, "all counted figures", SPAN_STRONG, &all);
}

static void add_rule(document *d) {
    document_add_paragraph(d, "Written by ");
    document_say(d, SPAN_CODE, "bnbench report --verdicts");
    document_say(
        d, SPAN_TEXT,
        ". Every published figure that a table with a tolerance holds is counted once, as is every published "
        "verdict, mark and score of a test: within tolerance; shown by an experiment (a reading that a declared "
        "reason names brings it within tolerance, or past the published figure and nearer to it); explained in "
        "words alone; open. Times, which hang on the machine, and facts of networks and data sets, which are no "
        "results, stand apart. A reading is another way "
        "to take what a paper leaves open; some were chosen in view of the figures, which the reports mark. "
        "Conclusions are written by hand, of the full protocol.");
    document_begin(d, BLOCK_PARAGRAPH);
    document_say(
        d, SPAN_TEXT,
        "A table is confirmed where %g%% of its figures are within tolerance and the median of Spearman's rho between "
        "the learners' order here and in the paper, where there is one, is %g or more; confirmed in size, not in "
        "order, or in order, not in size, where one of the two holds; else not confirmed. It cannot be tested where "
        "none of its figures can be computed here.",
        100 * SHARE_CONFIRMED, RHO_CONFIRMED);
}

static status compute(const reproduction_input *inputs, size_t n, pages *out, error_info *err) {
    CHECK_ALLOC(out->all = calloc(n + 1, sizeof *out->all));
    for (size_t i = 0; i < n; i++, out->n++)
        CHECK(reproduction_compute(&inputs[i], &out->all[i], err));
    return STATUS_OK;
}

status verdicts_append(const reproduction_input *inputs, size_t n, text_buffer *out, error_info *err) {
    AUTO(pages_clear) pages p = {0};
    AUTO(document_clear) document d = {0};
    CHECK(compute(inputs, n, &p, err));
    document_add_heading(&d, 1, "Do the published tables come out?");
    add_rule(&d);
    add_totals(&p, &d);
    for (size_t i = 0; i < p.n; i++)
        CHECK(add_paper(&p.all[i], &d, err));
    CHECK(document_check(&d, err));
    document_write_markdown(&d, out);
    return text_buffer_check(out, err);
}
