/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/metrics/kernel_reference.h"

#include "metrics/numerics/gaussian_moments.h"
#include "metrics/numerics/growing_factor_internal.h"
#include "metrics/numerics/incomplete_cholesky.h"
#include "metrics/scores/score.h"

static const kernel_options usual = {KERNEL_SIGMA, KERNEL_KAPPA, 0, KERNEL_GAUSSIAN};

enum { ROWS = 200, SETS = 1 << MIXED_COLUMNS };

static dataset *make_two_hundred(uint64_t seed) {
    random_stream random;
    random_stream_init(&random, random_key_of(seed));
    return make_mixed(&random, ROWS);
}

static kernel_score *make_score(const dataset *data, const kernel_options *o) {
    kernel_score *s = NULL;
    error_info err = {0};
    assert_ok(kernel_score_create(data, o, NULL, &s, &err), &err);
    return s;
}

static size_t members(unsigned set, size_t *out) {
    size_t n = 0;
    for (size_t c = 0; set >> c; c++) {
        if (set >> c & 1u)
            out[n++] = c;
    }
    return n;
}

static double node(kernel_score *s, size_t x, unsigned parents) {
    size_t list[32], n = members(parents, list);
    double value = NAN;
    error_info err = {0};
    assert_ok(kernel_score_node(s, x, list, n, &value, &err), &err);
    return value;
}

static double information(kernel_score *s, size_t x, unsigned parents) {
    size_t list[32], n = members(parents, list);
    double value = NAN;
    error_info err = {0};
    assert_ok(kernel_score_information(s, x, list, n, &value, &err), &err);
    return value;
}

static kernel_features features_of(const dataset *data, size_t column, const kernel_options *o) {
    kernel_features f = {0};
    error_info err = {0};
    assert_ok(kernel_features_create(data, column, o, &f, &err), &err);
    return f;
}

/* --- the factor ------------------------------------------------------------------------------------------------------
 */

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

/* --- features --------------------------------------------------------------------------------------------------------
 */

