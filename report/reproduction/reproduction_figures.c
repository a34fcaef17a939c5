/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/reproduction/reproduction_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const reproduced_table *parts_find_table(const reproduced_parts *p, const char *id) {
    for (size_t i = 0; i < p->n_tables; i++) {
        if (strcmp(p->tables[i].id, id) == 0)
            return &p->tables[i];
    }
    return NULL;
}

const reproduced_test *parts_find_test(const reproduced_parts *p, const char *id) {
    for (size_t i = 0; i < p->n_tests; i++) {
        if (strcmp(p->tests[i].id, id) == 0)
            return &p->tests[i];
    }
    return NULL;
}

char *const *table_group_names(const table *t) {
    return t->learners_are_columns ? t->row_names : t->column_names;
}

size_t table_group_count(const table *t) {
    return t->learners_are_columns ? t->n_rows : t->n_columns;
}

size_t table_learner_count(const table *t) {
    return t->learners_are_columns ? t->n_columns : t->n_rows;
}

const char *table_learner_name(const table *t, size_t learner) {
    return t->learners_are_columns ? t->column_names[learner] : t->row_names[learner];
}

bool figure_is_baseline(const reproduced_table *r, size_t at) {
    size_t row = at / r->t.n_columns, column = at % r->t.n_columns;
    return r->baseline && strcmp(r->baseline, table_learner_name(&r->t, r->t.learners_are_columns ? column : row)) == 0;
}

bool figure_counts_at(const reproduced_table *r, size_t at) {
    const table_cell *cell = &r->t.cells[at];
    return cell->published && !cell->is_incomparable && !figure_is_baseline(r, at);
}

/* A printed figure is rounded: half of its last digit is nobody's error. */
static double rounding_of(const char *printed) {
    const char *point = strchr(printed, '.');
    return 0.5 * (point ? pow(10, -(double)strspn(point + 1, "0123456789")) : 1);
}

bool figure_is_within(const reproduced_table *r, const table_cell *cell) {
    double allowed = fmax(r->within->relative * fabs(cell->published_value), r->within->absolute);
    double slack = rounding_of(cell->published);
    if (cell->kind != CELL_FIGURE)
        return false;
    if (r->within->relative == 0 && r->within->absolute == 0)
        allowed = slack;
    return fabs(cell->value - cell->published_value) <= allowed * (1 + 1e-12);
}

void figures_count(reproduced_table *r) {
    for (size_t i = 0; i < r->t.n_rows * r->t.n_columns; i++) {
        const table_cell *cell = &r->t.cells[i];
        if (!figure_counts_at(r, i))
            continue;
        r->n_published++;
        r->n_there += cell->kind == CELL_FIGURE;
        r->n_within += r->within->is_declared && figure_is_within(r, cell);
    }
}

/* ---- rank correlation ---- */

static double rank_of(const double *values, size_t n, double value) {
    size_t n_below = 0, n_equal = 0;
    for (size_t i = 0; i < n; i++) {
        n_below += values[i] < value;
        n_equal += values[i] == value;
    }
    return (double)n_below + 0.5 * (double)(n_equal + 1);
}

/* Spearman's rank correlation of n pairs, ties sharing their mean rank (Kendall and Gibbons, Rank Correlation Methods,
 * 5th edition, 1990, chapter 3). NAN for fewer than three pairs, where all values of one side are equal, or without
 * memory. */
