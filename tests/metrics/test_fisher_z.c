/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fisher's z and Student's t of partial correlations, and the moments that they are made of. */
#include "tests/support/support.h"

#include "metrics/numerics/gaussian_moments.h"
#include "metrics/numerics/partial_correlation.h"
#include "metrics/tests/fisher_z.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

/* --- data --- */

/* columns[c][i], named "A", "B", ... */
static dataset *from_columns(const double *const *columns, size_t n_rows, size_t n_columns) {
    variable *variables = calloc(n_columns, sizeof *variables);
    dataset *data = NULL;
    error_info err = {0};
    for (size_t c = 0; c < n_columns; c++)
        assert_ok(variable_init_continuous(&variables[c], (const char[]){(char)('A' + c), '\0'}, &err), &err);
    assert_ok(dataset_create(variables, n_columns, n_rows, &data, &err), &err);
    variables_destroy(variables, n_columns);
    for (size_t c = 0; c < n_columns; c++)
        memcpy(dataset_build_reals(data, c), columns[c], n_rows * sizeof(double));
    return data;
}

/* Each column leans on the two before it. */
static dataset *make_gaussian(random_stream *random, size_t n_rows, size_t n_columns) {
    random_gsl as_gsl;
    const gsl_rng *rng = random_as_gsl(random, &as_gsl);
    double *cells = calloc(n_rows * n_columns, sizeof *cells);
    const double *columns[26];
    dataset *data;
    for (size_t c = 0; c < n_columns; c++) {
        double *x = cells + c * n_rows;
        columns[c] = x;
        for (size_t i = 0; i < n_rows; i++)
            x[i] = 100 * (double)c + gsl_ran_gaussian(rng, 1) + (c > 0 ? 0.8 * columns[c - 1][i] : 0) -
                   (c > 1 ? 0.5 * columns[c - 2][i] : 0);
    }
    data = from_columns(columns, n_rows, n_columns);
    free(cells);
    return data;
}

static ci_test *make_test_of(const char *name, int tail, const dataset *data, statistics_count *tally) {
    const ci_test_kind *kind = NULL;
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find(name, &kind, &err), &err);
    assert_ok(ci_test_create(kind, &(correlation_test_options){.alpha = 0.05, .tail = tail}, data, tally, &t, &err),
              &err);
    return t;
}

static ci_test *make_test(const char *name, const dataset *data) {
    return make_test_of(name, CI_TAIL_TWO, data, NULL);
}

static ci_result evaluate(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z) {
    ci_result result = {0};
    error_info err = {0};
    assert_ok(ci_test_evaluate(t, x, y, z, n_z, &result, &err), &err);
    return result;
}

static void assert_same_result(const ci_result *a, const ci_result *b) {
    assert_true(a->statistic == b->statistic && a->df == b->df && a->p_value == b->p_value && a->log_p == b->log_p);
    assert_int_equal(a->is_reliable, b->is_reliable);
}

static ci_result evaluate_once(const char *name, const dataset *data, size_t x, size_t y, const size_t *z, size_t n_z) {
    ci_test *t = make_test(name, data);
    ci_result result = evaluate(t, x, y, z, n_z);
    ci_test_destroy(t);
    return result;
}

/* --- worked examples --- */

static void the_six_rows_of_the_worked_example_are_met(void **state) {
    static const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {2, 1, 4, 3, 6, 5}, z[] = {1, 3, 2, 5, 4, 7};
    static const size_t given[] = {2};
    dataset *data = from_columns((const double *const[]){x, y, z}, 6, 3);
    ci_result alone = evaluate_once("zf", data, 0, 1, NULL, 0), conditional = evaluate_once("zf", data, 0, 1, given, 1);
    (void)state;
    assert_close(alone.statistic, 2.049989, 1e-6);
    assert_close(alone.p_value / .0403655, 1, 1e-6);
    assert_close(evaluate_once("cor", data, 0, 1, NULL, 0).statistic, .828571, 1e-6);
    assert_close(conditional.statistic, 3.320077, 1e-6);
    assert_close(conditional.p_value / .00089993, 1, 1e-5);
    assert_close(evaluate_once("cor", data, 0, 1, given, 1).statistic, .981889, 1e-6);
    assert_that(alone.df, ==, 3);
    assert_that(conditional.df, ==, 2);
    dataset_destroy(data);
}

