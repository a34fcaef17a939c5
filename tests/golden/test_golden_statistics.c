/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank tests, adjustments, quantiles and tails against the reference values. */
#include "tests/metrics/rank_support.h"
#include "tests/support/csv_support.h"

#include "metrics/tests/ci_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

static double tail_of(const char *dist, double x, double df1, double df2) {
    if (strcmp(dist, "chisq") == 0)
        return chi_square_log_tail(x, df1);
    if (strcmp(dist, "f") == 0)
        return f_log_tail(x, df1, df2);
    return strcmp(dist, "t") == 0 ? t_log_tail(x, df1) : normal_log_tail(x);
}

static void log_tails_agree_with_high_precision(void **state) {
    csv_table *t = read_table(golden_path("stats/tails.csv"));
    (void)state;
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

/* The reference values: inputs and the rows that are computed of them. */
typedef struct {
    json_t *inputs;
    csv_table *rows;
} goldens;

static goldens open_goldens(void) {
    goldens g = {.rows = read_table(golden_path("stats/stats.csv"))};
    g.inputs = json_load_file(golden_path("stats/inputs.json"), 0, NULL);
    assert_non_null(g.inputs);
    return g;
}

static void close_goldens(goldens *g) {
    json_decref(g->inputs);
    csv_table_destroy(g->rows);
}

static size_t numbers_of(const json_t *array, double *out) {
    size_t n = json_array_size(array);
    assert_that(n, >, 0);
    assert_that(n, <=, MOST);
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
    goldens g = open_goldens();
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_tails_agree_with_high_precision),
        cmocka_unit_test(every_reference_value_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
