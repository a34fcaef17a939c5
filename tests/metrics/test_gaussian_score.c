/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/metrics/gaussian_score_support.h"

/* Columns x, y, z of the worked example. */
static dataset *make_five_rows(size_t n_columns) {
    static const double columns[3][5] = {{1, 2, 3, 4, 5}, {2, 1, 4, 3, 6}, {1, 3, 2, 5, 4}};
    double values[15];
    for (size_t i = 0; i < 5; i++) {
        for (size_t c = 0; c < n_columns; c++)
            values[i * n_columns + c] = columns[c][i];
    }
    return make_reals(5, n_columns, values);
}

static void gaussian_bic_is_that_of_the_worked_example(void **state) {
    dataset *data = make_five_rows(2);
    score *s = make_score("bic-g", "variance=mle", data, NULL);
    (void)state;
    assert_close(node(s, 1, NULL, 0), -11.417104, 1e-7);
    assert_close(node(s, 1, (size_t[]){0}, 1), -9.406795, 1e-7);
    assert_close(node(s, 0, NULL, 0), -10.436999, 1e-7);
    score_destroy(s);
    dataset_destroy(data);
}

static void bge_is_that_of_the_worked_example(void **state) {
    dataset *two = make_five_rows(2), *three = make_five_rows(3);
    score *s = make_score("bge", NULL, two, NULL), *wide = make_score("bge", "aw=5", three, NULL);
    (void)state;
    assert_close(node(s, 0, NULL, 0), -12.290385, 1e-7);
    assert_close(node(s, 1, (size_t[]){0}, 1), -12.104373, 1e-7);
    assert_close(node(s, 1, NULL, 0), -13.796295, 1e-7);
    assert_close(node(s, 0, (size_t[]){1}, 1), -10.598463, 1e-7);
    assert_close(node(s, 0, NULL, 0) + node(s, 1, (size_t[]){0}, 1), -24.394758, 1e-7);
    assert_close(node(wide, 2, (size_t[]){1, 0}, 2), -9.140539, 1e-7);
    score_destroy(s);
    score_destroy(wide);
    dataset_destroy(two);
    dataset_destroy(three);
}

enum { MOST = 8 };

/* What is left of column x (of n rows) once the intercept and the parents are projected out, one after the other. */
static double residual_slowly(const dataset *data, size_t x, const size_t *parents, size_t n_parents) {
    size_t n = dataset_row_count(data), n_basis = 0;
    double *basis = calloc((MOST + 2) * n, sizeof *basis), squares = 0;
    assert_non_null(basis);
    for (size_t k = 0; k < n_parents + 2; k++) {
        double *v = basis + n_basis * n, length = 0;
        for (size_t i = 0; i < n; i++)
            v[i] = k == 0 ? 1 : dataset_reals(data, k <= n_parents ? parents[k - 1] : x)[i];
        for (size_t round = 0; round < 2; round++) { /* twice is enough */
            for (size_t b = 0; b < n_basis; b++) {
                double dot = 0;
                for (size_t i = 0; i < n; i++)
                    dot += basis[b * n + i] * v[i];
                for (size_t i = 0; i < n; i++)
                    v[i] -= dot * basis[b * n + i];
            }
        }
        for (size_t i = 0; i < n; i++)
            length += v[i] * v[i];
        squares = length;
        for (size_t i = 0; i < n; i++)
            v[i] /= sqrt(length);
        n_basis++;
    }
    free(basis);
    return squares;
}

static double likelihood_slowly(const dataset *data, size_t x, const size_t *parents, size_t m, bool is_unbiased,
                                double penalty) {
    double n = (double)dataset_row_count(data), residual = residual_slowly(data, x, parents, m);
    double variance = residual / (is_unbiased ? n - (double)m - 1 : n), sum = 0;
    sum -= n / 2 * log(2 * M_PI * variance) + residual / (2 * variance);
    return sum - penalty * ((double)m + 2);
}

