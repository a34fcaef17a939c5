/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "metrics/tests/table_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ci_test *make_test(const char *name, int df, double min_rows, const dataset *data, statistics_count *tally) {
    const ci_test_kind *kind = NULL;
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find(name, &kind, &err), &err);
    assert_ok(ci_test_create(kind, &(table_test_options){.df = df, .alpha = 0.05, .min_rows = min_rows}, data, tally,
                             &t, &err),
              &err);
    return t;
}

static ci_result evaluate(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z) {
    ci_result result = {0};
    error_info err = {0};
    assert_ok(ci_test_evaluate(t, x, y, z, n_z, &result, &err), &err);
    return result;
}

/* A dataset of two or three columns from the counts of its cells, [stratum][x][y]. */
static dataset *from_counts(const int *counts, size_t n_z, size_t r_x, size_t r_y) {
    size_t n = 0, at = 0, n_states[] = {r_x, r_y, n_z};
    int *cells;
    dataset *data;
    for (size_t i = 0; i < n_z * r_x * r_y; i++)
        n += (size_t)counts[i];
    cells = calloc(3 * n, sizeof *cells);
    for (size_t i = 0; i < n_z * r_x * r_y; i++) {
        for (int m = 0; m < counts[i]; m++) {
            cells[at++] = (int)(i / r_y % r_x);
            cells[at++] = (int)(i % r_y);
            cells[at++] = (int)(i / r_y / r_x);
        }
    }
    data = make_dataset(n, 3, n_states, cells);
    free(cells);
    return data;
}

static void the_worked_examples_are_met(void **state) {
    static const int a[] = {30, 10, 10, 30}, b[] = {20, 10, 5, 15, 12, 3, 6, 9, 7, 0, 4, 0};
    static const int c[] = {10, 0, 5, 0, 0, 0, 3, 0, 7};
    static const struct {
        const int *counts;
        size_t n_z, r;
        const char *test;
        int df;
        double statistic, degrees, p;
    } rows[] = {
        {a, 1, 2, "g2", CI_DF_FULL, 20.929926, 1, 4.763938e-06}, {a, 1, 2, "x2", CI_DF_FULL, 20, 1, 7.744216e-06},
        {b, 3, 2, "g2", CI_DF_FULL, 13.808739, 3, .00317740},    {b, 3, 2, "g2", CI_DF_ADJ, 13.808739, 2, .00100339},
        {b, 3, 2, "g2", CI_DF_STECK, 13.808739, 2, .00100339},   {b, 3, 2, "g2", CI_DF_SGS, 13.808739, 1, NAN},
        {b, 3, 2, "x2", CI_DF_FULL, 13.333333, 3, NAN},          {c, 1, 3, "g2", CI_DF_FULL, 3.304637, 4, .508198},
        {c, 1, 3, "g2", CI_DF_ADJ, 3.304637, 1, .069085},        {c, 1, 3, "g2", CI_DF_STECK, 3.304637, 1, .069085},
        {c, 1, 3, "g2", CI_DF_SGS, 3.304637, 1, .069085},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dataset *data = from_counts(rows[i].counts, rows[i].n_z, rows[i].r, rows[i].r);
        ci_test *t = make_test(rows[i].test, rows[i].df, 5, data, NULL);
        ci_result result = evaluate(t, 0, 1, (size_t[]){2}, rows[i].n_z > 1);
        assert_close(result.statistic, rows[i].statistic, 1e-6);
        assert_true(result.df == rows[i].degrees);
        if (!isnan(rows[i].p))
            assert_close(result.p_value / rows[i].p, 1, 1e-5);
        assert_close(exp(result.log_p), result.p_value, 1e-12);
        ci_test_destroy(t);
        dataset_destroy(data);
    }
}

