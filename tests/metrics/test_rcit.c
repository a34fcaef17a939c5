/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The test of non-linear dependence: what it finds, what it must not find, and that chance has no part in it. */
#include "tests/support/support.h"

#include "learners/base/learner.h"
#include "metrics/tests/rcit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

/* --- data --- */

enum { MOST_COLUMNS = 8 };

/* A row of a made-up world. */
typedef void (*world)(const gsl_rng *rng, double *row);

static dataset *sample(world draw, uint64_t seed, size_t n_rows, size_t n_columns) {
    variable variables[MOST_COLUMNS] = {0};
    random_stream random;
    random_gsl as_gsl;
    const gsl_rng *rng;
    dataset *data = NULL;
    error_info err = {0};
    random_stream_init(&random, random_key_of(seed));
    rng = random_as_gsl(&random, &as_gsl);
    for (size_t c = 0; c < n_columns; c++)
        assert_ok(variable_init_continuous(&variables[c], (const char[]){(char)('A' + c), '\0'}, &err), &err);
    assert_ok(dataset_create(variables, n_columns, n_rows, &data, &err), &err);
    for (size_t c = 0; c < n_columns; c++)
        variable_clear(&variables[c]);
    for (size_t i = 0; i < n_rows; i++) {
        double row[MOST_COLUMNS];
        draw(rng, row);
        for (size_t c = 0; c < n_columns; c++)
            dataset_build_reals(data, c)[i] = row[c];
    }
    return data;
}

static double noise(const gsl_rng *rng, double sd) {
    return gsl_ran_gaussian(rng, sd);
}

/* B = A^2 and noise. */
static void parabola(const gsl_rng *rng, double *row) {
    row[0] = gsl_ran_flat(rng, -2, 2);
    row[1] = row[0] * row[0] + noise(rng, 1);
}

/* Two columns that have nothing to do with each other, of different shapes. */
static void strangers(const gsl_rng *rng, double *row) {
    row[0] = gsl_ran_exponential(rng, 1);
    row[1] = noise(rng, 1) * (gsl_rng_uniform(rng) < 0.3 ? 5 : 1);
}

/* A <- C -> B, neither arc linear; D is one more. */
static void fork_(const gsl_rng *rng, double *row) {
    row[2] = noise(rng, 1);
    row[3] = noise(rng, 1);
    row[0] = cos(2 * row[2]) + noise(rng, 0.5);
    row[1] = row[2] * row[2] + noise(rng, 0.5);
}

/* A <- C, D -> B: independent given both. */
static void fork_of_two(const gsl_rng *rng, double *row) {
    row[2] = noise(rng, 1);
    row[3] = noise(rng, 1);
    row[0] = tanh(row[2] + row[3]) + noise(rng, 0.5);
    row[1] = row[2] * row[3] + noise(rng, 0.5);
}

/* A -> C -> B. */
static void chain(const gsl_rng *rng, double *row) {
    row[0] = noise(rng, 1);
    row[2] = row[0] * row[0] + noise(rng, 0.3);
    row[1] = cos(2 * row[2]) + noise(rng, 0.3);
}

/* A -> C <- B. */
static void collider(const gsl_rng *rng, double *row) {
    row[0] = noise(rng, 1);
    row[1] = noise(rng, 1);
    row[2] = exp((row[0] + row[1]) / 2) + noise(rng, 0.2);
}

/* --- tests --- */

static ci_test *make_test(const char *name, const dataset *data, int variant, int seed) {
    const ci_test_kind *kind = NULL;
    rcit_options options = {0};
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find(name, &kind, &err), &err);
    options_set_initial(kind->options, &options);
    options.variant = variant;
    options.feature_seed = seed;
    assert_ok(ci_test_create(kind, &options, data, NULL, &t, &err), &err);
    return t;
}

static ci_result evaluate(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z) {
    ci_result result = {0};
    error_info err = {0};
    assert_ok(ci_test_evaluate(t, x, y, z, n_z, &result, &err), &err);
    return result;
}

static ci_result evaluate_as(const char *name, const dataset *data, int variant, size_t n_z, const size_t *z) {
    ci_test *t = make_test(name, data, variant, 1);
    ci_result r = evaluate(t, 0, 1, z, n_z);
    ci_test_destroy(t);
    return r;
}

