/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/counting/counts.h"
#include "metrics/scores/bdeu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static score *make_score(const char *name, double ess, int prior, const dataset *data, statistics_count *tally) {
    const score_kind *kind = NULL;
    const bdeu_options given = {ess, prior};
    double options[8];
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_kind_find(name, &kind, &err), &err);
    options_set_initial(kind->options, options);
    options_take(kind->options, options, score_bdeu.options, &given);
    assert_ok(score_create(kind, options, data, tally, &s, &err), &err);
    if (prior == SCORE_PRIOR_KAPPA)
        score_penalise_arcs(s, log(ess + 1));
    return s;
}

static double node(score *s, size_t x, const size_t *parents, size_t n) {
    double value = NAN;
    error_info err = {0};
    assert_ok(score_node(s, x, parents, n, &value, &err), &err);
    return value;
}

/* Columns X, Y, Z are 0, 1, 2. */
static void the_worked_example_is_met(void **state) {
    static const struct {
        const char *name;
        double ess;
        double x, z, y_x, y_xz, z_xy;
    } rows[] = {
        {"bdeu", 1, -6.841860, -11.342798, -7.239773, -6.253009, -11.272325},
        {"bdeu", 10, -5.850148, -9.344363, -5.674254, -5.378274, -9.060501},
        {"k2", 1, -6.445720, -10.134599, -5.991465, -5.375278, -8.999619},
        {"loglik", 1, -5.545177, -8.657564, -4.498681, -1.386294, -3.819085},
        {"bic", 1, -6.584898, -10.737006, -6.578123, -7.624619, -12.136851},
        {"aic", 1, -6.545177, -10.657564, -6.498681, -7.386294, -11.819085},
    };
    dataset *data = make_eight_rows();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        score *s = make_score(rows[i].name, rows[i].ess, SCORE_PRIOR_UNIFORM, data, NULL);
        assert_close(node(s, 0, NULL, 0), rows[i].x, 1e-6);
        assert_close(node(s, 1, NULL, 0), rows[i].x, 1e-6);
        assert_close(node(s, 2, NULL, 0), rows[i].z, 1e-6);
        assert_close(node(s, 1, (size_t[]){0}, 1), rows[i].y_x, 1e-6);
        assert_close(node(s, 1, (size_t[]){2, 0}, 2), rows[i].y_xz, 1e-6);
        assert_close(node(s, 2, (size_t[]){0, 1}, 2), rows[i].z_xy, 1e-6);
        score_destroy(s);
    }
    dataset_destroy(data);
}

static void the_kappa_prior_costs_log_of_ess_plus_one_an_arc(void **state) {
    dataset *data = make_eight_rows();
    score *s = make_score("bdeu", 10, SCORE_PRIOR_KAPPA, data, NULL);
    (void)state;
    assert_close(node(s, 1, (size_t[]){0}, 1) - node(s, 1, NULL, 0), -2.222002, 1e-6);
    score_destroy(s);
    dataset_destroy(data);
}

static score *make_bdeu(const bdeu_options *options, const dataset *data) {
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_create(&score_bdeu, options, data, NULL, &s, &err), &err);
    return s;
}

/* The log prior of k parents among n - 1 others, each one with probability p, against that of none. */
static double log_binomial(double k, double others, double p) {
    return k * log(p) + (others - k) * log(1 - p) - others * log(1 - p);
}

static void the_binomial_prior_is_that_of_parents_drawn_independently(void **state) {
    static const double expected[] = {0.001, 0.5, 1, 1.9}; /* of two others: the last makes an arc likelier than none */
    dataset *data = make_eight_rows();
    score *plain = make_bdeu(&(bdeu_options){.ess = 10}, data);
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        score *s = make_bdeu(&(bdeu_options){10, SCORE_PRIOR_BINOMIAL, expected[i], 0}, data);
        for (size_t k = 0; k <= 2; k++)
            assert_close(node(s, 1, (size_t[]){0, 2}, k) - node(plain, 1, (size_t[]){0, 2}, k),
                         log_binomial((double)k, 2, expected[i] / 2), 1e-9);
        score_destroy(s);
    }
    score_destroy(plain);
    dataset_destroy(data);
}

