/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel score against a dense computation and what theory says. */
#include "tests/metrics/kernel_support.h"

#include "metrics/numerics/gaussian_moments.h"
#include "metrics/scores/score.h"

static void the_score_is_that_of_a_dense_computation(void **state) {
    static const kernel_options options[] = {
        {1, 0.01, 0, KERNEL_GAUSSIAN}, {1, 0.01, 0.01, KERNEL_GAUSSIAN}, {1.5, 0.05, 0, KERNEL_LINEAR}};
    dataset *data = make_two_hundred(3);
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        kernel_score *s = make_score(data, &options[k]);
        dense_score dense = make_dense_score(data, &options[k], false);
        for (size_t x = 0; x < MIXED_COLUMNS; x++) {
            for (unsigned set = 0; set < SETS; set++) {
                if (set >> x & 1u)
                    continue;
                assert_close(node(s, x, set), -dense_j(&dense, x, set), 1e-8);
                assert_close(information(s, x, set), dense_information(&dense, x, set), 1e-8);
            }
        }
        kernel_score_destroy(s);
        clear_dense_score(&dense);
    }
    dataset_destroy(data);
}

/* Nothing is left out of the reference here: the whole kernel matrix, not its factor. */
static void with_a_small_eta_the_information_is_that_of_the_whole_kernel_matrix(void **state) {
    dataset *data = make_two_hundred(4);
    kernel_options tight = {1, 0.01, 1e-11, KERNEL_GAUSSIAN};
    kernel_score *s = make_score(data, &tight);
    dense_score dense = make_dense_score(data, &(kernel_options){1, 0.01, 1e-9, KERNEL_GAUSSIAN}, true);
    (void)state;
    for (size_t x = 0; x < MIXED_COLUMNS; x++) {
        for (size_t y = 0; y < x; y++)
            assert_close(information(s, x, 1u << y), dense_information(&dense, x, 1u << y), 1e-8);
    }
    kernel_score_destroy(s);
    clear_dense_score(&dense);
    dataset_destroy(data);
}

static double correlation(const dataset *data, size_t x, size_t y) {
    gaussian_moments *m = NULL;
    double r;
    error_info err = {0};
    assert_ok(gaussian_moments_create(data, 1, &m, &err), &err);
    r = gaussian_moments_correlation(m, x, y);
    gaussian_moments_destroy(m);
    return r;
}

/* One feature a column: its correlation, shrunk by both. */
static void a_linear_kernel_gives_the_information_of_normal_columns(void **state) {
    static const double kappas[] = {0.5, 0.01, 1e-8};
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(5));
    data = make_random_reals(&random, 500, 6);
    for (size_t k = 0; k < 3; k++) {
        kernel_score *s = make_score(data, &(kernel_options){1, kappas[k], 0, KERNEL_LINEAR});
        double w = 1 / (1 + kappas[k]);
        for (size_t x = 0; x < 6; x++) {
            for (size_t y = 0; y < x; y++) {
                double rho = correlation(data, x, y), shrunk = w * w * rho;
                assert_close(information(s, x, 1u << y), -0.5 * log(1 - shrunk * shrunk), 1e-10);
                if (k == 2)
                    assert_close(information(s, x, 1u << y), -0.5 * log(1 - rho * rho), 1e-5);
            }
        }
        kernel_score_destroy(s);
    }
    dataset_destroy(data);
}

/* Of a regression on all others: -1/2 log of the share of the variance that it leaves. */
static void a_linear_kernel_gives_that_of_several_parents_too(void **state) {
    random_stream random;
    dataset *data;
    kernel_score *s;
    gaussian_moments *m = NULL;
    gsl_matrix *r = gsl_matrix_alloc(5, 5);
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(6));
    data = make_random_reals(&random, 400, 5);
    s = make_score(data, &(kernel_options){1, 1e-8, 0, KERNEL_LINEAR});
    assert_ok(gaussian_moments_create(data, 1, &m, &err), &err);
    for (size_t i = 0; i < 25; i++)
        gsl_matrix_set(r, i / 5, i % 5, gaussian_moments_correlation(m, i / 5, i % 5));
    gsl_linalg_cholesky_decomp1(r);
    gsl_linalg_cholesky_invert(r);
    for (size_t x = 0; x < 5; x++)
        assert_close(information(s, x, 31u ^ 1u << x), 0.5 * log(gsl_matrix_get(r, x, x)), 1e-5);
    gsl_matrix_free(r);
    gaussian_moments_destroy(m);
    kernel_score_destroy(s);
    dataset_destroy(data);
}

static const score_kind *kgv(void) {
    const score_kind *kind = NULL;
    error_info err = {0};
    assert_ok(score_kind_find("kgv", &kind, &err), &err);
    return kind;
}

static score *make_kgv(const dataset *data, statistics_count *tally) {
    kernel_options o;
    score *s = NULL;
    error_info err = {0};
    options_set_initial(kgv()->options, &o);
    assert_close(o.sigma, 1, 0);
    assert_close(o.kappa, 0.01, 0);
    assert_ok(score_create(kgv(), &o, data, tally, &s, &err), &err);
    return s;
}

static double total(score *s, const dag *g) {
    double value = NAN;
    error_info err = {0};
    assert_ok(score_dag(s, g, &value, NULL, &err), &err);
    return value;
}

