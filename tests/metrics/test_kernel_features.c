/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The features of a column: incomplete factor, eigenvectors, growing factor. */
#include "tests/metrics/kernel_support.h"

#include "metrics/numerics/growing_factor_internal.h"
#include "metrics/numerics/incomplete_cholesky.h"

#include <pthread.h>

static void column_of(const void *matrix, size_t pivot, double *out) {
    const gsl_matrix *k = matrix;
    for (size_t i = 0; i < k->size1; i++)
        out[i] = gsl_matrix_get(k, i, pivot);
}

static low_rank_factor factor_of(const gsl_matrix *k, double tolerance) {
    low_rank_factor g = {0};
    error_info err = {0};
    double *residual = calloc(k->size1, sizeof *residual);
    assert_non_null(residual);
    for (size_t i = 0; i < k->size1; i++)
        residual[i] = gsl_matrix_get(k, i, i);
    assert_ok(incomplete_cholesky(k, column_of, residual, k->size1, tolerance, k->size1, &g, &err), &err);
    free(residual);
    return g;
}

/* The trace of K - G G', whose diagonal must not be negative. */
static double trace_left(const gsl_matrix *k, const low_rank_factor *g) {
    double sum = 0;
    for (size_t i = 0; i < k->size1; i++) {
        double left = gsl_matrix_get(k, i, i);
        for (size_t m = 0; m < g->rank; m++)
            left -= pow(g->columns[m * g->n_rows + i], 2);
        assert_true(left > -1e-12);
        sum += left;
    }
    return sum;
}

static void the_incomplete_factor_is_that_of_the_whole_matrix(void **state) {
    static const double tolerances[] = {1, 0.02, 1e-4, 1e-7};
    dataset *data = make_two_hundred(1);
    (void)state;
    for (size_t c = 0; c < MIXED_COLUMNS; c++) {
        gsl_matrix *k = dense_kernel(data, c, &usual), *dense = gsl_matrix_calloc(ROWS, ROWS);
        for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; t++) {
            low_rank_factor g = factor_of(k, tolerances[t]);
            assert_int_equal(g.rank, dense_cholesky(k, tolerances[t], dense));
            assert_true(trace_left(k, &g) <= tolerances[t] + 1e-12);
            for (size_t i = 0; i < ROWS * g.rank; i++)
                assert_close(g.columns[i], gsl_matrix_get(dense, i % ROWS, i / ROWS), 1e-8);
            low_rank_factor_clear(&g);
        }
        gsl_matrix_free(k);
        gsl_matrix_free(dense);
    }
    dataset_destroy(data);
}

static void a_matrix_of_low_rank_ends_at_its_rank(void **state) {
    gsl_matrix *k = gsl_matrix_calloc(50, 50);
    low_rank_factor g;
    (void)state;
    for (size_t i = 0; i < 50 * 50; i++) {
        double a = (double)(i / 50), b = (double)(i % 50);
        gsl_matrix_set(k, i / 50, i % 50, a * b + cos(a) * cos(b) + 1);
    }
    g = factor_of(k, 0); /* a tolerance that rounding never meets */
    assert_int_equal(g.rank, 3);
    low_rank_factor_clear(&g);
    gsl_matrix_free(k);
}

static void a_matrix_of_too_high_a_rank_is_refused(void **state) {
    gsl_matrix *k = gsl_matrix_alloc(20, 20);
    double residual[20];
    low_rank_factor g = {0};
    error_info err = {0};
    (void)state;
    gsl_matrix_set_identity(k);
    for (size_t i = 0; i < 20; i++)
        residual[i] = 1;
    assert_int_equal(incomplete_cholesky(k, column_of, residual, 20, 0, 19, &g, &err), STATUS_INVALID);
    assert_message_has(&err, "more than 19 columns");
    assert_null(g.columns);
    gsl_matrix_free(k);
}

