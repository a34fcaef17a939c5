/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies, the discretizers that look at one column at a time, and codes of a reference. */
#include "core/base/file.h"
#include "core/data/dataset_file.h"
#include "discretizers/base/partition.h"
#include "discretizers/registry.h"
#include "discretizers/univariate/mixture.h"
#include "tests/discretizers/discretize_support.h"

#include <float.h>
#include <math.h>

/* ---- what several tests need ---- */

/* One column, one method: its thresholds. */
static void assert_cuts(size_t n, const double *values, const char *method, const char *const *options,
                        size_t n_thresholds, const double *expected) {
    dataset *data = make_reals(n, 1, values);
    cut_policy p = fit_with(data, method, options);
    assert_thresholds(&p, 0, n_thresholds, expected);
    policy_clear(&p);
    dataset_destroy(data);
}

static double sum_of_squares(const double *sorted, size_t from, size_t to) {
    double mean = 0, sum = 0;
    for (size_t i = from; i < to; i++)
        mean += sorted[i] / (double)(to - from);
    for (size_t i = from; i < to; i++)
        sum += (sorted[i] - mean) * (sorted[i] - mean);
    return sum;
}

static double cost_of(const sorted_column *s, const size_t *below, size_t n_cuts) {
    double cost = 0;
    for (size_t k = 0; k <= n_cuts; k++)
        cost += sum_of_squares(s->values, k ? below[k - 1] : 0, k < n_cuts ? below[k] : s->n);
    return cost;
}

static const double nine[] = {1, 2, 2, 2, 3, 7, 8, 9, 10};

/* ---- policies ---- */

static void a_value_that_equals_a_threshold_goes_up(void **state) {
    (void)state;
    double t[] = {4, 7};
    column_policy c = {2, t};
    assert_int_equal(policy_state(&c, 3.999), 0);
    assert_int_equal(policy_state(&c, 4), 1);
    assert_int_equal(policy_state(&c, 6.999), 1);
    assert_int_equal(policy_state(&c, 7), 2);
    assert_int_equal(policy_state(&c, INFINITY), 2);
    assert_int_equal(policy_state(&c, -INFINITY), 0);
}

static void a_threshold_between_neighbouring_doubles_parts_them(void **state) {
    (void)state;
    double a = 1, b = nextafter(1, 2), t = policy_between(a, b);
    assert_that(a, <, t);
    assert_that(t, <=, b);
    assert_true(policy_between(0, DBL_TRUE_MIN) == DBL_TRUE_MIN);
    assert_close(policy_between(-DBL_MAX, DBL_MAX), 0, 0);
    assert_close(policy_between(2, 3), 2.5, 0);
}

static void thresholds_that_do_not_rise_are_refused(void **state) {
    (void)state;
    error_info err = {0};
    cut_policy p = {0};
    assert_ok(policy_init(&p, 1, &err), &err);
    assert_int_equal(policy_set(&p, 0, (double[]){2, 1}, 2, &err), STATUS_BUG);
    assert_int_equal(policy_set(&p, 0, (double[]){1, NAN}, 2, &err), STATUS_BUG);
    assert_ok(policy_set(&p, 0, (double[]){1, 1, 2}, 3, &err), &err);
    assert_int_equal(p.columns[0].n, 2);
    policy_clear(&p);
}

static void a_policy_is_applied_to_other_rows_and_leaves_discrete_columns_alone(void **state) {
    (void)state;
    static const char text[] = "a,b\n0.5,x\n1.5,y\n2.5,x\n", later[] = "a,b\n9.5,y\n-3.5,x\n";
    dataset *data = NULL, *test = NULL, *made = NULL;
    error_info err = {0};
    cut_policy p;
    assert_ok(dataset_parse_csv(text, sizeof text - 1, NULL, &data, NULL, &err), &err);
    assert_ok(dataset_parse_csv(later, sizeof later - 1, NULL, &test, NULL, &err), &err);
    p = fit_with(data, "eqfreq", fit_options("k=3"));
    assert_ok(policy_apply(&p, test, &made, &err), &err);
    assert_true(dataset_is_discrete(made));
    assert_int_equal(dataset_state_count(made, 0), 3);
    assert_int_equal(dataset_state(made, 0, 0), 2);
    assert_int_equal(dataset_state(made, 1, 0), 0);
    assert_string_equal(dataset_variable(made, 1)->states[dataset_state(made, 0, 1)], "y");
    policy_clear(&p);
    dataset_destroy(data);
    dataset_destroy(test);
    dataset_destroy(made);
}