static const size_t given[] = {2, 3};

/* How many of `rounds` data sets the test calls A and B dependent on, given C, D, ... at the level of 5%. */
static int count_dependent(const char *name, world draw, int variant, size_t n_rows, size_t n_z, int rounds) {
    int n = 0;
    for (int i = 0; i < rounds; i++) {
        dataset *data = sample(draw, (uint64_t)i + 1, n_rows, 2 + n_z);
        n += evaluate_as(name, data, variant, n_z, given).p_value <= 0.05;
        dataset_destroy(data);
    }
    return n;
}

static void a_parabola_is_found_where_a_correlation_is_not(void **state) {
    int by_rcit = count_dependent("rcit", parabola, CI_VARIANT_RCOT, 300, 0, 40);
    int by_zf = count_dependent("zf", parabola, 0, 300, 0, 40);
    (void)state;
    print_message("  rcit %d of 40, zf %d\n", by_rcit, by_zf);
    assert_int_equal(by_rcit, 40);
    assert_true(by_zf < 10); /* the noise is larger at both ends: more than one in twenty, but by chance */
}

/* One in twenty, but for three standard deviations. */
static void assert_level_is_kept(world draw, int variant, size_t n_rows, size_t n_z, size_t rounds) {
    size_t n = rounds_here(rounds);
    double expected = 0.05 * (double)n, deviation = sqrt(0.95 * expected);
    int found = count_dependent("rcit", draw, variant, n_rows, n_z, (int)n);
    print_message("  %d of %zu, given %zu\n", found, n, n_z);
    assert_between(found, expected - 3 * deviation, expected + 3 * deviation);
}

static void the_level_is_kept_under_independence(void **state) {
    (void)state;
    assert_level_is_kept(strangers, CI_VARIANT_RCOT, 200, 0, 300);
    assert_level_is_kept(fork_, CI_VARIANT_RCOT, 300, 1, 300);
    assert_level_is_kept(fork_of_two, CI_VARIANT_RCOT, 400, 2, 100);
    assert_level_is_kept(fork_, CI_VARIANT_RCIT, 300, 1, 100);
}

static void what_a_third_column_explains_is_independent_given_it(void **state) {
    (void)state;
    assert_int_equal(count_dependent("rcit", chain, CI_VARIANT_RCOT, 500, 0, 20), 20);
    assert_true(count_dependent("rcit", chain, CI_VARIANT_RCOT, 500, 1, 20) <= 4);
    assert_int_equal(count_dependent("rcit", fork_, CI_VARIANT_RCOT, 500, 0, 20), 20);
    assert_true(count_dependent("rcit", fork_, CI_VARIANT_RCOT, 500, 1, 20) <= 4);
}

static void a_collider_makes_its_causes_dependent(void **state) {
    (void)state;
    for (int variant = CI_VARIANT_RCOT; variant <= CI_VARIANT_RCIT; variant++) {
        assert_true(count_dependent("rcit", collider, variant, 500, 0, 20) <= 4);
        assert_int_equal(count_dependent("rcit", collider, variant, 500, 1, 20), 20);
    }
}

/* --- no chance, no order --- */

static void assert_same_result(const ci_result *a, const ci_result *b, double relative) {
    assert_close(a->statistic, b->statistic, relative);
    assert_close(a->log_p, b->log_p, relative);
}

static void neither_order_nor_history_makes_a_difference(void **state) {
    dataset *data = sample(fork_of_two, 5, 300, 4), *reordered = NULL;
    static const size_t order[] = {3, 1, 0, 2};
    error_info err = {0};
    (void)state;
    assert_ok(dataset_reorder(data, order, &reordered, &err), &err);
    for (int variant = CI_VARIANT_RCOT; variant <= CI_VARIANT_RCIT; variant++) {
        ci_test *t = make_test("rcit", data, variant, 1), *r = make_test("rcit", reordered, variant, 1);
        ci_result first = evaluate(t, 0, 1, given, 2), again, other;
        other = evaluate(r, 2, 1, (size_t[]){0, 3}, 2);
        assert_same_result(&first, &other, 1e-7);
        (void)evaluate(t, 0, 2, (size_t[]){1}, 1);
        again = evaluate(t, 1, 0, (size_t[]){3, 2}, 2);
        assert_that(again.statistic, ==, first.statistic);
        assert_that(again.log_p, ==, first.log_p);
        assert_true(first.df == 25);
        ci_test_destroy(t);
        ci_test_destroy(r);
    }
    dataset_destroy(reordered);
    dataset_destroy(data);
}

