/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that declare far more states than there are rows: tests on tables cost by rows, in little memory. */
#include "learners/registry.h"
#include "tests/support/support.h"

#include "build_info.h"
#include "learners/base/learner.h"
#include "metrics/numerics/information.h"
#include "metrics/tests/table_tests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { WIDE = 65536, N_COLUMNS = 3 };

/* Columns of n_states each, of which only the multiples of `stride` occur. */
static dataset *make_data(size_t n_rows, size_t n_states, size_t stride, const uint32_t *cells) {
    char(*labels)[8] = calloc(n_states, sizeof *labels);
    const char **states = calloc(n_states, sizeof *states);
    static const char *const names[N_COLUMNS] = {"x", "y", "z"};
    variable variables[N_COLUMNS] = {{0}};
    dataset *data = NULL;
    error_info err = {0};
    for (size_t k = 0; k < n_states; k++) {
        (void)snprintf(labels[k], sizeof labels[k], "s%zu", k);
        states[k] = labels[k];
    }
    for (size_t c = 0; c < N_COLUMNS; c++)
        assert_ok(variable_init_discrete(&variables[c], names[c], states, n_states, &err), &err);
    assert_ok(dataset_create(variables, N_COLUMNS, n_rows, &data, &err), &err);
    for (size_t i = 0; i < n_rows * N_COLUMNS; i++)
        dataset_set_state(data, i / N_COLUMNS, i % N_COLUMNS, cells[i] * stride);
    for (size_t c = 0; c < N_COLUMNS; c++)
        variable_clear(&variables[c]);
    free(labels);
    free(states);
    return data;
}

/* x and y follow z now and then. */
static uint32_t *draw_cells(random_stream *random, size_t n_rows, size_t n_states, size_t n_strata) {
    uint32_t *cells = calloc(n_rows * N_COLUMNS, sizeof *cells);
    for (size_t i = 0; i < n_rows; i++) {
        uint32_t *row = cells + i * N_COLUMNS;
        row[2] = (uint32_t)random_below(random, n_strata);
        row[0] = (uint32_t)(random_below(random, 3) ? random_below(random, n_states) : row[2] % n_states);
        row[1] = (uint32_t)(random_below(random, 3) ? random_below(random, n_states) : row[0]);
    }
    return cells;
}

static ci_result evaluate(const dataset *data, const char *name, int df, size_t n_z) {
    const ci_test_kind *kind = NULL;
    const table_test_options given = {.df = df, .alpha = 0.05};
    double options[8];
    ci_test *t = NULL;
    ci_result result = {0};
    error_info err = {0};
    assert_ok(ci_test_kind_find(name, &kind, &err), &err);
    options_set_initial(kind->options, options);
    options_take(kind->options, options, table_test_rows, &given);
    assert_ok(ci_test_create(kind, options, data, NULL, &t, &err), &err);
    assert_ok(ci_test_evaluate(t, 0, 1, (size_t[]){2}, n_z, &result, &err), &err);
    ci_test_destroy(t);
    return result;
}

/* Two columns of 65,536 states have 2^32 cells, 17 GB of them, in each of some thousand strata. */
static void states_without_rows_change_no_statistic(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(41));
    for (int round = 0; round < 12; round++) {
        size_t n_rows = round % 2 ? 5000 : 300, n_states = round % 3 ? 40 : 200, n_z = (size_t)round / 6;
        uint32_t *cells = draw_cells(&random, n_rows, n_states, n_states);
        dataset *narrow = make_data(n_rows, n_states, 1, cells),
                *wide = make_data(n_rows, WIDE, WIDE / n_states, cells);
        for (int of_g2 = 0; of_g2 < 2; of_g2++) {
            const char *name = of_g2 ? "g2" : "x2";
            ci_result observed = evaluate(narrow, name, CI_DF_OBSERVED, n_z);
            double strata = observed.df / (double)((n_states - 1) * (n_states - 1));
            for (int df = CI_DF_FULL; df <= CI_DF_OBSERVED; df++) {
                ci_result a = evaluate(narrow, name, df, n_z), b = evaluate(wide, name, df, n_z);
                assert_that(b.statistic, ==, a.statistic);
                if (df == CI_DF_ADJ || df == CI_DF_STECK)
                    assert_that(b.df, ==, a.df);
            }
            assert_that(evaluate(wide, name, CI_DF_FULL, n_z).df, ==, pow(WIDE - 1, 2) * (n_z ? WIDE : 1));
            assert_that(evaluate(wide, name, CI_DF_OBSERVED, n_z).df, ==, pow(WIDE - 1, 2) * strata);
        }
        dataset_destroy(narrow);
        dataset_destroy(wide);
        free(cells);
    }
}

