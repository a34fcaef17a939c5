/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict on each table and test of an experiment. */
#include "parts/figures/aggregate.h"
#include "report/reproduction/verdicts_internal.h"

#include <math.h>
#include <stdlib.h>

/* How alike the learners are ordered: over the groups of a table that have an order, those of enough learners to judge
 * by if there are any. */
typedef struct {
    double rho;        /* the median; NAN where no group has an order */
    size_t n_learners; /* of the group that has the fewest */
} table_orders;

static bool is_judged(const table_orders *o) {
    return !isnan(o->rho) && o->n_learners >= LEARNERS_ORDERED;
}

/* The orders of groups with at least so many learners. */
static status find_orders(const reproduced_table *r, size_t least_learners, table_orders *out, error_info *err) {
    AUTO_FREE double *rhos = calloc(table_group_count(&r->t) + 1, sizeof *rhos);
    size_t n = 0, n_learners;
    CHECK_ALLOC(rhos);
    *out = (table_orders){.rho = NAN};
    for (size_t g = 0; !r->t.has_no_n && g < r->t.n_groups; g++) {
        double rho = NAN;
        CHECK(table_order(&r->t, g, &rho, &n_learners, err));
        if (isnan(rho) || n_learners < least_learners)
            continue;
        rhos[n++] = rho;
        out->n_learners = n == 1 || n_learners < out->n_learners ? n_learners : out->n_learners;
    }
    if (n > 0)
        out->rho = sorted_quantile(rhos, n, 0.5);
    return STATUS_OK;
}

static status median_order(const reproduced_table *r, table_orders *out, error_info *err) {
    CHECK(find_orders(r, LEARNERS_ORDERED, out, err));
    return isnan(out->rho) ? find_orders(r, 0, out, err) : STATUS_OK;
}

/* Without an order to judge by, size alone decides. */
static const char *verdict_words(const figure_counts *c, const table_orders *o) {
    bool is_sized = (double)c->states[FIGURE_WITHIN] >= SHARE_CONFIRMED * (double)c->n;
    if (c->n_there == 0)
        return "cannot be tested";
    if (is_sized)
        return is_judged(o) && o->rho < RHO_CONFIRMED ? "confirmed in size, not in order" : "confirmed";
    return is_judged(o) && o->rho >= RHO_CONFIRMED ? "confirmed in order, not in size" : "not confirmed";
}

enum { COLUMN_RHO = COLUMN_AFTER_COUNTS, COLUMN_VERDICT, N_COLUMNS };

void verdicts_add_counts(document_grid *g, size_t row, const figure_counts *c) {
    static const int columns[N_FIGURE_STATES] = {COLUMN_WITHIN, COLUMN_SHOWN, COLUMN_SAID, COLUMN_OPEN};
    grid_say(g, row, COLUMN_FIGURES, SPAN_TEXT, "%zu", c->n);
    for (size_t s = 0; s < N_FIGURE_STATES; s++)
        grid_say(g, row, (size_t)columns[s], SPAN_TEXT, "%zu", c->states[s]);
    grid_say(g, row, COLUMN_IN_VIEW, SPAN_TEXT, "%zu", c->n_in_view);
}

static void add_verdict(const figure_counts *c, const table_orders *o, document_grid *g, size_t row) {
    verdicts_add_counts(g, row, c);
    if (isnan(o->rho))
        grid_say(g, row, COLUMN_RHO, SPAN_TEXT, "-");
    else
        grid_say(g, row, COLUMN_RHO, SPAN_TEXT, "%.2f (%zu)", o->rho, o->n_learners);
    grid_say(g, row, COLUMN_VERDICT, SPAN_TEXT, "%s", verdict_words(c, o));
}

static status add_table_row(const reproduced_table *r, document_grid *g, size_t row, error_info *err) {
    figure_counts c = table_count(r);
    table_orders o = {.rho = NAN};
    CHECK(median_order(r, &o, err));
    grid_say(g, row, 0, SPAN_TEXT, "%s", r->t.title);
    add_verdict(&c, &o, g, row);
    return STATUS_OK;
}

static void add_test_row(const reproduced_test *t, document_grid *g, size_t row) {
    static const table_orders none = {.rho = NAN};
    figure_counts c = test_count(t);
    grid_say(g, row, 0, SPAN_TEXT, "%s (test)", t->title ? t->title : t->id);
    add_verdict(&c, &none, g, row);
}

status verdicts_add_tables(const reproduced_parts *p, document *d, error_info *err) {
    static const char *const head[] = {"table", VERDICTS_COUNT_HEADS, "rho", "verdict"};
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
