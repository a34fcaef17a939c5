/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "metrics/statistics/rank_statistics.h"
#include "metrics/tests/ci_test.h"
#include "store/csv_table.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1024 };

static random_stream stream_of(uint64_t seed) {
    random_stream stream;
    random_stream_init(&stream, random_key_of(seed));
    return stream;
}

static wilcoxon_result test_pairs(const double *x, const double *y, size_t n, wilcoxon_options options) {
    wilcoxon_result r = {0};
    error_info err = {0};
    assert_ok(wilcoxon_signed_rank(x, y, n, &options, &r, &err), &err);
    return r;
}

static double p_of(const double *d, size_t n, wilcoxon_side side, wilcoxon_method method) {
    return test_pairs(d, NULL, n, (wilcoxon_options){.side = side, .method = method}).p_value;
}

static void the_worked_example_of_seven_differences_is_exact(void **state) {
    static const double d[] = {1.1, -.3, 2, .7, .4, -.2, 1.5};
    wilcoxon_result r = test_pairs(d, NULL, 7, (wilcoxon_options){.side = WILCOXON_GREATER});
    (void)state;
    assert_true(r.w_plus == 25 && r.w_minus == 3 && r.n == 7 && r.n_zero == 0);
    assert_int_equal(r.method, WILCOXON_EXACT);
    assert_close(r.p_value, .0390625, 1e-15);
    assert_close(p_of(d, 7, WILCOXON_TWO_SIDED, WILCOXON_AUTO), .078125, 1e-15);
}

static void the_worked_example_with_ties_and_a_zero_is_approximated(void **state) {
    static const double d[] = {1, 1, -1, 2, 0, 3, -2, 4, 0, 5};
    wilcoxon_result r = test_pairs(d, NULL, 10, (wilcoxon_options){.side = WILCOXON_GREATER});
    (void)state;
    assert_true(r.w_plus == 29.5 && r.n == 8 && r.n_zero == 2 && r.has_ties);
    assert_int_equal(r.method, WILCOXON_NORMAL);
    assert_close(r.z, 1.549834, 1e-6);
    assert_close(r.p_value, .060591, 1e-5);
}

/* Every way to give n ranks a sign. */
static double tail_by_enumeration(const double *ranks, size_t n, double w) {
    size_t n_there = 0;
    for (size_t signs = 0; signs < (size_t)1 << n; signs++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += signs >> i & 1 ? ranks[i] : 0;
        n_there += sum >= w;
    }
    return (double)n_there / (double)((size_t)1 << n);
}

static void exact_p_values_are_those_of_every_sign_pattern_ties_or_not(void **state) {
    random_stream random = stream_of(11);
    (void)state;
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + random_below(&random, 10), n_left = 0;
        double d[10], sizes[10], ranks[10], w = 0;
        for (size_t i = 0; i < n; i++)
            d[i] = (double)random_below(&random, 13) - 6; /* ties and zeros */
        for (size_t i = 0; i < n; i++) {
            if (d[i] != 0)
                sizes[n_left++] = fabs(d[i]);
        }
        assert_ok(rank_values(sizes, n_left, &(rank_rule){0}, ranks, NULL, NULL), &(error_info){0});
        for (size_t i = 0, k = 0; i < n; i++) {
            w += d[i] > 0 ? ranks[k] : 0;
            k += d[i] != 0;
        }
        assert_close(p_of(d, n, WILCOXON_GREATER, WILCOXON_EXACT), tail_by_enumeration(ranks, n_left, w), 1e-14);
    }
}