/* columns[k] made orthogonal to those before it and to the constant, of length 1. */
static void orthogonalise(double *columns, size_t n, size_t n_columns) {
    for (size_t k = 0; k < n_columns; k++) {
        double *x = columns + k * n, length = 0;
        for (int twice = 0; twice < 2; twice++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += x[i];
            for (size_t i = 0; i < n; i++)
                x[i] -= sum / (double)n;
            for (size_t j = 0; j < k; j++) {
                double dot = 0;
                for (size_t i = 0; i < n; i++)
                    dot += x[i] * columns[j * n + i];
                for (size_t i = 0; i < n; i++)
                    x[i] -= dot * columns[j * n + i];
            }
        }
        for (size_t i = 0; i < n; i++)
            length += x[i] * x[i];
        for (size_t i = 0; i < n; i++)
            x[i] /= sqrt(length);
    }
}

/* A partial correlation of .2 given two others, on a hundred rows. */
static void the_hundred_rows_of_the_worked_example_are_met(void **state) {
    enum { ROWS = 100 };
    double basis[4 * ROWS], x[ROWS], y[ROWS];
    random_stream random;
    random_gsl as_gsl;
    const gsl_rng *rng;
    dataset *data;
    ci_result result;
    (void)state;
    random_stream_init(&random, random_key_of(1));
    rng = random_as_gsl(&random, &as_gsl);
    for (size_t i = 0; i < 4 * ROWS; i++)
        basis[i] = gsl_ran_gaussian(rng, 1);
    orthogonalise(basis, ROWS, 4);
    for (size_t i = 0; i < ROWS; i++) {
        x[i] = basis[i] + 3 * basis[2 * ROWS + i] - basis[3 * ROWS + i];
        y[i] = .2 * basis[i] + sqrt(.96) * basis[ROWS + i] + 2 * basis[3 * ROWS + i];
    }
    data = from_columns((const double *const[]){x, y, basis + 2 * ROWS, basis + 3 * ROWS}, ROWS, 4);
    result = evaluate_once("zf", data, 0, 1, (size_t[]){2, 3}, 2);
    assert_close(result.statistic, 1.975993, 1e-6);
    assert_close(result.p_value / .0481556, 1, 1e-6);
    dataset_destroy(data);
}

/* --- against regressions --- */

/* What z, and the constant, leave of x: least squares by the Gram-Schmidt process. */
static void residual_of(const dataset *data, size_t x, const size_t *z, size_t n_z, double *out) {
    size_t n = dataset_row_count(data);
    double *basis = calloc((n_z + 1) * n, sizeof *basis), length;
    for (size_t k = 0; k < n_z; k++)
        memcpy(basis + k * n, dataset_reals(data, z[k]), n * sizeof *basis);
    memcpy(basis + n_z * n, dataset_reals(data, x), n * sizeof *basis);
    orthogonalise(basis, n, n_z + 1);
    length = 0;
    for (size_t i = 0; i < n; i++)
        length += basis[n_z * n + i] * basis[n_z * n + i];
    for (size_t i = 0; i < n; i++)
        out[i] = basis[n_z * n + i] / sqrt(length);
    free(basis);
}

static double plain_correlation(const dataset *data, size_t x, size_t y, const size_t *z, size_t n_z) {
    size_t n = dataset_row_count(data);
    double *of_x = calloc(n, sizeof *of_x), *of_y = calloc(n, sizeof *of_y), r = 0;
    residual_of(data, x, z, n_z, of_x);
    residual_of(data, y, z, n_z, of_y);
    for (size_t i = 0; i < n; i++)
        r += of_x[i] * of_y[i];
    free(of_x);
    free(of_y);
    return r;
}

