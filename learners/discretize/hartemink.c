/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merging neighbouring levels that cost the least mutual information with all other variables: Hartemink 2001, thesis.
 * Every round takes one merge of each variable that has too many levels, in the order of columns, with the other
 * variables as they stand then.
 */
#include "learners/discretize/cut_rules.h"
#include "learners/discretize/discretizer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { START_QUANTILE, START_INTERVAL };
#define SAME_LOSS 1e-9 /* in nats times rows: sums in another order differ by less */

typedef struct {
    int levels, start_levels, start;
} hartemink_options;

static const option_spec options[] = {
    {OPT_INT, "levels", offsetof(hartemink_options, levels), 3, 1, 256, "levels in the end", NULL},
    {OPT_INT, "start_levels", offsetof(hartemink_options, start_levels), 60, 0, 65536,
     "levels to begin with; 0: every distinct value", NULL},
    {OPT_CHOICE, "start", offsetof(hartemink_options, start), START_QUANTILE, 0, 0, "how these are cut",
     "quantile|interval"},
    {0},
};

/* A variable as it stands. */
typedef struct {
    bool is_fixed;   /* was discrete before: it takes part, but is never merged */
    size_t n_levels; /* thresholds and one */
    uint32_t *level; /* of each row */
    double *thresholds;
} column_state;

typedef struct {
    size_t n_columns, n_rows;
    column_state *columns;
    double *m_log_m; /* of 0 .. n_rows */
    uint32_t *table; /* levels of one variable by levels of another */
    double *loss;    /* of merging a level with the next */
} merging;

static void merging_clear(merging *m) {
    for (size_t c = 0; m->columns && c < m->n_columns; c++) {
        free(m->columns[c].level);
        free(m->columns[c].thresholds);
    }
    free(m->columns);
    free(m->m_log_m);
    free(m->table);
    free(m->loss);
}

/* ---- the beginning ---- */

static size_t first_cuts(const hartemink_options *o, const sorted_column *s, double *thresholds) {
    size_t k = (size_t)o->start_levels, n, kept = 0;
    if (s->n_cuts == 0)
        return 0;
    if (k == 0 || k > s->n_cuts)
        return cut_everywhere(s, thresholds);
    n = o->start == START_QUANTILE ? cut_quantiles(s, k, thresholds) : cut_equal_width(s, k, thresholds);
    for (size_t i = 0; i < n; i++) {
        if (kept == 0 || thresholds[i] > thresholds[kept - 1])
            thresholds[kept++] = thresholds[i];
    }
    return kept;
}

static status start_continuous(const hartemink_options *o, const double *values, size_t n_rows, column_state *c,
                               error_info *err) {
    sorted_column sorted = {0};
    column_policy cuts;
    status st = STATUS_OK;
    TRY(sorted_column_init(&sorted, values, n_rows, err));
    TRY_ALLOC(c->thresholds = calloc(sorted.n_cuts + 1, sizeof *c->thresholds));
    cuts = (column_policy){first_cuts(o, &sorted, c->thresholds), c->thresholds};
    c->n_levels = cuts.n + 1;
    for (size_t row = 0; row < n_rows; row++)
        c->level[row] = (uint32_t)policy_state(&cuts, values[row]);
cleanup:
    sorted_column_clear(&sorted);
    return st;
}

static status start_column(const hartemink_options *o, const dataset *data, size_t i, column_state *c,
                           error_info *err) {
    size_t n_rows = dataset_row_count(data);
    c->level = calloc(n_rows, sizeof *c->level);
    if (!c->level)
        return error_out_of_memory(err);
    if (dataset_reals(data, i))
        return start_continuous(o, dataset_reals(data, i), n_rows, c, err);
    c->is_fixed = true;
    c->n_levels = dataset_state_count(data, i);
    for (size_t row = 0; row < n_rows; row++)
        c->level[row] = (uint32_t)dataset_state(data, row, i);
    return STATUS_OK;
}

