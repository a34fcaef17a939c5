/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What failed and missing cells do to a table. */
#include "tests/parts/table_support.h"

static void a_failed_cell_drops_its_data_set_for_every_learner(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "t", "shd", "base");
    table t;
    (void)state;
    fail_cell(&m, "n1", 500, 1, "b", JOB_TIMEOUT);
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", 1.5, 5, 6, 0); /* of 15/10, 2, .3 */
    assert_figure(&t, "500", "base", 1, 5, 6, 0);
    assert_has_note(&t, "b: 1 timed out (n1 500: 1).");
    assert_has_note(&t, "is left out for all");
    table_clear(&t);
    free(spec->normalise_by);
    spec->normalise_by = NULL;
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "base", 10, 5, 6, 0); /* of 10, 5, 100: also the learner that did not fail */
    table_clear(&t);
    clear_results(&m);
}

static void a_failed_cell_counts_as_the_worst_value_where_declared(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "t", "shd", "base");
    table t;
    (void)state;
    spec->failures = FAILURES_WORST;
    fail_cell(&m, "n1", 500, 1, "b", JOB_FAILED);
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", 17.5 / 15, 6, 6, 1); /* the worst on that data set was base's 20 */
    assert_has_note(&t, "counts as the worst value");
    table_clear(&t);
    fail_cell(&m, "n1", 500, 1, "base", JOB_FAILED); /* nobody has a value there: it drops */
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", 1.5, 5, 6, 0);
    table_clear(&t);
    clear_results(&m);
}

static void the_worst_of_a_score_is_the_least(void **state) {
    static const char *const networks[] = {"n1", NULL}, *const learners[] = {"a", "b", "c", NULL};
    made_results m = make_results(networks, one_size, 1, learners);
    metric_table_spec *spec = add_table(&m, "t", "bdeu_test", NULL);
    table t;
    (void)state;
    spec->failures = FAILURES_WORST;
    (void)add_done(&m, "n1", 500, 0, "a", "bdeu_test", -100);
    (void)add_done(&m, "n1", 500, 0, "b", "bdeu_test", -300);
    (void)add_record(&m, "n1", 500, 0, "c", JOB_MEMORY);
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "c", -300, 1, 1, 1);
    assert_true(cell_of(&t, "500", "a")->is_best);
    assert_false(cell_of(&t, "500", "b")->is_best);
    assert_has_note(&t, "c: 1 out of memory (n1 500: 1).");
    table_clear(&t);
    clear_results(&m);
}

static void a_time_counts_as_its_limit_where_declared_and_nothing_else_does(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "t", "time", NULL);
    table t;
    (void)state;
    spec->failures = FAILURES_LIMIT;
    for (size_t i = 0; i < m.n; i++)
        set_metric(&m.records[i], "time", 2);
    fail_cell(&m, "n2", 500, 0, "b", JOB_TIMEOUT);
    spec->aggregate = AGGREGATE_MEAN;
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", (2 + (60 + 2) / 2.0 + 2) / 3, 6, 6, 1);
    assert_figure(&t, "500", "base", 2, 6, 6, 0);
    table_clear(&t);
    free(spec->metric);
    spec->metric = text_copy("shd");
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", (15 + 10 + 30) / 3.0, 5, 6, 0);
    table_clear(&t);
    clear_results(&m);
}

static void a_learner_that_always_fails_is_shown_as_failed_and_costs_nobody_a_data_set(void **state) {
    static const char *const learners[] = {"base", "b", "crash", NULL};
    made_results m = make_three();
    experiment_outputs *o = &m.outputs;
    table t;
    (void)state;
    for (size_t i = 0; i < o->n_learners; i++)
        free(o->learners[i]);
    free(o->learners);
    o->learners = copy_names(learners, &o->n_learners);
    for (size_t i = 0; i < 3; i++) {
        for (size_t r = 0; r < 2; r++)
            (void)add_record(&m, three_networks[i], 500, r, "crash", r ? JOB_FAILED : JOB_TIMEOUT);
    }
    t = compute(&m, add_table(&m, "t", "shd", "base"), NULL);
    assert_int_equal(cell_of(&t, "500", "crash")->kind, CELL_FAILED);
    assert_int_equal(cell_of(&t, "500", "crash")->n, 0);
    assert_int_equal(cell_of(&t, "500", "crash")->of, 6);
    assert_figure(&t, "500", "b", 1, 6, 6, 0);
    assert_has_note(&t, "crash: 3 failed (n1 500: 1, n2 500: 1, n3 500: 1), 3 timed out");
    table_clear(&t);
    clear_results(&m);
}

