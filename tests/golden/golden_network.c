/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores, tests, distances and searches on the samples of one network, which the argument names, against the reference
 * values of another program (README.md of this folder). Where the files of that network are not there the program says
 * so and ends with 77, which CTest shows as skipped.
 */
#include "tests/golden/golden_support.h"
#include "tests/metrics/gaussian_score_support.h"

#include "metrics/distances/graph_distance.h"
#include "metrics/tests/ci_test.h"

/* The first three ship with the project, and so do samples of them. */
enum { N_SHIPPED = 3 };
static const golden_network networks[] = {
    {"asia", false, {1000, 5000}},  {"child", false, {1000}},          {"alarm", false, {1000, 5000}},
    {"insurance", false, {1000}},   {"hailfinder", false, {1000}},     {"water", false, {1000}},
    {"ecoli70", true, {300, 1000}}, {"magic-niab", true, {300, 1000}},
};

/* ---- scores ---- */

static dag *directed_graph(const golden_network *net, const char *which, const dataset *data) {
    pdag *g = NULL;
    dag *out = NULL;
    error_info err = {0};
    if (strcmp(which, "empty") == 0)
        assert_ok(pdag_create(dataset_column_count(data), &g, &err), &err);
    else
        g = golden_graph(net, strcmp(which, "true") == 0 ? "true_dag.csv" : "dag_random.csv", 0, data);
    assert_ok(pdag_to_dag(g, &out, &err), &err);
    pdag_destroy(g);
    return out;
}

/* The reference calls BDeu bde, and its equivalent sample size iss. */
static score *score_of_row(const csv_table *t, size_t row, const dataset *data) {
    const char *name = field_of(t, row, "score"), *iss = field_of(t, row, "iss");
    char option[32];
    (void)snprintf(option, sizeof option, "ess=%s", iss);
    return make_score(strcmp(name, "bde") == 0 ? "bdeu" : name, *iss ? option : NULL, data, NULL);
}

static double value_of_row(score *s, const dag *g, const csv_table *t, size_t row, const dataset *data) {
    size_t x, n_parents;
    const size_t *parents;
    if (csv_table_column(t, "node") == CSV_NO_COLUMN)
        return total(s, g);
    x = dataset_find_column(data, field_of(t, row, "node"));
    parents = dag_parents(g, x, &n_parents);
    return node(s, x, parents, n_parents);
}

static size_t check_scores(const golden_network *net, const char *file, int n_rows) {
    csv_table *t = read_table(golden_file(net, file, 0));
    dataset *data = golden_data(net, n_rows);
    size_t n_checked = 0;
    for (size_t row = 0; row < csv_table_row_count(t); row++) {
        dag *g;
        score *s;
        if (number_of(t, row, "n") != n_rows)
            continue;
        g = directed_graph(net, field_of(t, row, "graph"), data);
        s = score_of_row(t, row, data);
        assert_close(value_of_row(s, g, t, row, data), number_of(t, row, "value"), 1e-9);
        score_destroy(s);
        dag_destroy(g);
        n_checked++;
    }
    dataset_destroy(data);
    csv_table_destroy(t);
    return n_checked;
}

/* The scores of a discrete network are those of its first sample; of a continuous one, of both. */
static void totals_and_local_scores_agree(void **state) {
    const golden_network *net = *state;
    size_t n_totals = 0, n_local = 0;
    for (size_t i = 0; i < (net->is_continuous ? 2 : 1); i++) {
        n_totals += check_scores(net, "scores.csv", net->sizes[i]);
        n_local += check_scores(net, "scores_by_node.csv", net->sizes[i]);
    }
    assert_in_range(n_totals, 18, 24);
    assert_in_range(n_local, 18 * 8, 24 * 64);
}

/* ---- tests of independence ---- */

static const struct {
    const char *theirs, *ours, *option;
} test_names[] = {{"mi", "g2", "df=full"},    {"mi-adf", "g2", "df=adj"}, {"x2", "x2", "df=full"},
                  {"x2-adf", "x2", "df=adj"}, {"zf", "zf", NULL},         {"cor", "cor", NULL}};
enum { N_TESTS = sizeof test_names / sizeof *test_names };