static void a_binomial_prior_without_a_probability_is_refused(void **state) {
    dataset *data = make_eight_rows();
    score *s = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(score_create(&score_bdeu, &(bdeu_options){10, SCORE_PRIOR_BINOMIAL, 2, 0}, data, NULL, &s, &err),
                     STATUS_INVALID);
    assert_string_equal(err.message, "prior_parents is 2; it must lie between 0 and 2, the other variables");
    dataset_destroy(data);
}

/* Y and X have two states, Z has three: 1, 2 and 6 free parameters of Y with no parents, X, and both. */
static void the_prior_of_parameters_is_a_power_of_their_number(void **state) {
    static const double n_parameters[] = {1, 2, 6};
    dataset *data = make_eight_rows();
    score *plain = make_bdeu(&(bdeu_options){.ess = 10}, data);
    score *s = make_bdeu(&(bdeu_options){.ess = 10, .parameter_prior = 0.001}, data);
    score *one = make_bdeu(&(bdeu_options){.ess = 10, .parameter_prior = 1}, data);
    (void)state;
    for (size_t k = 0; k <= 2; k++) {
        double without = node(plain, 1, (size_t[]){0, 2}, k);
        assert_close(node(s, 1, (size_t[]){0, 2}, k) - without, -6.907755278982137 * n_parameters[k], 1e-10);
        assert_close(node(one, 1, (size_t[]){0, 2}, k), without, 0);
    }
    score_destroy(plain);
    score_destroy(s);
    score_destroy(one);
    dataset_destroy(data);
}

static void equivalent_graphs_keep_equal_scores_under_the_priors(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(15));
    for (int round = 0; round < 60; round++) {
        dataset *data = make_random_dataset(&random, 200, 4, 4);
        score *s = make_bdeu(&(bdeu_options){2, SCORE_PRIOR_BINOMIAL, 0.3, 0.01}, data);
        /* x -> y with common parents {2, 3}, against y -> x */
        assert_close(node(s, 0, (size_t[]){2, 3}, 2) + node(s, 1, (size_t[]){0, 2, 3}, 3),
                     node(s, 1, (size_t[]){2, 3}, 2) + node(s, 0, (size_t[]){1, 2, 3}, 3), 1e-10);
        score_destroy(s);
        dataset_destroy(data);
    }
}

static void a_tiny_equivalent_sample_size_loses_no_digits(void **state) {
    dataset *data = make_eight_rows();
    score *s = make_score("bdeu", 1e-12, SCORE_PRIOR_UNIFORM, data, NULL);
    double a = 0.5e-12;
    (void)state;
    /* X: four of each of two states; lgamma(a + 4) - lgamma(a) = log(a (a+1) (a+2) (a+3)) */
    assert_close(node(s, 0, NULL, 0), 2 * log(a * (a + 1) * (a + 2) * (a + 3)) - (log(2 * a) + log(5040.0) + 0 * a),
                 1e-9);
    score_destroy(s);
    dataset_destroy(data);
}

/* 4,000 rows of two columns of three states each, 36 rows of them strange to the rule. */
static dataset *make_large(void) {
    enum { N = 4000 };
    int *cells = calloc((size_t)2 * N, sizeof *cells);
    dataset *data;
    for (int i = 0; i < N; i++) {
        cells[2 * i] = i % 3;
        cells[2 * i + 1] = i % 113 == 0 ? (i + 1) % 3 : i % 3;
    }
    data = make_dataset(N, 2, (size_t[]){3, 3}, cells);
    free(cells);
    return data;
}

/* By mpmath 1.4.1, 60 digits, from the definition with loggamma: of x, and of y given x. */
static void a_large_equivalent_sample_size_loses_no_digits(void **state) {
    static const struct {
        double ess, x, y_x;
    } rows[] = {
        {1, -4403.3121163759175, -220.236905878009292},      {1000, -4396.05892587131109, -1418.74507431394382},
        {10000, -4394.78557452215471, -3351.82882380376706}, {100000, -4394.48836602650982, -4246.62009364782973},
        {1e+06, -4394.45314570034725, -4378.97140578953502}, {1e+08, -4394.44919466163945, -4394.29356403896975},
        {1e+10, -4394.44915507233869, -4394.44759868426547}, {1e+12, -4394.44915467643777, -4394.44913911254885},
        {1e+15, -4394.44915467244276, -4394.44915465687888},
    };
    dataset *data = make_large();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        score *s = make_score("bdeu", rows[i].ess, SCORE_PRIOR_UNIFORM, data, NULL);
        assert_close(node(s, 0, NULL, 0), rows[i].x, 2e-14);
        assert_close(node(s, 1, (size_t[]){0}, 1), rows[i].y_x, 2e-14);
        score_destroy(s);
    }
    dataset_destroy(data);
}