static void exchanging_x_and_y_exchanges_the_sides(void **state) {
    random_stream random = stream_of(12);
    (void)state;
    for (int round = 0; round < 200; round++) {
        size_t n = 2 + random_below(&random, 70);
        double x[MOST], y[MOST];
        wilcoxon_options options = {.zeros = (wilcoxon_zeros)(round % 2)};
        for (size_t i = 0; i < n; i++) {
            x[i] = (double)random_below(&random, 40) / 8;
            y[i] = (double)random_below(&random, 40) / 8;
        }
        options.side = WILCOXON_GREATER;
        double there = test_pairs(x, y, n, options).p_value, twice;
        options.side = WILCOXON_LESS;
        double back = test_pairs(y, x, n, options).p_value, other = test_pairs(x, y, n, options).p_value;
        options.side = WILCOXON_TWO_SIDED;
        twice = test_pairs(x, y, n, options).p_value;
        assert_close(there, back, 1e-14);
        assert_close(twice, fmin(1, 2 * fmin(there, other)), 1e-12);
    }
}

/* The zeros take the lowest ranks with them: d = (0, 0, 1, -2, 3, 4, 5): ranks 3 .. 7, W+ = 3 + 5 + 6 + 7. */
static void pratt_ranks_the_zeros_and_drops_their_ranks(void **state) {
    static const double d[] = {0, 0, 1, -2, 3, 4, 5};
    wilcoxon_result r = test_pairs(d, NULL, 7, (wilcoxon_options){.side = WILCOXON_GREATER, .zeros = WILCOXON_PRATT});
    double variance = (7. * 8 * 15 - 2. * 3 * 5) / 24; /* the sum of the squared ranks 3 .. 7 over 4 */
    (void)state;
    assert_true(r.w_plus == 21 && r.w_minus == 4 && r.n == 5);
    assert_close(variance, (9 + 16 + 25 + 36 + 49) / 4., 1e-14);
    assert_close(r.z, (21 - 12.5 - .5) / sqrt(variance), 1e-14);
}

static void differences_that_are_rounding_are_none(void **state) {
    const double x[] = {0.1 + 0.2, -13000.3, 5}, y[] = {0.3, -13000.3 * (1 + 4e-16), 4};
    wilcoxon_result r = test_pairs(x, y, 3, (wilcoxon_options){0});
    (void)state;
    assert_true(r.n == 1 && r.n_zero == 2 && r.w_plus == 1);
}

static void no_difference_at_all_is_p_one(void **state) {
    static const double x[] = {1, 2, 3};
    (void)state;
    for (int method = 0; method < 3; method++) {
        wilcoxon_result r = test_pairs(x, x, 3, (wilcoxon_options){.method = (wilcoxon_method)method});
        assert_true(r.p_value == 1 && r.log_p == 0 && r.n == 0);
        assert_true(test_pairs(x, x, 0, (wilcoxon_options){.method = (wilcoxon_method)method}).p_value == 1);
    }
}

static void what_is_no_number_is_refused(void **state) {
    static const double x[] = {1, 2, NAN}, y[] = {0, 0, 0};
    double many[WILCOXON_MOST_EXACT + 1];
    wilcoxon_result r;
    error_info err = {0};
    (void)state;
    assert_int_equal(wilcoxon_signed_rank(x, y, 3, &(wilcoxon_options){0}, &r, &err), STATUS_INVALID);
    assert_message_has(&err, "pair 3");
    for (size_t i = 0; i <= WILCOXON_MOST_EXACT; i++)
        many[i] = (double)i + 1;
    assert_int_equal(wilcoxon_signed_rank(many, NULL, WILCOXON_MOST_EXACT + 1,
                                          &(wilcoxon_options){.method = WILCOXON_EXACT}, &r, &err),
                     STATUS_INVALID);
    assert_message_has(&err, "at most 1000");
}

/* All positive: p = 2^-n, exactly, down to 1e-301. */
static void the_smallest_exact_p_keeps_its_digits(void **state) {
    double d[WILCOXON_MOST_EXACT];
    (void)state;
    for (size_t i = 0; i < WILCOXON_MOST_EXACT; i++)
        d[i] = (double)i + 1;
    assert_true(p_of(d, 400, WILCOXON_GREATER, WILCOXON_EXACT) == ldexp(1, -400));
    assert_true(p_of(d, WILCOXON_MOST_EXACT, WILCOXON_GREATER, WILCOXON_EXACT) == ldexp(1, -WILCOXON_MOST_EXACT));
}