/* ---- equal width, equal frequency ---- */

static void equal_width_agrees_with_the_worked_example(void **state) {
    (void)state;
    assert_cuts(9, nine, "eqwidth", fit_options("k=3"), 2, (double[]){4, 7});
    assert_cuts(9, nine, "eqwidth", fit_options("k=3", "drop_empty=true"), 1, (double[]){7});
}

static void equal_frequency_agrees_with_the_worked_example(void **state) {
    (void)state;
    assert_cuts(9, nine, "eqfreq", fit_options("k=2"), 1, (double[]){2.5});
    assert_cuts(9, nine, "eqfreq", fit_options("k=3"), 2, (double[]){2.5, 7.5});
    assert_cuts(9, nine, "eqfreq", fit_options("k=4"), 3, (double[]){1.5, 2.5, 8.5});
    assert_cuts(9, nine, "eqfreq", fit_options("k=3", "cut=quantile7"), 2, (double[]){2, 7.333333});
}

/* ---- the answers to odd columns ---- */

static void odd_columns_have_their_answers(void **state) {
    (void)state;
    static const double constant[] = {3, 3, 3, 3}, two[] = {1, 1, 1, 2}, wide[] = {-DBL_MAX, 0, 1, DBL_MAX},
                        close[] = {1, 1 + DBL_EPSILON, 1, 1}, tiny[] = {0, DBL_TRUE_MIN, 0, 0}, one[] = {5};
    for (size_t i = 0; i < discretizer_count(); i++) {
        const char *method = discretizer_at(i)->name;
        const double *columns[] = {two, wide, close, tiny};
        assert_cuts(4, constant, method, NULL, 0, NULL);
        assert_cuts(1, one, method, NULL, 0, NULL);
        if (discretizer_at(i)->integrate) /* a column alone has nothing to tell of others */
            continue;
        for (size_t k = 0; k < 4; k++) {
            dataset *data = make_reals(4, 1, columns[k]);
            cut_policy p = fit_with(data, method, NULL);
            if (p.columns[0].n == 0)
                fail_msg("%s leaves column %zu uncut", method, k);
            policy_clear(&p);
            dataset_destroy(data);
        }
    }
}

static void values_that_are_not_finite_are_refused_with_their_place(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < discretizer_count(); i++) {
        for (size_t k = 0; k < 3; k++) {
            double values[] = {1, 2, bad[k]};
            dataset *data = make_reals(3, 1, values);
            error_info err = {0};
            cut_policy p = {0};
            run_context ctx;
            void *opts = discretizer_options_create(discretizer_at(i));
            run_context_init(&ctx, 1);
            assert_int_equal(discretizer_fit(discretizer_at(i), data, opts, &ctx, &p, &err), STATUS_INVALID);
            assert_message_has(&err, "row 3");
            assert_message_has(&err, "'X0'");
            free(opts);
            dataset_destroy(data);
        }
    }
}

/* ---- partitions ---- */