/* log Gamma(a + n) / Gamma(a), a whole: a product. */
static long double log_rising(double a, size_t n) {
    long double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += logl((long double)a + (long double)i);
    return sum;
}

/* Rows that are as row i is in the columns of the mask. */
static size_t count_like(const uint32_t *cells, size_t n_rows, size_t i, unsigned mask) {
    size_t n = 0;
    for (size_t k = 0; k < n_rows; k++) {
        bool is_like = true;
        for (size_t c = 0; c < N_COLUMNS; c++)
            is_like = is_like && (!(mask >> c & 1) || cells[k * N_COLUMNS + c] == cells[i * N_COLUMNS + c]);
        n += is_like;
    }
    return n;
}

/* The definitions, row by row: every row stands for 1 / n of a group of n that are alike. */
static void sparse_tables_meet_the_definitions(void **state) {
    enum { N = 700 };
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(42));
    for (int round = 0; round < 8; round++) {
        size_t n_z = (size_t)round % 2, n_states = round < 4 ? 600 : 30;
        uint32_t *cells = draw_cells(&random, N, n_states, n_z ? 3 + 200 * (size_t)(round % 4 > 1) : 600);
        unsigned z = n_z ? 4 : 0;
        dataset *data = make_data(N, WIDE, WIDE / 600, cells);
        long double g2 = 0, x2 = 0, odds = 0, per_row[4];
        for (size_t i = 0; i < N; i++) {
            long double both = count_like(cells, N, i, z | 3), x = count_like(cells, N, i, z | 1),
                        y = count_like(cells, N, i, z | 2), all = count_like(cells, N, i, z), expected = x * y / all;
            g2 += 2 * logl(both / expected);
            x2 += (both / expected - 1); /* sum of both^2 / expected, less n */
            per_row[0] = log_rising(1, (size_t)both) / both;
            per_row[1] = log_rising(1, (size_t)x) / x;
            per_row[2] = log_rising(1, (size_t)y) / y;
            per_row[3] = (2 * log_rising(WIDE, (size_t)all) - log_rising((double)WIDE * WIDE, (size_t)all)) / all;
            odds += per_row[0] - per_row[1] - per_row[2] + per_row[3];
        }
        assert_close(evaluate(data, "g2", CI_DF_ADJ, n_z).statistic, (double)g2, 1e-12);
        assert_close(evaluate(data, "x2", CI_DF_ADJ, n_z).statistic, (double)x2, 1e-11);
        assert_close(evaluate(data, "bayes", 0, n_z).statistic, (double)odds, 1e-11);
        dataset_destroy(data);
        free(cells);
    }
}

/* Most rows in one stratum, which no longer fits a sort by insertion. */
static void a_large_stratum_is_counted(void **state) {
    enum { N = 300000 };
    random_stream random;
    uint32_t *cells;
    dataset *data;
    ci_result g2;
    information *info = NULL;
    double nats = 0;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(43));
    cells = draw_cells(&random, N, 65000, 65000);
    data = make_data(N, WIDE, 1, cells);
    g2 = evaluate(data, "g2", CI_DF_ADJ, 0);
    assert_ok(information_create(data, NULL, &info, &err), &err);
    assert_ok(information_measure(info, 0, 1, NULL, 0, &nats, &err), &err);
    assert_close(2 * N * nats, g2.statistic, 1e-12);
    assert_ok(information_measure(info, 0, 1, (size_t[]){2}, 1, &nats, &err), &err);
    assert_close(2 * N * nats, evaluate(data, "g2", CI_DF_ADJ, 1).statistic, 1e-12);
    information_destroy(info);
    dataset_destroy(data);
    free(cells);
}

static void learn(const char *name, const dataset *data) {
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    void *options;
    assert_ok(learner_find(name, &l, &err), &err);
    options = learner_options_create(l);
    assert_ok(options_set_pair(l->options, options, "min_rows=0", &err), &err);
    run_context_init(&ctx, 1);
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    learner_result_clear(&result);
    free(options);
}

static void learners_by_tests_learn_from_wide_columns(void **state) {
    static const char *const names[] = {"mmbn", "mmpc", "pc-stable"};
    random_stream random;
    uint32_t *cells;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(44));
    cells = draw_cells(&random, 2000, 300, 300);
    data = make_data(2000, WIDE, 200, cells);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        learn(names[i], data);
    dataset_destroy(data);
    free(cells);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_without_rows_change_no_statistic),
        cmocka_unit_test(sparse_tables_meet_the_definitions),
        cmocka_unit_test(a_large_stratum_is_counted),
        cmocka_unit_test(learners_by_tests_learn_from_wide_columns),
    };
    if (!*BNB_SANITIZERS)
        (void)setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)4 << 30, (rlim_t)4 << 30});
    return cmocka_run_group_tests(tests, NULL, NULL);
}