/* Questions in any order, so that what is kept of one must not spoil the next. */
static void partial_correlations_are_those_of_the_residuals_of_regressions(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(2));
    for (int round = 0; round < 20; round++) {
        size_t p = 3 + (size_t)random_below(&random, 12);
        dataset *data = make_gaussian(&random, 30 + (size_t)random_below(&random, 200), p);
        gaussian_moments *moments = NULL;
        partial_correlation *correlations = NULL;
        error_info err = {0};
        assert_ok(gaussian_moments_create(data, 1, &moments, &err), &err);
        assert_ok(partial_correlation_create(moments, &correlations, &err), &err);
        for (int i = 0; i < 100; i++) {
            size_t order[26], n_z = (size_t)random_below(&random, p - 1);
            double r = 2;
            if (i % 3 > 0)
                n_z = p - 2; /* sets that share a beginning */
            random_permutation(&random, order, p);
            assert_ok(partial_correlation_get(correlations, order[0], order[1], order + 2, n_z, &r, &err), &err);
            assert_close(r, plain_correlation(data, order[0], order[1], order + 2, n_z), 1e-9);
        }
        partial_correlation_destroy(correlations);
        gaussian_moments_destroy(moments);
        dataset_destroy(data);
    }
}

static void moments_are_those_of_plain_sums(void **state) {
    random_stream random;
    dataset *data;
    gaussian_moments *m = NULL;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(3));
    data = make_gaussian(&random, 777, 7); /* blocks of rows, and a part of one */
    assert_ok(gaussian_moments_create(data, 1, &m, &err), &err);
    assert_int_equal(gaussian_moments_row_count(m), 777);
    assert_int_equal(gaussian_moments_column_count(m), 7);
    for (size_t x = 0; x < 7; x++) {
        for (size_t y = 0; y < 7; y++) {
            double sum = 0;
            for (size_t i = 0; i < 777; i++)
                sum += (dataset_reals(data, x)[i] - gaussian_moments_mean(m, x)) *
                       (dataset_reals(data, y)[i] - gaussian_moments_mean(m, y));
            assert_close(gaussian_moments_products(m, x)[y], sum, 1e-12);
            assert_true(gaussian_moments_products(m, x)[y] == gaussian_moments_products(m, y)[x]);
        }
        assert_true(gaussian_moments_correlation(m, x, x) == 1);
        assert_false(gaussian_moments_is_constant(m, x));
    }
    gaussian_moments_destroy(m);
    dataset_destroy(data);
}

/* --- strange columns --- */

/* A copy, a multiple, a constant, and a sum of two. */
static dataset *make_degenerate(void) {
    enum { ROWS = 50 };
    double a[ROWS], b[ROWS], copy[ROWS], constant[ROWS], sum[ROWS], opposite[ROWS];
    random_stream random;
    random_stream_init(&random, random_key_of(4));
    for (size_t i = 0; i < ROWS; i++) {
        a[i] = copy[i] = random_uniform(&random);
        b[i] = random_uniform(&random) + a[i];
        constant[i] = 0.1;
        sum[i] = 3 * a[i] - 2 * b[i] + 7;
        opposite[i] = -1e6 * a[i];
    }
    return from_columns((const double *const[]){a, b, copy, constant, sum, opposite}, ROWS, 6);
}

static void assert_independent(const ci_result *r) {
    assert_true(r->statistic == 0);
    assert_that(r->p_value, ==, 1);
    assert_that(r->log_p, ==, 0);
}

static void a_column_that_does_not_vary_or_is_known_already_is_independent_of_everything(void **state) {
    dataset *data = make_degenerate();
    static const char *const names[] = {"zf", "cor"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        ci_test *t = make_test(names[i], data);
        ci_result r = evaluate(t, 0, 3, NULL, 0);
        assert_independent(&r);
        r = evaluate(t, 3, 0, (size_t[]){1, 2}, 2);
        assert_independent(&r);
        r = evaluate(t, 0, 1, (size_t[]){2}, 1); /* given its copy */
        assert_independent(&r);
        r = evaluate(t, 4, 2, (size_t[]){0, 1}, 2); /* given both summands */
        assert_independent(&r);
        /* A set that says the same twice is as good as one that says it once, and so is one with a constant. */
        r = evaluate(t, 1, 4, (size_t[]){0, 2, 3}, 3);
        assert_close(r.statistic, evaluate(t, 1, 4, (size_t[]){0}, 1).statistic * (i ? 1 : sqrt(44. / 46)), 1e-9);
        ci_test_destroy(t);
    }
    dataset_destroy(data);
}

