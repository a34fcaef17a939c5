/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log odds, in nats, of one distribution over the cells of each stratum against two over its margins, uniform
 * priors on all of them, odds of 1 before: Margaritis, Thrun 2001, A Bayesian multiresolution independence test for
 * continuous variables, UAI, section 2. In place of a p-value the probability of independence; always reliable.
 */
#include "metrics/tests/ci_test_internal.h"

#include "metrics/numerics/log_tail.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double alpha; /* dependent iff the probability of independence is at most this */
} bayes_options;

static const option_spec options[] = {
    CI_LEVEL_ROW(bayes_options, alpha, 0.5, "dependent iff the probability of independence is at most this"),
    {0},
};

typedef struct {
    const dataset *data;
    counts *counts;
    double *log_factorial; /* of 0 .. n */
    size_t *column_sums;   /* of a stratum of a dense table */
    strata_reader strata;  /* of a sparse one */
} bayes_test;

/* What the strata add up to. */
typedef struct {
    double log_odds, df;
    bool varies; /* both columns do, in some stratum */
} odds;

static void close_test(void *state) {
    bayes_test *t = state;
    if (!t)
        return;
    counts_destroy(t->counts);
    free(t->log_factorial);
    free(t->column_sums);
    strata_clear(&t->strata);
    free(t);
}

static status open_test(const void *opts, const dataset *data, const run_context *ctx, void **state, error_info *err) {
    size_t n = dataset_row_count(data);
    bayes_test *t = calloc(1, sizeof *t);
    (void)opts, (void)ctx;
    CHECK_ALLOC(*state = t);
    t->data = data;
    CHECK(counts_create(data, &t->counts, err));
    CHECK_ALLOC(t->log_factorial = calloc(n + 1, sizeof *t->log_factorial));
    CHECK_ALLOC(t->column_sums = calloc(dataset_most_states(data), sizeof *t->column_sums));
    for (size_t k = 2; k <= n; k++)
        t->log_factorial[k] = t->log_factorial[k - 1] + log((double)k);
    return STATUS_OK;
}

static bool has_enough_rows(const void *state, size_t n_z) {
    (void)state;
    (void)n_z;
    return true;
}

/* What n rows in so many cells take, whichever cells they are. */
static double log_constant(double n_cells, double n) {
    return -log_gamma_ratio(n_cells, n);
}

/* The rows of one stratum: sums of log factorials of the cells, and of both margins; states that occur. */
static void add_terms(double together, double apart, double n, size_t n_rows, size_t n_columns, size_t r_x, size_t r_y,
                      odds *sum) {
    together += log_constant((double)r_x * (double)r_y, n);
    apart += log_constant((double)r_x, n) + log_constant((double)r_y, n);
    sum->log_odds += together - apart;
    sum->df += ((double)r_x - 1) * ((double)r_y - 1);
    sum->varies = sum->varies || (n_rows > 1 && n_columns > 1);
}

/* cells[x * r_y + y] of one stratum. */
static void add_stratum(bayes_test *t, const uint32_t *cells, size_t r_x, size_t r_y, odds *sum) {
    double n = 0, together = 0, apart = 0;
    size_t n_rows = 0, n_columns = 0;
    for (size_t y = 0; y < r_y; y++)
        t->column_sums[y] = 0;
    for (size_t x = 0; x < r_x; x++) {
        size_t row = 0;
        for (size_t y = 0; y < r_y; y++) {
            uint32_t count = cells[x * r_y + y];
            row += count;
            t->column_sums[y] += count;
            together += t->log_factorial[count];
        }
        apart += t->log_factorial[row];
        n += (double)row;
        n_rows += row > 0;
    }
    if (n_rows == 0)
        return;
    for (size_t y = 0; y < r_y; y++) {
        apart += t->log_factorial[t->column_sums[y]];
        n_columns += t->column_sums[y] > 0;
    }
    add_terms(together, apart, n, n_rows, n_columns, r_x, r_y, sum);
}

static double sum_logs(const bayes_test *t, const uint32_t *tallies, size_t n, double sum) {
    for (size_t i = 0; i < n; i++)
        sum += t->log_factorial[tallies[i]];
    return sum;
}

static status add_sparse(bayes_test *t, const counts_table *table, odds *sum, error_info *err) {
    strata_reader *s = &t->strata;
    CHECK(strata_start(s, table, err));
    while (strata_next(s)) {
        double together = sum_logs(t, s->tallies, s->n_cells, 0);
        double apart = sum_logs(t, s->first_margin, s->n_first, sum_logs(t, s->extra_margin, s->n_extra, 0));
        add_terms(together, apart, (double)s->n_rows, s->n_extra, s->n_first, table->r_extra, table->r_first, sum);
    }
    return STATUS_OK;
}

/* -log(1 + exp d), the log of the probability of independence. */
static double log_independent(double log_odds) {
    return log_odds > 0 ? -log_odds - log1p(exp(-log_odds)) : -log1p(exp(log_odds));
}

static status evaluate(void *state, size_t x, size_t y, const size_t *z, size_t n_z, ci_result *out, error_info *err) {
    bayes_test *t = state;
    counts_table table;
    odds sum = {0};
    CHECK(counts_get(t->counts, y, z, n_z, x, &table, err));
    if (table.cells) {
        for (size_t s = 0; s < table.n_strata; s++)
            add_stratum(t, table.cells + s * table.r_first * table.r_extra, table.r_extra, table.r_first, &sum);
    } else {
        CHECK(add_sparse(t, &table, &sum, err));
    }
    out->df = sum.df;
    out->statistic = sum.varies ? sum.log_odds : 0;
    out->log_p = sum.varies ? log_independent(sum.log_odds) : 0;
    out->p_value = exp(out->log_p);
    return STATUS_OK;
}

const ci_test_kind ci_test_bayes = {
    .name = "bayes",
    .aliases = (const char *const[]){"margaritis", NULL},
    .summary = "log odds of dependence under uniform priors; the probability of independence for a p-value",
    .citation = "Margaritis, Thrun 2001, UAI",
    .accepts = DATA_DISCRETE,
    .options = options,
    .options_size = sizeof(bayes_options),
    .evaluator = &(const ci_evaluator){open_test, has_enough_rows, evaluate, close_test},
};