static ci_test *make_test(size_t i, const dataset *data) {
    const ci_test_kind *kind = NULL;
    double options[8];
    ci_test *t = NULL;
    error_info err = {0};
    assert_ok(ci_test_kind_find(test_names[i].ours, &kind, &err), &err);
    options_set_initial(kind->options, options);
    if (test_names[i].option)
        assert_ok(options_set_pair(kind->options, options, test_names[i].option, &err), &err);
    assert_ok(ci_test_create(kind, options, data, NULL, &t, &err), &err);
    return t;
}

static size_t columns_of(const dataset *data, const char *names, size_t *out) {
    char *text = text_copy(names), *rest = NULL;
    size_t n = 0;
    for (char *name = strtok_r(text, ";", &rest); name; name = strtok_r(NULL, ";", &rest))
        out[n++] = dataset_find_column(data, name);
    free(text);
    return n;
}

static void check_test(ci_test *test, const dataset *data, const csv_table *t, size_t row) {
    double statistic = number_of(t, row, "statistic"), log_p = number_of(t, row, "log_p_value"),
           p = number_of(t, row, "p_value");
    size_t z[8], n_z = columns_of(data, field_of(t, row, "z"), z);
    ci_result r = {0};
    error_info err = {0};
    assert_int_equal(n_z, number_of(t, row, "nz"));
    assert_ok(ci_test_evaluate(test, dataset_find_column(data, field_of(t, row, "x")),
                               dataset_find_column(data, field_of(t, row, "y")), z, n_z, &r, &err),
              &err);
    assert_close(r.statistic, statistic, 1e-9);
    assert_close(r.df, number_of(t, row, "df"), 0);
    assert_close(r.log_p, log_p, 1e-8);
    if (p > 1e-300)
        assert_close(log(r.p_value), log_p, 1e-8);
}

static size_t check_tests(const golden_network *net, int n_rows) {
    csv_table *t = read_table(golden_file(net, "ci.csv", 0));
    dataset *data = golden_data(net, n_rows);
    size_t n_checked = 0;
    for (size_t i = 0; i < N_TESTS; i++) {
        ci_test *test = NULL;
        for (size_t row = 0; row < csv_table_row_count(t); row++) {
            if (strcmp(field_of(t, row, "test"), test_names[i].theirs) != 0 || number_of(t, row, "n") != n_rows)
                continue;
            if (strstr(test_names[i].theirs, "-adf") && number_of(t, row, "statistic") == 0)
                continue; /* the reference declines these for want of rows */
            test = test ? test : make_test(i, data);
            check_test(test, data, t, row);
            n_checked++;
        }
        ci_test_destroy(test);
    }
    dataset_destroy(data);
    csv_table_destroy(t);
    return n_checked;
}

static void statistics_and_p_values_agree(void **state) {
    const golden_network *net = *state;
    size_t n_checked = check_tests(net, net->sizes[0]);
    if (net->is_continuous)
        n_checked += check_tests(net, net->sizes[1]);
    assert_in_range(n_checked, 150, 240);
}

/* ---- distances ---- */

/* A row of shd.csv: a learned graph, one without a consistent extension too, against the true CPDAG. */
static void check_distances(const csv_table *t, size_t row, const pdag *learned, const pdag *truth) {
    graph_distance d;
    size_t raw, completed;
    graph_kind kind, kind_of_truth;
    error_info err = {0};
    assert_ok(pdag_kind(learned, &kind, &err), &err);
    assert_ok(pdag_kind(truth, &kind_of_truth, &err), &err);
    assert_ok(graph_distance_measure(learned, kind, truth, kind_of_truth, &d, &err), &err);
    raw = d.shd_raw - d.shd_skeleton;
    completed = d.shd_extended - d.shd_skeleton;
    assert_int_equal(d.shd_extended, number_of(t, row, "shd"));
    assert_int_equal(d.shd, number_of(t, row, kind == GRAPH_DAG ? "shd" : "shd_raw"));
    assert_int_equal(d.shd_raw, number_of(t, row, "shd_raw"));
    assert_int_equal(d.shd_skeleton, number_of(t, row, "hamming"));
    assert_int_equal(d.tp, number_of(t, row, "skel_tp"));
    assert_int_equal(d.fp, number_of(t, row, "skel_fp"));
    assert_int_equal(d.fn, number_of(t, row, "skel_fn"));
    assert_int_equal(d.tp - completed, number_of(t, row, "tp"));
    assert_int_equal(d.fp + completed, number_of(t, row, "fp"));
    assert_int_equal(d.fn + completed, number_of(t, row, "fn"));
    assert_int_equal(d.tp - raw, number_of(t, row, "raw_tp"));
    assert_int_equal(d.fp + raw, number_of(t, row, "raw_fp"));
    assert_int_equal(d.fn + raw, number_of(t, row, "raw_fn"));
}