/* n_k rows of each of r states: sums of log(1 + i r / ess) less those of log(1 + i / ess), and n log(1 / r). */
static void bdeu_of_one_column_is_a_sum_of_small_logs(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(21));
    for (int repeat = 0; repeat < 200; repeat++) {
        size_t n = 1 + (size_t)random_below(&random, 300), r = 2 + (size_t)random_below(&random, 4), tallies[5] = {0};
        double ess = pow(10, 3 + 12 * random_uniform(&random)), sum = -(double)n * log((double)r);
        int cells[300];
        dataset *data;
        score *s;
        for (size_t i = 0; i < n; i++) {
            cells[i] = (int)random_below(&random, r);
            sum += log1p((double)tallies[cells[i]]++ * (double)r / ess) - log1p((double)i / ess);
        }
        data = make_dataset(n, 1, &r, cells);
        s = make_score("bdeu", ess, SCORE_PRIOR_UNIFORM, data, NULL);
        assert_close(node(s, 0, NULL, 0), sum, 1e-12);
        score_destroy(s);
        dataset_destroy(data);
    }
}

/* The definition, cell by cell, with no cache, no tables of terms and no counting service. */
static double bdeu_slowly(const dataset *data, size_t x, const size_t *parents, size_t n, double ess) {
    double q = 1, r = (double)dataset_state_count(data, x), sum = 0;
    size_t q_all = 1;
    for (size_t i = 0; i < n; i++)
        q_all *= dataset_state_count(data, parents[i]);
    q = (double)q_all;
    for (size_t j = 0; j < q_all; j++) {
        double n_ij = 0;
        for (size_t k = 0; k < dataset_state_count(data, x); k++) {
            double n_ijk = 0;
            for (size_t row = 0; row < dataset_row_count(data); row++) {
                size_t rest = j, match = dataset_state(data, row, x) == k;
                for (size_t i = 0; i < n; i++) {
                    match &= dataset_state(data, row, parents[i]) == rest % dataset_state_count(data, parents[i]);
                    rest /= dataset_state_count(data, parents[i]);
                }
                n_ijk += (double)match;
            }
            sum += lgamma(ess / (q * r) + n_ijk) - lgamma(ess / (q * r));
            n_ij += n_ijk;
        }
        sum += lgamma(ess / q) - lgamma(ess / q + n_ij);
    }
    return sum;
}

static void bdeu_is_its_definition_on_random_data(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(3));
    for (int round = 0; round < 100; round++) {
        dataset *data = make_random_dataset(&random, 1 + (size_t)random_below(&random, 120), 5, 4);
        double ess = 0.1 + 20 * random_uniform(&random);
        score *s = make_score("bdeu", ess, SCORE_PRIOR_UNIFORM, data, NULL);
        size_t order[5], n;
        random_permutation(&random, order, 5);
        n = (size_t)random_below(&random, 5);
        assert_close(node(s, order[0], order + 1, n), bdeu_slowly(data, order[0], order + 1, n, ess), 1e-10);
        score_destroy(s);
        dataset_destroy(data);
    }
}

/* Column 0 follows from 1 in most rows; of column 2 one state occurs, and of 3 and 4 half of those declared. */
static dataset *make_sparse_states(random_stream *random, size_t n_rows, size_t noise) {
    static const size_t n_states[] = {3, 4, 2, 6, 4, 3};
    int *cells = calloc(n_rows * 6, sizeof *cells);
    dataset *data;
    assert_non_null(cells);
    for (size_t i = 0; i < n_rows; i++) {
        int *row = cells + i * 6;
        row[1] = (int)random_below(random, 4);
        row[0] = random_below(random, 100) < noise ? (int)random_below(random, 3) : row[1] / 2;
        row[2] = 1;
        row[3] = 2 * (int)random_below(random, 3);
        row[4] = 1 + 2 * (int)random_below(random, 2);
        row[5] = (int)random_below(random, 3);
    }
    data = make_dataset(n_rows, 6, n_states, cells);
    free(cells);
    return data;
}

