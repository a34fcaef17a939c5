/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/gaussian_support.h"

#include "core/base/file.h"
#include "core/base/name_index.h"
#include "generators/catalogue/any_network.h"
#include "generators/catalogue/catalogue.h"
#include "generators/networks/gaussian_file.h"
#include "generators/networks/network_format.h"
#include "generators/sampling/gaussian_sampling.h"
#include "metrics/prediction/held_out.h"
#include "metrics/prediction/network_fit.h"
#include "metrics/scores/score.h"

static gaussian_net *parse(const char *text) {
    gaussian_net *net = NULL;
    error_info err = {0};
    assert_ok(gaussian_file_parse(text, strlen(text), "some", &net, &err), &err);
    return net;
}

/* b = 2 - a + noise, c = a + 0.5 b, without noise; listed before their parents. */
static const char three_nodes[] =
    "{\"type\": \"linear-gaussian\", \"nodes\": [\n"
    "  {\"name\": \"c\", \"parents\": [\"b\", \"a\"], \"intercept\": 0, \"coefficients\": [0.5, 1], \"sd\": 0},\n"
    "  {\"name\": \"b\", \"parents\": [\"a\"], \"intercept\": 2, \"coefficients\": [-1], \"sd\": 0.25, \"note\": "
    "[1]},\n"
    "  {\"name\": \"a\", \"parents\": [], \"intercept\": 1e1, \"coefficients\": [], \"sd\": 3}]}";

/* --- reading and writing --- */

static void a_network_is_read_as_it_stands_in_the_file(void **state) {
    gaussian_net *net = parse(three_nodes);
    size_t n;
    const size_t *parents = gaussian_net_parents(net, 0, &n);
    (void)state;
    assert_string_equal(gaussian_net_name(net), "some");
    assert_int_equal(gaussian_net_node_count(net), 3);
    assert_int_equal(gaussian_net_find_node(net, "a"), 2);
    assert_int_equal(gaussian_net_find_node(net, "d"), NAME_NONE);
    assert_int_equal(n, 2);
    assert_int_equal(parents[0], 1);
    assert_int_equal(parents[1], 2);
    assert_true(gaussian_net_terms(net, 0).coefficients[0] == .5);
    assert_true(gaussian_net_terms(net, 1).coefficients[0] == -1);
    assert_true(gaussian_net_terms(net, 1).intercept == 2);
    assert_true(gaussian_net_terms(net, 2).sd == 3);
    assert_true(dag_has_arc(gaussian_net_dag(net), 2, 1));
    assert_int_equal(dag_arc_count(gaussian_net_dag(net)), 3);
    assert_int_equal(gaussian_net_parameter_count(net), 9);
    assert_int_equal(gaussian_net_variables(net)[1].kind, VARIABLE_CONTINUOUS);
    gaussian_net_destroy(net);
}

static void assert_same_network(const gaussian_net *a, const gaussian_net *b) {
    assert_int_equal(gaussian_net_node_count(a), gaussian_net_node_count(b));
    assert_string_equal(gaussian_net_name(a), gaussian_net_name(b));
    for (size_t i = 0; i < gaussian_net_node_count(a); i++) {
        gaussian_terms of_a = gaussian_net_terms(a, i), of_b = gaussian_net_terms(b, i);
        size_t n_a, n_b;
        const size_t *parents_a = gaussian_net_parents(a, i, &n_a), *parents_b = gaussian_net_parents(b, i, &n_b);
        assert_string_equal(gaussian_net_variables(a)[i].name, gaussian_net_variables(b)[i].name);
        assert_that(of_a.intercept, ==, of_b.intercept);
        assert_that(of_a.sd, ==, of_b.sd);
        assert_int_equal(n_a, n_b);
        for (size_t k = 0; k < n_a; k++) {
            assert_int_equal(parents_a[k], parents_b[k]);
            assert_true(of_a.coefficients[k] == of_b.coefficients[k]);
        }
    }
}