static void verdicts_read_from_the_first_of_the_pair(void **state) {
    (void)state;
    assert_int_equal(wilcoxon_verdict(.01, .99, .05), '+');
    assert_int_equal(wilcoxon_verdict(.99, .05, .05), '-');
    assert_int_equal(wilcoxon_verdict(.4, .6, .05), '~');
    assert_int_equal(wilcoxon_verdict_reversed('+'), '-');
    assert_int_equal(wilcoxon_verdict_reversed('~'), '~');
}

static const double five_rows[] = {1, 2, 3, 1, 3, 2, 1, 2, 3, 2, 1, 3, 1, 2.5, 2.5};

static void the_worked_example_of_friedman(void **state) {
    double ranks[3], z[3], p[3], adjusted[2];
    friedman_result r;
    error_info err = {0};
    (void)state;
    assert_ok(friedman_test(five_rows, 5, 3, &(rank_rule){0}, ranks, &r, &err), &err);
    assert_true(fabs(ranks[0] - 1.2) < 1e-15 && fabs(ranks[1] - 2.1) < 1e-15 && fabs(ranks[2] - 2.7) < 1e-15);
    assert_close(r.chi2_uncorrected, 5.7, 1e-14);
    assert_close(r.chi2, 6.0, 1e-14);
    assert_close(r.p_value, .049787, 1e-6);
    assert_close(r.F, 4 * 6.0 / (5 * 2 - 6.0), 1e-14);
    friedman_against(ranks, 5, 3, friedman_best(ranks, 3), z, p);
    assert_close(z[1], 1.423025, 1e-6);
    assert_close(z[2], 2.371708, 1e-6);
    assert_close(p[1], .154729, 1e-6);
    assert_close(p[2], .017706, 1e-6);
    assert_ok(p_adjust(ADJUST_HOLM, p + 1, 2, 0, adjusted, &err), &err);
    assert_true(adjusted[1] <= .05 && adjusted[0] > .05);
    assert_ok(friedman_from_mean_ranks(ranks, 5, 3, 0, &r, &err), &err); /* the uncorrected one, as papers have it */
    assert_close(r.chi2, 5.7, 1e-14);
    assert_close(r.p_value, .057844, 1e-5);
    assert_close(r.F, 5.302326, 1e-6);
    assert_close(r.F_p_value, .034188, 1e-5);
}

static void ranks_do_not_depend_on_the_sense_or_the_scale(void **state) {
    random_stream random = stream_of(13);
    (void)state;
    for (int round = 0; round < 100; round++) {
        double values[60], turned[60], a[5], b[5];
        friedman_result ra, rb;
        error_info err = {0};
        for (size_t i = 0; i < 60; i++) {
            values[i] = (double)random_below(&random, 9);
            turned[i] = 100 - 3 * values[i];
        }
        assert_ok(friedman_test(values, 12, 5, &(rank_rule){0}, a, &ra, &err), &err);
        assert_ok(friedman_test(turned, 12, 5, &(rank_rule){.more_is_better = true}, b, &rb, &err), &err);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(&ra, &rb, sizeof ra);
        assert_close(a[0] + a[1] + a[2] + a[3] + a[4], 15, 1e-14);
    }
}

static void failures_rank_behind_everything_and_tie(void **state) {
    static const double values[] = {NAN, 3, 1e300, NAN, -5}, expected[] = {4.5, 2, 3, 4.5, 1};
    double ranks[5], ties;
    error_info err = {0};
    (void)state;
    assert_ok(rank_values(values, 5, &(rank_rule){0}, ranks, &ties, &err), &err);
    assert_memory_equal(ranks, expected, sizeof ranks);
    assert_true(ties == 6);
    assert_ok(rank_values(values, 5, &(rank_rule){.more_is_better = true}, ranks, &ties, &err), &err);
    assert_true(ranks[2] == 1 && ranks[1] == 2 && ranks[4] == 3 && ranks[0] == 4.5);
}

