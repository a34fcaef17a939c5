/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several validation sets beside one training set: how they are declared, drawn, and averaged over. */
#include "tests/support/run_support.h"

#include "core/graph/equivalence.h"
#include "core/graph/pdag.h"
#include "metrics/prediction/held_out.h"
#include "runner/job/job_internal.h"

#define START "name: v\nseed: 3\nnetworks: [asia]\nlearners: [hc]\n"

static job_data make_data_of(const experiment *e, size_t cell) {
    plan *p = NULL;
    job j = {0};
    job_data d = {0};
    error_info err = {0};
    assert_ok(plan_create(e, &p, &err), &err);
    assert_ok(job_init(p, cell, &j, &err), &err);
    assert_ok(job_data_make(&j, &d, &err), &err);
    plan_destroy(p);
    return d;
}

static bool same_rows(const dataset *a, const dataset *b) {
    bool same = dataset_row_count(a) == dataset_row_count(b);
    for (size_t i = 0; same && i < dataset_row_count(a); i++) {
        for (size_t c = 0; same && c < dataset_column_count(a); c++)
            same = dataset_state(a, i, c) == dataset_state(b, i, c);
    }
    return same;
}

static void validation_sets_are_as_large_as_the_training_set_or_as_declared(void **state) {
    static const struct {
        const char *data;
        size_t n_tests, n_rows[2]; /* by sample size: 60, 90 */
    } rows[] = {
        {"data: {samples: [60, 90], validation_sets: 5}\n", 5, {60, 90}},
        {"data: {samples: [60, 90], validation_sets: 1}\n", 1, {60, 90}},
        {"data: {samples: [60, 90], validation_sets: 3, test_samples: 40}\n", 3, {40, 40}},
        {"data: {samples: [60, 90], test_samples: 40}\n", 1, {40, 40}},
        {"data: {samples: [60, 90], test_samples: 0}\n", 0, {0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        experiment e;
        (void)snprintf(text, sizeof text, START "%smetrics: [shd]\n", rows[i].data);
        e = declare(text);
        for (size_t size = 0; size < 2; size++) {
            job_data d = make_data_of(&e, size);
            size_t n_train = dataset_row_count(d.train);
            assert_int_equal(d.n_tests, rows[i].n_tests);
            for (size_t k = 0; k < d.n_tests; k++)
                assert_int_equal(dataset_row_count(d.tests[k]), rows[i].n_rows[n_train == 60 ? 0 : 1]);
            job_data_clear(&d);
        }
        experiment_clear(&e);
    }
}

static void they_differ_from_each_other_and_the_first_is_the_one_test_set(void **state) {
    experiment one = declare(START "data: {samples: 200, test_samples: 100}\n");
    experiment many = declare(START "data: {samples: 200, test_samples: 100, validation_sets: 4}\n");
    job_data a = make_data_of(&one, 0), b = make_data_of(&many, 0);
    (void)state;
    assert_true(same_rows(a.train, b.train));
    assert_true(same_rows(a.tests[0], b.tests[0]));
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = i + 1; k < 4; k++)
            assert_false(same_rows(b.tests[i], b.tests[k]));
    }
    job_data_clear(&a);
    job_data_clear(&b);
    experiment_clear(&one);
    experiment_clear(&many);
}

static double metric_of(const job_record *r, const char *name) {
    for (size_t i = 0; i < r->n_metrics; i++) {
        if (strcmp(r->metrics[i].name, name) == 0)
            return r->metrics[i].value;
    }
    fail_msg("no metric %s", name);
    return 0;
}