static void what_is_written_reads_back_number_for_number(void **state) {
    static const char *const names[] = {"plain", "quote \" and \\", "tab\tand \xC3\xA9"};
    gaussian_net *net = NULL, *again;
    text_buffer text = {0};
    error_info err = {0};
    (void)state;
    assert_ok(gaussian_net_create("a \"name\"", names, 3, &net, &err), &err);
    assert_ok(gaussian_net_set_node(net, 2, NULL, 0, &(gaussian_terms){0.1, 1e-300, NULL}, &err), &err);
    assert_ok(gaussian_net_set_node(net, 0, (const size_t[]){2}, 1,
                                    &(gaussian_terms){-1e300, 0, (const double[]){1 / 3.0}}, &err),
              &err);
    assert_ok(gaussian_net_set_node(net, 1, (const size_t[]){2, 0}, 2,
                                    &(gaussian_terms){0, 5, (const double[]){123456789.123456789, -0.0}}, &err),
              &err);
    gaussian_file_append(net, &text);
    again = parse(text.data);
    assert_same_network(net, again);
    gaussian_net_destroy(net);
    gaussian_net_destroy(again);
    text_buffer_clear(&text);
}

static void a_byte_order_mark_is_skipped(void **state) {
    char text[sizeof three_nodes + 3] = "\xEF\xBB\xBF";
    gaussian_net *net;
    (void)state;
    memcpy(text + 3, three_nodes, sizeof three_nodes);
    net = parse(text);
    assert_int_equal(gaussian_net_node_count(net), 3);
    gaussian_net_destroy(net);
}

static void what_a_node_cannot_be_is_refused_and_changes_nothing(void **state) {
    static const char *const names[] = {"a", "b"}, *const twice[] = {"a", "a"};
    const gaussian_terms plain = {0, 1, (const double[]){1, 1}};
    gaussian_net *net = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(gaussian_net_create("x", twice, 2, &net, &err), STATUS_INVALID);
    assert_int_equal(gaussian_net_create("x", names, 0, &net, &err), STATUS_INVALID);
    assert_ok(gaussian_net_create("x", names, 2, &net, &err), &err);
    assert_ok(gaussian_net_set_node(net, 0, (const size_t[]){1}, 1, &plain, &err), &err);
    assert_int_equal(gaussian_net_set_node(net, 0, NULL, 0, &plain, &err), STATUS_INVALID);
    assert_message_has(&err, "already");
    assert_int_equal(gaussian_net_set_node(net, 1, (const size_t[]){0}, 1, &plain, &err), STATUS_INVALID);
    assert_message_has(&err, "would close a cycle");
    assert_int_equal(gaussian_net_set_node(net, 1, (const size_t[]){1}, 1, &plain, &err), STATUS_INVALID);
    assert_int_equal(gaussian_net_set_node(net, 1, (const size_t[]){7}, 1, &plain, &err), STATUS_INVALID);
    assert_int_equal(gaussian_net_set_node(net, 1, NULL, 0, &(gaussian_terms){0, -1, NULL}, &err), STATUS_INVALID);
    assert_message_has(&err, "the sd of 'b' is -1");
    assert_int_equal(gaussian_net_set_node(net, 1, NULL, 0, &(gaussian_terms){INFINITY, 1, NULL}, &err),
                     STATUS_INVALID);
    assert_int_equal(dag_arc_count(gaussian_net_dag(net)), 1);
    assert_ok(gaussian_net_set_node(net, 1, NULL, 0, &plain, &err), &err);
    gaussian_net_destroy(net);
}

#define NODE_A "{\"name\": \"a\", \"parents\": [], \"intercept\": 0, \"coefficients\": [], \"sd\": 1}"
#define WITH_NODES(nodes) "{\"type\": \"linear-gaussian\", \"nodes\": [" nodes "]}"