static void a_copy_is_as_dependent_as_can_be_and_the_p_value_stays_finite(void **state) {
    dataset *data = make_degenerate();
    ci_result same = evaluate_once("zf", data, 0, 2, NULL, 0), opposite = evaluate_once("zf", data, 0, 5, NULL, 0);
    (void)state;
    assert_close(same.statistic, atanh(1 - 1e-12) * sqrt(47), 1e-9);
    assert_close(opposite.statistic, -same.statistic, 1e-9);
    assert_true(isfinite(same.log_p));
    assert_that(same.log_p, <, -4000);
    assert_true(isfinite(evaluate_once("cor", data, 0, 2, NULL, 0).log_p));
    dataset_destroy(data);
}

static void too_few_rows_make_a_test_unreliable(void **state) {
    static const double x[] = {1, 2, 4, 3, 5}, y[] = {2, 1, 4, 7, 6}, z[] = {1, 3, 2, 2, 4}, w[] = {0, 3, 1, 1, 1};
    dataset *data = from_columns((const double *const[]){x, y, z, w}, 5, 4);
    static const size_t given[] = {2, 3};
    statistics_count tally = {0};
    ci_test *t = make_test_of("zf", CI_TAIL_TWO, data, &tally);
    bool reliable = true;
    association a;
    error_info err = {0};
    (void)state;
    assert_true(evaluate_once("zf", data, 0, 1, given, 1).is_reliable);
    assert_false(evaluate_once("zf", data, 0, 1, given, 2).is_reliable);
    assert_true(evaluate_once("cor", data, 0, 1, given, 2).is_reliable);
    assert_true(evaluate_once("zf", data, 0, 1, given, 2).p_value == 1);
    assert_ok(ci_test_associate(t, 0, 1, given, 2, &reliable, &a, &err), &err);
    assert_false(reliable);
    assert_int_equal(tally.skipped, 1);
    assert_int_equal(tally.requests, 0);
    ci_test_destroy(t);
    dataset_destroy(data);
}

static void assert_refused(const char *name, const dataset *data, const char *words) {
    const ci_test_kind *kind = NULL;
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find(name, &kind, &err), &err);
    assert_int_equal(ci_test_create(kind, &(correlation_test_options){.alpha = 0.05}, data, NULL, &t, &err),
                     STATUS_INVALID);
    assert_message_has(&err, words);
    assert_null(t);
}

static void what_is_no_number_is_refused_with_its_place(void **state) {
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e200};
    static const char *const words[] = {"nan in row 4", "inf in row 4", "-inf in row 4", "1e+200 in row 4"};
    double x[] = {1, 2, 4, 3, 5}, y[] = {2, 1, 4, 7, 6};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        dataset *data;
        y[3] = bad[i];
        data = from_columns((const double *const[]){x, y}, 5, 2);
        assert_refused("zf", data, words[i]);
        assert_refused("cor", data, "column B");
        dataset_destroy(data);
    }
}

static void each_test_takes_its_own_kind_of_data(void **state) {
    dataset *discrete = make_forty_rows(), *continuous = make_degenerate();
    (void)state;
    assert_refused("zf", discrete, "zf takes data that are continuous; these are discrete");
    assert_refused("g2", continuous, "g2 takes data that are discrete; these are continuous");
    dataset_destroy(discrete);
    dataset_destroy(continuous);
}

/* --- the evaluator --- */

static void one_tail_is_half_of_both(void **state) {
    random_stream random;
    dataset *data;
    static const char *const names[] = {"zf", "cor"};
    (void)state;
    random_stream_init(&random, random_key_of(5));
    data = make_gaussian(&random, 100, 4);
    for (int i = 0; i < 2; i++) {
        ci_test *one = make_test_of(names[i], CI_TAIL_ONE, data, NULL);
        ci_result half = evaluate(one, 0, 3, (size_t[]){1}, 1);
        ci_result whole = evaluate_once(names[i], data, 0, 3, (size_t[]){1}, 1);
        assert_close(2 * half.p_value / whole.p_value, 1, 1e-12);
        assert_true(half.statistic == whole.statistic);
        ci_test_destroy(one);
    }
    dataset_destroy(data);
}

