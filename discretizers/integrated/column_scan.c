/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "discretizers/integrated/column_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void family_clear(scanned_family *f) {
    row_codes_clear(&f->cell);
    row_codes_clear(&f->row);
}

void column_scan_close(column_scan *scan) {
    for (size_t i = 0; scan->families && i < scan->n_families; i++)
        family_clear(&scan->families[i]);
    free(scan->families);
    free(scan->left);
    free(scan->right);
    free(scan->cell_counts);
    free(scan->row_counts);
    *scan = (column_scan){0};
}

/* --- families --- */

static status add_column(const column_scan *scan, row_codes *c, size_t column, error_info *err) {
    return row_codes_add(c, scan->in->states[column], scan->s->rows, scan->in->n_states[column], err);
}

/* The parents of x but for `column`. */
static status add_parents(const column_scan *scan, size_t x, size_t column, row_codes *c, double *q, error_info *err) {
    size_t n_parents;
    const size_t *parents = dag_parents(scan->in->graph, x, &n_parents);
    for (size_t i = 0; i < n_parents; i++) {
        if (parents[i] == column)
            continue;
        *q = fmin(*q * (double)scan->in->n_states[parents[i]], INTEGRATED_MOST_CONFIGURATIONS);
        CHECK(add_column(scan, c, parents[i], err));
    }
    return STATUS_OK;
}

/* The column itself given its parents: a cell is a configuration of these (and an interval), the row all of them. */
static status open_own(column_scan *scan, size_t column, scanned_family *f, error_info *err) {
    f->q = 1;
    CHECK(row_codes_init(&f->row, scan->s->n, err));
    CHECK(row_codes_init(&f->cell, scan->s->n, err));
    return add_parents(scan, column, column, &f->cell, &f->q, err);
}

static status open_child(column_scan *scan, size_t column, size_t child, scanned_family *f, error_info *err) {
    f->is_child = true;
    f->q = 1;
    f->r = (double)scan->in->n_states[child];
    CHECK(row_codes_init(&f->row, scan->s->n, err));
    CHECK(add_parents(scan, child, column, &f->row, &f->q, err));
    CHECK(row_codes_copy(&f->row, &f->cell, err));
    return add_column(scan, &f->cell, child, err);
}

/* Of the column itself, the rows of its parents' configurations; of a child, the totals of its states. */
static status set_base(const column_scan *scan, size_t child, scanned_family *f, error_info *err) {
    const double *table = f->is_child ? f->terms.margin : f->terms.row;
    const uint32_t *states = f->is_child ? scan->in->states[child] : NULL;
    uint32_t *counts = NULL;
    size_t n = f->is_child ? scan->in->n_states[child] : f->cell.n_codes;
    status st = STATUS_OK;
    if (!table)
        return STATUS_OK;
    TRY_ALLOC(counts = calloc(n, sizeof *counts));
    for (size_t i = 0; i < scan->s->n; i++)
        f->base -= table[counts[states ? states[i] : f->cell.codes[i]]++];
cleanup:
    free(counts);
    return st;
}

static status open_families(column_scan *scan, size_t column, error_info *err) {
    size_t n_children;
    const size_t *children = dag_children(scan->in->graph, column, &n_children);
    CHECK_ALLOC(scan->families = calloc(n_children + 1, sizeof *scan->families));
    scan->n_families = n_children + 1;
    CHECK(open_own(scan, column, &scan->families[0], err));
    for (size_t i = 0; i < n_children; i++)
        CHECK(open_child(scan, column, children[i], &scan->families[i + 1], err));
    CHECK(column_scan_set_levels(scan, 1, err));
    for (size_t i = 0; i <= n_children; i++)
        CHECK(set_base(scan, i ? children[i - 1] : column, &scan->families[i], err));
    return STATUS_OK;
}

status column_scan_open(column_scan *scan, integration *in, size_t column, error_info *err) {
    size_t n = in->sorted[column].n;
    *scan = (column_scan){.in = in, .s = &in->sorted[column]};
    increment_tables_trim(in->tables);
    CHECK(open_families(scan, column, err));
    CHECK_ALLOC(scan->cell_counts = calloc(row_codes_most(n), sizeof *scan->cell_counts));
    CHECK_ALLOC(scan->row_counts = calloc(row_codes_most(n), sizeof *scan->row_counts));
    CHECK_ALLOC(scan->left = calloc(n + 1, sizeof *scan->left));
    CHECK_ALLOC(scan->right = calloc(n + 1, sizeof *scan->right));
    return STATUS_OK;
}