static void a_file_that_does_not_say_what_it_must_is_refused_with_the_place(void **state) {
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "1:"},
        {"{\"type\": \n  oops}", "2:"},
        {"{\"type\": \"linear-gaussian\", \"type\": 1}", "duplicate"},
        {"[1, 2]", "no object"},
        {"{\"nodes\": []}", "\"type\" is missing"},
        {"{\"type\": \"tables\", \"nodes\": []}", "\"type\" is \"tables\""},
        {"{\"type\": \"linear-gaussian\"}", "\"nodes\" is missing"},
        {"{\"type\": \"linear-gaussian\", \"nodes\": 3}", "\"nodes\" is no list"},
        {WITH_NODES(""), "at least one variable"},
        {WITH_NODES("3"), "node 1 is no object"},
        {WITH_NODES(NODE_A ", {\"parents\": []}"), "node 2: \"name\" is missing"},
        {WITH_NODES(NODE_A ", " NODE_A), "two variables are named 'a'"},
        {WITH_NODES("{\"name\": \"a\", \"intercept\": 0, \"coefficients\": [], \"sd\": 1}"),
         "node 1 ('a'): \"parents\" is missing"},
        {WITH_NODES("{\"name\": \"a\", \"parents\": [], \"intercept\": \"0\", \"coefficients\": [], \"sd\": 1}"),
         "node 1 ('a'): \"intercept\" is no number"},
        {WITH_NODES("{\"name\": \"a\", \"parents\": [], \"intercept\": 0, \"coefficients\": []}"),
         "node 1 ('a'): \"sd\" is missing"},
        {WITH_NODES("{\"name\": \"a\", \"parents\": [], \"intercept\": 0, \"coefficients\": [], \"sd\": -0.5}"),
         "node 1 ('a'): the sd of 'a' is -0.5"},
        {WITH_NODES(NODE_A
                    ", {\"name\": \"b\", \"parents\": [\"a\"], \"intercept\": 0, \"coefficients\": [1, 2], \"sd\": 1}"),
         "node 2 ('b'): 2 coefficients for 1 parents"},
        {WITH_NODES(NODE_A
                    ", {\"name\": \"b\", \"parents\": [\"z\"], \"intercept\": 0, \"coefficients\": [1], \"sd\": 1}"),
         "node 2 ('b'): the parent 'z' is no node"},
        {WITH_NODES(NODE_A ", {\"name\": \"b\", \"parents\": [\"a\", \"a\"], \"intercept\": 0, \"coefficients\": [1, "
                           "1], \"sd\": 1}"),
         "node 2 ('b'): 'a' is twice a parent of 'b'"},
        {WITH_NODES("{\"name\": \"b\", \"parents\": [\"b\"], \"intercept\": 0, \"coefficients\": [1], \"sd\": 1}"),
         "its own parent"},
        {WITH_NODES("{\"name\": \"a\", \"parents\": [\"b\"], \"intercept\": 0, \"coefficients\": [1], \"sd\": 1}, "
                    "{\"name\": \"b\", \"parents\": [\"a\"], \"intercept\": 0, \"coefficients\": [1], \"sd\": 1}"),
         "would close a cycle"},
        {WITH_NODES("{\"name\": \"a\", \"parents\": [], \"intercept\": 1e999, \"coefficients\": [], \"sd\": 1}"), "1:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gaussian_net *net = NULL;
        error_info err = {0};
        assert_int_equal(gaussian_file_parse(cases[i].text, strlen(cases[i].text), "x", &net, &err), STATUS_PARSE);
        assert_message_has(&err, cases[i].words);
        assert_null(net);
    }
}

static void networks_that_are_shared_have_the_sizes_that_they_say(void **state) {
    static const struct {
        const char *name;
        size_t nodes, arcs;
    } rows[] = {{"ecoli70", 46, 70},
                {"magic-niab", 44, 66},
                {"magic-irri", 64, 102},
                {"arth150", 107, 150},
                {"gaussian-test", 7, 7}};
    (void)state;
    if (!shared_path("networks_gaussian/ecoli70.json"))
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[64];
        any_network any = {0};
        gaussian_net *net, *again;
        text_buffer text = {0};
        error_info err = {0};
        (void)snprintf(file, sizeof file, "networks_gaussian/%s.json", rows[i].name);
        assert_ok(any_network_read(shared_path(file), &any, NULL, &err), &err);
        net = any.gaussian;
        assert_string_equal(gaussian_net_name(net), rows[i].name);
        assert_int_equal(gaussian_net_node_count(net), rows[i].nodes);
        assert_int_equal(dag_arc_count(gaussian_net_dag(net)), rows[i].arcs);
        gaussian_file_append(net, &text);
        again = parse(text.data);
        assert_same_network(net, again);
        gaussian_net_destroy(net);
        gaussian_net_destroy(again);
        text_buffer_clear(&text);
    }
}

