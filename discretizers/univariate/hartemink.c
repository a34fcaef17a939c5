/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merging neighbouring levels that cost the least mutual information with all other variables: Hartemink 2001, thesis.
 * Every round takes one merge of each variable that has too many levels, in the order of columns, with the other
 * variables as they stand then, or as they stood before the round.
 */
#include "discretizers/base/cut_rules.h"
#include "discretizers/base/discretizer.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { START_QUANTILE, START_INTERVAL };
enum { UPDATES_SEQUENTIAL, UPDATES_SIMULTANEOUS };
#define SAME_LOSS 1e-9 /* in nats times rows: sums in another order differ by less */

typedef struct {
    int levels, start_levels, start, updates;
} hartemink_options;

static const option_spec options[] = {
    {OPT_INT, "levels", offsetof(hartemink_options, levels), 3, 1, 256, "levels in the end", NULL},
    {OPT_INT, "start_levels", offsetof(hartemink_options, start_levels), 60, 0, 65536,
     "levels to begin with; 0: every distinct value", NULL},
    {OPT_CHOICE, "start", offsetof(hartemink_options, start), START_QUANTILE, 0, 0, "how these are cut",
     "quantile|interval"},
    {OPT_CHOICE, "updates", offsetof(hartemink_options, updates), UPDATES_SEQUENTIAL, 0, 0,
     "a merge sees the other variables with their merges of the round, or as they were before it",
     "sequential|simultaneous"},
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
    size_t *choice;  /* by column: the level that merges with the next, or NO_MERGE */
    double total;    /* mutual information of all pairs, in nats times rows; kept where there is a trace */
} merging;

#define NO_MERGE SIZE_MAX

static void merging_clear(merging *m) {
    for (size_t c = 0; m->columns && c < m->n_columns; c++) {
        free(m->columns[c].level);
        free(m->columns[c].thresholds);
    }
    free(m->columns);
    free(m->m_log_m);
    free(m->table);
    free(m->loss);
    free(m->choice);
}

/* --- the beginning --- */

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
    AUTO(sorted_column_clear) sorted_column sorted = {0};
    column_policy cuts;
    CHECK(sorted_column_init(&sorted, values, n_rows, err));
    CHECK_ALLOC(c->thresholds = calloc(sorted.n_cuts + 1, sizeof *c->thresholds));
    cuts = (column_policy){first_cuts(o, &sorted, c->thresholds), c->thresholds};
    c->n_levels = cuts.n + 1;
    for (size_t row = 0; row < n_rows; row++)
        c->level[row] = (uint32_t)policy_state(&cuts, values[row]);
    return STATUS_OK;
}

static status start_column(const hartemink_options *o, const dataset *data, size_t i, column_state *c,
                           error_info *err) {
    size_t n_rows = dataset_row_count(data);
    CHECK_ALLOC(c->level = calloc(n_rows, sizeof *c->level));
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
    *m = (merging){.n_columns = dataset_column_count(data), .n_rows = dataset_row_count(data)};
    CHECK_ALLOC(m->columns = calloc(m->n_columns, sizeof *m->columns));
    CHECK_ALLOC(m->m_log_m = calloc(m->n_rows + 1, sizeof *m->m_log_m));
    for (size_t k = 1; k <= m->n_rows; k++)
        m->m_log_m[k] = (double)k * log((double)k);
    for (size_t i = 0; i < m->n_columns; i++) {
        CHECK(start_column(o, data, i, &m->columns[i], err));
        most = m->columns[i].n_levels > most ? m->columns[i].n_levels : most;
    }
    CHECK_ALLOC(m->table = calloc(most, most * sizeof *m->table));
    CHECK_ALLOC(m->loss = calloc(most, sizeof *m->loss));
    CHECK_ALLOC(m->choice = calloc(m->n_columns, sizeof *m->choice));
    return STATUS_OK;
}

/* --- a merge --- */

/* What two counts that become one add to sum m log m. */
static double joined(const merging *m, size_t a, size_t b) {
    return m->m_log_m[a + b] - m->m_log_m[a] - m->m_log_m[b];
}

static void count_pair(merging *m, const column_state *i, const column_state *j) {
    size_t n_j = j->n_levels;
    memset(m->table, 0, i->n_levels * n_j * sizeof *m->table);
    for (size_t row = 0; row < m->n_rows; row++)
        m->table[i->level[row] * n_j + j->level[row]]++;
}