static void the_forty_rows_give_the_table_of_the_worked_example(void **state) {
    dataset *data = make_forty_rows();
    ci_test *t = make_test("g2", CI_DF_FULL, 5, data, NULL);
    (void)state;
    assert_close(evaluate(t, 0, 1, NULL, 0).statistic, 5.019295, 1e-6);
    assert_close(evaluate(t, 0, 2, NULL, 0).statistic, 2.533400, 1e-6);
    assert_close(evaluate(t, 1, 2, NULL, 0).statistic, 10.398310, 1e-6);
    assert_close(evaluate(t, 0, 1, (size_t[]){2}, 1).statistic, 2.831828, 1e-6);
    assert_close(evaluate(t, 0, 2, (size_t[]){1}, 1).statistic, 0.345934, 1e-6);
    assert_close(evaluate(t, 1, 2, (size_t[]){0}, 1).statistic, 8.210845, 1e-6);
    assert_close(evaluate(t, 0, 1, (size_t[]){2}, 1).p_value, .2427037, 1e-6);
    assert_close(evaluate(t, 1, 2, NULL, 0).p_value, .0012613, 1e-6);
    ci_test_destroy(t);
    dataset_destroy(data);
}

static void the_far_tail_stays_finite(void **state) {
    (void)state;
    assert_close(chi_square_log_tail(20.929926, 1), -12.254435820, 1e-7);
    assert_close(chi_square_log_tail(3000, 1), -1504.229308192, 1e-12);
    assert_close(chi_square_log_tail(3000, 4), -1492.686113168, 1e-12);
    assert_close(chi_square_log_tail(5000, 20), -2442.381808336, 1e-12);
    assert_true(chi_square_log_tail(0, 3) == 0);
    assert_true(isfinite(chi_square_log_tail(1e8, 5)));
}

/* By mpmath 1.4.1, 380 digits: one less the series of the lower tail, solved by Newton's method. */
static void critical_values_are_right_at_every_level(void **state) {
    static const struct {
        double alpha, df, critical;
    } rows[] = {
        {0.999999, 1, 1.5707963268860577e-12}, {0.5, 1, 0.45493642311957275},     {0.05, 1, 3.8414588206941259},
        {0.05, 4, 9.4877290367811566},         {0.01, 198, 247.21177495363604},   {0.05, 65535, 66131.630938543444},
        {1e-12, 65000, 67568.733370058311},    {1e-30, 2, 138.15510557964274},    {1e-30, 198, 519.85509939373783},
        {1e-100, 1, 453.94308223879897},       {1e-100, 198, 962.45576604750922}, {1e-300, 198, 2029.4620361101807},
        {1e-300, 65535, 79876.808944507719},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_close(chi_square_critical_value(log(rows[i].alpha), rows[i].df), rows[i].critical, 1e-11);
}

static void the_tail_of_a_critical_value_is_the_level(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(31));
    for (int i = 0; i < 2000; i++) {
        double log_alpha = i % 2 ? -690 * random_uniform(&random) : log(1e-12 + 0.99 * random_uniform(&random));
        double df = floor(exp(log(65536) * random_uniform(&random)));
        double critical = chi_square_critical_value(log_alpha, df);
        assert_true(critical > 0 && isfinite(critical));
        assert_close(chi_square_log_tail(critical, df), log_alpha, 1e-9);
    }
}

static void the_bound_of_a_tail_is_never_below_it(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(32));
    for (int i = 0; i < 5000; i++) {
        double df = floor(exp(log(65536) * random_uniform(&random)));
        double statistic = df * exp(4 * random_uniform(&random) - 1);
        double tail = chi_square_log_tail(statistic, df), bound = chi_square_log_tail_bound(statistic, df);
        assert_true(bound <= 0 && bound >= tail);
        assert_true(statistic < 2 * df || bound < tail + 5 + log(df)); /* and not far above it where it matters */
    }
    assert_true(chi_square_log_tail_bound(0, 3) == 0);
}

static void a_variable_with_one_observed_state_is_independent_of_everything(void **state) {
    static const size_t n_states[] = {2, 3, 2};
    static const int cells[] = {0, 0, 1, 0, 1, 0, 0, 2, 1, 0, 1, 1};
    dataset *data = make_dataset(4, 3, n_states, cells);
    ci_test *t = make_test("g2", CI_DF_ADJ, 0, data, NULL);
    ci_result result = evaluate(t, 0, 1, (size_t[]){2}, 1);
    (void)state;
    assert_that(result.statistic, ==, 0);
    assert_that(result.df, ==, 0);
    assert_that(result.p_value, ==, 1);
    assert_that(result.log_p, ==, 0);
    ci_test_destroy(t);
    dataset_destroy(data);
}