static void either_kind_of_network_is_found_by_name(void **state) {
    const char *folder = scratch_folder();
    char *path = path_join(folder, "tiny.json.gz");
    any_network net = {0};
    bayes_net *tables = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(file_write(path, three_nodes, sizeof three_nodes - 1, &err), &err);
    assert_int_equal(setenv("BNBENCH_NETWORKS", folder, 1), 0);
    assert_ok(any_network_load("tiny", &net, &err), &err);
    assert_null(net.tables);
    assert_string_equal(any_network_name(&net), "tiny");
    assert_int_equal(any_network_node_count(&net), 3);
    assert_int_equal(dag_arc_count(any_network_dag(&net)), 3);
    any_network_clear(&net);
    assert_int_equal(catalogue_load("tiny", &tables, &err), STATUS_INVALID);
    assert_message_has(&err, "linear-Gaussian");
    assert_ok(any_network_load("asia", &net, &err), &err);
    assert_null(net.gaussian);
    assert_int_equal(any_network_node_count(&net), 8);
    any_network_clear(&net);
    assert_int_equal(any_network_load("tinny", &net, &err), STATUS_MISSING);
    assert_int_equal(unsetenv("BNBENCH_NETWORKS"), 0);
    free(path);
}

/* --- sampling --- */

static dataset *sample(const gaussian_net *net, size_t n_rows, uint64_t seed) {
    random_stream random;
    dataset *data = NULL;
    error_info err = {0};
    random_stream_init(&random, random_key_of(seed));
    assert_ok(sample_gaussian_network(net, n_rows, &random, &data, &err), &err);
    return data;
}

static void a_longer_sample_begins_with_the_shorter_one(void **state) {
    gaussian_net *net = parse(three_nodes);
    dataset *few = sample(net, 10, 7), *many = sample(net, 1000, 7), *other = sample(net, 10, 8);
    (void)state;
    for (size_t c = 0; c < 3; c++) {
        for (size_t i = 0; i < 10; i++) {
            assert_true(dataset_reals(few, c)[i] == dataset_reals(many, c)[i]);
            assert_true(dataset_reals(few, c)[i] != dataset_reals(other, c)[i]);
        }
    }
    dataset_destroy(few);
    dataset_destroy(many);
    dataset_destroy(other);
    gaussian_net_destroy(net);
}

static void a_sample_has_the_means_and_variances_of_the_network(void **state) {
    enum { ROWS = 100000 };
    gaussian_net *net = parse(three_nodes);
    dataset *data = sample(net, ROWS, 3);
    double mean[3] = {0}, square[3] = {0};
    (void)state;
    for (size_t c = 0; c < 3; c++) {
        for (size_t i = 0; i < ROWS; i++)
            mean[c] += dataset_reals(data, c)[i] / ROWS;
        for (size_t i = 0; i < ROWS; i++)
            square[c] += pow(dataset_reals(data, c)[i] - mean[c], 2) / ROWS;
    }
    for (size_t i = 0; i < ROWS; i++) /* no noise */
        assert_close(dataset_reals(data, 0)[i], .5 * dataset_reals(data, 1)[i] + dataset_reals(data, 2)[i], 1e-12);
    assert_that(fabs(mean[2] - 10), <, .05);
    assert_that(fabs(mean[1] + 8), <, .05);
    assert_that(fabs(mean[0] - 6), <, .05);
    assert_that(fabs(square[2] - 9), <, .15);
    assert_that(fabs(square[1] - 9.0625), <, .15);
    assert_true(fabs(square[0] - (.25 * .0625 + .25 * 9)) < .05); /* c = 1 + 0.5 a + 0.5 noise of b */
    dataset_destroy(data);
    gaussian_net_destroy(net);
}