static void bounded_classes_agree_with_the_worked_example(void **state) {
    (void)state;
    static const double x[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 20};
    sorted_column s = sort_values(x, 10);
    error_info err = {0};
    size_t below[2], n = 0;
    bool found = false;
    assert_ok(partition_by_shares(&s, 3, .05, .3, below, &n, &err), &err);
    assert_int_equal(n, 2);
    assert_int_equal(below[0], 3);
    assert_int_equal(below[1], 9);
    assert_close(cost_of(&s, below, 2), 19.5, 1e-12);
    assert_ok(partition_best(&s, 3, (class_bounds){1, 10}, below, &found, &err), &err);
    assert_true(found);
    assert_int_equal(below[1], 9);
    assert_true(below[0] == 4 || below[0] == 5);
    assert_close(cost_of(&s, below, 2), 15, 1e-12);
    sorted_column_clear(&s);
    assert_cuts(10, x, "kmeans", NULL, 2, (double[]){2.5, 14});
}

/* Every way to cut, from scratch; infinity where none keeps the bounds. */
static double best_cost(const sorted_column *s, size_t k, class_bounds b, size_t from, bool is_first) {
    double best = INFINITY;
    if (k == 1) {
        size_t size = s->n - from;
        return size >= b.least && size <= b.most_extreme ? sum_of_squares(s->values, from, s->n) : INFINITY;
    }
    for (size_t i = 0; i < s->n_cuts; i++) {
        size_t to = s->cuts[i], size = to - from;
        if (to > from && size >= b.least && (!is_first || size <= b.most_extreme))
            best = fmin(best, sum_of_squares(s->values, from, to) + best_cost(s, k - 1, b, to, false));
    }
    return best;
}

static void partitions_are_as_good_as_every_way_to_cut(void **state) {
    (void)state;
    random_stream random;
    size_t feasible = 0, infeasible = 0;
    random_stream_init(&random, random_key_of(11));
    for (int round = 0; round < 600; round++) {
        size_t n = 3 + (size_t)random_below(&random, 11), k = 1 + (size_t)random_below(&random, 4), below[4];
        class_bounds bounds = {1 + (size_t)random_below(&random, 3), 2 + (size_t)random_below(&random, n)};
        double x[16];
        sorted_column s;
        error_info err = {0};
        bool found = false;
        double best;
        for (size_t i = 0; i < n; i++)
            x[i] = round % 2 ? (double)random_below(&random, 6) : random_uniform(&random) * 10;
        s = sort_values(x, n);
        best = best_cost(&s, k, bounds, 0, true);
        assert_ok(partition_best(&s, k, bounds, below, &found, &err), &err);
        assert_int_equal(found, isfinite(best));
        if (found)
            assert_close(cost_of(&s, below, k - 1), best, 1e-9);
        feasible += found;
        infeasible += !found;
        sorted_column_clear(&s);
    }
    assert_that(feasible, >, 100);
    assert_that(infeasible, >, 100);
}

static void ties_drop_the_bounds_one_by_one(void **state) {
    (void)state;
    static const double half[] = {0, 0, 0, 0, 0, 1, 2, 2, 2, 2}, two[] = {0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
    assert_cuts(10, half, "kmeans", NULL, 2, (double[]){.5, 1.5}); /* no extreme class of at most 3 values */
    assert_cuts(10, two, "kmeans", NULL, 1, (double[]){.5});       /* two values, two classes */
}

/* ---- mixtures ---- */

static const double two_bumps[] = {-.2, -.1, 0, .1, .2, 4.8, 4.9, 5, 5.1, 5.2};

static void mixtures_agree_with_the_worked_example(void **state) {
    (void)state;
    sorted_column s = sort_values(two_bumps, 10);
    random_stream random;
    error_info err = {0};
    mixture one, two;
    random_stream_init(&random, random_key_of(3));
    assert_ok(mixture_fit(&s, 1, 2, &random, &one, &err), &err);
    assert_ok(mixture_fit(&s, 2, 2, &random, &two, &err), &err);
    assert_close(one.log_likelihood, -23.3683, 1e-5);
    assert_close(mixture_bic(&one, 10), -25.6709, 1e-5);
    assert_close(mixture_bic(&two, 10), -7.3172, 1e-5);
    assert_close(two.mean[0] * two.scale + two.shift, 0, 1e-6);
    assert_close(two.mean[1] * two.scale + two.shift, 5, 1e-6);
    assert_close(two.variance[0] * two.scale * two.scale, .02, 1e-6);
    assert_int_equal(mixture_mode_count(&one), 1);
    assert_int_equal(mixture_mode_count(&two), 2);
    sorted_column_clear(&s);
    assert_cuts(10, two_bumps, "adaptive", fit_options("least_share=0.2"), 1, (double[]){2.5});
}

/* -likelihood of the sample, written out. */
static double log_likelihood(const mixture *m, const sorted_column *s) {
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double density = 0, x = (s->values[i] - m->shift) / m->scale;
        for (size_t k = 0; k < m->m; k++)
            density += m->weight[k] / sqrt(2 * M_PI * m->variance[k]) *
                       exp(-.5 * (x - m->mean[k]) * (x - m->mean[k]) / m->variance[k]);
        sum += log(density) - log(m->scale);
    }
    return sum;
}