static status merging_init(merging *m, const hartemink_options *o, const dataset *data, error_info *err) {
    size_t most = 1;
    status st = STATUS_OK;
    *m = (merging){.n_columns = dataset_column_count(data), .n_rows = dataset_row_count(data)};
    TRY_ALLOC(m->columns = calloc(m->n_columns, sizeof *m->columns));
    TRY_ALLOC(m->m_log_m = calloc(m->n_rows + 1, sizeof *m->m_log_m));
    for (size_t k = 1; k <= m->n_rows; k++)
        m->m_log_m[k] = (double)k * log((double)k);
    for (size_t i = 0; i < m->n_columns; i++) {
        TRY(start_column(o, data, i, &m->columns[i], err));
        most = m->columns[i].n_levels > most ? m->columns[i].n_levels : most;
    }
    TRY_ALLOC(m->table = calloc(most, most * sizeof *m->table));
    TRY_ALLOC(m->loss = calloc(most, sizeof *m->loss));
cleanup:
    return st;
}

/* ---- a merge ---- */

/* What two counts that become one add to sum m log m. */
static double joined(const merging *m, size_t a, size_t b) {
    return m->m_log_m[a + b] - m->m_log_m[a] - m->m_log_m[b];
}

/* Adds, for each pair of neighbouring levels of i, the mutual information with j that their merge loses, times rows. */
static void add_losses(merging *m, const column_state *i, const column_state *j) {
    size_t n_i = i->n_levels, n_j = j->n_levels;
    memset(m->table, 0, n_i * n_j * sizeof *m->table);
    for (size_t row = 0; row < m->n_rows; row++)
        m->table[i->level[row] * n_j + j->level[row]]++;
    for (size_t a = 0; a + 1 < n_i; a++) {
        const uint32_t *upper = &m->table[a * n_j], *lower = upper + n_j;
        size_t n_upper = 0, n_lower = 0;
        double cells = 0;
        for (size_t k = 0; k < n_j; k++) {
            cells += joined(m, upper[k], lower[k]);
            n_upper += upper[k];
            n_lower += lower[k];
        }
        m->loss[a] += joined(m, n_upper, n_lower) - cells;
    }
}

static void merge_levels(merging *m, column_state *c, size_t a) {
    for (size_t row = 0; row < m->n_rows; row++)
        c->level[row] -= c->level[row] > a;
    memmove(&c->thresholds[a], &c->thresholds[a + 1], (c->n_levels - 2 - a) * sizeof *c->thresholds);
    c->n_levels--;
}

static void merge_best(merging *m, size_t i) {
    column_state *c = &m->columns[i];
    size_t best = 0;
    memset(m->loss, 0, c->n_levels * sizeof *m->loss);
    for (size_t j = 0; j < m->n_columns; j++) {
        if (j != i)
            add_losses(m, c, &m->columns[j]);
    }
    for (size_t a = 1; a + 1 < c->n_levels; a++) {
        if (m->loss[a] < m->loss[best] - SAME_LOSS)
            best = a;
    }
    merge_levels(m, c, best);
}

/* One merge of every variable that has too many levels; false where none had. */
static bool one_round(merging *m, size_t levels) {
    bool any = false;
    for (size_t i = 0; i < m->n_columns; i++) {
        if (m->columns[i].is_fixed || m->columns[i].n_levels <= levels)
            continue;
        merge_best(m, i);
        any = true;
    }
    return any;
}

static status fit(const dataset *data, const void *opts, run_context *ctx, cut_policy *out, error_info *err) {
    const hartemink_options *o = opts;
    merging m = {0};
    status st = STATUS_OK;
    (void)ctx;
    TRY(merging_init(&m, o, data, err));
    while (one_round(&m, (size_t)o->levels))
        continue;
    for (size_t i = 0; i < m.n_columns; i++) {
        if (!m.columns[i].is_fixed)
            TRY(policy_set(out, i, m.columns[i].thresholds, m.columns[i].n_levels - 1, err));
    }
cleanup:
    merging_clear(&m);
    return st;
}

const discretizer discretizer_hartemink = {
    .name = "hartemink",
    .summary = "merges of neighbouring levels that keep the mutual information of all pairs",
    .citation = "Hartemink 2001, thesis, MIT; Fu 2005, thesis, II.2",
    .version = 1,
    .options = options,
    .options_size = sizeof(hartemink_options),
    .fit = fit,
};