static void terms_too_large_to_sample_are_refused(void **state) {
    gaussian_net *net = parse(
        WITH_NODES("{\"name\": \"a\", \"parents\": [], \"intercept\": 1e300, \"coefficients\": [], \"sd\": 1}, "
                   "{\"name\": \"b\", \"parents\": [\"a\"], \"intercept\": 0, \"coefficients\": [1e300], \"sd\": 1}"));
    random_stream random;
    dataset *data = NULL;
    error_info err = {0};
    (void)state;
    random_stream_init(&random, random_key_of(1));
    assert_int_equal(sample_gaussian_network(net, 5, &random, &data, &err), STATUS_INVALID);
    assert_message_has(&err, "row 1");
    assert_null(data);
    gaussian_net_destroy(net);
}

/* --- fitting --- */

static double score_of(const char *name, const char *option, const dataset *data, const dag *g) {
    const score_kind *kind = NULL;
    double options[8];
    score *s = NULL;
    double total = (double)NAN;
    error_info err = {0};
    assert_ok(score_kind_find(name, &kind, &err), &err);
    options_set_initial(kind->options, options);
    if (option)
        assert_ok(options_set_pair(kind->options, options, option, &err), &err);
    assert_ok(score_create(kind, options, data, NULL, &s, &err), &err);
    assert_ok(score_dag(s, g, &total, NULL, &err), &err);
    score_destroy(s);
    return total;
}

static gaussian_net *fit(const dataset *data, const dag *g, enum score_variance variance) {
    gaussian_net *net = NULL;
    error_info err = {0};
    assert_ok(fit_gaussian(data, g, "fitted", variance, &net, &err), &err);
    return net;
}

/* Least squares: residuals are orthogonal to the intercept and to every parent, and sd is their size. */
static void assert_least_squares(const dataset *data, const gaussian_net *net, bool is_unbiased) {
    size_t n = dataset_row_count(data);
    double *left = calloc(n, sizeof *left);
    assert_non_null(left);
    for (size_t x = 0; x < gaussian_net_node_count(net); x++) {
        gaussian_terms terms = gaussian_net_terms(net, x);
        size_t m;
        const size_t *parents = gaussian_net_parents(net, x, &m);
        double sum = 0, squares = 0, scale = 0, divisor = is_unbiased ? (double)(n - m - 1) : (double)n;
        for (size_t i = 0; i < n; i++) {
            left[i] = dataset_reals(data, x)[i] - terms.intercept;
            for (size_t k = 0; k < m; k++)
                left[i] -= terms.coefficients[k] * dataset_reals(data, parents[k])[i];
            sum += left[i];
            squares += left[i] * left[i];
            scale += fabs(dataset_reals(data, x)[i]);
        }
        assert_true(fabs(sum) <= 1e-9 * scale);
        for (size_t k = 0; k < m; k++) {
            double dot = 0, size = 0;
            for (size_t i = 0; i < n; i++) {
                dot += left[i] * dataset_reals(data, parents[k])[i];
                size += fabs(left[i] * dataset_reals(data, parents[k])[i]);
            }
            assert_true(fabs(dot) <= 1e-8 * size);
        }
        assert_close(terms.sd, sqrt(squares / divisor), 1e-9);
    }
    free(left);
}

static void a_fit_is_least_squares_and_its_likelihood_the_score(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(11));
    for (int round = 0; round < 30; round++) {
        dataset *data = make_random_reals(&random, 20 + (size_t)random_below(&random, 100), 7);
        dag *g = make_random_dag(&random, 7, .5);
        gaussian_net *net = fit(data, g, SCORE_VARIANCE_UNBIASED), *mle = fit(data, g, SCORE_VARIANCE_MLE);
        double loglik = 0;
        error_info err = {0};
        assert_least_squares(data, net, true);
        assert_least_squares(data, mle, false);
        assert_int_equal(dag_arc_count(gaussian_net_dag(net)), dag_arc_count(g));
        assert_ok(held_out_gaussian_loglik(g, data, data, &loglik, &err), &err);
        assert_close(loglik, score_of("loglik-g", NULL, data, g), 1e-9);
        assert_ok(held_out_gaussian_bic(g, data, &loglik, &err), &err);
        assert_close(loglik, score_of("bic-g", NULL, data, g), 1e-12);
        gaussian_net_destroy(net);
        gaussian_net_destroy(mle);
        dag_destroy(g);
        dataset_destroy(data);
    }
}

