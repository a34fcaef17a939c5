/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merging neighbouring levels that cost the least mutual information with all other variables: Hartemink 2001, thesis.
 * Every round takes one merge of each variable that has too many levels, in the order of columns, with the other
 * variables as they stand then, or as they stood before the round.
 */
#include "core/run/crew.h"
#include "discretizers/base/cut_rules.h"
#include "discretizers/base/discretizer.h"

#include <math.h>
#include <stdatomic.h>
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
    double *m_log_m;     /* of 0 .. n_rows */
    crew *threads;       /* they count a variable with each of the others side by side */
    uint32_t **tables;   /* by thread: levels of one variable by levels of another */
    size_t most_levels;  /* of a variable at the beginning */
    double *pair_losses; /* by column: most_levels, what a merge of each level with the next loses with that column */
    double *pair_infos;  /* by column */
    double *loss;        /* of merging a level with the next */
    size_t *choice;      /* by column: the level that merges with the next, or NO_MERGE */
    double total;        /* mutual information of all pairs, in nats times rows; kept where there is a trace */
} merging;

#define NO_MERGE SIZE_MAX
enum { LEAST_SHARED_CELLS = 1 << 14 }; /* of a variable with all others, in rows: some 20 microseconds */

static void merging_clear(merging *m) {
    for (size_t c = 0; m->columns && c < m->n_columns; c++) {
        free(m->columns[c].level);
        free(m->columns[c].thresholds);
    }
    free(m->columns);
    free(m->m_log_m);
    for (size_t i = 0; m->tables && i < crew_size(m->threads); i++)
        free(m->tables[i]);
    free(m->tables);
    crew_destroy(m->threads);
    free(m->pair_losses);
    free(m->pair_infos);
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

static status prepare_threads(merging *m, size_t n_threads, error_info *err) {
    bool is_worth_sharing = m->n_columns * m->n_rows >= LEAST_SHARED_CELLS;
    CHECK(crew_create(is_worth_sharing ? n_threads : 1, &m->threads, err));
    CHECK_ALLOC(m->tables = calloc(crew_size(m->threads), sizeof *m->tables));
    for (size_t i = 0; i < crew_size(m->threads); i++)
        CHECK_ALLOC(m->tables[i] = calloc(m->most_levels, m->most_levels * sizeof *m->tables[i]));
    return STATUS_OK;
}

static status merging_init(merging *m, const hartemink_options *o, const dataset *data, size_t n_threads,
                           error_info *err) {
    *m = (merging){.n_columns = dataset_column_count(data), .n_rows = dataset_row_count(data), .most_levels = 1};
    CHECK_ALLOC(m->columns = calloc(m->n_columns, sizeof *m->columns));
    CHECK_ALLOC(m->m_log_m = calloc(m->n_rows + 1, sizeof *m->m_log_m));
    for (size_t k = 1; k <= m->n_rows; k++)
        m->m_log_m[k] = (double)k * log((double)k);
    for (size_t i = 0; i < m->n_columns; i++) {
        CHECK(start_column(o, data, i, &m->columns[i], err));
        m->most_levels = m->columns[i].n_levels > m->most_levels ? m->columns[i].n_levels : m->most_levels;
    }
    CHECK_ALLOC(m->pair_losses = calloc(m->n_columns, m->most_levels * sizeof *m->pair_losses));
    CHECK_ALLOC(m->pair_infos = calloc(m->n_columns, sizeof *m->pair_infos));
    CHECK_ALLOC(m->loss = calloc(m->most_levels, sizeof *m->loss));
    CHECK_ALLOC(m->choice = calloc(m->n_columns, sizeof *m->choice));
    return prepare_threads(m, n_threads, err);
}

/* --- a variable with each of the others --- */

typedef struct {
    merging *m;
    size_t column, n_others; /* all columns below n_others but itself */
    void (*look_at)(merging *m, uint32_t *table, size_t i, size_t j);
    atomic_size_t next; /* the first column that no thread has taken */
} pairing;

/* So many columns are taken at once that a thread has some microseconds of work. */
static size_t columns_at_once(const merging *m) {
    return 1 + LEAST_SHARED_CELLS / 4 / (m->n_rows + 1);
}

static status look_at_some(void *self, size_t worker, error_info *err) {
    pairing *p = self;
    size_t step = columns_at_once(p->m), first;
    (void)err;
    while ((first = atomic_fetch_add(&p->next, step)) < p->n_others) {
        for (size_t j = first; j < first + step && j < p->n_others; j++) {
            if (j != p->column)
                p->look_at(p->m, p->m->tables[worker], p->column, j);
        }
    }
    return STATUS_OK;
}

static status look_at_others(merging *m, size_t column, size_t n_others,
                             void (*look_at)(merging *m, uint32_t *table, size_t i, size_t j), error_info *err) {
    pairing p = {m, column, n_others, look_at, 0};
    return crew_run(m->threads, look_at_some, &p, err);
}

static void count_pair(const merging *m, uint32_t *table, const column_state *i, const column_state *j) {
    size_t n_j = j->n_levels;
    memset(table, 0, i->n_levels * n_j * sizeof *table);
    for (size_t row = 0; row < m->n_rows; row++)
        table[i->level[row] * n_j + j->level[row]]++;
}

/* --- a merge --- */

/* What two counts that become one add to sum m log m. */
static double joined(const merging *m, size_t a, size_t b) {
    return m->m_log_m[a + b] - m->m_log_m[a] - m->m_log_m[b];
}

/* The mutual information of i and j that a merge of each level of i with the next loses, times rows. */
static void find_losses(merging *m, uint32_t *table, size_t i, size_t j) {
    const column_state *c = &m->columns[i];
    size_t n_j = m->columns[j].n_levels;
    double *losses = &m->pair_losses[j * m->most_levels];
    count_pair(m, table, c, &m->columns[j]);
    for (size_t a = 0; a + 1 < c->n_levels; a++) {
        const uint32_t *upper = &table[a * n_j], *lower = upper + n_j;
        size_t n_upper = 0, n_lower = 0;
        double cells = 0;
        for (size_t k = 0; k < n_j; k++) {
            cells += joined(m, upper[k], lower[k]);
            n_upper += upper[k];
            n_lower += lower[k];
        }
        losses[a] = joined(m, n_upper, n_lower) - cells;
    }
}

static void merge_levels(merging *m, column_state *c, size_t a) {
    for (size_t row = 0; row < m->n_rows; row++)
        c->level[row] -= c->level[row] > a;
    memmove(&c->thresholds[a], &c->thresholds[a + 1], (c->n_levels - 2 - a) * sizeof *c->thresholds);
    c->n_levels--;
}

/* The losses of the merges of i with all others together, in the order of columns whoever found them. */
static void sum_losses(merging *m, size_t i) {
    size_t n = m->columns[i].n_levels - 1;
    memset(m->loss, 0, n * sizeof *m->loss);
    for (size_t j = 0; j < m->n_columns; j++) {
        for (size_t a = 0; j != i && a < n; a++)
            m->loss[a] += m->pair_losses[j * m->most_levels + a];
    }
}

/* The level of i whose merge with the next loses least; *loss in nats times rows. */
static status best_merge(merging *m, size_t i, size_t *level, double *loss, error_info *err) {
    size_t best = 0;
    CHECK(look_at_others(m, i, m->n_columns, find_losses, err));
    sum_losses(m, i);
    for (size_t a = 1; a + 1 < m->columns[i].n_levels; a++) {
        if (m->loss[a] < m->loss[best] - SAME_LOSS)
            best = a;
    }
    *level = best;
    *loss = m->loss[best];
    return STATUS_OK;
}

/* One merge of every variable that has too many levels; false into `any` where none had. */
static status one_round(merging *m, size_t levels, int updates, bool *any, error_info *err) {
    *any = false;
    for (size_t i = 0; i < m->n_columns; i++) {
        column_state *c = &m->columns[i];
        double loss = 0;
        m->choice[i] = NO_MERGE;
        if (c->is_fixed || c->n_levels <= levels)
            continue;
        *any = true;
        CHECK(best_merge(m, i, &m->choice[i], &loss, err));
        if (updates == UPDATES_SEQUENTIAL) {
            merge_levels(m, c, m->choice[i]);
            m->total -= loss;
        }
    }
    for (size_t i = 0; updates == UPDATES_SIMULTANEOUS && i < m->n_columns; i++) {
        if (m->choice[i] != NO_MERGE)
            merge_levels(m, &m->columns[i], m->choice[i]);
    }
    return STATUS_OK;
}

/* --- what all pairs tell of each other, by the number of levels --- */

static void find_information(merging *m, uint32_t *table, size_t i, size_t j) {
    size_t n_i = m->columns[i].n_levels, n_j = m->columns[j].n_levels;
    double sum = m->m_log_m[m->n_rows];
    count_pair(m, table, &m->columns[i], &m->columns[j]);
    for (size_t a = 0; a < n_i; a++) {
        size_t n_a = 0;
        for (size_t b = 0; b < n_j; b++) {
            n_a += table[a * n_j + b];
            sum += m->m_log_m[table[a * n_j + b]];
        }
        sum -= m->m_log_m[n_a];
    }
    for (size_t b = 0; b < n_j; b++) {
        size_t n_b = 0;
        for (size_t a = 0; a < n_i; a++)
            n_b += table[a * n_j + b];
        sum -= m->m_log_m[n_b];
    }
    m->pair_infos[j] = sum;
}

static status total_information(merging *m, double *out, error_info *err) {
    double sum = 0;
    for (size_t i = 0; i < m->n_columns; i++) {
        CHECK(look_at_others(m, i, i, find_information, err));
        for (size_t j = 0; j < i; j++)
            sum += m->pair_infos[j];
    }
    *out = sum;
    return STATUS_OK;
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
        CHECK(total_information(m, &m->total, err));
    return trace_add_point(t, "total_mutual_information", most_levels(m), m->total / (double)m->n_rows, err);
}

/* Merges down to `levels`; the information that remains at each number of levels goes to the trace. */
static status merge_to(merging *m, size_t levels, int updates, trace *t, error_info *err) {
    bool any = true;
    while (any) {
        CHECK(one_round(m, levels, updates, &any, err));
        if (any)
            CHECK(note_total(m, updates == UPDATES_SEQUENTIAL, t, err));
    }
    return STATUS_OK;
}

static status fit(const discretizer *self, const dataset *data, const void *opts, run_context *ctx, cut_policy *out,
                  error_info *err) {
    const hartemink_options *o = opts;
    AUTO(merging_clear) merging m = {0};
    (void)self;
    CHECK(merging_init(&m, o, data, ctx->n_threads, err));
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