static double spearman_rho(const double *x, const double *y, size_t n) {
    double mean = 0.5 * (double)(n + 1), xx = 0, yy = 0, xy = 0;
    if (n < 3)
        return NAN;
    for (size_t i = 0; i < n; i++) {
        double a = rank_of(x, n, x[i]) - mean, b = rank_of(y, n, y[i]) - mean;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

/* As shown: what prints alike counts as a tie on both sides. */
static double as_printed(const table *t, double value) {
    char text[DISPLAY_NUMBER_SIZE];
    double shown = value;
    (void)text_to_double(display_number(value, t->style, t->decimals, text), &shown);
    return shown;
}

status table_order(const table *t, size_t group, double *rho, size_t *n_learners, error_info *err) {
    AUTO_FREE double *ours = calloc(table_learner_count(t) + 1, sizeof *ours);
    AUTO_FREE double *theirs = calloc(table_learner_count(t) + 1, sizeof *theirs);
    size_t n = 0;
    CHECK_ALLOC(ours && theirs);
    for (size_t l = 0; l < table_learner_count(t); l++) {
        const table_cell *cell = table_cell_at(t, group, l);
        if (cell->kind != CELL_FIGURE || !cell->published || cell->is_incomparable)
            continue;
        ours[n] = as_printed(t, cell->value);
        theirs[n++] = cell->published_value;
    }
    *n_learners = n;
    *rho = spearman_rho(ours, theirs, n);
    return STATUS_OK;
}

static void add_order(const table *t, document *d) {
    size_t n_said = 0, n = 0;
    for (size_t g = 0; g < table_group_count(t); g++) {
        double rho = NAN;
        error_info quiet = {0};
        d->failed |= table_order(t, g, &rho, &n, &quiet) != STATUS_OK;
        if (isnan(rho))
            continue;
        if (n_said++ == 0)
            document_add_paragraph(d, "Order of the learners against the published one, Spearman's rho: ");
        document_say(d, SPAN_TEXT, "%s%s %.2f (%zu learners)", n_said > 1 ? ", " : "", table_group_names(t)[g], rho, n);
    }
    if (n_said > 0)
        document_say(d, SPAN_TEXT, ".");
}

/* ---- one line a figure ---- */

enum { COLUMN_PUBLISHED = 2, COLUMN_HERE, COLUMN_DIFFERENCE, COLUMN_PERCENT, COLUMN_WITHIN, COLUMN_REASON };

static void add_difference(const table *t, const table_cell *cell, document_grid *g, size_t line) {
    char text[DISPLAY_NUMBER_SIZE];
    double difference = cell->value - cell->published_value;
    if (cell->kind != CELL_FIGURE)
        return;
    grid_say(g, line, COLUMN_DIFFERENCE, SPAN_TEXT, "%s%s", difference > 0 ? "+" : "",
             display_number(difference, t->style, t->decimals, text));
    if (cell->published_value != 0)
        grid_say(g, line, COLUMN_PERCENT, SPAN_TEXT, "%+.1f%%", 100 * difference / fabs(cell->published_value));
}

static void add_reason(const judged_figure *f, document_grid *g, size_t line) {
    if (f->state == FIGURE_OPEN)
        grid_say(g, line, COLUMN_REASON, SPAN_TEXT, "open");
    else
        grid_say(g, line, COLUMN_REASON, SPAN_TEXT, "%s%s%s", f->reason->id,
                 f->is_by_claim             ? ", shown by the claim "
                 : f->state == FIGURE_SHOWN ? ""
                                            : " (not shown)",
                 f->is_by_claim ? f->reason->claim : "");
}

static void add_figure(const reproduced_table *r, size_t row, size_t column, document_grid *g, size_t line) {
    const table *t = &r->t;
    const table_cell *cell = &t->cells[row * t->n_columns + column];
    bool is_within = figure_is_within(r, cell);
    AUTO(text_buffer_clear) text_buffer shown = {0};
    table_append_figure(t, cell, &shown);
    grid_say(g, line, 0, SPAN_TEXT, "%s", t->row_names[row]);
    grid_say(g, line, 1, SPAN_TEXT, "%s", t->column_names[column]);
    grid_say(g, line, COLUMN_PUBLISHED, SPAN_TEXT, "%s", cell->published);
    grid_say(g, line, COLUMN_HERE, SPAN_TEXT, "%s", shown.data ? shown.data : "");
    add_difference(t, cell, g, line);
    if (!r->figures)
        return;
    grid_say(g, line, COLUMN_WITHIN, is_within ? SPAN_TEXT : SPAN_STRONG, is_within ? "yes" : "no");
    if (!is_within)
        add_reason(&r->figures[row * t->n_columns + column], g, line);
}

/* What the networks are stands in the table itself; only what differs is worth a line more. */
static bool is_listed(const reproduced_table *r, size_t row, size_t column) {
    return figure_counts_at(r, row * r->t.n_columns + column) &&
           !(r->t.has_no_n && figure_is_within(r, &r->t.cells[row * r->t.n_columns + column]));
}

static size_t count_listed(const reproduced_table *r) {
    size_t n = 0;
    for (size_t i = 0; i < r->t.n_rows * r->t.n_columns; i++)
        n += is_listed(r, i / r->t.n_columns, i % r->t.n_columns);
    return n;
}

static void add_figures(const reproduced_table *r, document *d) {
    const table *t = &r->t;
    const char *const head[] = {t->row_heading,
                                t->has_no_n               ? "property"
                                : t->learners_are_columns ? "learner"
                                                          : "at",
                                "published", "here", "difference"};
    size_t n_columns = r->figures ? COLUMN_REASON + 1 : COLUMN_WITHIN, line = 0;
    document_grid *g = document_add_grid(d, NULL, 1 + count_listed(r), n_columns, false);
    if (!g)
        return;
    grid_set_head(g, head, sizeof head / sizeof *head);
    g->is_left[1] = true;
    if (r->figures) {
        grid_say(g, 0, COLUMN_WITHIN, SPAN_TEXT, "within");
        grid_say(g, 0, COLUMN_REASON, SPAN_TEXT, "why not");
        g->is_left[COLUMN_WITHIN] = g->is_left[COLUMN_REASON] = true;
    }
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (is_listed(r, i / t->n_columns, i % t->n_columns))
            add_figure(r, i / t->n_columns, i % t->n_columns, g, ++line);
    }
}

void figures_append(const reproduced_table *r, document *d) {
    if (r->n_published == 0)
        return;
    if (r->t.has_no_n && r->n_within == r->n_published) {
        document_begin(d, BLOCK_PARAGRAPH);
        document_say(d, SPAN_TEXT, "All %zu published figures agree.", r->n_published);
        return;
    }
    add_figures(r, d);
    if (!r->t.has_no_n)
        add_order(&r->t, d);
    document_begin(d, BLOCK_PARAGRAPH); /* the next heading stands apart */
}