static double normal(random_stream *random) {
    return sqrt(-2 * log(1 - random_uniform(random))) * cos(2 * M_PI * random_uniform(random));
}

static void the_log_likelihood_of_a_mixture_is_that_of_its_density(void **state) {
    (void)state;
    random_stream random;
    random_stream_init(&random, random_key_of(5));
    for (int round = 0; round < 20; round++) {
        double x[200];
        sorted_column s;
        error_info err = {0};
        double before = -INFINITY;
        for (size_t i = 0; i < 200; i++)
            x[i] = normal(&random) + (random_below(&random, 3) == 0 ? 3 : 0);
        if (round % 4 == 0) /* ties */
            for (size_t i = 0; i < 200; i++)
                x[i] = rint(2 * x[i]) / 2;
        s = sort_values(x, 200);
        for (size_t m = 1; m <= MIXTURE_MOST; m++) {
            mixture fitted;
            double weights = 0;
            assert_ok(mixture_fit(&s, m, 2, &random, &fitted, &err), &err);
            for (size_t k = 0; k < m; k++)
                weights += fitted.weight[k];
            assert_close(weights, 1, 1e-9);
            assert_close(fitted.log_likelihood, log_likelihood(&fitted, &s), 1e-9);
            assert_true(fitted.log_likelihood > before - 1); /* a component more fits no worse, local optima aside */
            before = fitted.log_likelihood;
        }
        sorted_column_clear(&s);
    }
}

/* n values: a third each around 0, 10 and 20 (or one bump). */
static dataset *bumps(size_t n, size_t n_bumps) {
    double *x = calloc(n, sizeof *x);
    dataset *data;
    random_stream random;
    random_stream_init(&random, random_key_of(9));
    for (size_t i = 0; i < n; i++)
        x[i] = normal(&random) + 10 * (double)(i % n_bumps);
    data = make_reals(n, 1, x);
    free(x);
    return data;
}

static void adaptive_cuts_between_bumps_and_one_bump_in_three(void **state) {
    (void)state;
    for (size_t n_bumps = 2; n_bumps <= 4; n_bumps++) {
        dataset *data = bumps(400, n_bumps);
        cut_policy p = fit_with(data, "adaptive", NULL), g = fit_with(data, "gmm", NULL);
        assert_int_equal(p.columns[0].n, n_bumps - 1);
        assert_int_equal(g.columns[0].n, n_bumps - 1);
        for (size_t i = 0; i + 1 < n_bumps; i++)
            assert_true(fabs(p.columns[0].thresholds[i] - (5 + 10 * (double)i)) < 3);
        policy_clear(&p);
        policy_clear(&g);
        dataset_destroy(data);
    }
    {
        dataset *data = bumps(400, 1), *made = NULL;
        cut_policy p = fit_with(data, "adaptive", NULL);
        error_info err = {0};
        size_t count[3] = {0};
        assert_int_equal(p.columns[0].n, 2);
        assert_ok(policy_apply(&p, data, &made, &err), &err);
        for (size_t row = 0; row < 400; row++)
            count[dataset_state(made, row, 0)]++;
        assert_that(count[0], >=, 20);
        assert_that(count[0], <=, 120);
        assert_that(count[2], >=, 20);
        assert_that(count[2], <=, 120);
        assert_that(count[1], >=, 20);
        policy_clear(&p);
        dataset_destroy(data);
        dataset_destroy(made);
    }
}

