/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/registry.h"
#include "tests/support/gaussian_support.h"

#include "core/base/file.h"
#include "core/graph/equivalence.h"
#include "core/run/run_context.h"
#include "learners/base/learner.h"
#include "learners/greedy/greedy_search.h"
#include "metrics/scores/gaussian_score.h"
#include "store/csv_table.h"

static score *make_score(const char *name, const char *option, const dataset *data, statistics_count *tally) {
    const score_kind *kind = NULL;
    double options[8];
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_kind_find(name, &kind, &err), &err);
    options_set_initial(kind->options, options);
    if (option)
        assert_ok(options_set_pair(kind->options, options, option, &err), &err);
    assert_ok(score_create(kind, options, data, tally, &s, &err), &err);
    return s;
}

static double node(score *s, size_t x, const size_t *parents, size_t n) {
    double value = (double)NAN;
    error_info err = {0};
    assert_ok(score_node(s, x, parents, n, &value, &err), &err);
    return value;
}

/* Columns x, y, z of specs/scores, section 6. */
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

/* ---------------------------------------------------------------- the definitions, from the rows */

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

/* ---------------------------------------------------------------- properties */

static const char *const gaussian_kinds[] = {"loglik-g", "aic-g", "bic-g", "bge"};

enum { N_GAUSSIAN = sizeof gaussian_kinds / sizeof *gaussian_kinds };

static double total(score *s, const dag *g) {
    double value;
    error_info err = {0};
    assert_ok(score_dag(s, g, &value, NULL, &err), &err);
    return value;
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
        assert_int_equal(tally.computed, 2);
        assert_ok(score_ceiling_with(s, 3, (size_t[]){5, 0}, 2, 0, &value, &err), &err);
        assert_true(value == INFINITY);
        assert_ok(score_node_above(s, 3, (size_t[]){5, 0}, 2, 2, INFINITY, &value, &is_exact, &err), &err);
        assert_true(is_exact && value == expected);
        assert_int_equal(tally.requests, 5);
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

/* ---------------------------------------------------------------- goldens */

static const char *const networks[] = {"ecoli70", "magic-niab"};

static csv_table *read_golden(const char *network, const char *file) {
    char name[256];
    csv_table *t = NULL;
    char *text = NULL;
    size_t length;
    error_info err = {0};
    (void)snprintf(name, sizeof name, "golden/continuous/%s/%s", network, file);
    assert_ok(file_read(shared_path(name), FILE_READ_MOST, &text, &length, &err), &err);
    assert_ok(csv_table_parse(text, length, &t, &err), &err);
    free(text);
    return t;
}

static const char *field(const csv_table *t, size_t row, const char *name) {
    return csv_table_field(t, row, csv_table_column(t, name));
}

static dag *read_golden_graph(const char *network, const char *file, const dataset *data) {
    char name[256];
    const char *names[128];
    named_graph g = {0};
    dag *out = NULL;
    error_info err = {0};
    assert_true(dataset_column_count(data) < 128);
    for (size_t c = 0; c < dataset_column_count(data); c++)
        names[c] = dataset_variable(data, c)->name;
    (void)snprintf(name, sizeof name, "golden/continuous/%s/%s", network, file);
    assert_ok(graph_read_csv(shared_path(name), names, dataset_column_count(data), &g, &err), &err);
    assert_ok(pdag_to_dag(g.graph, &out, &err), &err);
    named_graph_clear(&g);
    return out;
}

typedef struct {
    dataset *data;
    dag *empty, *truth, *random;
    score *scores[N_GAUSSIAN];
} golden_case;

static golden_case open_golden(const char *network, int n) {
    golden_case g = {.data = read_golden_reals(network, n)};
    error_info err = {0};
    assert_ok(dag_create(dataset_column_count(g.data), &g.empty, &err), &err);
    g.truth = read_golden_graph(network, "true_dag.csv", g.data);
    g.random = read_golden_graph(network, "dag_random.csv", g.data);
    for (size_t i = 0; i < N_GAUSSIAN; i++)
        g.scores[i] = make_score(gaussian_kinds[i], NULL, g.data, NULL);
    return g;
}

static void close_golden(golden_case *g) {
    for (size_t i = 0; i < N_GAUSSIAN; i++)
        score_destroy(g->scores[i]);
    dag_destroy(g->empty);
    dag_destroy(g->truth);
    dag_destroy(g->random);
    dataset_destroy(g->data);
}

static score *golden_score(const golden_case *g, const char *name) {
    size_t i = 0;
    while (i < N_GAUSSIAN && strcmp(gaussian_kinds[i], name) != 0)
        i++;
    assert_true(i < N_GAUSSIAN);
    return g->scores[i];
}

static size_t check_golden_file(golden_case *g, const char *network, int n, const char *file, bool by_node) {
    csv_table *t = read_golden(network, file);
    size_t n_checked = 0;
    for (size_t row = 0; row < csv_table_row_count(t); row++) {
        const char *which = field(t, row, "graph");
        const dag *graph = strcmp(which, "empty") == 0 ? g->empty : strcmp(which, "true") == 0 ? g->truth : g->random;
        score *s = golden_score(g, field(t, row, "score"));
        double expected = strtod(field(t, row, "value"), NULL);
        if (strtol(field(t, row, "n"), NULL, 10) != n)
            continue;
        if (by_node) {
            size_t x = dataset_find_column(g->data, field(t, row, "node")), n_parents;
            const size_t *parents = dag_parents(graph, x, &n_parents);
            assert_close(node(s, x, parents, n_parents), expected, 1e-9);
        } else {
            assert_close(total(s, graph), expected, 1e-9);
        }
        n_checked++;
    }
    csv_table_destroy(t);
    return n_checked;
}

static void totals_and_local_scores_agree_with_the_goldens(void **state) {
    (void)state;
    if (!shared_path("golden/continuous/ecoli70/scores.csv"))
        skip();
    for (size_t k = 0; k < 2; k++) {
        for (int n = 300; n <= 1000; n += 700) {
            golden_case g = open_golden(networks[k], n);
            assert_int_equal(check_golden_file(&g, networks[k], n, "scores.csv", false), 12);
            assert_int_equal(check_golden_file(&g, networks[k], n, "scores_by_node.csv", true),
                             12 * dataset_column_count(g.data));
            close_golden(&g);
        }
    }
}

/* ---------------------------------------------------------------- searches */

static learner_result learn(const char *name, const char *scoring, const dataset *data) {
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    void *options;
    assert_ok(learner_find(name, &l, &err), &err);
    assert_non_null(options = learner_options_create(l));
    assert_ok(options_set(l->options, options, "score", scoring, &err), &err);
    if (strcmp(name, "gts") == 0) /* as the reference does */
        assert_ok(options_set(l->options, options, "patience", "100", &err), &err);
    run_context_init(&ctx, 1);
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    assert_true(ctx.scores.computed > 0);
    assert_string_equal(result.score_name, scoring);
    free(options);
    return result;
}

static void searches_reach_what_the_reference_reached(void **state) {
    static const struct {
        const char *algorithm, *learner;
    } rows[] = {{"hc_bicg", "hc"}, {"hc_bge", "hc"}, {"tabu_bicg", "gts"}};
    (void)state;
    if (!shared_path("golden/continuous/ecoli70/learned.csv"))
        skip();
    for (size_t k = 0; k < 2; k++) {
        csv_table *t = read_golden(networks[k], "learned.csv");
        size_t n_checked = 0;
        for (size_t row = 0; row < csv_table_row_count(t); row++) {
            dataset *data = read_golden_reals(networks[k], (int)strtol(field(t, row, "n"), NULL, 10));
            for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
                learner_result found;
                if (strcmp(rows[i].algorithm, field(t, row, "algorithm")) != 0)
                    continue;
                found = learn(rows[i].learner, field(t, row, "score_type"), data);
                assert_true(found.score >= strtod(field(t, row, "score"), NULL) - 1e-6);
                learner_result_clear(&found);
                n_checked++;
            }
            dataset_destroy(data);
        }
        assert_int_equal(n_checked, 6);
        csv_table_destroy(t);
    }
}