/* log |t I + S_Q| by elimination, S_Q from the rows. */
static double log_det_slowly(const dataset *data, const size_t *columns, size_t m, double t) {
    size_t n = dataset_row_count(data);
    double a[MOST][MOST], sum = 0;
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < m; j++) {
            const double *u = dataset_reals(data, columns[i]), *v = dataset_reals(data, columns[j]);
            double mean_u = 0, mean_v = 0;
            for (size_t row = 0; row < n; row++) {
                mean_u += u[row] / (double)n;
                mean_v += v[row] / (double)n;
            }
            a[i][j] = i == j ? t : 0;
            for (size_t row = 0; row < n; row++)
                a[i][j] += (u[row] - mean_u) * (v[row] - mean_v);
        }
    }
    for (size_t k = 0; k < m; k++) {
        sum += log(a[k][k]);
        for (size_t i = k + 1; i < m; i++) {
            double factor = a[i][k] / a[k][k];
            for (size_t j = k; j < m; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    return sum;
}

static double bge_slowly(const dataset *data, size_t x, const size_t *parents, size_t m, double am, double aw) {
    double n_rows = (double)dataset_row_count(data), n = (double)dataset_column_count(data), p = (double)m;
    double t = am * (aw - n - 1) / (am + 1);
    size_t family[MOST];
    for (size_t i = 0; i < m; i++)
        family[i] = parents[i];
    family[m] = x;
    return log(am / (n_rows + am)) / 2 + lgamma((n_rows + aw - n + p + 1) / 2) - lgamma((aw - n + p + 1) / 2) -
           n_rows / 2 * log(M_PI) + (aw - n + p + 1) * (p + 1) / 2 * log(t) - (aw - n + p) * p / 2 * log(t) +
           (n_rows + aw - n + p) / 2 * log_det_slowly(data, parents, m, t) -
           (n_rows + aw - n + p + 1) / 2 * log_det_slowly(data, family, m + 1, t);
}

static void scores_are_their_definitions_on_random_data(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(5));
    for (int round = 0; round < 60; round++) {
        size_t n = 12 + (size_t)random_below(&random, 60), order[MOST];
        dataset *data = make_random_reals(&random, n, MOST);
        score *bic = make_score("bic-g", NULL, data, NULL), *mle = make_score("aic-g", "variance=mle", data, NULL);
        score *loglik = make_score("loglik-g", NULL, data, NULL), *bge = make_score("bge", "am=0.3", data, NULL);
        score *heavy = make_score("bge", "aw=14.5", data, NULL);
        for (int family = 0; family < 20; family++) {
            size_t m = (size_t)random_below(&random, MOST);
            random_permutation(&random, order, MOST);
            assert_close(node(bic, order[0], order + 1, m),
                         likelihood_slowly(data, order[0], order + 1, m, true, log((double)n) / 2), 1e-9);
            assert_close(node(mle, order[0], order + 1, m), likelihood_slowly(data, order[0], order + 1, m, false, 1),
                         1e-9);
            assert_close(node(loglik, order[0], order + 1, m), likelihood_slowly(data, order[0], order + 1, m, true, 0),
                         1e-9);
            assert_close(node(bge, order[0], order + 1, m), bge_slowly(data, order[0], order + 1, m, .3, MOST + 2),
                         1e-9);
            assert_close(node(heavy, order[0], order + 1, m), bge_slowly(data, order[0], order + 1, m, 1, 14.5), 1e-9);
        }
        score_destroy(bic);
        score_destroy(mle);
        score_destroy(loglik);
        score_destroy(bge);
        score_destroy(heavy);
        dataset_destroy(data);
    }
}

/* True if Pa(y) = Pa(x) + x. */
static bool is_covered(const dag *g, size_t x, size_t y) {
    size_t n_x, n_y, n_shared = 0;
    const size_t *of_x = dag_parents(g, x, &n_x), *of_y = dag_parents(g, y, &n_y);
    for (size_t i = 0; i < n_x; i++) {
        for (size_t j = 0; j < n_y; j++)
            n_shared += of_x[i] == of_y[j];
    }
    return dag_has_arc(g, x, y) && n_shared == n_x && n_y == n_x + 1;
}

static void reversing_a_covered_arc_changes_no_score(void **state) {
    random_stream random;
    size_t n_reversed = 0;
    (void)state;
    random_stream_init(&random, random_key_of(6));
    for (int round = 0; round < 40; round++) {
        dataset *data = make_random_reals(&random, 100, 6);
        dag *g = make_random_dag(&random, 6, .5);
        score *scores[2 * N_GAUSSIAN];
        error_info err = {0};
        for (size_t i = 0; i < N_GAUSSIAN; i++) {
            scores[i] = make_score(gaussian_kinds[i], NULL, data, NULL);
            scores[N_GAUSSIAN + i] = make_score(gaussian_kinds[i], i < 3 ? "variance=mle" : "am=4", data, NULL);
        }
        for (size_t x = 0; x < 6; x++) {
            for (size_t y = 0; y < 6; y++) {
                double before[2 * N_GAUSSIAN];
                if (!is_covered(g, x, y))
                    continue;
                for (size_t i = 0; i < 2 * N_GAUSSIAN; i++)
                    before[i] = total(scores[i], g);
                assert_ok(dag_remove_arc(g, x, y, &err), &err);
                assert_ok(dag_add_arc(g, y, x, &err), &err);
                for (size_t i = 0; i < 2 * N_GAUSSIAN; i++)
                    assert_close(total(scores[i], g), before[i], 1e-10);
                n_reversed++;
            }
        }
        for (size_t i = 0; i < 2 * N_GAUSSIAN; i++)
            score_destroy(scores[i]);
        dag_destroy(g);
        dataset_destroy(data);
    }
    assert_true(n_reversed > 80);
}

static void every_way_to_ask_gives_the_same_and_is_counted(void **state) {
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(7));
    data = make_random_reals(&random, 50, 6);
    for (size_t i = 0; i < N_GAUSSIAN; i++) {
        statistics_count tally = {0};
        score *s = make_score(gaussian_kinds[i], NULL, data, &tally);
        double expected = node(s, 3, (size_t[]){5, 0, 2}, 3), value = 0;
        bool is_exact = false;
        error_info err = {0};
        assert_true(node(s, 3, (size_t[]){0, 2, 5}, 3) == expected);
        assert_ok(score_node_with(s, 3, (size_t[]){5, 2}, 2, 0, &value, &err), &err);
        assert_true(value == expected);
        assert_int_equal(tally.requests, 3);
        assert_int_equal(tally.computed, 1);
        assert_ok(score_node_fresh(s, 3, (size_t[]){5, 0}, 2, 2, &value, &err), &err);
        assert_true(value == expected);
        assert_int_equal(tally.computed, 1);
        assert_ok(score_ceiling_with(s, 3, (size_t[]){5, 0}, 2, 0, &value, &err), &err);
        assert_true(value == INFINITY);
        assert_ok(score_node_above(s, 3, (size_t[]){5, 0}, 2, 2, INFINITY, &value, &is_exact, &err), &err);
        assert_true(is_exact);
        assert_that(value, ==, expected);
        assert_int_equal(tally.requests, 3);
        assert_false(score_is_constant(s, 3));
        score_destroy(s);
    }
    dataset_destroy(data);
}