static void a_baseline_of_zero_drops_that_network_for_every_learner_of_the_row(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "t", "shd", "base");
    table t;
    (void)state;
    for (size_t r = 0; r < 2; r++)
        set_metric(record_of(&m, "n2", 500, r, "base"), "shd", 0);
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", (1 + 0.3) / 2, 4, 6, 0);
    assert_figure(&t, "500", "base", 1, 4, 6, 0);
    assert_has_note(&t, "n2 500 (base has 0 there)");
    table_clear(&t);
    spec->ratio = MEAN_OF_RATIOS; /* data set by data set: one 0 costs that one alone */
    set_metric(record_of(&m, "n2", 500, 1, "base"), "shd", 5);
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", 1.125, 5, 6, 0); /* of 1.125, 2, .3 */
    assert_has_note(&t, "1 data set left out");
    table_clear(&t);
    clear_results(&m);
}

static void without_its_baseline_a_row_has_no_ratios(void **state) {
    made_results m = make_three();
    table t;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        for (size_t r = 0; r < 2; r++)
            fail_cell(&m, three_networks[i], 500, r, "base", JOB_MEMORY);
    }
    t = compute(&m, add_table(&m, "t", "shd", "base"), NULL);
    assert_int_equal(cell_of(&t, "500", "base")->kind, CELL_FAILED);
    assert_int_equal(cell_of(&t, "500", "b")->kind, CELL_EMPTY);
    assert_false(table_has_figures(&t));
    assert_has_note(&t, "base, by which to normalise, has no value");
    table_clear(&t);
    clear_results(&m);
}

static void a_learner_whose_graphs_lack_the_metric_is_left_out_and_named(void **state) {
    static const char *const learners[] = {"a", "skeleton", NULL}, *const networks[] = {"n1", NULL};
    made_results m = make_results(networks, one_size, 2, learners);
    table t;
    (void)state;
    for (size_t r = 0; r < 2; r++) {
        (void)add_done(&m, "n1", 500, r, "a", "shd", 4);
        (void)add_done(&m, "n1", 500, r, "skeleton", "time", 4);
    }
    t = compute(&m, add_table(&m, "t", "shd", NULL), NULL);
    assert_int_equal(t.n_columns, 1);
    assert_figure(&t, "500", "a", 4, 2, 2, 0);
    assert_has_note(&t, "Left out, their results having no such value: skeleton.");
    table_clear(&t);
    clear_results(&m);
}

static void data_sets_that_not_every_learner_has_run_wait(void **state) {
    made_results m = make_three();
    table t;
    (void)state;
    job_record_clear(&m.records[m.n - 1]); /* b on n3, replicate 1 */
    m.n--;
    t = compute(&m, add_table(&m, "t", "shd", NULL), NULL);
    assert_figure(&t, "500", "base", 15, 5, 6, 0);
    assert_has_note(&t, "b: 1 not run yet (n3 500: 1).");
    table_clear(&t);
    ((metric_table_spec *)m.parts.parts[0].options)->failures = FAILURES_WORST; /* what has not run has not failed */
    t = compute(&m, m.parts.parts[0].options, NULL);
    assert_figure(&t, "500", "b", 15, 5, 6, 0);
    table_clear(&t);
    clear_results(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_cell_drops_its_data_set_for_every_learner),
        cmocka_unit_test(a_failed_cell_counts_as_the_worst_value_where_declared),
        cmocka_unit_test(the_worst_of_a_score_is_the_least),
        cmocka_unit_test(a_time_counts_as_its_limit_where_declared_and_nothing_else_does),
        cmocka_unit_test(a_learner_that_always_fails_is_shown_as_failed_and_costs_nobody_a_data_set),
        cmocka_unit_test(a_baseline_of_zero_drops_that_network_for_every_learner_of_the_row),
        cmocka_unit_test(without_its_baseline_a_row_has_no_ratios),
        cmocka_unit_test(a_learner_whose_graphs_lack_the_metric_is_left_out_and_named),
        cmocka_unit_test(data_sets_that_not_every_learner_has_run_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