static void a_fit_to_many_rows_finds_the_network_that_they_came_from(void **state) {
    gaussian_net *net, *found;
    dataset *data;
    (void)state;
    net = parse(WITH_NODES(
        "{\"name\": \"a\", \"parents\": [], \"intercept\": 3, \"coefficients\": [], \"sd\": 2}, "
        "{\"name\": \"b\", \"parents\": [\"a\"], \"intercept\": -1, \"coefficients\": [0.5], \"sd\": 1}, "
        "{\"name\": \"c\", \"parents\": [\"b\", \"a\"], \"intercept\": 0, \"coefficients\": [2, -1], \"sd\": 0.1}"));
    data = sample(net, 50000, 5);
    found = fit(data, gaussian_net_dag(net), SCORE_VARIANCE_UNBIASED);
    for (size_t x = 0; x < 3; x++) {
        gaussian_terms a = gaussian_net_terms(net, x), b = gaussian_net_terms(found, x);
        size_t n_a, n_b;
        const size_t *of_a = gaussian_net_parents(net, x, &n_a), *of_b = gaussian_net_parents(found, x, &n_b);
        assert_that(fabs(a.intercept - b.intercept), <, .05);
        assert_that(fabs(a.sd - b.sd), <, .02);
        for (size_t i = 0; i < n_a; i++) {
            for (size_t k = 0; k < n_b; k++)
                assert_true(of_a[i] != of_b[k] || fabs(a.coefficients[i] - b.coefficients[k]) < .02);
        }
    }
    gaussian_net_destroy(net);
    gaussian_net_destroy(found);
    dataset_destroy(data);
}

static void parents_that_say_nothing_of_their_own_get_no_coefficient(void **state) {
    /* v1 is constant, v2 = 2 v0 + 1, v3 = v0 + v4 */
    static const double values[] = {1, 7, 3,  1.5, .5, 2, 7, 5,  2.1, .1, 3, 7, 7,  3.9, .9,
                                    5, 7, 11, 5.3, .3, 8, 7, 17, 8.2, .2, 9, 7, 19, 9.4, .4};
    dataset *data = make_reals(6, 5, values);
    dag *g = NULL;
    gaussian_net *net;
    error_info err = {0};
    (void)state;
    assert_ok(dag_create(5, &g, &err), &err);
    assert_ok(dag_add_arc(g, 0, 4, &err), &err);
    assert_ok(dag_add_arc(g, 1, 4, &err), &err);
    assert_ok(dag_add_arc(g, 2, 4, &err), &err);
    assert_ok(dag_add_arc(g, 0, 3, &err), &err);
    assert_ok(dag_add_arc(g, 4, 3, &err), &err);
    net = fit(data, g, SCORE_VARIANCE_UNBIASED);
    assert_that(gaussian_net_terms(net, 1).sd, ==, 0);
    assert_that(gaussian_net_terms(net, 1).intercept, ==, 7);
    assert_true(gaussian_net_terms(net, 4).coefficients[0] != 0);
    assert_that(gaussian_net_terms(net, 4).coefficients[1], ==, 0);
    assert_that(gaussian_net_terms(net, 4).coefficients[2], ==, 0);
    assert_true(gaussian_net_terms(net, 3).sd == 0);
    assert_close(gaussian_net_terms(net, 3).coefficients[0], 1, 1e-9);
    assert_close(gaussian_net_terms(net, 3).coefficients[1], 1, 1e-9);
    gaussian_net_destroy(net);
    dag_destroy(g);
    dataset_destroy(data);
}