static void assert_orthonormal(const kernel_features *f) {
    for (size_t a = 0; a < f->n_features; a++) {
        double sum = 0;
        for (size_t i = 0; i < f->n_rows; i++)
            sum += f->columns[a * f->n_rows + i];
        assert_close(sum, 0, 1e-9);
        for (size_t b = 0; b < f->n_features; b++) {
            double product = 0;
            for (size_t i = 0; i < f->n_rows; i++)
                product += f->columns[a * f->n_rows + i] * f->columns[b * f->n_rows + i];
            assert_close(product, a == b, 1e-9);
        }
    }
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

/* Specs: scores, section 7, check b. */
static void five_rows_have_the_eigenvalues_of_the_specs(void **state) {
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

/* Specs: scores, section 7, check a. */
static void eight_rows_have_the_score_of_the_specs(void **state) {
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

/* --- the score -------------------------------------------------------------------------------------------------------
 */

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
    assert_ok(gaussian_moments_create(data, &m, &err), &err);
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
    assert_ok(gaussian_moments_create(data, &m, &err), &err);
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

/* --- what theory says ------------------------------------------------------------------------------------------------
 */

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

/* --- the growing factor ----------------------------------------------------------------------------------------------
 */

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

/* --- strange columns -------------------------------------------------------------------------------------------------
 */

enum { STRANGE = 7 };

/* Constant; three values; two; a copy of the two; one row unlike all others; large and close together; normal. */
static dataset *make_strange(size_t n_rows) {
    random_stream random;
    double *values = calloc(n_rows * STRANGE, sizeof *values);
    dataset *data;
    random_stream_init(&random, random_key_of(13));
    for (size_t i = 0; i < n_rows; i++) {
        double *row = values + i * STRANGE;
        row[0] = 3.25;
        row[1] = (double)random_below(&random, 3) * 1e-3;
        row[2] = row[3] = (double)(random_below(&random, 2) || row[1] > 1e-3);
        row[4] = i == n_rows / 2 ? 1e100 : -1e-100;
        row[5] = 1e15 + (double)random_below(&random, 4);
        row[6] = normal_deviate(&random) + 1e3 * row[1];
    }
    data = make_reals(n_rows, STRANGE, values);
    free(values);
    return data;
}

static void columns_of_few_values_have_few_features(void **state) {
    static const size_t expected[] = {0, 2, 1, 1, 1, 3};
    dataset *data = make_strange(300);
    (void)state;
    for (size_t c = 0; c < 6; c++) {
        kernel_features f = features_of(data, c, &usual);
        assert_int_equal(f.n_features, expected[c]);
        assert_orthonormal(&f);
        kernel_features_clear(&f);
    }
    dataset_destroy(data);
}

static void a_constant_column_neither_gains_nor_costs(void **state) {
    dataset *data = make_strange(300);
    kernel_score *s = make_score(data, &usual);
    (void)state;
    assert_close(node(s, 0, 2), 0, 0);
    assert_close(node(s, 0, 126), 0, 0);
    assert_close(node(s, 1, 1), 0, 0);
    assert_close(node(s, 6, 3), node(s, 6, 2), 1e-12);
    kernel_score_destroy(s);
    dataset_destroy(data);
}

static void every_family_of_strange_columns_has_a_finite_score(void **state) {
    static const size_t sizes[] = {1, 2, 3, 300};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        dataset *data = make_strange(sizes[k]);
        kernel_score *s = make_score(data, &(kernel_options){1, 1e-8, 0, KERNEL_GAUSSIAN});
        for (size_t x = 0; x < STRANGE; x++) {
            for (unsigned set = 0; set < 1u << STRANGE; set++) {
                if (!(set >> x & 1u))
                    assert_true(isfinite(node(s, x, set)));
            }
        }
        kernel_score_destroy(s);
        dataset_destroy(data);
    }
}

/* A column of two values is one of two states, whatever the width of the kernel, but for its eigenvalue. */
static void two_values_are_two_states(void **state) {
    static const size_t n_states[] = {2, 2};
    double values[80];
    int cells[80];
    dataset *reals, *discrete;
    kernel_score *a, *b;
    (void)state;
    for (int i = 0; i < 40; i++) {
        cells[2 * i] = i % 2;
        cells[2 * i + 1] = i % 5 == 0 ? i % 2 : i % 3 == 0;
        values[2 * i] = 7 + 2.5 * cells[2 * i];
        values[2 * i + 1] = -0.1 * cells[2 * i + 1];
    }
    reals = make_reals(40, 2, values);
    discrete = make_dataset(40, 2, n_states, cells);
    /* so narrow that exp(-1 / (2 sigma^2)) of unlike values is 0 */
    a = make_score(reals, &(kernel_options){0.01, 0.01, 0, KERNEL_GAUSSIAN});
    b = make_score(discrete, &usual);
    assert_close(node(a, 0, 2), node(b, 0, 2), 1e-10);
    kernel_score_destroy(a);
    kernel_score_destroy(b);
    dataset_destroy(reals);
    dataset_destroy(discrete);
}

static void values_that_are_no_numbers_are_refused_with_their_place(void **state) {
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e300};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        dataset *data = make_strange(10);
        kernel_score *s = NULL;
        error_info err = {0};
        dataset_build_reals(data, 6)[3] = wrong[k];
        assert_int_equal(kernel_score_create(data, &usual, NULL, &s, &err), STATUS_INVALID);
        assert_message_has(&err, "v6");
        assert_message_has(&err, "row 4");
        assert_null(s);
        dataset_destroy(data);
    }
}