static void another_seed_draws_other_features_and_finds_the_same(void **state) {
    dataset *data = sample(fork_, 6, 500, 4);
    ci_test *a = make_test("rcit", data, CI_VARIANT_RCOT, 1), *b = make_test("rcit", data, CI_VARIANT_RCOT, 2);
    ci_result r = evaluate(a, 0, 1, NULL, 0), s = evaluate(b, 0, 1, NULL, 0);
    (void)state;
    assert_true(r.statistic != s.statistic);
    assert_that(r.p_value, <, 1e-3);
    assert_that(s.p_value, <, 1e-3);
    ci_test_destroy(a);
    ci_test_destroy(b);
    dataset_destroy(data);
}

static void wide(const gsl_rng *rng, double *row) {
    for (size_t c = 0; c < MOST_COLUMNS; c++)
        row[c] = noise(rng, 1) + (c > 0 ? sin(row[c - 1]) : 0);
}

/* More sets than there is memory for. */
static void what_is_kept_of_sets_is_what_would_be_computed(void **state) {
    dataset *data = sample(wide, 7, 3000, MOST_COLUMNS);
    ci_test *kept = make_test("rcit", data, CI_VARIANT_RCOT, 1);
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(8));
    for (int i = 0; i < 50; i++) {
        size_t order[MOST_COLUMNS], n_z = 1 + (size_t)random_below(&random, 3);
        ci_result r;
        random_permutation(&random, order, MOST_COLUMNS);
        r = evaluate(kept, order[0], order[1], order + 2, n_z);
        if (i % 5 == 0) {
            ci_test *fresh = make_test("rcit", data, CI_VARIANT_RCOT, 1);
            ci_result s = evaluate(fresh, order[0], order[1], order + 2, n_z);
            assert_that(r.statistic, ==, s.statistic);
            assert_that(r.log_p, ==, s.log_p);
            ci_test_destroy(fresh);
        }
    }
    ci_test_destroy(kept);
    dataset_destroy(data);
}

/* --- discrete columns --- */

/* C has three states; A and B lean on it, D on B. */
static dataset *make_mixed(uint64_t seed, size_t n_rows) {
    static const char *const states[] = {"a", "b", "c"};
    static const double of_a[] = {0, 2, -2}, of_b[] = {1, -1, 1};
    variable variables[4] = {0};
    random_stream random;
    random_gsl as_gsl;
    const gsl_rng *rng;
    dataset *data = NULL;
    error_info err = {0};
    random_stream_init(&random, random_key_of(seed));
    rng = random_as_gsl(&random, &as_gsl);
    assert_ok(variable_init_continuous(&variables[0], "A", &err), &err);
    assert_ok(variable_init_continuous(&variables[1], "B", &err), &err);
    assert_ok(variable_init_discrete(&variables[2], "C", states, 3, &err), &err);
    assert_ok(variable_init_discrete(&variables[3], "D", states, 2, &err), &err);
    assert_ok(dataset_create(variables, 4, n_rows, &data, &err), &err);
    for (size_t c = 0; c < 4; c++)
        variable_clear(&variables[c]);
    for (size_t i = 0; i < n_rows; i++) {
        size_t c = (size_t)random_below(&random, 3);
        double b = of_b[c] + noise(rng, 1);
        dataset_set_state(data, i, 2, c);
        dataset_build_reals(data, 0)[i] = of_a[c] + noise(rng, 1);
        dataset_build_reals(data, 1)[i] = b;
        dataset_set_state(data, i, 3, b + noise(rng, 0.5) > 0);
    }
    return data;
}

