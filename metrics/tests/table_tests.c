/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests on contingency tables: the log-likelihood ratio G2, 2 n times the conditional mutual information in nats, and
 * Pearson's X2. Both add up over the strata of the set; under independence both follow a chi-square distribution, whose
 * degrees of freedom are counted in one of several ways. Spirtes, Glymour, Scheines 2000, Causation, Prediction, and
 * Search, ch. 5; Pearson, Philosophical Magazine 50 (1900) 157-175.
 */
#include "metrics/tests/table_tests.h"

#include "metrics/tests/ci_test_internal.h"

#include <math.h>

const option_spec table_test_rows[] = {
    CI_LEVEL_ROW(table_test_options, alpha, 0.05, "level: dependent iff p <= alpha"),
    {OPT_CHOICE, "df", offsetof(table_test_options, df), CI_DF_ADJ, 0, 0, "degrees of freedom",
     "full|adj|steck|sgs|observed", true},
    {OPT_REAL, "min_rows", offsetof(table_test_options, min_rows), 5, 0, 1e6,
     "rows a cell that make a test reliable; 0: every test is", NULL, true},
    {0},
};

/* Differences from expectation are small where the pair is nearly independent, and so is their rounding. */
static double g2_exact(const uint32_t *cells, const uint32_t *x_margin, const uint32_t *y_margin, size_t r_x,
                       size_t r_y, double n) {
    double sum = 0;
    for (size_t x = 0; x < r_x; x++) {
        for (size_t y = 0; y < r_y; y++) {
            double count = cells[x * r_y + y];
            if (count > 0)
                sum += count * log(count * n / ((double)x_margin[x] * (double)y_margin[y]));
        }
    }
    return 2 * sum;
}

static double g2_exact_sparse(const strata_reader *s) {
    double sum = 0, n = (double)s->n_rows;
    for (size_t i = 0; i < s->n_cells; i++) {
        double count = s->tallies[i];
        sum += count * log(count * n / ((double)s->extra_margin[s->extra[i]] * (double)s->first_margin[s->first[i]]));
    }
    return 2 * sum;
}

static double x2_exact(const uint32_t *cells, const uint32_t *x_margin, const uint32_t *y_margin, size_t r_x,
                       size_t r_y, double n) {
    double sum = 0;
    for (size_t x = 0; x < r_x; x++) {
        for (size_t y = 0; y < r_y; y++) {
            double expected = (double)x_margin[x] * (double)y_margin[y] / n;
            double difference = cells[x * r_y + y] - expected;
            if (expected > 0)
                sum += difference * difference / expected;
        }
    }
    return sum;
}

/* Cell by cell, those without rows too. */
static double x2_of_all_cells(const strata_reader *s) {
    double sum = 0, n = (double)s->n_rows;
    size_t at = 0;
    for (size_t x = 0; x < s->n_extra; x++) {
        for (size_t y = 0; y < s->n_first; y++) {
            double expected = (double)s->extra_margin[x] * (double)s->first_margin[y] / n;
            bool has_rows = at < s->n_cells && s->extra[at] == x && s->first[at] == y;
            double difference = (has_rows ? s->tallies[at++] : 0) - expected;
            sum += difference * difference / expected;
        }
    }
    return sum;
}

/* A cell without rows adds what is expected of it, and all expectations add up to n. */
static double x2_of_cells_with_rows(const strata_reader *s) {
    double sum = 0, n = (double)s->n_rows;
    for (size_t i = 0; i < s->n_cells; i++) {
        double expected = (double)s->extra_margin[s->extra[i]] * (double)s->first_margin[s->first[i]] / n;
        double difference = s->tallies[i] - expected;
        sum += difference * difference / expected - expected;
    }
    return sum + n;
}

enum { FEW_EMPTY = 64 }; /* of so many cells one has rows at least: to go through all of them is the more exact */

static double x2_exact_sparse(const strata_reader *s) {
    return s->n_extra * s->n_first <= FEW_EMPTY * s->n_cells ? x2_of_all_cells(s) : x2_of_cells_with_rows(s);
}

const ci_test_kind ci_test_g2 = {
    .name = "g2",
    .aliases = (const char *const[]){"mi", NULL},
    .summary = "log-likelihood ratio, 2 n times the conditional mutual information in nats",
    .citation = "Spirtes, Glymour, Scheines 2000, Causation, Prediction, and Search, ch. 5",
    .accepts = DATA_DISCRETE,
    .is_usual_for = DATA_DISCRETE,
    .options = table_test_rows,
    .options_size = sizeof(table_test_options),
    .of_tables = &(const table_test){g2_exact, g2_exact_sparse, true},
};

const ci_test_kind ci_test_x2 = {
    .name = "x2",
    .aliases = (const char *const[]){"chi2", NULL},
    .summary = "Pearson's chi-square",
    .citation = "Pearson 1900, Philosophical Magazine 50",
    .accepts = DATA_DISCRETE,
    .options = table_test_rows,
    .options_size = sizeof(table_test_options),
    .of_tables = &(const table_test){x2_exact, x2_exact_sparse, false},
};
