/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the figures of a table are. */
#include "tests/parts/table_support.h"

#include <math.h>

static void plain_values_are_means_over_replicates_then_the_median_or_mean_over_networks(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    table t = compute(&m, spec, NULL);
    (void)state;
    assert_figure(&t, "500", "base", 15, 6, 6, 0); /* of 15, 5, 100 */
    assert_figure(&t, "500", "b", 15, 6, 6, 0);    /* of 15, 10, 30 */
    assert_int_equal(t.n_rows, 1);                 /* one size: no average */
    table_clear(&t);
    spec->aggregate = AGGREGATE_MEAN;
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "base", 40, 6, 6, 0);
    assert_figure(&t, "500", "b", 55.0 / 3, 6, 6, 0);
    table_clear(&t);
    clear_results(&m);
}

static void a_ratio_of_means_and_a_mean_of_ratios_differ_as_declared(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "t", "shd", "base");
    table t = compute(&m, spec, NULL);
    (void)state;
    assert_figure(&t, "500", "base", 1, 6, 6, 0);
    assert_figure(&t, "500", "b", 1, 6, 6, 0); /* median of 1, 2, 0.3 */
    assert_has_note(&t, "(mean of 2 data sets / that of base)");
    table_clear(&t);
    spec->aggregate = AGGREGATE_MEAN;
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", 1.1, 6, 6, 0);
    table_clear(&t);
    spec->ratio = MEAN_OF_RATIOS; /* (1.5 + .75)/2 = 1.125, (2.5 + 10/6)/2, .3 */
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", (1.125 + (2.5 + 10.0 / 6) / 2 + 0.3) / 3, 6, 6, 0);
    table_clear(&t);
    spec->aggregate = AGGREGATE_MEDIAN;
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "b", 1.125, 6, 6, 0);
    table_clear(&t);
    clear_results(&m);
}

static void a_median_of_an_even_number_lies_between_the_middle_two(void **state) {
    static const char *const networks[] = {"n1", "n2", NULL}, *const learners[] = {"b", NULL};
    made_results m = make_results(networks, one_size, 1, learners);
    table t;
    (void)state;
    (void)add_done(&m, "n1", 500, 0, "b", "shd", 3);
    (void)add_done(&m, "n2", 500, 0, "b", "shd", 10);
    t = compute(&m, add_table(&m, "t", "shd", NULL), NULL);
    assert_figure(&t, "500", "b", 6.5, 2, 2, 0);
    table_clear(&t);
    clear_results(&m);
}

static void the_average_row_is_the_mean_of_the_rows(void **state) {
    static const char *const networks[] = {"n1", NULL}, *const learners[] = {"base", "b", NULL};
    static const size_t sizes[] = {500, 1000, 5000, 0};
    made_results m = make_results(networks, sizes, 1, learners);
    table t;
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        (void)add_done(&m, "n1", sizes[s], 0, "base", "shd", 10);
        (void)add_done(&m, "n1", sizes[s], 0, "b", "shd", s == 0 ? 12 : s == 1 ? 9 : 30);
    }
    t = compute(&m, add_table(&m, "t", "shd", "base"), NULL);
    assert_figure(&t, "average", "b", (1.2 + 0.9 + 3) / 3, 3, 3, 0);
    assert_figure(&t, "average", "base", 1, 3, 3, 0);
    table_clear(&t);
    job_record_clear(record_of(&m, "n1", 1000, 0, "b")); /* a row without a figure has no average */
    m.records[3] = m.records[m.n - 1];
    m.n--;
    t = compute(&m, m.parts.parts[0].options, NULL);
    assert_int_equal(cell_of(&t, "1000", "b")->kind, CELL_NOT_RUN);
    assert_int_equal(cell_of(&t, "average", "b")->kind, CELL_EMPTY);
    assert_figure(&t, "average", "base", 1, 3, 3, 0);
    table_clear(&t);
    clear_results(&m);
}

static void rows_and_columns_change_places(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "t", "shd", "base");
    table t;
    (void)state;
    spec->rows = AXIS_LEARNER;
    spec->columns = AXIS_NETWORK;
    fail_cell(&m, "n1", 500, 1, "b", JOB_TIMEOUT);
    t = compute(&m, spec, NULL);
    assert_int_equal(t.n_rows, 2);
    assert_int_equal(t.n_columns, 3);
    assert_figure(&t, "b", "n1", 1.5, 1, 2, 0);
    assert_figure(&t, "b", "n2", 2, 2, 2, 0);
    assert_figure(&t, "b", "n3", 0.3, 2, 2, 0);
    assert_true(cell_of(&t, "b", "n3")->is_best);
    assert_true(cell_of(&t, "base", "n2")->is_best);
    table_clear(&t);
    clear_results(&m);
}

static void axes_that_make_no_table_are_refused(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "t7", "shd", "base");
    table t = {0};
    error_info err = {0};
    (void)state;
    spec->columns = AXIS_NETWORK;
    assert_int_equal(metric_table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), STATUS_INVALID);
    assert_message_has(&err, "t7");
    spec->rows = spec->columns = AXIS_LEARNER;
    assert_int_equal(metric_table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), STATUS_INVALID);
    spec->rows = AXIS_NETWORK;
    free(spec->normalise_by);
    spec->normalise_by = text_copy("nobody");
    assert_int_equal(metric_table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), STATUS_INVALID);
    assert_message_has(&err, "nobody");
    clear_results(&m);
}