status column_scan_set_levels(column_scan *scan, size_t n_levels, error_info *err) {
    for (size_t i = 0; i < scan->n_families; i++) {
        scanned_family *f = &scan->families[i];
        double r = f->is_child ? f->r : (double)n_levels, q = f->is_child ? f->q * (double)n_levels : f->q;
        CHECK(scan->in->method->terms(scan->in, r, q, &f->terms, err));
    }
    return STATUS_OK;
}

double column_scan_constant(const column_scan *scan, size_t n_levels) {
    const integrated_method *m = scan->in->method;
    double sum = m->column ? m->column(scan->in, n_levels, scan->s->n_cuts + 1) : 0;
    for (size_t i = 0; i < scan->n_families; i++)
        sum += scan->families[i].base + scan->families[i].terms.constant;
    return sum;
}

/* --- passes over the rows of an interval --- */

/* A row enters its cell, and its row of cells where `row` is not NULL: what that adds. */
static inline double enter(const column_scan *scan, const scanned_family *f, const double *row, size_t i) {
    double added = f->terms.cell[scan->cell_counts[f->cell.codes[i]]++];
    return row ? added - row[scan->row_counts[f->row.codes[i]]++] : added;
}

static void empty_cells(const column_scan *scan, const scanned_family *f, const scanned_interval *in) {
    for (size_t i = in->from; i < in->to; i++)
        scan->cell_counts[f->cell.codes[i]] = 0;
    for (size_t i = in->from; i < in->to; i++)
        scan->row_counts[f->row.codes[i]] = 0;
}

/* What is subtracted for the rows of cells: of the column itself, its own totals. */
static const double *row_table(const scanned_family *f) {
    return f->is_child ? f->terms.row : f->terms.margin;
}

static void pass_up(const column_scan *scan, const scanned_family *f, const scanned_interval *in) {
    const double *row = row_table(f);
    double sum = 0;
    for (size_t i = in->from; i < in->to; i++) {
        sum += enter(scan, f, row, i);
        scan->left[i + 1] += sum;
    }
    empty_cells(scan, f, in);
}

static void pass_down(const column_scan *scan, const scanned_family *f, const scanned_interval *in) {
    const double *row = row_table(f);
    double sum = 0;
    for (size_t i = in->to; i-- > in->from;) {
        sum += enter(scan, f, row, i);
        scan->right[i] += sum;
    }
    empty_cells(scan, f, in);
}

static double interval_term(const column_scan *scan, size_t n, double width) {
    const integrated_method *m = scan->in->method;
    return m->interval ? m->interval(scan->in, n, width) : 0;
}

void column_scan_total(column_scan *scan, scanned_interval *in) {
    memset(scan->left + in->from, 0, (in->to - in->from + 1) * sizeof *scan->left);
    for (size_t f = 0; f < scan->n_families; f++)
        pass_up(scan, &scan->families[f], in);
    in->total = scan->left[in->to] + interval_term(scan, in->to - in->from, in->high - in->low);
}

static double split_score(const column_scan *scan, const scanned_interval *in, size_t below) {
    double t = sorted_column_threshold(scan->s, below);
    return scan->left[below] + scan->right[below] + interval_term(scan, below - in->from, t - in->low) +
           interval_term(scan, in->to - below, in->high - t);
}

size_t column_scan_splits(column_scan *scan, scanned_interval *in) {
    double best = -INFINITY;
    column_scan_total(scan, in);
    memset(scan->right + in->from, 0, (in->to - in->from + 1) * sizeof *scan->right);
    for (size_t f = 0; f < scan->n_families; f++)
        pass_down(scan, &scan->families[f], in);
    for (size_t c = in->first_cut; c < in->end_cut; c++) {
        double score = split_score(scan, in, scan->s->cuts[c]);
        if (integration_improves(score, best)) {
            best = score;
            in->best_cut = c;
        }
    }
    in->gain = in->first_cut < in->end_cut ? best - in->total : -INFINITY;
    return in->end_cut - in->first_cut;
}