static void no_policy_hangs_on_the_order_of_columns(void **state) {
    (void)state;
    random_stream random;
    double x[3 * 60];
    size_t order[] = {2, 0, 1};
    dataset *data, *turned = NULL;
    error_info err = {0};
    random_stream_init(&random, random_key_of(13));
    for (size_t i = 0; i < 180; i++)
        x[i] = normal(&random) + (double)(i % 3) * (double)(i / 60);
    data = make_reals(60, 3, x);
    assert_ok(dataset_reorder(data, order, &turned, &err), &err);
    for (size_t i = 0; i < discretizer_count(); i++) {
        cut_policy a, b;
        if (strcmp(discretizer_at(i)->name, "hartemink") == 0 || discretizer_at(i)->integrate)
            continue; /* merge, or search, in the order of columns */
        a = fit_with(data, discretizer_at(i)->name, NULL);
        b = fit_with(turned, discretizer_at(i)->name, NULL);
        for (size_t c = 0; c < 3; c++) {
            assert_int_equal(b.columns[c].n, a.columns[order[c]].n);
            for (size_t k = 0; k < b.columns[c].n; k++)
                assert_true(b.columns[c].thresholds[k] == a.columns[order[c]].thresholds[k]);
        }
        policy_clear(&a);
        policy_clear(&b);
    }
    dataset_destroy(data);
    dataset_destroy(turned);
}

static dataset *many_columns(void) {
    enum { ROWS = 80, COLUMNS = 23 };
    double *x = calloc(ROWS * COLUMNS, sizeof *x);
    random_stream random;
    dataset *data;
    random_stream_init(&random, random_key_of(17));
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = normal(&random) + (double)(i % 3) * (double)(i / ROWS);
    data = make_reals(ROWS, COLUMNS, x);
    free(x);
    return data;
}

static void any_number_of_threads_finds_the_same_policy(void **state) {
    dataset *data = many_columns();
    (void)state;
    for (size_t i = 0; i < discretizer_count(); i++) {
        cut_policy one, many;
        if (!discretizer_at(i)->fit_column)
            continue;
        one = fit_by(1, data, discretizer_at(i)->name, NULL);
        for (size_t n_threads = 2; n_threads <= 3; n_threads++) {
            many = fit_by(n_threads, data, discretizer_at(i)->name, NULL);
            assert_same_policy(&one, &many);
            policy_clear(&many);
        }
        policy_clear(&one);
    }
    dataset_destroy(data);
}

/* Columns that reach far up. */
static status fail_on_some(const void *options, const sorted_column *s, random_key key, double *thresholds,
                           size_t *n_thresholds, error_info *err) {
    (void)options;
    (void)key;
    (void)thresholds;
    *n_thresholds = 0;
    return s->values[s->n - 1] < 20 ? STATUS_OK : error_set(err, STATUS_INVALID, "%.6f is far", s->values[s->n - 1]);
}

static void on_any_number_of_threads_the_first_column_that_fails_is_named(void **state) {
    const discretizer failing = {.name = "failing", .fit_column = fail_on_some};
    dataset *data = many_columns();
    error_info first = {0};
    (void)state;
    for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
        run_context ctx;
        cut_policy found = {0};
        error_info err = {0};
        run_context_init(&ctx, 1);
        ctx.n_threads = n_threads;
        assert_int_equal(discretizer_fit(&failing, data, NULL, &ctx, &found, &err), STATUS_INVALID);
        if (n_threads == 1)
            first = err;
        assert_string_equal(err.message, first.message);
    }
    dataset_destroy(data);
}

/* ---- goldens ---- */