static void association_decision_and_evaluation_tell_the_same_story(void **state) {
    random_stream random;
    size_t n_zero = 0;
    (void)state;
    random_stream_init(&random, random_key_of(6));
    for (int round = 0; round < 300; round++) {
        dataset *data = make_gaussian(&random, 20 + (size_t)random_below(&random, 100), 6);
        statistics_count tally = {0};
        ci_test *t = make_test_of(round % 2 ? "zf" : "cor", CI_TAIL_TWO, data, &tally);
        size_t order[6], n_z = (size_t)random_below(&random, 5);
        ci_result full;
        association found, resolved;
        verdict v;
        bool reliable = false;
        error_info err = {0};
        random_permutation(&random, order, 6);
        full = evaluate(t, order[0], order[1], order + 2, n_z);
        assert_ok(ci_test_associate(t, order[1], order[0], order + 2, n_z, &reliable, &found, &err), &err);
        assert_true(reliable);
        assert_true(found.is_zero == (full.p_value > 0.05));
        assert_ok(ci_test_decide(t, order[0], order[1], order + 2, n_z, &reliable, &v, &err), &err);
        assert_true(reliable);
        assert_true(v.is_exact);
        assert_int_equal(association_compare(&v.value, &found), 0);
        assert_ok(ci_test_resolve(t, order[0], order[1], order + 2, n_z, &resolved, &err), &err);
        assert_int_equal(association_compare(&resolved, &found), 0);
        n_zero += found.is_zero;
        if (!found.is_zero) {
            assert_close(found.log_p, full.log_p, 1e-10);
            assert_close(found.statistic, fabs(full.statistic), 1e-10);
        }
        assert_int_equal(tally.requests, 3);
        assert_int_equal(tally.computed, 2); /* the evaluation, and the association; the decision remembers */
        ci_test_destroy(t);
        dataset_destroy(data);
    }
    assert_that(n_zero, >, 30);
    assert_that(n_zero, <, 270);
}

/* Sets in turn, of which the first columns of one are often those of the one before. */
static void a_twin_answers_alike_to_the_last_bit(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(8));
    for (int round = 0; round < 4; round++) {
        dataset *data = make_gaussian(&random, 50, 6);
        ci_test *t = make_test_of(round % 2 ? "zf" : "cor", round < 2 ? CI_TAIL_TWO : CI_TAIL_ONE, data, NULL), *twin;
        error_info err = {0};
        assert_ok(ci_test_create_beside(t, NULL, &twin, &err), &err);
        for (int i = 0; i < 50; i++) {
            size_t order[6], n_z = (size_t)random_below(&random, 5);
            ci_result own, other;
            random_permutation(&random, order, 6);
            own = evaluate(t, order[0], order[1], order + 2, n_z);
            other = evaluate(twin, order[0], order[1], order + 2, n_z);
            assert_same_result(&own, &other);
        }
        ci_test_destroy(twin);
        ci_test_destroy(t);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_six_rows_of_the_worked_example_are_met),
        cmocka_unit_test(the_hundred_rows_of_the_worked_example_are_met),
        cmocka_unit_test(partial_correlations_are_those_of_the_residuals_of_regressions),
        cmocka_unit_test(moments_are_those_of_plain_sums),
        cmocka_unit_test(a_column_that_does_not_vary_or_is_known_already_is_independent_of_everything),
        cmocka_unit_test(a_copy_is_as_dependent_as_can_be_and_the_p_value_stays_finite),
        cmocka_unit_test(too_few_rows_make_a_test_unreliable),
        cmocka_unit_test(what_is_no_number_is_refused_with_its_place),
        cmocka_unit_test(each_test_takes_its_own_kind_of_data),
        cmocka_unit_test(one_tail_is_half_of_both),
        cmocka_unit_test(association_decision_and_evaluation_tell_the_same_story),
        cmocka_unit_test(a_twin_answers_alike_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