static void states_that_do_not_occur_count_all_the_same(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(13));
    for (int round = 0; round < 40; round++) {
        dataset *data = make_sparse_states(&random, 1 + (size_t)random_below(&random, 80), 20);
        score *s = make_score("bdeu", 4, SCORE_PRIOR_UNIFORM, data, NULL);
        size_t order[6], n;
        random_permutation(&random, order, 6);
        n = (size_t)random_below(&random, 5);
        assert_close(node(s, order[0], order + 1, n), bdeu_slowly(data, order[0], order + 1, n, 4), 1e-10);
        score_destroy(s);
        dataset_destroy(data);
    }
}

/* The ceiling, the score and what score_node_above says of it, for x, its parents and one more. */
static void check_bounds(score *s, const dataset *data, const size_t *family, size_t n_parents, size_t extra) {
    double exact = NAN, ceiling = NAN, above = NAN, floor;
    bool is_exact = false;
    error_info err = {0};
    size_t x = family[0], r = dataset_state_count(data, extra);
    assert_ok(score_node_with(s, x, family + 1, n_parents, extra, &exact, &err), &err);
    assert_ok(score_ceiling_with(s, x, family + 1, n_parents, r, &ceiling, &err), &err);
    assert_true(ceiling >= exact);
    for (int i = -2; i <= 2; i++) {
        floor = exact + i * 0.7;
        assert_ok(score_node_above(s, x, family + 1, n_parents, extra, floor, &above, &is_exact, &err), &err);
        assert_true(is_exact ? above == exact : above >= exact && above <= floor);
        assert_true(is_exact || i > 0);
    }
    if (score_is_constant(s, extra)) {
        assert_ok(score_constant_with(s, x, family + 1, n_parents, r, &above, &err), &err);
        assert_true(above == exact);
    }
}

static void bounds_lie_above_the_scores_that_they_stand_for(void **state) {
    random_stream random;
    size_t n_bounded = 0;
    (void)state;
    random_stream_init(&random, random_key_of(14));
    for (int round = 0; round < 60; round++) {
        dataset *data = make_sparse_states(&random, 400, (size_t)random_below(&random, 6));
        for (size_t i = 0; i < score_registry.n; i++) {
            score *s;
            size_t order[6], n = (size_t)random_below(&random, 4);
            double above;
            bool is_exact = true;
            error_info err = {0};
            if (!(score_kind_at(i)->accepts & DATA_DISCRETE))
                continue;
            s = make_score(score_kind_at(i)->name, 3, SCORE_PRIOR_KAPPA, data, NULL);
            random_permutation(&random, order, 6);
            check_bounds(s, data, order, n, order[n + 1]);
            /* given these three, few rows leave column 0 open: there the bound decides */
            assert_ok(score_node_above(s, 0, (size_t[]){1, 3, 5}, 3, 4, 0, &above, &is_exact, &err), &err);
            n_bounded += !is_exact;
            score_destroy(s);
        }
        dataset_destroy(data);
    }
    assert_true(n_bounded > 100);
}

/* A prior may make an arc likelier than none. */
static void bounds_hold_under_every_structure_prior(void **state) {
    static const bdeu_options options[] = {{3, SCORE_PRIOR_BINOMIAL, 0.01, 0},
                                           {3, SCORE_PRIOR_BINOMIAL, 4.9, 0},
                                           {3, SCORE_PRIOR_UNIFORM, 1, 0.001},
                                           {3, SCORE_PRIOR_KAPPA, 1, 0.5}};
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(16));
    for (int round = 0; round < 60; round++) {
        dataset *data = make_sparse_states(&random, 400, (size_t)random_below(&random, 6));
        for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
            score *s = make_bdeu(&options[i], data);
            size_t order[6], n = (size_t)random_below(&random, 4);
            random_permutation(&random, order, 6);
            check_bounds(s, data, order, n, order[n + 1]);
            score_destroy(s);
        }
        dataset_destroy(data);
    }
}