static void a_deterministic_pair_keeps_a_degree_of_freedom(void **state) {
    static const int counts[] = {20, 0, 0, 20};
    dataset *data = from_counts(counts, 1, 2, 2);
    ci_test *t = make_test("g2", CI_DF_STECK, 5, data, NULL);
    bool reliable = false;
    association found = {0};
    error_info err = {0};
    (void)state;
    assert_true(evaluate(t, 0, 1, NULL, 0).df == 1);
    assert_ok(ci_test_associate(t, 0, 1, NULL, 0, &reliable, &found, &err), &err);
    assert_true(reliable);
    assert_false(found.is_zero);
    ci_test_destroy(t);
    dataset_destroy(data);
}

static void association_and_evaluation_tell_the_same_story(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(5));
    for (int round = 0; round < 200; round++) {
        dataset *data = make_random_dataset(&random, 20 + (size_t)random_below(&random, 400), 5, 4);
        int df = (int)random_below(&random, 5);
        ci_test *t = make_test(round % 2 ? "g2" : "x2", df, 0, data, NULL);
        size_t order[5], n_z = (size_t)random_below(&random, 4);
        ci_result full;
        association found;
        bool reliable = false;
        error_info err = {0};
        random_permutation(&random, order, 5);
        full = evaluate(t, order[0], order[1], order + 2, n_z);
        assert_ok(ci_test_associate(t, order[1], order[0], order + 2, n_z, &reliable, &found, &err), &err);
        assert_true(reliable);
        assert_true(found.is_zero == (full.p_value > 0.05));
        if (!found.is_zero) {
            assert_close(found.statistic, full.statistic, 1e-11);
            assert_close(found.log_p, full.log_p, 1e-11);
        }
        ci_test_destroy(t);
        dataset_destroy(data);
    }
}

static void a_test_is_computed_once_for_either_order_and_skipped_without_rows(void **state) {
    dataset *data = make_forty_rows();
    statistics_count tally = {0};
    ci_test *t = make_test("g2", CI_DF_STECK, 5, data, &tally);
    bool reliable = false;
    association first, second;
    error_info err = {0};
    (void)state;
    assert_ok(ci_test_associate(t, 0, 1, (size_t[]){2}, 1, &reliable, &first, &err), &err);
    assert_ok(ci_test_associate(t, 1, 0, (size_t[]){2}, 1, &reliable, &second, &err), &err);
    assert_true(reliable);
    assert_int_equal(first.is_zero, second.is_zero);
    assert_that(first.log_p, ==, second.log_p);
    assert_int_equal(tally.requests, 2);
    assert_int_equal(tally.computed, 1);
    ci_test_destroy(t);
    t = make_test("g2", CI_DF_STECK, 6, data, &tally); /* 40 rows, 8 cells */
    assert_ok(ci_test_associate(t, 0, 1, (size_t[]){2}, 1, &reliable, &first, &err), &err);
    assert_false(reliable);
    assert_int_equal(tally.skipped, 1);
    ci_test_destroy(t);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_examples_are_met),
        cmocka_unit_test(the_forty_rows_give_the_table_of_the_worked_example),
        cmocka_unit_test(the_far_tail_stays_finite),
        cmocka_unit_test(critical_values_are_right_at_every_level),
        cmocka_unit_test(the_tail_of_a_critical_value_is_the_level),
        cmocka_unit_test(the_bound_of_a_tail_is_never_below_it),
        cmocka_unit_test(a_variable_with_one_observed_state_is_independent_of_everything),
        cmocka_unit_test(a_deterministic_pair_keeps_a_degree_of_freedom),
        cmocka_unit_test(association_and_evaluation_tell_the_same_story),
        cmocka_unit_test(a_test_is_computed_once_for_either_order_and_skipped_without_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