/* Adds, for each pair of neighbouring levels of i, the mutual information with j that their merge loses, times rows. */
static void add_losses(merging *m, const column_state *i, const column_state *j) {
    size_t n_j = j->n_levels;
    count_pair(m, i, j);
    for (size_t a = 0; a + 1 < i->n_levels; a++) {
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

/* The level of i whose merge with the next loses least; *loss in nats times rows. */
static size_t best_merge(merging *m, size_t i, double *loss) {
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
    *loss = m->loss[best];
    return best;
}

/* One merge of every variable that has too many levels; false where none had. */
static bool one_round(merging *m, size_t levels, int updates) {
    bool any = false;
    for (size_t i = 0; i < m->n_columns; i++) {
        column_state *c = &m->columns[i];
        double loss = 0;
        m->choice[i] = NO_MERGE;
        if (c->is_fixed || c->n_levels <= levels)
            continue;
        any = true;
        m->choice[i] = best_merge(m, i, &loss);
        if (updates == UPDATES_SEQUENTIAL) {
            merge_levels(m, c, m->choice[i]);
            m->total -= loss;
        }
    }
    for (size_t i = 0; updates == UPDATES_SIMULTANEOUS && i < m->n_columns; i++) {
        if (m->choice[i] != NO_MERGE)
            merge_levels(m, &m->columns[i], m->choice[i]);
    }
    return any;
}

/* --- what all pairs tell of each other, by the number of levels --- */

static double pair_information(merging *m, const column_state *i, const column_state *j) {
    size_t n_i = i->n_levels, n_j = j->n_levels;
    double sum = m->m_log_m[m->n_rows];
    count_pair(m, i, j);
    for (size_t a = 0; a < n_i; a++) {
        size_t n_a = 0;
        for (size_t b = 0; b < n_j; b++) {
            n_a += m->table[a * n_j + b];
            sum += m->m_log_m[m->table[a * n_j + b]];
        }
        sum -= m->m_log_m[n_a];
    }
    for (size_t b = 0; b < n_j; b++) {
        size_t n_b = 0;
        for (size_t a = 0; a < n_i; a++)
            n_b += m->table[a * n_j + b];
        sum -= m->m_log_m[n_b];
    }
    return sum;
}

static double total_information(merging *m) {
    double sum = 0;
    for (size_t i = 0; i < m->n_columns; i++) {
        for (size_t j = 0; j < i; j++)
            sum += pair_information(m, &m->columns[i], &m->columns[j]);
    }
    return sum;
}

static size_t most_levels(const merging *m) {
    size_t most = 0;
    for (size_t i = 0; i < m->n_columns; i++) {
        if (!m->columns[i].is_fixed && m->columns[i].n_levels > most)
            most = m->columns[i].n_levels;
    }
    return most;
}

/* A merge takes its loss off the total, unless several happen at once. */
static status note_total(merging *m, bool is_known, trace *t, error_info *err) {
    if (!t)
        return STATUS_OK;
    if (!is_known)
        m->total = total_information(m);
    return trace_add_point(t, "total_mutual_information", most_levels(m), m->total / (double)m->n_rows, err);
}

/* Merges down to `levels`; the information that remains at each number of levels goes to the trace. */
static status merge_to(merging *m, size_t levels, int updates, trace *t, error_info *err) {
    while (one_round(m, levels, updates))
        CHECK(note_total(m, updates == UPDATES_SEQUENTIAL, t, err));
    return STATUS_OK;
}

static status fit(const discretizer *self, const dataset *data, const void *opts, run_context *ctx, cut_policy *out,
                  error_info *err) {
    const hartemink_options *o = opts;
    AUTO(merging_clear) merging m = {0};
    (void)self;
    CHECK(merging_init(&m, o, data, err));
    CHECK(note_total(&m, false, ctx->trace, err));
    CHECK(merge_to(&m, (size_t)o->levels, o->updates, ctx->trace, err));
    for (size_t i = 0; i < m.n_columns; i++) {
        if (!m.columns[i].is_fixed)
            CHECK(policy_set(out, i, m.columns[i].thresholds, m.columns[i].n_levels - 1, err));
    }
    if (ctx->trace) /* so that another number of levels can be chosen */
        CHECK(merge_to(&m, 1, o->updates, ctx->trace, err));
    return STATUS_OK;
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