static void reversing_a_covered_arc_keeps_equivalent_scores(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(4));
    for (int round = 0; round < 100; round++) {
        dataset *data = make_random_dataset(&random, 200, 4, 4);
        for (size_t i = 0; i < score_registry.n; i++) {
            const score_kind *kind = score_kind_at(i);
            score *s;
            double forward, backward;
            if (!(kind->accepts & DATA_DISCRETE))
                continue;
            s = make_score(kind->name, 5, SCORE_PRIOR_UNIFORM, data, NULL);
            /* x -> y with common parents {2, 3}, against y -> x */
            forward = node(s, 0, (size_t[]){2, 3}, 2) + node(s, 1, (size_t[]){0, 2, 3}, 3);
            backward = node(s, 1, (size_t[]){2, 3}, 2) + node(s, 0, (size_t[]){1, 2, 3}, 3);
            if (kind->is_equivalent)
                assert_close(forward, backward, 1e-10);
            score_destroy(s);
        }
        dataset_destroy(data);
    }
}

static void the_order_of_parents_does_not_matter_and_is_asked_once(void **state) {
    dataset *data = make_forty_rows();
    statistics_count tally = {0};
    score *s = make_score("bdeu", 1, SCORE_PRIOR_UNIFORM, data, &tally);
    double with = 0;
    error_info err = {0};
    (void)state;
    assert_true(node(s, 0, (size_t[]){1, 2}, 2) == node(s, 0, (size_t[]){2, 1}, 2));
    assert_ok(score_node_with(s, 0, (size_t[]){2}, 1, 1, &with, &err), &err);
    assert_true(with == node(s, 0, (size_t[]){1, 2}, 2));
    assert_int_equal(tally.requests, 4);
    assert_int_equal(tally.computed, 1);
    score_destroy(s);
    dataset_destroy(data);
}

static void what_a_twin_has_computed_is_counted_and_kept(void **state) {
    dataset *data = make_forty_rows();
    statistics_count tally = {0};
    score *s = make_score("bdeu", 1, SCORE_PRIOR_UNIFORM, data, &tally);
    double told = -5;
    (void)state;
    score_node_told(s, 0, (size_t[]){2}, 1, 1, &told);
    assert_true(told == -5 && node(s, 0, (size_t[]){1, 2}, 2) == -5);
    assert_int_equal(tally.requests, 2);
    assert_int_equal(tally.computed, 1);
    told = -6;
    score_node_told(s, 0, (size_t[]){1}, 1, 2, &told);
    assert_true(told == -5);
    assert_int_equal(tally.requests, 3);
    assert_int_equal(tally.computed, 1);
    score_destroy(s);
    dataset_destroy(data);
}

static void a_score_that_is_to_come_counts_when_it_is_begun(void **state) {
    static const size_t parents[] = {2, 1};
    statistics_count tally = {0};
    dataset *data = make_forty_rows();
    score *s = make_score("bdeu", 1, SCORE_PRIOR_UNIFORM, data, &tally);
    double found = 0, fresh;
    error_info err = {0};
    (void)state;
    assert_ok(score_node_fresh(s, 0, parents, 2, COUNTS_NO_EXTRA, &fresh, &err), &err);
    assert_ok(score_node_begin(s, 0, parents, 2, &found, &err), &err);
    assert_true(isnan(found));
    assert_int_equal(tally.requests, 1);
    assert_int_equal(tally.computed, 1);
    assert_ok(score_count_additions(s, 0, (size_t[]){1}, 1, (size_t[]){2}, 1, &err), &err);
    assert_int_equal(tally.requests, 2);
    assert_int_equal(tally.computed, 1);
    score_node_end(s, 0, parents, 2, -5);
    assert_true(node(s, 0, (size_t[]){1, 2}, 2) == -5);
    assert_ok(score_node_begin(s, 0, parents, 2, &found, &err), &err);
    assert_true(found == -5);
    assert_int_equal(tally.requests, 4);
    assert_int_equal(tally.computed, 1);
    score_node_end(s, 0, parents, 2, -6); /* it was there before */
    assert_true(node(s, 0, parents, 2) == -5);
    score_destroy(s);

    tally = (statistics_count){0};
    s = make_score("bdeu", 1, SCORE_PRIOR_UNIFORM, data, &tally);
    assert_ok(score_node_begin(s, 0, parents, 2, &found, &err), &err);
    assert_true(node(s, 0, parents, 2) == fresh); /* where nobody has brought it, it is computed */
    score_node_end(s, 0, parents, 2, -5);
    assert_true(node(s, 0, parents, 2) == fresh);
    found = -7;
    assert_ok(score_node_begin(s, 1, parents, 1, &found, &err), &err);
    found = -7;
    score_node_told(s, 1, parents, 1, COUNTS_NO_EXTRA, &found);
    assert_true(found == -7 && node(s, 1, parents, 1) == -7);
    assert_int_equal(tally.computed, 2);
    score_destroy(s);
    dataset_destroy(data);
}