/* Where a value equals a cut point, the reference puts it below and we above. */
static void assert_codes(const dataset *data, const cut_policy *p, const char *file) {
    dataset *made = NULL, *codes = NULL;
    error_info err = {0};
    size_t compared = 0;
    assert_ok(policy_apply(p, data, &made, &err), &err);
    assert_ok(dataset_read(file, NULL, &codes, NULL, &err), &err);
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        size_t of = dataset_find_column(codes, dataset_variable(data, c)->name);
        for (size_t r = 0; r < dataset_row_count(data); r++) {
            bool on_cut = false;
            for (size_t k = 0; k < p->columns[c].n; k++)
                on_cut = on_cut || fabs(p->columns[c].thresholds[k] - dataset_reals(data, c)[r]) < 1e-12;
            if (on_cut) {
                assert_in_range(dataset_state(made, r, c) - dataset_state(codes, r, of), 0, 1);
                continue;
            }
            if (dataset_state(made, r, c) != dataset_state(codes, r, of))
                fail_msg("%s: column %zu, row %zu", file, c, r);
            compared++;
        }
    }
    assert_true(compared > 6900);
    dataset_destroy(made);
    dataset_destroy(codes);
}

static void the_codes_of_the_reference_come_out(void **state) {
    (void)state;
    static const struct {
        const char *method, *options[4], *codes;
    } runs[] = {
        {"eqwidth", {"k=3"}, "codes_1.csv.gz"},
        {"eqwidth", {"k=5"}, "codes_2.csv.gz"},
        {"eqfreq", {"k=3", "cut=quantile7"}, "codes_3.csv.gz"},
        {"eqfreq", {"k=4", "cut=quantile7"}, "codes_4.csv.gz"},
        {"hartemink", {"levels=3", "start_levels=10"}, "codes_5.csv.gz"},
        {"hartemink", {"levels=3", "start_levels=10", "start=interval"}, "codes_6.csv.gz"},
        {"hartemink", {"levels=4", "start_levels=20"}, "codes_7.csv.gz"},
        {"hartemink", {"levels=2", "start_levels=50"}, "codes_8.csv.gz"},
    };
    const char *path = golden_path("discretization/data.csv.gz");
    dataset *data = NULL;
    error_info err = {0};
    if (!path)
        skip();
    assert_ok(dataset_read(path, NULL, &data, NULL, &err), &err);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char name[80];
        cut_policy p = fit_with(data, runs[i].method, runs[i].options);
        (void)snprintf(name, sizeof name, "discretization/%s", runs[i].codes);
        assert_codes(data, &p, golden_path(name));
        policy_clear(&p);
    }
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_that_equals_a_threshold_goes_up),
        cmocka_unit_test(a_threshold_between_neighbouring_doubles_parts_them),
        cmocka_unit_test(thresholds_that_do_not_rise_are_refused),
        cmocka_unit_test(a_policy_is_applied_to_other_rows_and_leaves_discrete_columns_alone),
        cmocka_unit_test(equal_width_agrees_with_the_worked_example),
        cmocka_unit_test(equal_frequency_agrees_with_the_worked_example),
        cmocka_unit_test(odd_columns_have_their_answers),
        cmocka_unit_test(values_that_are_not_finite_are_refused_with_their_place),
        cmocka_unit_test(bounded_classes_agree_with_the_worked_example),
        cmocka_unit_test(partitions_are_as_good_as_every_way_to_cut),
        cmocka_unit_test(ties_drop_the_bounds_one_by_one),
        cmocka_unit_test(mixtures_agree_with_the_worked_example),
        cmocka_unit_test(the_log_likelihood_of_a_mixture_is_that_of_its_density),
        cmocka_unit_test(adaptive_cuts_between_bumps_and_one_bump_in_three),
        cmocka_unit_test(no_policy_hangs_on_the_order_of_columns),
        cmocka_unit_test(any_number_of_threads_finds_the_same_policy),
        cmocka_unit_test(on_any_number_of_threads_the_first_column_that_fails_is_named),
        cmocka_unit_test(the_codes_of_the_reference_come_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