static void scores_that_differ_by_rounding_tie(void **state) {
    static const double values[] = {-13000.1, -13000.1 * (1 + 1e-13), -13000.2};
    double ranks[3];
    error_info err = {0};
    (void)state;
    assert_ok(rank_values(values, 3, &(rank_rule){true, RANK_TIE}, ranks, NULL, &err), &err);
    assert_true(ranks[0] == 1.5 && ranks[1] == 1.5 && ranks[2] == 3);
}

static void extreme_friedman_tables_have_answers(void **state) {
    static const double alike[] = {1, 1, 1, 2, 2, 2}, agree[] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
    double ranks[3];
    friedman_result r;
    error_info err = {0};
    (void)state;
    assert_ok(friedman_test(alike, 2, 3, &(rank_rule){0}, ranks, &r, &err), &err);
    assert_true(r.chi2 == 0 && r.p_value == 1 && r.F == 0 && r.F_p_value == 1);
    assert_ok(friedman_test(agree, 3, 3, &(rank_rule){0}, ranks, &r, &err), &err);
    assert_true(fabs(r.chi2 - 6) < 1e-12 && isinf(r.F) && r.F_p_value == 0);
    assert_ok(friedman_test(agree, 1, 3, &(rank_rule){0}, ranks, &r, &err), &err);
    assert_true(isnan(r.F) && fabs(r.chi2 - 2) < 1e-12);
    assert_int_equal(friedman_test(agree, 0, 3, &(rank_rule){0}, ranks, &r, &err), STATUS_INVALID);
    assert_int_equal(friedman_test(agree, 3, 1, &(rank_rule){0}, ranks, &r, &err), STATUS_INVALID);
}

static void the_worked_example_of_holm(void **state) {
    static const double p[] = {.01, .04, .03, .005}, expected[] = {.03, .06, .06, .02};
    double adjusted[4];
    error_info err = {0};
    (void)state;
    assert_ok(p_adjust(ADJUST_HOLM, p, 4, 0, adjusted, &err), &err);
    for (size_t i = 0; i < 4; i++)
        assert_close(adjusted[i], expected[i], 1e-14);
}

static void tests_that_were_not_run_count_in_the_family(void **state) {
    static const double p[] = {.01, .04}, padded[] = {.01, .04, 1, 1, 1};
    double few[2], all[5];
    error_info err = {0};
    (void)state;
    for (int kind = 0; kind < P_ADJUSTMENT_COUNT; kind++) {
        assert_ok(p_adjust((p_adjustment)kind, p, 2, 5, few, &err), &err);
        assert_ok(p_adjust((p_adjustment)kind, padded, 5, 0, all, &err), &err);
        assert_memory_equal(few, all, sizeof few);
    }
    assert_int_equal(p_adjust(ADJUST_HOLM, padded, 5, 2, all, &err), STATUS_INVALID);
    assert_int_equal(p_adjust(ADJUST_HOLM, (const double[]){.1, NAN}, 2, 0, all, &err), STATUS_INVALID);
    assert_message_has(&err, "p-value 2");
}

/* Demsar 2006, table 5 a: q_alpha of Nemenyi's test for 2 to 10 treatments. */
static void critical_values_are_those_of_demsar(void **state) {
    static const double at_05[] = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164},
                        at_10[] = {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
    (void)state;
    for (size_t k = 2; k <= 10; k++) {
        assert_true(fabs(studentized_range_quantile(.05, k) * M_SQRT1_2 - at_05[k - 2]) <
                    1e-3); /* the table cuts some of them */
        assert_true(fabs(studentized_range_quantile(.10, k) * M_SQRT1_2 - at_10[k - 2]) <
                    1e-3); /* the table cuts some of them */
    }
    /* four classifiers on 14 data sets there: CD = 1.25 */
    assert_true(fabs(nemenyi_critical_difference(.05, 14, 4) - 1.25) < .005);
}