/* The factor keeps the rows of the parents that two families begin with: the result must not show it. */
static void the_order_of_questions_does_not_matter(void **state) {
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(8));
    data = make_random_reals(&random, 80, MOST);
    for (size_t i = 0; i < N_GAUSSIAN; i++) {
        score *warm = make_score(gaussian_kinds[i], NULL, data, NULL);
        for (int round = 0; round < 200; round++) {
            size_t order[MOST], m = (size_t)random_below(&random, MOST);
            score *cold = make_score(gaussian_kinds[i], NULL, data, NULL);
            random_permutation(&random, order, MOST);
            assert_true(node(warm, order[0], order + 1, m) == node(cold, order[0], order + 1, m));
            score_destroy(cold);
        }
        score_destroy(warm);
    }
    dataset_destroy(data);
}

static void a_singular_family_has_no_likelihood_and_bge_takes_it(void **state) {
    /* v1 is constant, v2 a linear function of v0 */
    static const double values[] = {1, 7, 3, .5, 2, 7, 5, .1, 3, 7, 7, .9, 5, 7, 11, .3, 8, 7, 17, .2, 9, 7, 19, .4};
    dataset *data = make_reals(6, 4, values), *few;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        score *s = make_score(gaussian_kinds[i], i == 1 ? "variance=mle" : NULL, data, NULL);
        assert_true(node(s, 1, NULL, 0) == -INFINITY);
        assert_true(node(s, 1, (size_t[]){0}, 1) == -INFINITY);
        assert_true(node(s, 0, (size_t[]){1}, 1) == -INFINITY);
        assert_true(node(s, 0, (size_t[]){2}, 1) == -INFINITY);
        assert_true(node(s, 3, (size_t[]){0, 2}, 2) == -INFINITY);
        assert_true(isfinite(node(s, 3, (size_t[]){2}, 1)));
        score_destroy(s);
    }
    {
        score *s = make_score("bge", NULL, data, NULL);
        assert_close(node(s, 1, NULL, 0), bge_slowly(data, 1, NULL, 0, 1, 6), 1e-10);
        assert_close(node(s, 3, (size_t[]){0, 2}, 2), bge_slowly(data, 3, (size_t[]){0, 2}, 2, 1, 6), 1e-9);
        score_destroy(s);
    }
    dataset_destroy(data);
    few = make_reals(2, 3, (const double[]){1, 2, 5, 4, 1, 1});
    {
        score *s = make_score("bic-g", NULL, few, NULL), *mle = make_score("bic-g", "variance=mle", few, NULL);
        assert_true(isfinite(node(s, 0, NULL, 0)));
        assert_true(node(s, 0, (size_t[]){1}, 1) == -INFINITY);
        assert_true(node(mle, 0, (size_t[]){1}, 1) == -INFINITY);
        assert_true(node(s, 0, (size_t[]){1, 2}, 2) == -INFINITY);
        score_destroy(s);
        score_destroy(mle);
    }
    dataset_destroy(few);
}