static void data_that_do_not_fit_are_refused(void **state) {
    dataset *two = make_reals(2, 2, (const double[]){1, 2, 3, 5}), *discrete = make_eight_rows();
    dag *g = NULL;
    gaussian_net *net = NULL;
    bayes_net *tables = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(dag_create(2, &g, &err), &err);
    assert_ok(dag_add_arc(g, 0, 1, &err), &err);
    assert_int_equal(fit_gaussian(two, g, "x", SCORE_VARIANCE_UNBIASED, &net, &err), STATUS_INVALID);
    assert_message_has(&err, "v1 with 1 parents, and 2 rows");
    assert_int_equal(fit_gaussian(discrete, g, "x", SCORE_VARIANCE_UNBIASED, &net, &err), STATUS_INVALID);
    assert_int_equal(fit_tables(two, g, "x", FIT_BDEU, 1, &tables, &err), STATUS_INVALID);
    assert_message_has(&err, "continuous");
    assert_int_equal(fit_tables(discrete, g, "x", FIT_BDEU, 1, &tables, &err), STATUS_INVALID);
    assert_message_has(&err, "2 nodes");
    assert_null(net);
    assert_null(tables);
    dag_destroy(g);
    dataset_destroy(two);
    dataset_destroy(discrete);
}

/* --- tables --- */

static double loglik_of(const bayes_net *net, const dataset *data) {
    double sum = 0;
    for (size_t row = 0; row < dataset_row_count(data); row++) {
        for (size_t x = 0; x < bayes_net_node_count(net); x++) {
            size_t n, j = 0, stride = 1;
            const size_t *parents = bayes_net_parents(net, x, &n);
            for (size_t k = 0; k < n; k++) {
                j += stride * dataset_state(data, row, parents[k]);
                stride *= dataset_state_count(data, parents[k]);
            }
            sum += log(bayes_net_table(net, x)[j * dataset_state_count(data, x) + dataset_state(data, row, x)]);
        }
    }
    return sum;
}

static void fitted_tables_give_the_likelihoods_that_are_defined_by_counts(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(12));
    for (int round = 0; round < 20; round++) {
        dataset *data = make_random_dataset(&random, 60, 5, 4);
        dag *g = make_random_dag(&random, 5, .5);
        bayes_net *net = NULL, *mle = NULL;
        double expected;
        error_info err = {0};
        assert_ok(fit_tables(data, g, "t", FIT_BDEU, 3, &net, &err), &err);
        assert_ok(bayes_net_validate(net, &err), &err);
        assert_ok(held_out_loglik(g, data, data, ESTIMATE_BDEU, 3, &expected, &err), &err);
        assert_close(loglik_of(net, data), expected, 1e-10);
        assert_ok(fit_tables(data, g, "t", FIT_MLE, 0, &mle, &err), &err);
        assert_ok(bayes_net_validate(mle, &err), &err);
        assert_close(loglik_of(mle, data), score_of("loglik", NULL, data, g), 1e-10);
        bayes_net_destroy(net);
        bayes_net_destroy(mle);
        dag_destroy(g);
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_is_read_as_it_stands_in_the_file),
        cmocka_unit_test(what_is_written_reads_back_number_for_number),
        cmocka_unit_test(a_byte_order_mark_is_skipped),
        cmocka_unit_test(what_a_node_cannot_be_is_refused_and_changes_nothing),
        cmocka_unit_test(a_file_that_does_not_say_what_it_must_is_refused_with_the_place),
        cmocka_unit_test(networks_that_are_shared_have_the_sizes_that_they_say),
        cmocka_unit_test(either_kind_of_network_is_found_by_name),
        cmocka_unit_test(a_longer_sample_begins_with_the_shorter_one),
        cmocka_unit_test(a_sample_has_the_means_and_variances_of_the_network),
        cmocka_unit_test(terms_too_large_to_sample_are_refused),
        cmocka_unit_test(a_fit_is_least_squares_and_its_likelihood_the_score),
        cmocka_unit_test(a_fit_to_many_rows_finds_the_network_that_they_came_from),
        cmocka_unit_test(parents_that_say_nothing_of_their_own_get_no_coefficient),
        cmocka_unit_test(data_that_do_not_fit_are_refused),
        cmocka_unit_test(fitted_tables_give_the_likelihoods_that_are_defined_by_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