/* Rows of additions that were asked for, by number: what they left out. */
typedef struct {
    unsigned left_out[150];
    size_t n;
} told_rows;

static bool was_left_out(void *self, size_t row, size_t column) {
    const told_rows *rows = self;
    return rows->left_out[row] >> column & 1;
}

static size_t list_left_out(void *self, size_t row, size_t *out) {
    const told_rows *rows = self;
    size_t n = 0;
    for (size_t c = 0; rows->left_out[row] >> c; c++) {
        if (rows->left_out[row] >> c & 1)
            out[n++] = c;
    }
    return n;
}

static void ask_for_all_but(score *s, told_rows *rows, size_t x, const size_t *parents, size_t n, const size_t *others,
                            size_t n_others, size_t n_columns) {
    left_out_source source = {rows, was_left_out, list_left_out, true};
    size_t n_known = 0;
    error_info err = {0};
    rows->left_out[rows->n] = 0;
    for (size_t i = 0; i < n_others; i++)
        rows->left_out[rows->n] |= 1u << others[i];
    for (size_t i = 0; i < n; i++) /* the family aside */
        rows->left_out[rows->n] &= ~(1u << parents[i]);
    rows->left_out[rows->n] &= ~(1u << x);
    assert_ok(score_count_additions_recalled(s, x, parents, n, &source, rows->n++, &n_known, &err), &err);
    score_count_recalled(s, n_columns - n_others, n_known);
}

/* Families one by one and a row at a time, in any order: what is computed is what a set of them holds. */
static void a_family_is_computed_once_however_it_is_asked_for(void **state) {
    enum { COLUMNS = 6, SETS = 1 << COLUMNS };
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(41));
    for (int round = 0; round < 200; round++) {
        dataset *data = make_random_dataset(&random, 20, COLUMNS, 3);
        statistics_count tally = {0};
        score *s = make_score("bdeu", 1, SCORE_PRIOR_UNIFORM, data, &tally);
        bool asked[COLUMNS][SETS] = {{false}};
        uint64_t requests = 0, computed = 0;
        told_rows rows = {.n = 0};
        for (int step = 0; step < 150; step++) {
            size_t x = (size_t)random_below(&random, COLUMNS), parents[COLUMNS], extras[COLUMNS], n = 0, n_extras = 0;
            size_t others[COLUMNS], n_others = 0;
            unsigned set = (unsigned)random_below(&random, SETS) & (unsigned)random_below(&random, SETS) & ~(1u << x);
            bool is_row = random_below(&random, 2);
            error_info err = {0};
            for (size_t c = 0; c < COLUMNS; c++) {
                if (set >> c & 1)
                    parents[n++] = c;
                if (!(set >> c & 1) && c != x && is_row && random_below(&random, 3))
                    extras[n_extras++] = c;
                else
                    others[n_others++] = c;
            }
            if (is_row && random_below(&random, 2))
                ask_for_all_but(s, &rows, x, parents, n, others, n_others, COLUMNS);
            else if (is_row && random_below(&random, 2))
                assert_ok(score_count_additions_but(s, x, parents, n, others, n_others, &err), &err);
            else if (is_row)
                assert_ok(score_count_additions(s, x, parents, n, extras, n_extras, &err), &err);
            else
                (void)node(s, x, parents, n);
            for (size_t i = 0; i < (is_row ? n_extras : 1); i++) {
                bool *known = &asked[x][is_row ? set | 1u << extras[i] : set];
                computed += !*known;
                *known = true;
                requests++;
            }
            assert_int_equal(tally.requests, requests);
            assert_int_equal(tally.computed, computed);
        }
        score_destroy(s);
        dataset_destroy(data);
    }
}

enum { WIDE = 400 };

static bool is_later(void *of, size_t row, size_t column) {
    (void)of;
    return column >= row;
}

static size_t list_later(void *of, size_t row, size_t *out) {
    (void)of;
    for (size_t c = row; c < WIDE; c++)
        out[c - row] = c;
    return WIDE - row;
}