static void check_refused(const char *name, const void *options, const dataset *data, const char *words) {
    const score_kind *kind = NULL;
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_kind_find(name, &kind, &err), &err);
    assert_int_equal(score_create(kind, options, data, NULL, &s, &err), STATUS_INVALID);
    assert_message_has(&err, words);
    assert_null(s);
}

static void what_a_score_does_not_take_is_refused_by_name(void **state) {
    dataset *reals = make_five_rows(3), *discrete = make_eight_rows(), *odd;
    (void)state;
    check_refused("bdeu", NULL, reals,
                  "score bdeu takes data that are discrete, and column v0 is continuous: discretize it, or use "
                  "score=bic-g");
    check_refused("bge", NULL, discrete,
                  "score bge takes data that are continuous, and column A is discrete: declare it continuous in a "
                  ".schema.csv, or use score=bdeu");
    check_refused("bge", &(bge_options){.am = 0}, reals, "am is 0");
    check_refused("bge", &(bge_options){.am = 1, .aw = 4}, reals, "aw is 4; on 3 columns it must be more than 4");
    odd = make_reals(3, 2, (const double[]){1, 2, 5, (double)NAN, 1, 1});
    check_refused("bic-g", NULL, odd, "row 2");
    dataset_destroy(odd);
    odd = make_reals(3, 2, (const double[]){1, 2, 5, 4, INFINITY, 1});
    check_refused("bge", NULL, odd, "v0");
    dataset_destroy(odd);
    dataset_destroy(reals);
    dataset_destroy(discrete);
}

static void the_kappa_prior_costs_the_same_an_arc(void **state) {
    dataset *data = make_five_rows(3);
    const score_kind *kind = NULL;
    score *plain = make_score("bge", NULL, data, NULL), *s = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(score_kind_find("bge", &kind, &err), &err);
    assert_ok(score_create(kind, NULL, data, NULL, &s, &err), &err);
    score_penalise_arcs(s, log(9 + 1));
    assert_close(node(s, 0, (size_t[]){1, 2}, 2), node(plain, 0, (size_t[]){1, 2}, 2) - 2 * log(10), 1e-12);
    score_destroy(s);
    score_destroy(plain);
    dataset_destroy(data);
}

/* Families in turn, of which the first parents of one are often those of the one before. */
static void a_twin_scores_alike_to_the_last_bit(void **state) {
    random_stream random;
    dataset *data = make_five_rows(3);
    (void)state;
    random_stream_init(&random, random_key_of(7));
    for (size_t k = 0; k < N_GAUSSIAN; k++) {
        score *s = make_score(gaussian_kinds[k], NULL, data, NULL), *twin = NULL;
        error_info err = {0};
        assert_true(score_has_twins(s));
        assert_ok(score_create_twin(s, &twin, &err), &err);
        for (size_t i = 0; i < 50; i++) {
            size_t x = (size_t)random_below(&random, 3), n = (size_t)random_below(&random, 3);
            size_t parents[2] = {(x + 1) % 3, (x + 2) % 3};
            assert_true(node(twin, x, parents, n) == node(s, x, parents, n));
        }
        score_destroy(twin);
        score_destroy(s);
    }
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_bic_is_that_of_the_worked_example),
        cmocka_unit_test(bge_is_that_of_the_worked_example),
        cmocka_unit_test(scores_are_their_definitions_on_random_data),
        cmocka_unit_test(reversing_a_covered_arc_changes_no_score),
        cmocka_unit_test(every_way_to_ask_gives_the_same_and_is_counted),
        cmocka_unit_test(the_order_of_questions_does_not_matter),
        cmocka_unit_test(a_singular_family_has_no_likelihood_and_bge_takes_it),
        cmocka_unit_test(what_a_score_does_not_take_is_refused_by_name),
        cmocka_unit_test(the_kappa_prior_costs_the_same_an_arc),
        cmocka_unit_test(a_twin_scores_alike_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