static void the_range_of_two_is_their_difference(void **state) {
    (void)state;
    for (int i = 0; i < 13; i++) {
        double q = .25 * pow(1.5, i);
        assert_close(log(studentized_range_tail(q, 2)), M_LN2 + normal_log_tail(q * M_SQRT1_2), 1e-11);
    }
    assert_true(studentized_range_tail(0, 5) == 1);
    assert_close(studentized_range_tail(1e-3, 200), 1, 1e-12);
    assert_close(nemenyi_p_value(2.5, 10, 2), erfc(2.5 / sqrt(2 * 3 / 60.) * M_SQRT1_2), 1e-11);
}

static void groups_within_the_critical_difference_are_the_largest(void **state) {
    static const double ranks[] = {1, 1.8, 2.2, 3.5, 4.1, 6};
    rank_group groups[6];
    (void)state;
    assert_int_equal(nemenyi_groups(ranks, 6, 1.3, groups), 3);
    assert_true(groups[0].first == 0 && groups[0].last == 2);
    assert_true(groups[1].first == 2 && groups[1].last == 3);
    assert_true(groups[2].first == 3 && groups[2].last == 4);
    assert_int_equal(nemenyi_groups(ranks, 6, .1, groups), 0);
    assert_int_equal(nemenyi_groups(ranks, 6, 5, groups), 1);
}

static csv_table *read_table(const char *path) {
    csv_table *t = NULL;
    char *text = NULL;
    size_t length;
    error_info err = {0};
    assert_ok(file_read(path, FILE_READ_MOST, &text, &length, &err), &err);
    assert_ok(csv_table_parse(text, length, &t, &err), &err);
    free(text);
    return t;
}

static const char *field_of(const csv_table *t, size_t row, const char *name) {
    size_t column = csv_table_column(t, name);
    assert_int_not_equal(column, CSV_NO_COLUMN);
    return csv_table_field(t, row, column);
}

static double number_of(const csv_table *t, size_t row, const char *name) {
    return strtod(field_of(t, row, name), NULL);
}

static double tail_of(const char *dist, double x, double df1, double df2) {
    if (strcmp(dist, "chisq") == 0)
        return chi_square_log_tail(x, df1);
    if (strcmp(dist, "f") == 0)
        return f_log_tail(x, df1, df2);
    return strcmp(dist, "t") == 0 ? t_log_tail(x, df1) : normal_log_tail(x);
}

static void log_tails_agree_with_high_precision(void **state) {
    const char *path = shared_path("golden/stats/tails.csv");
    csv_table *t;
    (void)state;
    if (!path)
        skip();
    t = read_table(path);
    assert_true(csv_table_row_count(t) > 200);
    for (size_t i = 0; i < csv_table_row_count(t); i++) {
        const char *dist = field_of(t, i, "dist");
        double x = number_of(t, i, "x"), df1 = number_of(t, i, "df1"), df2 = number_of(t, i, "df2");
        double expected = number_of(t, i, "ref_mp"), found = tail_of(dist, x, df1, df2);
        /* a log of -1e-20 is the tail 1 to every digit that it has */
        if (!(fabs(found - expected) <= 1e-10 * fmax(fabs(expected), 1e-14)))
            fail_msg("%s at %g (%g, %g): %.17g, expected %.17g", dist, x, df1, df2, found, expected);
    }
    csv_table_destroy(t);
}

static void log_gamma_agrees_with_high_precision(void **state) {
    const char *path = shared_path("golden/stats/lgamma.csv");
    csv_table *t;
    (void)state;
    if (!path)
        skip();
    t = read_table(path);
    for (size_t i = 0; i < csv_table_row_count(t); i++) {
        int sign;
        double expected = number_of(t, i, "ref_mp");
        assert_true(fabs(lgamma_r(number_of(t, i, "x"), &sign) - expected) <= 1e-14 * fmax(fabs(expected), 1e-2));
    }
    csv_table_destroy(t);
}