/* What the learner says is what its graph scores; a CPDAG's is that of any member. */
static void check_learner(const char *name, const char *scoring, const dataset *data) {
    learner_result found = learn(name, scoring, data);
    score *s = make_score(scoring, NULL, data, NULL);
    dag *g = NULL;
    error_info err = {0};
    assert_ok(pdag_extend(found.graph, &g, &err), &err);
    assert_non_null(g);
    assert_close(total(s, g), found.score, 1e-10);
    dag_destroy(g);
    score_destroy(s);
    learner_result_clear(&found);
}

static const char *const searches[] = {"hc", "gts", "ges", "chc", "chc-star", "ichc", "2ichc", "fastchc", "lagd"};

enum { N_SEARCHES = sizeof searches / sizeof *searches };

static void every_search_takes_every_score_of_continuous_data(void **state) {
    random_stream random;
    dataset *data;
    (void)state;
    random_stream_init(&random, random_key_of(9));
    data = make_random_reals(&random, 300, 9);
    for (size_t l = 0; l < N_SEARCHES; l++) {
        for (size_t i = 1; i < N_GAUSSIAN; i++)
            check_learner(searches[l], gaussian_kinds[i], data);
    }
    dataset_destroy(data);
}

/* Columns 0 .. 5 of random data, and a constant one in front of, between or behind them. */
static dataset *with_constant(const dataset *data, size_t at) {
    size_t n = dataset_row_count(data);
    double *values = calloc(n * 7, sizeof *values);
    dataset *out;
    assert_non_null(values);
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < 7; c++)
            values[i * 7 + c] = c == at ? 3 : dataset_reals(data, c - (c > at))[i];
    }
    out = make_reals(n, 7, values);
    free(values);
    return out;
}

static void a_constant_column_stays_alone_and_changes_nothing_else(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(10));
    for (size_t at = 0; at < 7; at += 3) {
        dataset *data = make_random_reals(&random, 200, 6), *wider = with_constant(data, at);
        for (size_t l = 0; l < N_SEARCHES; l++) {
            learner_result plain = learn(searches[l], "bic-g", data), found = learn(searches[l], "bic-g", wider);
            size_t degree;
            (void)pdag_edges(found.graph, at, &degree);
            assert_int_equal(degree, 0);
            assert_true(found.score == -INFINITY);
            for (size_t x = 0; x < 6; x++) {
                for (size_t y = 0; y < 6; y++)
                    assert_int_equal(pdag_edge_between(found.graph, x + (x >= at), y + (y >= at)),
                                     pdag_edge_between(plain.graph, x, y));
            }
            learner_result_clear(&plain);
            learner_result_clear(&found);
        }
        dataset_destroy(data);
        dataset_destroy(wider);
    }
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
        cmocka_unit_test(totals_and_local_scores_agree_with_the_goldens),
        cmocka_unit_test(searches_reach_what_the_reference_reached),
        cmocka_unit_test(every_search_takes_every_score_of_continuous_data),
        cmocka_unit_test(a_constant_column_stays_alone_and_changes_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