static void discrete_columns_can_stand_in_any_place(void **state) {
    int n_a_b = 0, n_a_b_given_c = 0, n_a_d_given_b = 0, n_b_d = 0, n_a_d_given_c = 0;
    (void)state;
    for (int i = 0; i < 40; i++) {
        dataset *data = make_mixed((uint64_t)i, 300);
        ci_test *t = make_test("rcit", data, i % 2, 1);
        n_a_b += evaluate(t, 0, 1, NULL, 0).p_value <= 0.05;
        n_a_b_given_c += evaluate(t, 0, 1, (size_t[]){2}, 1).p_value <= 0.05;
        n_b_d += evaluate(t, 3, 1, (size_t[]){2}, 1).p_value <= 0.05;
        n_a_d_given_c += evaluate(t, 3, 0, (size_t[]){2}, 1).p_value <= 0.05;
        n_a_d_given_b += evaluate(t, 3, 0, (size_t[]){1, 2}, 2).p_value <= 0.05;
        ci_test_destroy(t);
        dataset_destroy(data);
    }
    print_message("  of 40: A-B %d, given C %d; B-D given C %d; A-D given C %d, given B and C %d\n", n_a_b,
                  n_a_b_given_c, n_b_d, n_a_d_given_c, n_a_d_given_b);
    assert_int_equal(n_a_b, 40);
    assert_int_equal(n_b_d, 40);
    assert_that(n_a_b_given_c, <=, 7);
    assert_that(n_a_d_given_c, <=, 7);
    assert_that(n_a_d_given_b, <=, 7);
}

/* --- strange columns --- */

static void degenerate(const gsl_rng *rng, double *row) {
    row[0] = noise(rng, 1);
    row[1] = 0.1;
    row[2] = row[0]; /* a copy */
    row[3] = noise(rng, 1) + row[0];
}

static void what_does_not_vary_or_is_known_already_is_independent(void **state) {
    dataset *data = sample(degenerate, 9, 100, 4);
    ci_test *t = make_test("rcit", data, CI_VARIANT_RCOT, 1);
    ci_result r = evaluate(t, 0, 1, NULL, 0);
    (void)state;
    assert_that(r.statistic, ==, 0);
    assert_that(r.p_value, ==, 1);
    r = evaluate(t, 1, 3, (size_t[]){0}, 1);
    assert_that(r.statistic, ==, 0);
    assert_that(r.p_value, ==, 1);
    r = evaluate(t, 0, 3, (size_t[]){2}, 1); /* given its copy */
    assert_that(r.statistic, ==, 0);
    assert_that(r.p_value, ==, 1);
    r = evaluate(t, 0, 3, (size_t[]){1}, 1); /* given a constant */
    assert_true(r.p_value < 1e-6);
    assert_true(isfinite(evaluate(t, 0, 2, NULL, 0).log_p));
    ci_test_destroy(t);
    dataset_destroy(data);
}

static void a_value_that_is_no_number_is_refused_with_its_place_and_few_rows_are_unreliable(void **state) {
    dataset *data = sample(degenerate, 10, 15, 4);
    const ci_test_kind *kind = NULL;
    rcit_options options = {0};
    ci_test *t = make_test("rcit", data, CI_VARIANT_RCOT, 1);
    error_info err = {0};
    (void)state;
    assert_false(evaluate(t, 0, 3, NULL, 0).is_reliable);
    ci_test_destroy(t);
    t = NULL;
    dataset_build_reals(data, 3)[6] = NAN;
    assert_ok(ci_test_kind_find("rcot", &kind, &err), &err);
    options_set_initial(kind->options, &options);
    assert_int_equal(ci_test_create(kind, &options, data, NULL, &t, &err), STATUS_INVALID);
    assert_message_has(&err, "column D holds nan in row 7");
    assert_null(t);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parabola_is_found_where_a_correlation_is_not),
        cmocka_unit_test(the_level_is_kept_under_independence),
        cmocka_unit_test(what_a_third_column_explains_is_independent_given_it),
        cmocka_unit_test(a_collider_makes_its_causes_dependent),
        cmocka_unit_test(neither_order_nor_history_makes_a_difference),
        cmocka_unit_test(another_seed_draws_other_features_and_finds_the_same),
        cmocka_unit_test(what_is_kept_of_sets_is_what_would_be_computed),
        cmocka_unit_test(discrete_columns_can_stand_in_any_place),
        cmocka_unit_test(what_does_not_vary_or_is_known_already_is_independent),
        cmocka_unit_test(a_value_that_is_no_number_is_refused_with_its_place_and_few_rows_are_unreliable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