/* The reference values: inputs and the rows that are computed of them. */
typedef struct {
    json_t *inputs;
    csv_table *rows;
} goldens;

static bool open_goldens(goldens *g) {
    const char *inputs = shared_path("golden/stats/inputs.json");
    char path[512];
    if (!inputs)
        return false;
    (void)snprintf(path, sizeof path, "%s", inputs);
    g->inputs = json_load_file(path, 0, NULL);
    assert_non_null(g->inputs);
    g->rows = read_table(shared_path("golden/stats/stats.csv"));
    return true;
}

static void close_goldens(goldens *g) {
    json_decref(g->inputs);
    csv_table_destroy(g->rows);
}

static size_t numbers_of(const json_t *array, double *out) {
    size_t n = json_array_size(array);
    assert_true(n > 0 && n <= MOST);
    for (size_t i = 0; i < n; i++)
        out[i] = json_number_value(json_array_get(array, i));
    return n;
}

static bool says(const char *args, const char *words) {
    return strstr(args, words) != NULL;
}

static double setting(const char *args, const char *key) {
    const char *at = strstr(args, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

static wilcoxon_options options_of(const char *args, const double *d, size_t n) {
    wilcoxon_options o = {.no_correction = says(args, "correct=FALSE")};
    wilcoxon_result r = test_pairs(d, NULL, n, o);
    o.side = says(args, "=greater") ? WILCOXON_GREATER : says(args, "=less") ? WILCOXON_LESS : WILCOXON_TWO_SIDED;
    /* the reference refuses the exact distribution with ties or zeros, whatever was asked for */
    o.method = says(args, "exact=TRUE") && !r.has_ties && !r.n_zero ? WILCOXON_EXACT : WILCOXON_NORMAL;
    return o;
}

static double wilcoxon_golden(const goldens *g, const char *name, const char *args, const char *output) {
    const json_t *c = json_object_get(json_object_get(g->inputs, "wilcoxon"), name);
    double x[MOST], y[MOST], d[MOST];
    size_t n = numbers_of(json_object_get(c, "x"), x);
    wilcoxon_result r;
    (void)numbers_of(json_object_get(c, "y"), y);
    for (size_t i = 0; i < n; i++)
        d[i] = x[i] - y[i];
    r = test_pairs(x, y, n, options_of(args, d, n));
    assert_close(exp(r.log_p), r.p_value, 1e-12);
    return strcmp(output, "V") == 0            ? r.w_plus
           : strcmp(output, "exact_used") == 0 ? (double)(r.method == WILCOXON_EXACT)
                                               : r.p_value;
}

static double friedman_golden(const goldens *g, const char *name, const char *args, const char *output) {
    const json_t *rows = json_object_get(json_object_get(g->inputs, "friedman"), name);
    double values[MOST], ranks[MOST];
    size_t n = json_array_size(rows), k = 0;
    friedman_result r;
    error_info err = {0};
    for (size_t i = 0; i < n; i++)
        k = numbers_of(json_array_get(rows, i), values + i * k);
    assert_ok(friedman_test(values, n, k, &(rank_rule){0}, ranks, &r, &err), &err);
    if (strcmp(output, "mean_rank") == 0)
        return ranks[(size_t)setting(args, "col=") - 1];
    if (says(args, "rows=blocks"))
        return strcmp(output, "chi2") == 0 ? r.chi2 : strcmp(output, "df") == 0 ? r.df : r.p_value;
    return strcmp(output, "F") == 0     ? r.F
           : strcmp(output, "df1") == 0 ? r.df1
           : strcmp(output, "df2") == 0 ? r.df2
                                        : r.F_p_value;
}

static double adjust_golden(const goldens *g, const char *name, const char *args) {
    static const char *const theirs[] = {"holm", "bonferroni", "BH", "hochberg", "BY"};
    double p[MOST], adjusted[MOST];
    size_t n = numbers_of(json_object_get(json_object_get(g->inputs, "p_adjust"), name), p);
    error_info err = {0};
    for (int kind = 0; kind < 5; kind++) {
        char words[32];
        (void)snprintf(words, sizeof words, "method=%s;", theirs[kind]);
        if (says(args, words)) {
            assert_ok(p_adjust((p_adjustment)kind, p, n, 0, adjusted, &err), &err);
            return adjusted[(size_t)setting(args, "index=") - 1];
        }
    }
    fail_msg("unknown adjustment '%s'", args);
    return NAN;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double vector_golden(const goldens *g, const char *name, const char *fun, const char *args) {
    double values[MOST], ranks[MOST], sum = 0, squares = 0;
    size_t n = numbers_of(json_object_get(json_object_get(g->inputs, "vectors"), name), values);
    error_info err = {0};
    if (strcmp(fun, "rank.average") == 0) {
        assert_ok(rank_values(values, n, &(rank_rule){0}, ranks, NULL, &err), &err);
        return ranks[(size_t)setting(args, "index=") - 1];
    }
    qsort(values, n, sizeof *values, compare_doubles);
    if (strcmp(fun, "quantile") == 0)
        return quantile(values, n, setting(args, "prob="), (int)setting(args, "type="));
    if (strcmp(fun, "median") == 0)
        return quantile(values, n, 0.5, QUANTILE_LINEAR);
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - sum / (double)n) * (values[i] - sum / (double)n);
    return strcmp(fun, "mean") == 0 ? sum / (double)n : sqrt(squares / (double)(n - 1));
}

static double golden_value(const goldens *g, size_t row) {
    const char *name = field_of(g->rows, row, "case"), *fun = field_of(g->rows, row, "fun"),
               *args = field_of(g->rows, row, "args"), *output = field_of(g->rows, row, "output");
    if (strcmp(fun, "wilcox.test.paired") == 0)
        return wilcoxon_golden(g, name, args, output);
    if (strcmp(fun, "p.adjust") == 0)
        return adjust_golden(g, name, args);
    if (strcmp(fun, "friedman.test") == 0 || strcmp(fun, "iman.davenport") == 0 ||
        strcmp(fun, "mean.rank.ascending") == 0)
        return friedman_golden(g, name, args, output);
    return vector_golden(g, name, fun, args);
}

static double expected_value(const char *text) {
    return strcmp(text, "TRUE") == 0 ? 1 : strcmp(text, "FALSE") == 0 ? 0 : strtod(text, NULL);
}

static void every_reference_value_agrees(void **state) {
    goldens g;
    (void)state;
    if (!open_goldens(&g))
        skip();
    assert_true(csv_table_row_count(g.rows) > 1500);
    for (size_t i = 0; i < csv_table_row_count(g.rows); i++) {
        double expected = expected_value(field_of(g.rows, i, "value")), found = golden_value(&g, i);
        bool is_alike = found == expected || fabs(found - expected) <= 1e-9 * fabs(expected);
        if (!is_alike)
            fail_msg("%s %s %s %s: %.17g, expected %.17g", field_of(g.rows, i, "case"), field_of(g.rows, i, "fun"),
                     field_of(g.rows, i, "args"), field_of(g.rows, i, "output"), found, expected);
    }
    close_goldens(&g);
}

/* One column of a published table of mean ranks. */
typedef struct {
    size_t n;
    double ranks[6];
    bool is_marked[6], is_best[6];
} rank_column;

static rank_column read_rank_column(const csv_table *t, const char *samples) {
    rank_column c = {0};
    for (size_t i = 0; i < csv_table_row_count(t); i++) {
        if (strcmp(field_of(t, i, "sample_size"), samples) != 0)
            continue;
        assert_true(c.n < 6);
        c.ranks[c.n] = number_of(t, i, "value");
        c.is_marked[c.n] = strcmp(field_of(t, i, "not_worse_than_best"), "yes") == 0;
        c.is_best[c.n++] = strcmp(field_of(t, i, "is_best_in_column"), "yes") == 0;
    }
    assert_int_equal(c.n, 6);
    return c;
}

static void check_rank_column(const rank_column *c, double chi2) {
    size_t best = friedman_best(c->ranks, 6), n = 0;
    double z[6], p[6], others[5], adjusted[5];
    friedman_result r;
    error_info err = {0};
    assert_true(c->is_best[best]);
    assert_ok(friedman_from_mean_ranks(c->ranks, 16, 6, 0, &r, &err), &err);
    assert_true(fabs(r.chi2 - chi2) < 0.06);
    assert_true(r.p_value < 0.05);
    friedman_against(c->ranks, 16, 6, best, z, p);
    for (size_t i = 0; i < 6; i++) {
        if (i != best)
            others[n++] = p[i];
    }
    assert_ok(p_adjust(ADJUST_HOLM, others, 5, 0, adjusted, &err), &err);
    n = 0;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(c->is_marked[i], i != best && adjusted[n++] > 0.05);
}

/* Gamez, Mateo, Puerta 2012: sixteen networks, six algorithms, Holm at 0.05 against the best. */
static void the_marks_of_the_published_rank_tables_follow_from_their_ranks(void **state) {
    static const char *const files[] = {"loglik", "shd", "statistics", "combined"}, *const sizes[] = {"500", "1000",
                                                                                                      "5000"};
    static const double chi2[4][3] = {{61.2, 58.9, 43.8}, {13.5, 14.8, 22.4}, {61.3, 59.1, 73.9}, {59.5, 58.6, 74.0}};
    (void)state;
    for (size_t f = 0; f < 4; f++) {
        char name[96];
        csv_table *t;
        (void)snprintf(name, sizeof name, "gamez2013_rank_%s.csv", files[f]);
        t = read_table(published_source(name));
        for (size_t s = 0; s < 3; s++) {
            rank_column c = read_rank_column(t, sizes[s]);
            check_rank_column(&c, chi2[f][s]);
        }
        csv_table_destroy(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example_of_seven_differences_is_exact),
        cmocka_unit_test(the_worked_example_with_ties_and_a_zero_is_approximated),
        cmocka_unit_test(exact_p_values_are_those_of_every_sign_pattern_ties_or_not),
        cmocka_unit_test(exchanging_x_and_y_exchanges_the_sides),
        cmocka_unit_test(pratt_ranks_the_zeros_and_drops_their_ranks),
        cmocka_unit_test(differences_that_are_rounding_are_none),
        cmocka_unit_test(no_difference_at_all_is_p_one),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(the_smallest_exact_p_keeps_its_digits),
        cmocka_unit_test(verdicts_read_from_the_first_of_the_pair),
        cmocka_unit_test(the_worked_example_of_friedman),
        cmocka_unit_test(ranks_do_not_depend_on_the_sense_or_the_scale),
        cmocka_unit_test(failures_rank_behind_everything_and_tie),
        cmocka_unit_test(scores_that_differ_by_rounding_tie),
        cmocka_unit_test(extreme_friedman_tables_have_answers),
        cmocka_unit_test(the_worked_example_of_holm),
        cmocka_unit_test(tests_that_were_not_run_count_in_the_family),
        cmocka_unit_test(critical_values_are_those_of_demsar),
        cmocka_unit_test(the_range_of_two_is_their_difference),
        cmocka_unit_test(groups_within_the_critical_difference_are_the_largest),
        cmocka_unit_test(log_tails_agree_with_high_precision),
        cmocka_unit_test(log_gamma_agrees_with_high_precision),
        cmocka_unit_test(every_reference_value_agrees),
        cmocka_unit_test(the_marks_of_the_published_rank_tables_follow_from_their_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