static void distances_of_learned_graphs_agree(void **state) {
    const golden_network *net = *state;
    dataset *data = golden_data(net, net->sizes[0]);
    pdag *truth = golden_graph(net, "true_cpdag.csv", 0, data);
    csv_table *t = read_table(golden_file(net, "shd.csv", 0));
    assert_in_range(csv_table_row_count(t), 5, 12);
    for (size_t row = 0; row < csv_table_row_count(t); row++) {
        char format[128];
        pdag *learned;
        (void)snprintf(format, sizeof format, "learned/%s_n%%d.csv", field_of(t, row, "algorithm"));
        learned = golden_graph(net, format, (int)number_of(t, row, "n"), data);
        print_message("  %s\n", format);
        check_distances(t, row, learned, truth);
        pdag_destroy(learned);
    }
    csv_table_destroy(t);
    pdag_destroy(truth);
    dataset_destroy(data);
}

/* ---- searches ---- */

static const struct {
    const char *algorithm, *learner, *score;
    double tolerance; /* the share of its score by which ours may stay behind, for other ties are other ways */
} searches[] = {{"hc_bde10", "hc", "bdeu", 2e-4},
                {"hc_bicg", "hc", "bic-g", 0},
                {"hc_bge", "hc", "bge", 0},
                {"tabu_bicg", "gts", "bic-g", 0}};

static void searches_reach_what_the_reference_reached(void **state) {
    const golden_network *net = *state;
    csv_table *t = read_table(golden_file(net, "learned.csv", 0));
    size_t n_checked = 0;
    for (size_t row = 0; row < csv_table_row_count(t); row++) {
        for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
            double least = number_of(t, row, "score");
            dataset *data;
            learner_result found;
            if (strcmp(searches[i].algorithm, field_of(t, row, "algorithm")) != 0)
                continue;
            data = golden_data(net, (int)number_of(t, row, "n"));
            found = learn(searches[i].learner, searches[i].score, data);
            if (found.score < least - fabs(least) * searches[i].tolerance - 1e-6)
                fail_msg("%s reaches %.12g, the reference %.12g", searches[i].learner, found.score, least);
            learner_result_clear(&found);
            dataset_destroy(data);
            n_checked++;
        }
    }
    assert_int_equal(n_checked, (net->sizes[1] ? 2 : 1) * (net->is_continuous ? 3 : 1));
    csv_table_destroy(t);
}

int main(int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < sizeof networks / sizeof *networks; i++) {
        void *net = (void *)(uintptr_t)&networks[i];
        const struct CMUnitTest tests[] = {
            cmocka_unit_test_prestate(totals_and_local_scores_agree, net),
            cmocka_unit_test_prestate(statistics_and_p_values_agree, net),
            cmocka_unit_test_prestate(distances_of_learned_graphs_agree, net),
            cmocka_unit_test_prestate(searches_reach_what_the_reference_reached, net),
            cmocka_unit_test_prestate(pc_finds_the_edges_of_the_other_program_and_where_it_can_its_directions, net),
            cmocka_unit_test_prestate(mmpc_finds_the_skeletons_of_the_other_program, net),
            cmocka_unit_test_prestate(log_p_values_change_only_the_skeletons_that_are_known, net),
        };
        if (strcmp(argv[1], networks[i].name) != 0)
            continue;
        if (i < N_SHIPPED || golden_file(&networks[i], "shd.csv", 0))
            return cmocka_run_group_tests(tests, NULL, NULL);
        (void)printf("left out: the reference values on samples of %s, which may not be shipped\n", argv[1]);
        return 77;
    }
    (void)fprintf(stderr, "usage: golden_network NAME\n");
    return 2;
}