/* Of x, all columns before it have been asked for; then some of all columns are, few or many. */
static void ask_after_a_row(score *s, const statistics_count *tally, size_t x, size_t share, bool is_quick) {
    left_out_source source = {NULL, is_later, list_later, is_quick};
    bool asked[WIDE] = {false};
    random_stream random;
    error_info err = {0};
    size_t n_known;
    assert_ok(score_count_additions_recalled(s, x, NULL, 0, &source, x, &n_known, &err), &err);
    score_count_recalled(s, x, n_known);
    memset(asked, true, x);
    random_stream_init(&random, random_key_of(share));
    for (int round = 0; round < 3; round++) {
        size_t columns[WIDE], n = 0;
        uint64_t expected = tally->computed;
        for (size_t c = 0; c < WIDE; c++) {
            if (c == x || random_below(&random, share) > 0)
                continue;
            columns[n++] = c;
            expected += !asked[c];
            asked[c] = true;
        }
        assert_ok(score_count_additions(s, x, NULL, 0, columns, n, &err), &err);
        assert_int_equal(tally->computed, expected);
    }
}

static void what_a_row_told_is_computed_once_however_many_columns_follow(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(43));
    for (int quick = 0; quick < 2; quick++) {
        dataset *data = make_random_dataset(&random, 20, WIDE, 3);
        statistics_count tally = {0};
        score *s = make_score("bdeu", 1, SCORE_PRIOR_UNIFORM, data, &tally);
        for (size_t share = 1; share <= 32; share *= 2)
            ask_after_a_row(s, &tally, 300 + share, share, quick == 1);
        score_destroy(s);
        dataset_destroy(data);
    }
}

static void a_family_past_the_bound_scores_minus_infinity(void **state) {
    static const size_t n_states[] = {12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12};
    static const int cells[20] = {0};
    dataset *data = make_dataset(1, 20, n_states, cells);
    score *s = make_score("bdeu", 1, SCORE_PRIOR_UNIFORM, data, NULL);
    size_t parents[19];
    (void)state;
    for (size_t i = 0; i < 19; i++)
        parents[i] = i + 1;
    assert_true(isinf(node(s, 0, parents, 19)));
    assert_true(isfinite(node(s, 0, parents, 15))); /* 12^16 < 2^62 */
    score_destroy(s);
    dataset_destroy(data);
}

static void an_unknown_score_is_answered_with_a_suggestion(void **state) {
    const score_kind *kind = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(score_kind_find("bedu", &kind, &err), STATUS_INVALID);
    assert_message_has(&err, "did you mean 'bdeu'?");
    assert_int_equal(score_kind_find("entropy of it all", &kind, &err), STATUS_INVALID);
    for (size_t i = 0; i < score_registry.n; i++)
        assert_message_has(&err, score_kind_at(i)->name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example_is_met),
        cmocka_unit_test(the_kappa_prior_costs_log_of_ess_plus_one_an_arc),
        cmocka_unit_test(the_binomial_prior_is_that_of_parents_drawn_independently),
        cmocka_unit_test(a_binomial_prior_without_a_probability_is_refused),
        cmocka_unit_test(the_prior_of_parameters_is_a_power_of_their_number),
        cmocka_unit_test(equivalent_graphs_keep_equal_scores_under_the_priors),
        cmocka_unit_test(bounds_hold_under_every_structure_prior),
        cmocka_unit_test(a_tiny_equivalent_sample_size_loses_no_digits),
        cmocka_unit_test(a_large_equivalent_sample_size_loses_no_digits),
        cmocka_unit_test(bdeu_of_one_column_is_a_sum_of_small_logs),
        cmocka_unit_test(bdeu_is_its_definition_on_random_data),
        cmocka_unit_test(states_that_do_not_occur_count_all_the_same),
        cmocka_unit_test(bounds_lie_above_the_scores_that_they_stand_for),
        cmocka_unit_test(reversing_a_covered_arc_keeps_equivalent_scores),
        cmocka_unit_test(the_order_of_parents_does_not_matter_and_is_asked_once),
        cmocka_unit_test(what_a_twin_has_computed_is_counted_and_kept),
        cmocka_unit_test(a_score_that_is_to_come_counts_when_it_is_begun),
        cmocka_unit_test(a_family_is_computed_once_however_it_is_asked_for),
        cmocka_unit_test(what_a_row_told_is_computed_once_however_many_columns_follow),
        cmocka_unit_test(a_family_past_the_bound_scores_minus_infinity),
        cmocka_unit_test(an_unknown_score_is_answered_with_a_suggestion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