static void a_column_of_too_many_values_for_its_kernel_is_refused(void **state) {
    enum { N = 1500 };
    double values[N];
    dataset *data;
    kernel_features f = {0};
    error_info err = {0};
    (void)state;
    for (int i = 0; i < N; i++)
        values[i] = i;
    data = make_reals(N, 1, values);
    assert_int_equal(kernel_features_create(data, 0, &(kernel_options){1e-3, 0.01, 0, KERNEL_GAUSSIAN}, &f, &err),
                     STATUS_INVALID);
    assert_message_has(&err, "v0");
    assert_message_has(&err, "more than 1024 columns");
    dataset_destroy(data);
}

static void a_column_of_too_many_states_is_refused_too(void **state) {
    enum { N = KERNEL_MAX_RANK + 1 };
    static char text[N][8];
    const char *states[N];
    variable v = {0};
    dataset *data = NULL;
    kernel_features f = {0};
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < N; i++) {
        (void)snprintf(text[i], sizeof text[i], "%zu", i);
        states[i] = text[i];
    }
    assert_ok(variable_init_discrete(&v, "many", states, N, &err), &err);
    assert_ok(dataset_create(&v, 1, N, &data, &err), &err);
    for (size_t i = 0; i < N; i++)
        dataset_set_state(data, i, 0, i);
    assert_int_equal(kernel_features_create(data, 0, &usual, &f, &err), STATUS_INVALID);
    assert_message_has(&err, "column many: 1025 states occur");
    variable_clear(&v);
    dataset_destroy(data);
}

static void a_column_that_varies_keeps_one_feature_however_large_eta_is(void **state) {
    dataset *data = make_strange(300);
    (void)state;
    for (size_t c = 0; c < STRANGE; c++) {
        kernel_features f = features_of(data, c, &(kernel_options){1, 0.01, 0.5, KERNEL_GAUSSIAN});
        assert_int_equal(f.n_features, c > 0);
        kernel_features_clear(&f);
    }
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

/* --- as a kind of score ----------------------------------------------------------------------------------------------
 */

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
        cmocka_unit_test(the_incomplete_factor_is_that_of_the_whole_matrix),
        cmocka_unit_test(a_matrix_of_low_rank_ends_at_its_rank),
        cmocka_unit_test(a_matrix_of_too_high_a_rank_is_refused),
        cmocka_unit_test(features_are_the_eigenvectors_of_the_centred_kernel_matrix),
        cmocka_unit_test(five_rows_have_the_eigenvalues_of_the_specs),
        cmocka_unit_test(eight_rows_have_the_score_of_the_specs),
        cmocka_unit_test(the_score_is_that_of_a_dense_computation),
        cmocka_unit_test(with_a_small_eta_the_information_is_that_of_the_whole_kernel_matrix),
        cmocka_unit_test(a_linear_kernel_gives_the_information_of_normal_columns),
        cmocka_unit_test(a_linear_kernel_gives_that_of_several_parents_too),
        cmocka_unit_test(equivalent_graphs_score_alike),
        cmocka_unit_test(the_order_of_parents_does_not_matter),
        cmocka_unit_test(the_same_calls_give_the_same_bits),
        cmocka_unit_test(a_factor_that_grows_and_shrinks_gives_every_determinant),
        cmocka_unit_test(columns_of_few_values_have_few_features),
        cmocka_unit_test(a_constant_column_neither_gains_nor_costs),
        cmocka_unit_test(every_family_of_strange_columns_has_a_finite_score),
        cmocka_unit_test(two_values_are_two_states),
        cmocka_unit_test(values_that_are_no_numbers_are_refused_with_their_place),
        cmocka_unit_test(a_column_of_too_many_values_for_its_kernel_is_refused),
        cmocka_unit_test(a_column_of_too_many_states_is_refused_too),
        cmocka_unit_test(a_column_that_varies_keeps_one_feature_however_large_eta_is),
        cmocka_unit_test(correlations_are_the_products_of_all_rows),
        cmocka_unit_test(asking_again_is_a_request_and_no_computation),
        cmocka_unit_test(past_the_deadline_no_column_has_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
