/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores of continuous data, and searches by them, against the reference values. */
#include "tests/metrics/gaussian_score_support.h"

#include "core/base/file.h"
#include "store/csv_table.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_and_local_scores_agree_with_the_goldens),
        cmocka_unit_test(searches_reach_what_the_reference_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
