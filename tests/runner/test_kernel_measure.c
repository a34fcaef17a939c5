/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metric bach_score, from a declaration to the records of a run. */
#include "tests/metrics/kernel_reference.h"
#include "tests/support/run_support.h"

#include "core/graph/equivalence.h"
#include "learners/greedy/bach.h"
#include "metrics/distances/metric.h"

/* Mixed rows, and a folder in which they are the data set "mixed". */
static dataset *write_mixed(const char **folder) {
    random_stream random;
    dataset *data;
    char path[4096];
    error_info err = {0};
    random_stream_init(&random, random_key_of(31));
    data = make_mixed(&random, 120);
    *folder = scratch_folder();
    (void)snprintf(path, sizeof path, "%s/mixed.csv", *folder);
    assert_ok(dataset_write_csv(data, path, &err), &err);
    return data;
}

/* Where the learners are, but for their options. A small eta: else rows in another order have another factor. */
static const char declaration[] = "name: x\nseed: 3\nnetworks: [{dataset: mixed}]\ndata: {samples: [120], "
                                  "replicates: 1}\nlearners:\n  - {learner: bach, eta: 1e-9, max_parents: 1}\n"
                                  "  - {id: cut, learner: hc, discretize: eqfreq}\n"
                                  "  - {id: cut-pc, learner: pc, discretize: eqwidth}\n"
                                  "  - {id: cut-mmpc, learner: mmpc, discretize: eqwidth}\n";

static experiment declare_with_metrics(const char *metrics) {
    char text[2000];
    (void)snprintf(text, sizeof text, "%smetrics: [%s]\n", declaration, metrics);
    return declare(text);
}

static record_list run_with(const experiment *e, const char *folder) {
    record_list records;
    assert_int_equal(run_in(e, folder, 2).done, 4);
    records = read_records(folder);
    assert_int_equal(records.n, 4);
    return records;
}

/* Of the record's graph, extended where it has undirected edges. */
static double score_of(const job_record *r, const dataset *data, const kernel_options *o) {
    const char *names[MIXED_COLUMNS];
    named_graph g = {0};
    dag *extended = NULL;
    kernel_score *s = NULL;
    double sum = 0;
    int fallback = 0;
    error_info err = {0};
    for (size_t c = 0; c < MIXED_COLUMNS; c++)
        names[c] = dataset_variable(data, c)->name;
    assert_ok(graph_parse_csv(r->graph, strlen(r->graph), names, MIXED_COLUMNS, &g, &err), &err);
    assert_ok(pdag_extend_anyway(g.graph, &extended, &fallback, &err), &err);
    assert_ok(kernel_score_create(data, o, NULL, &s, &err), &err);
    for (size_t x = 0; x < MIXED_COLUMNS; x++) {
        size_t n_parents;
        const size_t *parents = dag_parents(extended, x, &n_parents);
        double value = 0;
        assert_ok(kernel_score_node(s, x, parents, n_parents, &value, &err), &err);
        sum += value;
    }
    kernel_score_destroy(s);
    dag_destroy(extended);
    named_graph_clear(&g);
    return sum;
}

static void every_directed_graph_is_measured_on_the_rows_before_discretizing(void **state) {
    const char *folder;
    dataset *data = write_mixed(&folder);
    experiment e = declare_with_metrics("bach_score, edges");
    size_t n_measured = 0;
    record_list records;
    (void)state;
    (void)setenv("BNBENCH_DATASETS", folder, 1);
    records = run_with(&e, scratch_folder());
    (void)unsetenv("BNBENCH_DATASETS");
    for (size_t i = 0; i < records.n; i++) {
        const job_record *r = &records.items[i];
        const double *value = job_record_metric(r, "bach_score");
        assert_true((value == NULL) == (strcmp(r->learner, "cut-mmpc") == 0)); /* a skeleton */
        if (!value)
            continue;
        assert_close(*value, score_of(r, data, &(kernel_options){1, 0.01, 1e-9, KERNEL_GAUSSIAN}), 1e-6);
        assert_that(*job_record_metric(r, "edges"), >, 0);
        assert_that(fabs(*value), >, 1);
        n_measured++;
    }
    assert_int_equal(n_measured, 3);
    job_records_destroy(records.items, records.n);
    experiment_clear(&e);
    dataset_destroy(data);
}

static void what_is_not_asked_for_is_not_computed_and_asking_runs_again(void **state) {
    const char *data_folder, *folder = scratch_folder();
    dataset *data = write_mixed(&data_folder);
    experiment without = declare_with_metrics("edges"), with = declare_with_metrics("edges, bach_score");
    record_list records;
    (void)state;
    (void)setenv("BNBENCH_DATASETS", data_folder, 1);
    records = run_with(&without, folder);
    for (size_t i = 0; i < records.n; i++)
        assert_null(job_record_metric(&records.items[i], "bach_score"));
    job_records_destroy(records.items, records.n);
    assert_int_equal(run_in(&with, folder, 2).done, 4);
    records = read_records(folder);
    assert_int_equal(records.n, 8);
    job_records_destroy(records.items, records.n);
    (void)unsetenv("BNBENCH_DATASETS");
    experiment_clear(&without);
    experiment_clear(&with);
    dataset_destroy(data);
}

/* A kernel so narrow that every row is a dimension of its own. */
static void data_that_the_score_cannot_take_cost_the_figure_alone(void **state) {
    experiment e =
        declare("name: x\nseed: 3\nnetworks: [asia]\ndata: {samples: [1500], replicates: 1, continuize: {sigma: "
                "0.3}}\nlearners:\n  - {learner: bach, sigma: 0.001, max_parents: 0}\n"
                "  - {id: cut, learner: hc, discretize: eqwidth}\nmetrics: [edges, bach_score]\n");
    const char *folder = scratch_folder();
    record_list records;
    (void)state;
    assert_int_equal(run_in(&e, folder, 2).done, 1);
    records = read_records(folder);
    assert_int_equal(records.n, 2);
    for (size_t i = 0; i < records.n; i++) {
        const job_record *r = &records.items[i];
        if (strcmp(r->learner, "cut") != 0)
            continue;
        assert_int_equal(r->state, JOB_DONE);
        assert_non_null(job_record_metric(r, "edges"));
        assert_null(job_record_metric(r, "bach_score"));
        assert_non_null(strstr(r->message, "no bach_score: "));
    }
    job_records_destroy(records.items, records.n);
    experiment_clear(&e);
}

static void a_table_of_it_must_be_asked_for_among_the_metrics(void **state) {
    static const char table[] = "tables: [{id: t, metric: bach_score}]\n";
    char text[2000];
    experiment e = {0};
    error_info err = {0};
    (void)state;
    assert_true(metric_find("bach_score")->is_on_request);
    (void)snprintf(text, sizeof text, "%smetrics: [edges]\n%s", declaration, table);
    assert_int_equal(experiment_parse(text, strlen(text), "x.yaml", &e, &err), STATUS_PARSE);
    assert_message_has(&err, "bach_score is computed only where 'metrics' lists it");
    (void)snprintf(text, sizeof text, "%smetrics: [bach_score]\n%s", declaration, table);
    assert_ok(experiment_parse(text, strlen(text), "x.yaml", &e, &err), &err);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_directed_graph_is_measured_on_the_rows_before_discretizing),
        cmocka_unit_test(what_is_not_asked_for_is_not_computed_and_asking_runs_again),
        cmocka_unit_test(data_that_the_score_cannot_take_cost_the_figure_alone),
        cmocka_unit_test(a_table_of_it_must_be_asked_for_among_the_metrics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