static void features_are_the_eigenvectors_of_the_centred_kernel_matrix(void **state) {
    static const kernel_options options[] = {
        {1, 0.01, 0, KERNEL_GAUSSIAN}, {0.5, 0.002, 0, KERNEL_GAUSSIAN}, {2, 0.1, 0.02, KERNEL_GAUSSIAN}};
    dataset *data = make_two_hundred(2);
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        for (size_t c = 0; c < MIXED_COLUMNS; c++) {
            kernel_features f = features_of(data, c, &options[k]);
            dense_features dense = make_dense_features(data, c, &options[k], false);
            assert_int_equal(f.n_features, dense.n_features);
            for (size_t i = 0; i < f.n_features; i++) {
                assert_close(f.eigenvalues[i], dense.eigenvalues[i], 1e-9);
                assert_close(f.shrinkage[i], f.eigenvalues[i] / (f.eigenvalues[i] + ROWS * options[k].kappa), 1e-14);
            }
            assert_orthonormal(&f);
            kernel_features_clear(&f);
            free(dense.eigenvalues);
            gsl_matrix_free(dense.features);
        }
    }
    dataset_destroy(data);
}

static void five_rows_have_the_eigenvalues_of_the_worked_example(void **state) {
    static const double values[] = {-2, 4, -1, 1, 0, 0, 1, 1, 2, 4};
    static const double of_x[] = {1.502617, 0.592931, 0.111188, 0.014082}, of_y[] = {1.949719, 0.214428};
    dataset *data = make_reals(5, 2, values);
    kernel_features x = features_of(data, 0, &usual), y = features_of(data, 1, &usual);
    kernel_score *s = make_score(data, &usual);
    (void)state;
    assert_int_equal(x.n_features, 4);
    assert_int_equal(y.n_features, 2);
    for (size_t k = 0; k < 4; k++)
        assert_true(fabs(x.eigenvalues[k] - of_x[k]) < 1e-6);
    for (size_t k = 0; k < 2; k++)
        assert_true(fabs(y.eigenvalues[k] - of_y[k]) < 1e-6);
    assert_true(fabs(information(s, 0, 2) - 0.786874) < 1e-6);
    kernel_features_clear(&x);
    kernel_features_clear(&y);
    kernel_score_destroy(s);
    dataset_destroy(data);
}

static void eight_rows_have_the_score_of_the_worked_example(void **state) {
    dataset *data = make_eight_rows();
    kernel_features f = features_of(data, 0, &usual);
    kernel_score *s = make_score(data, &usual);
    (void)state;
    assert_int_equal(f.n_features, 1);
    assert_close(f.eigenvalues[0], 4, 1e-12);
    assert_true(fabs(f.shrinkage[0] - 0.9803922) < 1e-7);
    assert_true(fabs(information(s, 1, 1) - 0.1313070) < 1e-7);
    assert_true(fabs(node(s, 1, 1) - 0.010735) < 1e-6);
    kernel_features_clear(&f);
    f = features_of(data, 2, &usual);
    assert_int_equal(f.n_features, 2); /* one less than the states */
    kernel_features_clear(&f);
    kernel_score_destroy(s);
    dataset_destroy(data);
}

static double determinant(growing_factor *f, unsigned set) {
    size_t list[32], n = members(set, list);
    double value = NAN;
    error_info err = {0};
    assert_ok(growing_factor_log_determinant(f, list, n, &value, &err), &err);
    return value;
}

static void a_factor_that_grows_and_shrinks_gives_every_determinant(void **state) {
    dataset *data = make_two_hundred(11);
    kernel_correlation r = {0};
    growing_factor *f = NULL;
    random_stream random;
    double fresh[SETS];
    error_info err = {0};
    (void)state;
    assert_ok(kernel_correlation_create(data, &usual, NULL, &r, &err), &err);
    for (unsigned set = 0; set < SETS; set++) {
        assert_ok(growing_factor_create(&r, &f, &err), &err);
        fresh[set] = determinant(f, set);
        growing_factor_destroy(f);
    }
    assert_close(fresh[0], 0, 0);
    assert_close(fresh[1], 0, 0);
    assert_true(fresh[3] < -0.1);
    assert_ok(growing_factor_create(&r, &f, &err), &err);
    random_stream_init(&random, random_key_of(12));
    for (int i = 0; i < 2000; i++) {
        unsigned set = (unsigned)random_below(&random, SETS);
        assert_close(determinant(f, set), fresh[set], 1e-11);
    }
    growing_factor_destroy(f);
    kernel_correlation_clear(&r);
    dataset_destroy(data);
}

