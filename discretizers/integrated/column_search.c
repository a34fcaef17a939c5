/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LearnVariableDP of Fu 2005, III.1: the thresholds of one column, the best midpoint first. Every way to split the
 * intervals of the column is scored in one pass over its rows, in the order of its values: a row that passes from the
 * upper part to the lower changes one cell of each family that the column is in.
 */
#include "core/base/array.h"
#include "discretizers/integrated/integrated_internal.h"
#include "discretizers/integrated/row_codes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A family with the column in it: the column given its parents, or a child given its other parents and the column. */
typedef struct {
    bool is_child;
    double r, q;        /* of a child: its states, the configurations of the other parents; else: q of the parents */
    row_codes cell;     /* in the order of the column's values */
    row_codes row;      /* of a child: the other parents; else: one code */
    double base;        /* what no threshold changes */
    policy_terms terms; /* for the number of levels last set */
} scanned_family;

typedef struct {
    const integration *in;
    increment_tables *tables;
    const sorted_column *s;
    scanned_family *families;
    size_t n_families;
    double *left, *right; /* at a position: what the rows below it, and from it on, of the interval add */
    uint32_t *cell_counts, *row_counts;
} column_scan;

/* A run of rows in the order of values. */
typedef struct {
    size_t from, to;           /* positions */
    size_t first_cut, end_cut; /* those of the column's cuts that lie inside */
    double low, high;          /* its ends */
    double total;              /* what it adds to the score as it is */
    double gain;               /* of the best split: how much more its two parts add; -INFINITY without a cut */
    size_t best_cut;
} scanned_interval;

static void family_clear(scanned_family *f) {
    row_codes_clear(&f->cell);
    row_codes_clear(&f->row);
}

static void column_scan_close(column_scan *scan) {
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
    AUTO_FREE uint32_t *counts = NULL;
    size_t n = f->is_child ? scan->in->n_states[child] : f->cell.n_codes;
    if (!table)
        return STATUS_OK;
    CHECK_ALLOC(counts = calloc(n, sizeof *counts));
    for (size_t i = 0; i < scan->s->n; i++)
        f->base -= table[counts[states ? states[i] : f->cell.codes[i]]++];
    return STATUS_OK;
}

