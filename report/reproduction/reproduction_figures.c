/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/reproduction/reproduction_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *learner_of(const table *t, size_t row, size_t column) {
    return t->learners_are_columns ? t->column_names[column] : t->row_names[row];
}

bool figure_counts(const reproduced_table *r, size_t row, size_t column) {
    const char *baseline = r->baseline;
    return r->t.cells[row * r->t.n_columns + column].published &&
           !(baseline && strcmp(baseline, learner_of(&r->t, row, column)) == 0);
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
        if (!figure_counts(r, i / r->t.n_columns, i % r->t.n_columns))
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

double spearman_rho(const double *x, const double *y, size_t n) {
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

static size_t n_learners(const table *t) {
    return t->learners_are_columns ? t->n_columns : t->n_rows;
}

static size_t cell_index(const table *t, size_t group, size_t learner) {
    return t->learners_are_columns ? group * t->n_columns + learner : learner * t->n_columns + group;
}

static void append_order(const table *t, text_buffer *out) {
    double *ours = calloc(n_learners(t) + 1, sizeof *ours), *theirs = calloc(n_learners(t) + 1, sizeof *theirs);
    size_t n_groups = t->learners_are_columns ? t->n_rows : t->n_columns, n_said = 0;
    for (size_t g = 0; ours && theirs && g < n_groups; g++) {
        size_t n = 0;
        double rho;
        for (size_t l = 0; l < n_learners(t); l++) {
            const table_cell *cell = &t->cells[cell_index(t, g, l)];
            if (cell->kind != CELL_FIGURE || !cell->published)
                continue;
            ours[n] = as_printed(t, cell->value);
            theirs[n++] = cell->published_value;
        }
        rho = spearman_rho(ours, theirs, n);
        if (isnan(rho))
            continue;
        text_append(out, n_said++ ? ", " : "Order of the learners against the published one, Spearman's rho: ");
        display_append_markdown(out, t->learners_are_columns ? t->row_names[g] : t->column_names[g]);
        text_append_format(out, " %.2f (%zu learners)", rho, n);
    }
    text_append(out, n_said ? ".\n\n" : "");
    out->failed |= !ours || !theirs;
    free(ours);
    free(theirs);
}

/* ---- one line a figure ---- */

static void append_difference(const table *t, const table_cell *cell, text_buffer *out) {
    char text[DISPLAY_NUMBER_SIZE];
    double difference = cell->value - cell->published_value;
    text_append_format(out, " %s%s |", difference > 0 ? "+" : "",
                       display_number(difference, t->style, t->decimals, text));
    if (cell->published_value != 0)
        text_append_format(out, " %+.1f%% |", 100 * difference / fabs(cell->published_value));
    else
        text_append(out, " |");
}

static void append_figure(const reproduced_table *r, size_t row, size_t column, text_buffer *out) {
    const table *t = &r->t;
    const table_cell *cell = &t->cells[row * t->n_columns + column];
    text_append(out, "| ");
    display_append_markdown(out, t->row_names[row]);
    text_append(out, " | ");
    display_append_markdown(out, t->column_names[column]);
    text_append(out, " | ");
    display_append_markdown(out, cell->published);
    text_append(out, " | ");
    table_append_figure(t, cell, out);
    text_append(out, " |");
    if (cell->kind == CELL_FIGURE)
        append_difference(t, cell, out);
    else
        text_append(out, " | |");
    if (r->within->is_declared)
        text_append(out, figure_is_within(r, cell) ? " yes |" : " **no** |");
    text_append(out, "\n");
}

/* What the networks are stands in the table itself; only what differs is worth a line more. */
static bool is_listed(const reproduced_table *r, size_t row, size_t column) {
    return figure_counts(r, row, column) &&
           !(r->t.has_no_n && figure_is_within(r, &r->t.cells[row * r->t.n_columns + column]));
}

void figures_append(const reproduced_table *r, text_buffer *out) {
    const table *t = &r->t;
    if (r->n_published == 0)
        return;
    if (t->has_no_n && r->n_within == r->n_published) {
        text_append_format(out, "\nAll %zu published figures agree.\n", r->n_published);
        return;
    }
    text_append_format(out, "\n| %s | %s | published | here | difference | |%s\n", t->row_heading,
                       t->has_no_n               ? "property"
                       : t->learners_are_columns ? "learner"
                                                 : "at",
                       r->within->is_declared ? " within |" : "");
    text_append_format(out, "|:--|:--|--:|--:|--:|--:|%s\n", r->within->is_declared ? ":--|" : "");
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (is_listed(r, i / t->n_columns, i % t->n_columns))
            append_figure(r, i / t->n_columns, i % t->n_columns, out);
    }
    text_append(out, "\n");
    if (!t->has_no_n)
        append_order(t, out);
}