/* More rows than are multiplied at a time. */
static void correlations_are_the_products_of_all_rows(void **state) {
    enum { N = 9001 };
    random_stream random;
    dataset *data;
    kernel_correlation r = {0};
    kernel_features f[MIXED_COLUMNS];
    size_t width;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(16));
    data = make_mixed(&random, N);
    assert_ok(kernel_correlation_create(data, &usual, NULL, &r, &err), &err);
    width = r.first[MIXED_COLUMNS];
    for (size_t c = 0; c < MIXED_COLUMNS; c++) {
        f[c] = features_of(data, c, &usual);
        assert_int_equal(kernel_correlation_size(&r, c), f[c].n_features);
    }
    for (size_t c = 1; c < MIXED_COLUMNS; c++) {
        double product = 0;
        for (size_t i = 0; i < N; i++)
            product += f[c - 1].columns[i] * f[c].columns[i];
        product *= f[c - 1].shrinkage[0] * f[c].shrinkage[0];
        assert_close(fabs(r.matrix[r.first[c - 1] * width + r.first[c]]), fabs(product), 1e-10);
        assert_close(r.matrix[r.first[c] * width + r.first[c - 1]], r.matrix[r.first[c - 1] * width + r.first[c]], 0);
    }
    for (size_t c = 0; c < MIXED_COLUMNS; c++)
        kernel_features_clear(&f[c]);
    kernel_correlation_clear(&r);
    dataset_destroy(data);
}

enum { N_SHARED = 2000, N_TIMES = 600 };

/* One thread's scores, made again and again: how many times they are not those of the first time. */
typedef struct {
    const dataset *data;
    size_t n_others;
} repetition;

static status score_all(const dataset *data, double *out, error_info *err) {
    AUTO_PTR(kernel_score_destroy) kernel_score *s = NULL;
    CHECK(kernel_score_create(data, &usual, NULL, &s, err));
    for (size_t x = 0; x + 1 < MIXED_COLUMNS; x++) {
        const size_t next = x + 1;
        CHECK(kernel_score_node(s, x, &next, 1, &out[x], err));
    }
    return STATUS_OK;
}

static void *repeat(void *arg) {
    repetition *r = arg;
    double first[MIXED_COLUMNS] = {0}, again[MIXED_COLUMNS] = {0};
    status st = score_all(r->data, first, NULL);
    for (size_t i = 0; i < N_TIMES; i++)
        r->n_others +=
            st != STATUS_OK || score_all(r->data, again, NULL) != STATUS_OK || memcmp(first, again, sizeof first) != 0;
    return NULL;
}

static void two_threads_that_do_not_know_each_other_find_the_same_each_time(void **state) {
    random_stream random;
    dataset *data;
    repetition of[2] = {{0}};
    pthread_t threads[2];
    (void)state;
    random_stream_init(&random, random_key_of(5));
    data = make_mixed(&random, N_SHARED);
    for (size_t i = 0; i < 2; i++) {
        of[i].data = data;
        assert_int_equal(pthread_create(&threads[i], NULL, repeat, &of[i]), 0);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(of[i].n_others, 0);
    }
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_incomplete_factor_is_that_of_the_whole_matrix),
        cmocka_unit_test(a_matrix_of_low_rank_ends_at_its_rank),
        cmocka_unit_test(a_matrix_of_too_high_a_rank_is_refused),
        cmocka_unit_test(features_are_the_eigenvectors_of_the_centred_kernel_matrix),
        cmocka_unit_test(five_rows_have_the_eigenvalues_of_the_worked_example),
        cmocka_unit_test(eight_rows_have_the_score_of_the_worked_example),
        cmocka_unit_test(a_factor_that_grows_and_shrinks_gives_every_determinant),
        cmocka_unit_test(correlations_are_the_products_of_all_rows),
        cmocka_unit_test(two_threads_that_do_not_know_each_other_find_the_same_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
