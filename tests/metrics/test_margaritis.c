/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Bayesian test of independence on tables. */
#include "learners/registry.h"
#include "tests/support/support.h"

#include "learners/base/learner.h"
#include "metrics/tests/ci_test.h"

#include <math.h>
#include <stdlib.h>

static ci_test *make_test(const dataset *data) {
    const ci_test_kind *kind = NULL;
    double options[1]; /* the level alone */
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find("bayes", &kind, &err), &err);
    options_set_initial(kind->options, options);
    assert_ok(ci_test_create(kind, options, data, NULL, &t, &err), &err);
    return t;
}

static ci_result evaluate(const dataset *data, size_t x, size_t y, const size_t *z, size_t n_z) {
    ci_test *t = make_test(data);
    ci_result r = {0};
    error_info err = {0};
    assert_ok(ci_test_evaluate(t, x, y, z, n_z, &r, &err), &err);
    ci_test_destroy(t);
    return r;
}

static dataset *from_table(const int counts[2][2]) {
    static const size_t n_states[] = {2, 2};
    int cells[400], at = 0;
    size_t n = 0;
    for (int x = 0; x < 2; x++) {
        for (int y = 0; y < 2; y++) {
            for (int i = 0; i < counts[x][y]; i++, n++) {
                cells[at++] = x;
                cells[at++] = y;
            }
        }
    }
    return make_dataset(n, 2, n_states, cells);
}

static void the_two_tables_of_the_worked_example_are_met(void **state) {
    static const int dependent[2][2] = {{30, 10}, {10, 30}}, independent[2][2] = {{20, 20}, {20, 20}};
    dataset *a = from_table(dependent), *b = from_table(independent);
    (void)state;
    assert_close(1 - evaluate(a, 0, 1, NULL, 0).p_value, .9999064, 1e-7);
    assert_close(1 - evaluate(b, 0, 1, NULL, 0).p_value, .2877535, 1e-7);
    dataset_destroy(a);
    dataset_destroy(b);
}

/* log DM of counts c over A cells, from its definition. */
static double log_dm(const int *counts, size_t n_cells) {
    double n = 0, sum = 0;
    for (size_t k = 0; k < n_cells; k++) {
        sum += lgamma(1 + counts[k]);
        n += counts[k];
    }
    return lgamma((double)n_cells) - lgamma((double)n_cells + n) + sum;
}

enum { MOST_STATES = 4 };

static double plain_log_odds(const dataset *data, size_t x, size_t y, size_t z) {
    size_t r_x = dataset_state_count(data, x), r_y = dataset_state_count(data, y);
    double sum = 0;
    for (size_t s = 0; s < dataset_state_count(data, z); s++) {
        int cells[MOST_STATES * MOST_STATES] = {0}, of_x[MOST_STATES] = {0}, of_y[MOST_STATES] = {0};
        for (size_t i = 0; i < dataset_row_count(data); i++) {
            if (dataset_state(data, i, z) != s)
                continue;
            cells[dataset_state(data, i, x) * r_y + dataset_state(data, i, y)]++;
            of_x[dataset_state(data, i, x)]++;
            of_y[dataset_state(data, i, y)]++;
        }
        sum += log_dm(cells, r_x * r_y) - log_dm(of_x, r_x) - log_dm(of_y, r_y);
    }
    return sum;
}

static void strata_add_up(void **state) {
    random_stream random;
    int n_checked = 0;
    (void)state;
    random_stream_init(&random, random_key_of(1));
    for (int i = 0; i < 50; i++) {
        dataset *data = make_random_dataset(&random, 20 + (size_t)random_below(&random, 300), 4, MOST_STATES);
        ci_result r = evaluate(data, 0, 2, (size_t[]){1}, 1);
        double expected = plain_log_odds(data, 0, 2, 1);
        if (dataset_state_count(data, 0) < 2 || dataset_state_count(data, 2) < 2) {
            assert_that(r.statistic, ==, 0);
            assert_that(r.p_value, ==, 1);
            dataset_destroy(data);
            continue;
        }
        n_checked++;
        assert_close(r.statistic, expected, 1e-10);
        assert_close(r.log_p, -log1p(exp(expected)), 1e-10);
        assert_close(evaluate(data, 2, 0, (size_t[]){1}, 1).statistic, expected, 1e-10);
        dataset_destroy(data);
    }
    assert_true(n_checked > 20);
}

/* Given seven columns most strata have a row or none, and tables are sparse. */
static void sparse_tables_are_no_different(void **state) {
    random_stream random;
    dataset *data;
    ci_result r;
    double sum = 0;
    size_t z[7];
    (void)state;
    random_stream_init(&random, random_key_of(2));
    data = make_random_dataset(&random, 150, 9, 4);
    while (dataset_state_count(data, 0) < 2 || dataset_state_count(data, 1) < 2) {
        dataset_destroy(data);
        data = make_random_dataset(&random, 150, 9, 4);
    }
    for (size_t k = 0; k < 7; k++)
        z[k] = k + 2;
    r = evaluate(data, 0, 1, z, 7);
    for (size_t i = 0; i < 150; i++) { /* each stratum at its first row */
        int cells[MOST_STATES * MOST_STATES] = {0}, of_x[MOST_STATES] = {0}, of_y[MOST_STATES] = {0};
        size_t r_x = dataset_state_count(data, 0), r_y = dataset_state_count(data, 1);
        bool is_first = true;
        for (size_t j = 0; j < 150; j++) {
            bool is_same = true;
            for (size_t k = 0; k < 7; k++)
                is_same = is_same && dataset_state(data, i, z[k]) == dataset_state(data, j, z[k]);
            is_first = is_first && !(is_same && j < i);
            if (!is_same)
                continue;
            cells[dataset_state(data, j, 0) * r_y + dataset_state(data, j, 1)]++;
            of_x[dataset_state(data, j, 0)]++;
            of_y[dataset_state(data, j, 1)]++;
        }
        if (is_first)
            sum += log_dm(cells, r_x * r_y) - log_dm(of_x, r_x) - log_dm(of_y, r_y);
    }
    assert_true(fabs(r.statistic) > 0);
    assert_close(r.statistic, sum, 1e-10);
    dataset_destroy(data);
}

static void a_column_with_one_observed_state_is_independent(void **state) {
    static const int counts[2][2] = {{20, 30}, {0, 0}};
    dataset *data = from_table(counts);
    ci_result r = evaluate(data, 0, 1, NULL, 0);
    (void)state;
    assert_that(r.statistic, ==, 0);
    assert_that(r.p_value, ==, 1);
    assert_that(r.log_p, ==, 0);
    dataset_destroy(data);
}

static void pc_takes_it(void **state) {
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    dataset *data = make_forty_rows();
    void *options;
    (void)state;
    assert_ok(learner_find("pc-stable", &l, &err), &err);
    options = learner_options_create(l);
    assert_ok(options_set_pair(l->options, options, "test=bayes", &err), &err);
    assert_ok(options_set_pair(l->options, options, "alpha=0.5", &err), &err);
    run_context_init(&ctx, 1);
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    assert_true(pdag_edge_between(result.graph, 1, 2) != EDGE_NONE);
    assert_true(pdag_edge_between(result.graph, 0, 2) == EDGE_NONE);
    learner_result_clear(&result);
    free(options);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_two_tables_of_the_worked_example_are_met),
        cmocka_unit_test(strata_add_up),
        cmocka_unit_test(sparse_tables_are_no_different),
        cmocka_unit_test(a_column_with_one_observed_state_is_independent),
        cmocka_unit_test(pc_takes_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