/* Chooses the functions of a count for that many intervals. */
static status column_scan_set_levels(column_scan *scan, size_t n_levels, error_info *err) {
    for (size_t i = 0; i < scan->n_families; i++) {
        scanned_family *f = &scan->families[i];
        double r = f->is_child ? f->r : (double)n_levels, q = f->is_child ? f->q * (double)n_levels : f->q;
        CHECK(scan->in->method->terms(scan->in, scan->tables, r, q, &f->terms, err));
    }
    return STATUS_OK;
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

static status column_scan_open(column_scan *scan, const integration *in, increment_tables *tables, size_t column,
                               error_info *err) {
    size_t n = in->sorted[column].n;
    *scan = (column_scan){.in = in, .tables = tables, .s = &in->sorted[column]};
    increment_tables_trim(tables);
    CHECK(open_families(scan, column, err));
    CHECK_ALLOC(scan->cell_counts = calloc(row_codes_most(n), sizeof *scan->cell_counts));
    CHECK_ALLOC(scan->row_counts = calloc(row_codes_most(n), sizeof *scan->row_counts));
    CHECK_ALLOC(scan->left = calloc(n + 1, sizeof *scan->left));
    CHECK_ALLOC(scan->right = calloc(n + 1, sizeof *scan->right));
    return STATUS_OK;
}

/* The part of the column's score that is not in the totals of its intervals. */
static double column_scan_constant(const column_scan *scan, size_t n_levels) {
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

static void column_scan_total(column_scan *scan, scanned_interval *in) {
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

/* Makes the total and the best split of an interval known: of those within rounding of the best, the lowest. */
static void column_scan_splits(column_scan *scan, scanned_interval *in) {
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
}

/* --- the search --- */

/* The intervals of a column, in order. */
typedef struct {
    column_scan scan;
    scanned_interval *intervals;
    size_t n, capacity;
    uint64_t threshold_evaluations, policy_scores; /* so far */
} column_search;

static void search_clear(column_search *s) {
    column_scan_close(&s->scan);
    free(s->intervals);
}

/* The cut at `from` itself lies outside. */
static scanned_interval interval_between(const sorted_column *s, size_t from, size_t to, double low, double high) {
    return (scanned_interval){.from = from,
                              .to = to,
                              .first_cut = sorted_column_first_cut(s, from + 1),
                              .end_cut = sorted_column_first_cut(s, to),
                              .low = low,
                              .high = high};
}

static status search_open(column_search *s, const integration *in, increment_tables *tables, size_t column,
                          const double *thresholds, size_t n, error_info *err) {
    const sorted_column *sorted = &in->sorted[column];
    double low = sorted->values[0];
    size_t from = 0;
    CHECK(column_scan_open(&s->scan, in, tables, column, err));
    for (size_t k = 0; k <= n; k++) {
        double high = k < n ? thresholds[k] : sorted->values[sorted->n - 1];
        size_t to = k < n ? sorted_column_below(sorted, high) : sorted->n;
        CHECK(ARRAY_PUSH(s->intervals, s->n, s->capacity, err, interval_between(sorted, from, to, low, high)));
        from = to;
        low = high;
    }
    return STATUS_OK;
}

/* The score of the column with the intervals as they are. */
static status score_intervals(column_search *s, double *out, error_info *err) {
    double sum;
    CHECK(column_scan_set_levels(&s->scan, s->n, err));
    sum = column_scan_constant(&s->scan, s->n);
    for (size_t k = 0; k < s->n; k++) {
        column_scan_total(&s->scan, &s->intervals[k]);
        sum += s->intervals[k].total;
    }
    *out = sum;
    return STATUS_OK;
}

status integration_score_column(const integration *in, increment_tables *tables, size_t column,
                                const double *thresholds, size_t n, double *out, error_info *err) {
    AUTO(search_clear) column_search s = {0};
    CHECK(search_open(&s, in, tables, column, thresholds, n, err));
    return score_intervals(&s, out, err);
}

/* The interval with the split that gains most, ties to the lowest; s->n where none can be split. */
static size_t best_interval(const column_search *s) {
    size_t best = s->n;
    for (size_t k = 0; k < s->n; k++) {
        double gain = s->intervals[k].gain;
        if (gain > -INFINITY && (best == s->n || integration_improves(gain, s->intervals[best].gain)))
            best = k;
    }
    return best;
}

/* Scans the intervals whose gains are not known: all, or those that the last split has left. What counts is what the
   search tries, every midpoint that is no threshold, whether its gain is known from before or not. */
static status scan_intervals(column_search *s, size_t first, size_t n, error_info *err) {
    bool is_additive = s->scan.in->method->is_additive;
    CHECK(column_scan_set_levels(&s->scan, s->n + 1, err));
    for (size_t k = 0; k < s->n; k++) {
        if (!is_additive || (k >= first && k < first + n))
            column_scan_splits(&s->scan, &s->intervals[k]);
        s->threshold_evaluations += s->intervals[k].end_cut - s->intervals[k].first_cut;
    }
    return STATUS_OK;
}

static double score_with_split(const column_search *s, size_t at) {
    double sum = column_scan_constant(&s->scan, s->n + 1) + s->intervals[at].gain;
    for (size_t k = 0; k < s->n; k++)
        sum += s->intervals[k].total;
    return sum;
}

static status split(column_search *s, size_t at, error_info *err) {
    const sorted_column *sorted = s->scan.s;
    scanned_interval whole;
    size_t below;
    double t;
    CHECK(ARRAY_ROOM(s->intervals, s->n, s->capacity, err));
    whole = s->intervals[at];
    below = sorted->cuts[whole.best_cut];
    t = sorted_column_threshold(sorted, below);
    memmove(&s->intervals[at + 2], &s->intervals[at + 1], (s->n - at - 1) * sizeof *s->intervals);
    s->intervals[at] = interval_between(sorted, whole.from, below, whole.low, t);
    s->intervals[at + 1] = interval_between(sorted, below, whole.to, t, whole.high);
    s->n++;
    return STATUS_OK;
}

/* Adds thresholds while the score rises, or the least number of levels is not reached. */
static status grow(column_search *s, double *score, bool *is_expired, error_info *err) {
    const integration *in = s->scan.in;
    size_t first = 0, n_new = 1;
    while (s->n < VARIABLE_MAX_STATES) {
        size_t at;
        double with;
        *is_expired = run_context_is_expired(in->ctx);
        if (*is_expired)
            break;
        CHECK(scan_intervals(s, first, n_new, err));
        at = best_interval(s);
        if (at == s->n)
            break;
        with = score_with_split(s, at);
        s->policy_scores++;
        if (!integration_improves(with, *score) && s->n >= (size_t)in->options->min_levels)
            break;
        CHECK(split(s, at, err));
        *score = with;
        first = at;
        n_new = 2;
    }
    return STATUS_OK;
}

static status take_thresholds(const column_search *s, column_candidate *out, error_info *err) {
    double *thresholds = calloc(s->n, sizeof *thresholds);
    CHECK_ALLOC(thresholds);
    for (size_t k = 0; k + 1 < s->n; k++)
        thresholds[k] = s->intervals[k].high;
    out->thresholds = thresholds;
    out->n = s->n - 1;
    return STATUS_OK;
}

status integration_search_column(const integration *in, increment_tables *tables, size_t column, column_candidate *out,
                                 error_info *err) {
    AUTO(search_clear) column_search s = {0};
    double score = 0;
    CHECK(search_open(&s, in, tables, column, NULL, 0, err));
    CHECK(score_intervals(&s, &score, err));
    s.policy_scores++;
    CHECK(grow(&s, &score, &out->is_expired, err));
    CHECK(take_thresholds(&s, out, err));
    out->score = score;
    out->threshold_evaluations = s.threshold_evaluations;
    out->policy_scores = s.policy_scores;
    return STATUS_OK;
}