static void the_best_is_marked_as_shown_and_a_ratio_of_negatives_turns_round(void **state) {
    static const char *const networks[] = {"n1", NULL}, *const learners[] = {"base", "b", "c", "d", NULL};
    made_results m = make_results(networks, one_size, 1, learners);
    static const double values[] = {-1000, -990, -990.2, -1400};
    table t;
    (void)state;
    for (size_t l = 0; l < 4; l++)
        (void)add_done(&m, "n1", 500, 0, learners[l], "bdeu_test", values[l]);
    t = compute(&m, add_table(&m, "t", "bdeu_test", "base"), NULL);
    assert_true(cell_of(&t, "500", "b")->is_best);
    assert_true(cell_of(&t, "500", "c")->is_best); /* both show 0.99 */
    assert_false(cell_of(&t, "500", "base")->is_best);
    assert_has_note(&t, "a ratio below 1 is better");
    table_clear(&t);
    t = compute(&m, add_table(&m, "t", "bdeu_test", NULL), NULL);
    assert_true(cell_of(&t, "500", "b")->is_best);
    assert_false(cell_of(&t, "500", "c")->is_best);
    table_clear(&t);
    clear_results(&m);
}

/* The drop-dataset policy with ratio of means and median, written once more, straight from the rule. */
static double plain_ratio(const made_results *m, const char *id, size_t *n) {
    const experiment_outputs *o = &m->outputs;
    double ratios[8];
    size_t n_ratios = 0;
    *n = 0;
    for (size_t i = 0; i < o->n_networks; i++) {
        double mine = 0, base = 0;
        size_t n_used = 0;
        for (size_t r = 0; r < o->n_replicates; r++) {
            size_t n_done = 0;
            double of_mine = 0, of_base = 0;
            for (size_t k = 0; k < m->n; k++) {
                const job_record *job = &m->records[k];
                if (strcmp(job->network, o->networks[i]) != 0 || job->replicate != r || job->state != JOB_DONE)
                    continue;
                n_done++;
                if (strcmp(job->learner, id) == 0)
                    of_mine = job->metrics[0].value;
                if (strcmp(job->learner, o->learners[0]) == 0)
                    of_base = job->metrics[0].value;
            }
            if (n_done == o->n_learners) {
                mine += of_mine;
                base += of_base;
                n_used++;
            }
        }
        if (n_used > 0 && base != 0) {
            size_t place = n_ratios++;
            for (; place > 0 && ratios[place - 1] > mine / base; place--)
                ratios[place] = ratios[place - 1];
            ratios[place] = mine / base;
            *n += n_used;
        }
    }
    return n_ratios == 0 ? NAN : (ratios[(n_ratios - 1) / 2] + ratios[n_ratios / 2]) / 2;
}

static void random_tables_agree_with_the_rule_written_once_more(void **state) {
    static const char *const networks[] = {"a", "b", "c", "d", NULL}, *const learners[] = {"x", "y", "z", NULL};
    random_stream random;
    size_t n_compared = 0;
    (void)state;
    random_stream_init(&random, random_key_of(5));
    for (int round = 0; round < 200; round++) {
        made_results m = make_results(networks, one_size, 3, learners);
        size_t n_done[3] = {0};
        table t;
        for (size_t i = 0; i < 36; i++) {
            bool fails = random_uniform(&random) < 0.12;
            job_record *r =
                add_record(&m, networks[i / 9], 500, i / 3 % 3, learners[i % 3], fails ? JOB_FAILED : JOB_DONE);
            set_metric(r, "shd", (double)random_below(&random, 4));
            n_done[i % 3] += !fails;
        }
        t = compute(&m, add_table(&m, "t", "shd", "x"), NULL);
        for (size_t l = 0; l < 3 && n_done[0] && n_done[1] && n_done[2]; l++) {
            size_t n;
            double expected = plain_ratio(&m, learners[l], &n);
            if (isnan(expected))
                assert_int_equal(cell_of(&t, "500", learners[l])->kind, CELL_EMPTY);
            else
                assert_figure(&t, "500", learners[l], expected, n, 12, 0);
            n_compared++;
        }
        table_clear(&t);
        clear_results(&m);
    }
    assert_true(n_compared > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_values_are_means_over_replicates_then_the_median_or_mean_over_networks),
        cmocka_unit_test(a_ratio_of_means_and_a_mean_of_ratios_differ_as_declared),
        cmocka_unit_test(a_median_of_an_even_number_lies_between_the_middle_two),
        cmocka_unit_test(the_average_row_is_the_mean_of_the_rows),
        cmocka_unit_test(rows_and_columns_change_places),
        cmocka_unit_test(axes_that_make_no_table_are_refused),
        cmocka_unit_test(the_best_is_marked_as_shown_and_a_ratio_of_negatives_turns_round),
        cmocka_unit_test(random_tables_agree_with_the_rule_written_once_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