static void held_out_metrics_are_means_over_the_sets(void **state) {
    experiment e = declare(START "data: {samples: 300, validation_sets: 3, column_order: file}\n");
    plan *p = NULL;
    job j = {0};
    job_data d = {0};
    dag *g = NULL;
    learned_graph learned = {.kind = GRAPH_DAG};
    job_record record = {.scores = {.computed = 17}, .tests = {.computed = 3}};
    double loglik = 0, bdeu = 0;
    error_info err = {0};
    (void)state;
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_ok(job_init(p, 0, &j, &err), &err);
    assert_ok(job_data_make(&j, &d, &err), &err);
    assert_ok(dag_create(dataset_column_count(d.train), &g, &err), &err);
    assert_ok(dag_add_arc(g, 0, 1, &err), &err);
    assert_ok(pdag_from_dag(g, &learned.graph, &err), &err);
    assert_ok(job_measure(&j, &d, &learned, &record, &err), &err);
    for (size_t i = 0; i < 3; i++) {
        double value = 0;
        assert_ok(held_out_loglik(g, d.train, d.tests[i], ESTIMATE_BDEU, 10, &value, &err), &err);
        loglik += value / 3;
        assert_ok(held_out_bdeu(g, d.tests[i], 10, &value, &err), &err);
        bdeu += value / 3;
    }
    assert_close(metric_of(&record, "loglik_test"), loglik, 1e-12);
    assert_close(metric_of(&record, "bdeu_test"), bdeu, 1e-12);
    assert_close(metric_of(&record, "loglik_statistics"), -loglik * 20, 1e-12);
    job_record_clear(&record);
    pdag_destroy(learned.graph);
    dag_destroy(g);
    job_data_clear(&d);
    plan_destroy(p);
    experiment_clear(&e);
}

static void a_cell_has_another_key_with_other_sets(void **state) {
    static const char *const data[] = {
        "data: {samples: 100, test_samples: 100}\n",
        "data: {samples: 100, validation_sets: 2}\n",
        "data: {samples: 100, validation_sets: 3}\n",
        "data: {samples: 100, validation_sets: 3, test_samples: 50}\n",
    };
    enum { N = 4 };
    char keys[N][PLAN_KEY_SIZE];
    (void)state;
    for (size_t i = 0; i < N; i++) {
        char text[256];
        plan *p = NULL;
        experiment e;
        error_info err = {0};
        (void)snprintf(text, sizeof text, START "%s", data[i]);
        e = declare(text);
        assert_ok(plan_create(&e, &p, &err), &err);
        assert_ok(plan_key(p, 0, keys[i], &err), &err);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(keys[i], keys[k]);
        plan_destroy(p);
        experiment_clear(&e);
    }
}

static void a_wrong_number_of_sets_is_told(void **state) {
    static const char text[] = START "data: {samples: 100, validation_sets: 0}\n";
    experiment e = {0};
    error_info err = {0};
    (void)state;
    assert_int_equal(experiment_parse(text, strlen(text), "x.yaml", &e, &err), STATUS_PARSE);
    assert_message_has(&err, "x.yaml:5:39");
    assert_message_has(&err, "validation_sets");
}

static void the_experiment_of_gamez_2013_is_right(void **state) {
    static const char *const profiles[] = {NULL, "quick"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        experiment e = {0};
        error_info err = {0};
        assert_ok(experiment_read(source_path("experiments/gamez2013.yaml"), profiles[i], NULL, 0, &e, &err), &err);
        assert_int_equal(e.validation_sets, 5);
        assert_true(e.test_is_as_large);
        assert_int_equal(e.outputs.n_learners, 6);
        assert_int_equal(e.outputs.n_tests, 4);
        assert_int_equal(e.outputs.n_networks, i == 0 ? 15 : 3);
        experiment_clear(&e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validation_sets_are_as_large_as_the_training_set_or_as_declared),
        cmocka_unit_test(they_differ_from_each_other_and_the_first_is_the_one_test_set),
        cmocka_unit_test(held_out_metrics_are_means_over_the_sets),
        cmocka_unit_test(a_cell_has_another_key_with_other_sets),
        cmocka_unit_test(a_wrong_number_of_sets_is_told),
        cmocka_unit_test(the_experiment_of_gamez_2013_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