/* A covered arc: its head has the parents of its tail, and the tail. */
static bool is_covered(const dag *g, size_t from, size_t to) {
    size_t n_from, n_to;
    const size_t *of_from = dag_parents(g, from, &n_from), *of_to = dag_parents(g, to, &n_to);
    bool covered = n_to == n_from + 1;
    for (size_t i = 0; covered && i < n_to; i++) {
        bool found = of_to[i] == from;
        for (size_t k = 0; k < n_from; k++)
            found = found || of_from[k] == of_to[i];
        covered = found;
    }
    return covered;
}

static void equivalent_graphs_score_alike(void **state) {
    random_stream random;
    size_t n_reversed = 0;
    error_info err = {0};
    dataset *data = make_two_hundred(7);
    (void)state;
    assert_true(kgv()->is_equivalent);
    random_stream_init(&random, random_key_of(8));
    for (int round = 0; round < 60; round++) {
        dag *g = make_random_dag(&random, MIXED_COLUMNS, 0.6);
        score *s = make_kgv(data, NULL);
        double before = total(s, g);
        for (size_t i = 0; i < MIXED_COLUMNS * MIXED_COLUMNS; i++) {
            size_t from = i / MIXED_COLUMNS, to = i % MIXED_COLUMNS;
            if (!dag_has_arc(g, from, to) || !is_covered(g, from, to))
                continue;
            assert_ok(dag_remove_arc(g, from, to, &err), &err);
            assert_ok(dag_add_arc(g, to, from, &err), &err);
            assert_close(total(s, g), before, 1e-9);
            n_reversed++;
        }
        score_destroy(s);
        dag_destroy(g);
    }
    assert_true(n_reversed > 100);
    dataset_destroy(data);
}

static void the_order_of_parents_does_not_matter(void **state) {
    dataset *data = make_two_hundred(9);
    kernel_score *a = make_score(data, &usual), *b = make_score(data, &usual);
    static const size_t up[] = {0, 2, 4, 5}, down[] = {5, 4, 2, 0};
    double of_up = NAN, of_down = NAN;
    error_info err = {0};
    (void)state;
    assert_ok(kernel_score_node(a, 1, up, 4, &of_up, &err), &err);
    assert_ok(kernel_score_node(b, 1, down, 4, &of_down, &err), &err);
    assert_close(of_up, of_down, 1e-12);
    assert_ok(kernel_score_node(a, 1, down, 4, &of_down, &err), &err);
    assert_close(of_up, of_down, 0); /* kept */
    kernel_score_destroy(a);
    kernel_score_destroy(b);
    dataset_destroy(data);
}

static void the_same_calls_give_the_same_bits(void **state) {
    dataset *data = make_two_hundred(10);
    kernel_score *a = make_score(data, &usual), *b = make_score(data, &usual);
    (void)state;
    for (size_t x = 0; x < MIXED_COLUMNS; x++) {
        for (unsigned set = 0; set < SETS; set += 3) {
            double first, second;
            if (set >> x & 1u)
                continue;
            first = node(a, x, set);
            second = node(b, x, set);
            assert_memory_equal(&first, &second, sizeof first);
        }
    }
    kernel_score_destroy(a);
    kernel_score_destroy(b);
    dataset_destroy(data);
}

static void asking_again_is_a_request_and_no_computation(void **state) {
    dataset *data = make_two_hundred(14);
    statistics_count tally = {0};
    score *s = make_kgv(data, &tally);
    kernel_score *direct = make_score(data, &usual);
    static const size_t parents[] = {4, 2};
    double value = NAN, with = NAN;
    error_info err = {0};
    (void)state;
    assert_ok(score_node(s, 0, parents, 2, &value, &err), &err);
    assert_ok(score_node_with(s, 0, parents, 1, 2, &with, &err), &err);
    assert_close(value, with, 0);
    assert_close(value, node(direct, 0, 4 | 16), 1e-12);
    assert_int_equal(tally.requests, 2);
    assert_int_equal(tally.computed, 1);
    score_destroy(s);
    kernel_score_destroy(direct);
    dataset_destroy(data);
}

static void past_the_deadline_no_column_has_features(void **state) {
    dataset *data = make_two_hundred(15);
    run_context ctx;
    kernel_score *s = NULL;
    error_info err = {0};
    (void)state;
    run_context_init(&ctx, 1);
    ctx.deadline_s = run_clock_s() - 1;
    assert_ok(kernel_score_create(data, &usual, &ctx, &s, &err), &err);
    assert_close(node(s, 0, 2), 0, 0);
    kernel_score_destroy(s);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_score_is_that_of_a_dense_computation),
        cmocka_unit_test(with_a_small_eta_the_information_is_that_of_the_whole_kernel_matrix),
        cmocka_unit_test(a_linear_kernel_gives_the_information_of_normal_columns),
        cmocka_unit_test(a_linear_kernel_gives_that_of_several_parents_too),
        cmocka_unit_test(equivalent_graphs_score_alike),
        cmocka_unit_test(the_order_of_parents_does_not_matter),
        cmocka_unit_test(the_same_calls_give_the_same_bits),
        cmocka_unit_test(asking_again_is_a_request_and_no_computation),
        cmocka_unit_test(past_the_deadline_no_column_has_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
