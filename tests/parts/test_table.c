/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/records.h"

#include "parts/tables/table.h"

#include <math.h>

static const char *const three_networks[] = {"n1", "n2", "n3", NULL};
static const size_t one_size[] = {500, 0};

/* shd of (base, b) on n1, n2, n3, two replicates: means 15, 5, 100 and 15, 10, 30; ratios 1, 2, 0.3. */
static const double base_shd[3][2] = {{10, 20}, {4, 6}, {100, 100}};
static const double b_shd[3][2] = {{15, 15}, {10, 10}, {30, 30}};

static made_results make_three(void) {
    static const char *const learners[] = {"base", "b", NULL};
    made_results m = make_results(three_networks, one_size, 2, learners);
    for (size_t i = 0; i < 3; i++) {
        for (size_t r = 0; r < 2; r++) {
            (void)add_done(&m, three_networks[i], 500, r, "base", "shd", base_shd[i][r]);
            (void)add_done(&m, three_networks[i], 500, r, "b", "shd", b_shd[i][r]);
        }
    }
    return m;
}

/* The record of a cell; it must be there. */
static job_record *record_of(made_results *m, const char *network, size_t n_samples, size_t replicate, const char *id) {
    for (size_t i = 0; i < m->n; i++) {
        job_record *r = &m->records[i];
        if (strcmp(r->network, network) == 0 && r->n_samples == n_samples && r->replicate == replicate &&
            strcmp(r->learner, id) == 0)
            return r;
    }
    fail_msg("no record of %s", id);
    return NULL;
}

static table compute(const made_results *m, const table_spec *spec, const published_table *published) {
    table t = {0};
    error_info err = {0};
    assert_ok(table_compute(&m->outputs, spec, m->records, m->n, published, &t, &err), &err);
    return t;
}

static const table_cell *cell_of(const table *t, const char *row, const char *column) {
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t c = 0; c < t->n_columns; c++) {
            if (strcmp(t->row_names[r], row) == 0 && strcmp(t->column_names[c], column) == 0)
                return &t->cells[r * t->n_columns + c];
        }
    }
    fail_msg("no cell %s, %s", row, column);
    return NULL;
}

static void assert_figure(const table *t, const char *row, const char *column, double value, size_t n, size_t of,
                          size_t n_imputed) {
    const table_cell *cell = cell_of(t, row, column);
    assert_int_equal(cell->kind, CELL_FIGURE);
    assert_close(cell->value, value, 1e-12);
    assert_int_equal(cell->n, n);
    assert_int_equal(cell->of, of);
    assert_int_equal(cell->n_imputed, n_imputed);
}

static void assert_has_note(const table *t, const char *words) {
    for (size_t i = 0; i < t->n_notes; i++) {
        if (strstr(t->notes[i], words))
            return;
    }
    for (size_t i = 0; i < t->n_notes; i++)
        print_error("note: %s\n", t->notes[i]);
    fail_msg("no note holds '%s'", words);
}

static void plain_values_are_means_over_replicates_then_the_median_or_mean_over_networks(void **state) {
    made_results m = make_three();
    table_spec *spec = add_table(&m, "t", "shd", NULL);
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
    table_spec *spec = add_table(&m, "t", "shd", "base");
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
    t = compute(&m, &m.outputs.tables[0], NULL);
    assert_int_equal(cell_of(&t, "1000", "b")->kind, CELL_NOT_RUN);
    assert_int_equal(cell_of(&t, "average", "b")->kind, CELL_EMPTY);
    assert_figure(&t, "average", "base", 1, 3, 3, 0);
    table_clear(&t);
    clear_results(&m);
}

static void fail_cell(made_results *m, const char *network, size_t n_samples, size_t replicate, const char *id,
                      job_state how) {
    job_record *r = record_of(m, network, n_samples, replicate, id);
    r->state = how;
    r->time_limit_s = 60;
}

static void a_failed_cell_drops_its_data_set_for_every_learner(void **state) {
    made_results m = make_three();
    table_spec *spec = add_table(&m, "t", "shd", "base");
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
    table_spec *spec = add_table(&m, "t", "shd", "base");
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
    table_spec *spec = add_table(&m, "t", "bdeu_test", NULL);
    table t;
    (void)state;
    spec->failures = FAILURES_WORST;
    (void)add_done(&m, "n1", 500, 0, "a", "bdeu_test", -100);
    (void)add_done(&m, "n1", 500, 0, "b", "bdeu_test", -300);
    (void)add_record(&m, "n1", 500, 0, "c", JOB_MEMORY);
    t = compute(&m, spec, NULL);
    assert_figure(&t, "500", "c", -300, 1, 1, 1);
    assert_true(cell_of(&t, "500", "a")->is_best && !cell_of(&t, "500", "b")->is_best);
    assert_has_note(&t, "c: 1 out of memory (n1 500: 1).");
    table_clear(&t);
    clear_results(&m);
}

static void a_time_counts_as_its_limit_where_declared_and_nothing_else_does(void **state) {
    made_results m = make_three();
    table_spec *spec = add_table(&m, "t", "time", NULL);
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
    table_spec *spec = add_table(&m, "t", "shd", "base");
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
    m.outputs.tables[0].failures = FAILURES_WORST; /* what has not run has not failed */
    t = compute(&m, &m.outputs.tables[0], NULL);
    assert_figure(&t, "500", "b", 15, 5, 6, 0);
    table_clear(&t);
    clear_results(&m);
}

static void rows_and_columns_change_places(void **state) {
    made_results m = make_three();
    table_spec *spec = add_table(&m, "t", "shd", "base");
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
    assert_true(cell_of(&t, "b", "n3")->is_best && cell_of(&t, "base", "n2")->is_best);
    table_clear(&t);
    clear_results(&m);
}

static void axes_that_make_no_table_are_refused(void **state) {
    made_results m = make_three();
    table_spec *spec = add_table(&m, "t7", "shd", "base");
    table t = {0};
    error_info err = {0};
    (void)state;
    spec->columns = AXIS_NETWORK;
    assert_int_equal(table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), STATUS_INVALID);
    assert_message_has(&err, "t7");
    spec->rows = spec->columns = AXIS_LEARNER;
    assert_int_equal(table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), STATUS_INVALID);
    spec->rows = AXIS_NETWORK;
    free(spec->normalise_by);
    spec->normalise_by = text_copy("nobody");
    assert_int_equal(table_compute(&m.outputs, spec, m.records, m.n, NULL, &t, &err), STATUS_INVALID);
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
    assert_true(cell_of(&t, "500", "b")->is_best && !cell_of(&t, "500", "c")->is_best);
    table_clear(&t);
    clear_results(&m);
}

static published_table *read_brown(const char *name) {
    published_table *p = NULL;
    error_info err = {0};
    assert_ok(published_read(published_source(name), &p, &err), &err);
    return p;
}

static made_results make_brown(void) {
    static const char *const networks[] = {"child", "alarm", NULL}, *const learners[] = {"pmmhc", "gts", "mine", NULL};
    static const size_t sizes[] = {500, 5000, 0};
    made_results m = make_results(networks, sizes, 1, learners);
    for (size_t i = 0; i < 12; i++) {
        job_record *r = add_done(&m, networks[i % 2], sizes[i / 2 % 2], 0, learners[i / 4], "shd", 10 + (double)i);
        set_metric(r, "time", 0.01 * (double)(i + 1));
        set_metric(r, "bdeu_test", -1000 - (double)i);
    }
    return m;
}

static void published_figures_stand_beside_those_of_the_same_learner_and_size(void **state) {
    made_results m = make_brown();
    published_table *brown = read_brown("brown2005_table3_normalized.csv");
    table_spec *spec = add_table(&m, "t", "bdeu_test", "pmmhc");
    table t;
    (void)state;
    spec->published = text_copy("brown2005_table3_normalized.csv");
    t = compute(&m, spec, brown);
    assert_string_equal(cell_of(&t, "500", "pmmhc")->published, "1.00");
    assert_string_equal(cell_of(&t, "500", "gts")->published, "0.99");
    assert_string_equal(cell_of(&t, "5000", "gts")->published, "1.00");
    assert_string_equal(cell_of(&t, "average", "gts")->published, "0.99");
    assert_null(cell_of(&t, "500", "mine")->published);
    assert_has_note(&t, "brown2005_table3_normalized.csv; median over 12 networks");
    table_clear(&t);
    free(spec->metric);
    spec->metric = text_copy("time");
    t = compute(&m, spec, brown);
    assert_string_equal(cell_of(&t, "average", "gts")->published, "5.36");
    assert_has_note(&t, "other machines");
    table_clear(&t);
    published_destroy(brown);
    clear_results(&m);
}

static void published_figures_of_another_baseline_are_not_shown(void **state) {
    made_results m = make_brown();
    published_table *brown = read_brown("brown2005_table3_normalized.csv");
    table t = compute(&m, add_table(&m, "t", "shd", NULL), brown);
    (void)state;
    for (size_t i = 0; i < t.n_rows * t.n_columns; i++)
        assert_null(t.cells[i].published);
    assert_has_note(&t, "normalised by pmmhc and cannot stand beside these");
    table_clear(&t);
    t = compute(&m, add_table(&m, "t", "recall", "pmmhc"), brown);
    assert_has_note(&t, "holds no figure of 'recall'");
    table_clear(&t);
    published_destroy(brown);
    clear_results(&m);
}

static void a_row_of_a_network_takes_that_networks_published_figure(void **state) {
    static const char *const networks[] = {"alarm", "insurance", NULL}, *const learners[] = {"sgs3", NULL};
    static const size_t sizes[] = {5000, 0};
    made_results m = make_results(networks, sizes, 1, learners);
    published_table *vandel = read_brown("vandel2012_table4_skeleton_errors.csv");
    table_spec *spec = add_table(&m, "t", "extra_edges", NULL);
    table t;
    (void)state;
    (void)add_done(&m, "alarm", 5000, 0, "sgs3", "extra_edges", 7);
    (void)add_done(&m, "insurance", 5000, 0, "sgs3", "extra_edges", 7);
    spec->rows = AXIS_NETWORK;
    spec->published_metric = text_copy("extra_edges");
    t = compute(&m, spec, vandel);
    assert_string_equal(cell_of(&t, "alarm", "sgs3")->published, "6");
    table_clear(&t);
    published_destroy(vandel);
    clear_results(&m);
}

static void the_text_is_aligned_and_says_what_its_figures_are(void **state) {
    made_results m = make_three();
    published_table *paper = NULL;
    text_buffer text = {0};
    static const char csv[] = "network,sample_size,algorithm,metric,value,normalised_by,aggregation\n"
                              "all,500,b,shd,12.5,base,median of the paper\n";
    table_spec *spec = add_table(&m, "t", "shd", "base");
    error_info err = {0};
    table t;
    (void)state;
    assert_ok(published_parse(csv, strlen(csv), &paper, &err), &err);
    spec->published = text_copy("paper.csv");
    spec->rows = AXIS_LEARNER;
    spec->columns = AXIS_SAMPLES;
    fail_cell(&m, "n1", 500, 1, "b", JOB_TIMEOUT);
    t = compute(&m, spec, paper);
    table_append_text(&t, 0, false, &text);
    assert_string_equal(
        text.data,
        "shd relative to base\n"
        "learner          500\n"
        "base     1.00\n"
        "b        1.50 [12.5]\n"
        "n of N    5/6\n"
        "  shd: structural Hamming distance of the patterns (Tsamardinos et al. 2006). Median over 3 networks of (mean "
        "of 2 data "
        "sets / that of base); less is better. n of N: data sets used, of those declared.\n"
        "  b: 1 timed out (n1 500: 1).\n"
        "  A data set on which a learner has no value is left out for all; a learner without any is left out alone.\n"
        "  In brackets: as published (paper.csv; median of the paper), on the paper's own networks and data.\n");
    text_buffer_clear(&text);
    table_append_text(&t, 0, true, &text);
    assert_non_null(strstr(text.data, "base     \033[1m1.00\033[0m"));
    text_buffer_clear(&text);
    table_clear(&t);
    published_destroy(paper);
    clear_results(&m);
}

static void markdown_and_csv_hold_the_same_figures(void **state) {
    made_results m = make_brown();
    published_table *brown = read_brown("brown2005_table3_normalized.csv");
    table t = compute(&m, add_table(&m, "t,1", "shd", "pmmhc"), brown);
    text_buffer b = {0};
    (void)state;
    /* shd: pmmhc 10 11 12 13, gts 14 15 16 17, mine 18 19 20 21 over (500: child, alarm; 5000: child, alarm) */
    table_append_markdown(&t, &b);
    assert_non_null(strstr(b.data, "## shd relative to pmmhc\n\n"
                                   "| samples | pmmhc | gts | mine | n of N |\n"
                                   "|:--|--:|--:|--:|--:|\n"
                                   "| 500 | **1.00** \\[1.00\\] | 1.38 \\[1.09\\] | 1.76 | 2/2 |\n"
                                   "| 5000 | **1.00** \\[1.00\\] | 1.32 \\[1.42\\] | 1.64 | 2/2 |\n"
                                   "| average | **1.00** \\[1.00\\] | 1.35 \\[1.21\\] | 1.70 | 4/4 |\n"));
    text_buffer_clear(&b);
    table_append_csv(&t, &b);
    assert_non_null(strstr(b.data, "table,row,column,value,published,difference,n,of,imputed,state\n"
                                   "\"t,1\",500,pmmhc,1,1,0,2,2,0,figure\n"));
    assert_non_null(strstr(b.data, "\"t,1\",500,mine,1.76363636363636"));
    assert_non_null(strstr(b.data, ",,,2,2,0,figure\n"));
    text_buffer_clear(&b);
    table_clear(&t);
    published_destroy(brown);
    clear_results(&m);
}

static void numbers_are_shown_by_their_kind(void **state) {
    static const struct {
        double value;
        number_style style;
        int decimals;
        const char *shown;
    } cases[] = {
        {1.005, NUMBER_RATIO, -1, "1.00"},       {2222.35, NUMBER_RATIO, -1, "2222.35"},
        {0.00423, NUMBER_RATIO, -1, "0.0042"},   {0, NUMBER_RATIO, -1, "0.00"},
        {0.01234, NUMBER_SECONDS, -1, "0.0123"}, {12.34, NUMBER_SECONDS, -1, "12.3"},
        {12345, NUMBER_SECONDS, -1, "12345"},    {3, NUMBER_COUNT, -1, "3.0"},
        {81200, NUMBER_COUNT, -1, "81200.0"},    {-54321.06, NUMBER_COUNT, -1, "-54321.1"},
        {0.5, NUMBER_SHARE, -1, "0.500"},        {3145728, NUMBER_BYTES, -1, "3.0"},
        {1.23456, NUMBER_RATIO, 4, "1.2346"},    {-0.0, NUMBER_COUNT, -1, "0.0"},
        {1e300, NUMBER_COUNT, -1, "1e+300"},     {1e-200, NUMBER_SECONDS, -1, "0.000000000000000000000000000000"},
    };
    char out[DISPLAY_NUMBER_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(display_number(cases[i].value, cases[i].style, cases[i].decimals, out), cases[i].shown);
}

static void no_line_is_wider_than_the_terminal(void **state) {
    static const char *const networks[] = {"n1", NULL};
    static const char *const learners[] = {
        "hill-climbing", "pmmhc", "mmhc-\xc3\xa4\xc3\xb6\xc3\xbc", "g", "a-longer-name-of-a-learner", "second-choice",
        "third-choice",  NULL};
    made_results m = make_results(networks, one_size, 1, learners);
    text_buffer text = {0};
    table t;
    (void)state;
    for (size_t l = 0; learners[l]; l++)
        (void)add_done(&m, "n1", 500, 0, learners[l], "shd", 1234.5 + (double)l);
    t = compute(&m, add_table(&m, "t", "shd", "pmmhc"), NULL);
    for (size_t width = 40; width < 120; width += 7) {
        table_append_text(&t, width, false, &text);
        for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n")) {
            if (text_width(line) > width)
                fail_msg("'%s' takes more than %zu columns", line, width);
        }
        text_buffer_clear(&text);
    }
    table_append_text(&t, 40, false, &text);
    for (size_t l = 0; learners[l]; l++)
        assert_non_null(strstr(text.data, learners[l])); /* folded, not cut */
    text_buffer_clear(&text);
    table_clear(&t);
    clear_results(&m);
}

static const char *const hostile[] = {
    "a|b", "`id`$(id)", "<script>alert(1)</script>", "two\nlines\x1b[2J", "c,\"d\"", "*_[x](y)_*", "\xff\xfe", NULL};

static void hostile_names_stay_text(void **state) {
    static const char *const networks[] = {"n|1\n", NULL};
    made_results m = make_results(networks, one_size, 1, hostile);
    text_buffer text = {0}, markdown = {0}, csv = {0};
    table t;
    size_t n_bars = 0;
    (void)state;
    for (size_t l = 0; hostile[l]; l++)
        (void)add_done(&m, networks[0], 500, 0, hostile[l], "shd", 10 + (double)l);
    t = compute(&m, add_table(&m, "x", "shd", hostile[0]), NULL);
    table_append_text(&t, 0, false, &text);
    assert_null(strchr(text.data, '\x1b'));
    assert_null(strstr(text.data, "\nlines"));
    assert_null(strchr(text.data, '\xff'));
    table_append_markdown(&t, &markdown);
    assert_null(strstr(markdown.data, "<script"));
    assert_null(strstr(markdown.data, " `id"));
    assert_non_null(strstr(markdown.data, "a\\|b"));
    assert_non_null(strstr(markdown.data, "\\*\\_\\[x\\](y)\\_\\*"));
    /* The head has as many bars that are not escaped as the table has columns, and one. */
    for (const char *c = strstr(markdown.data, "| samples"); *c != '\n'; c++)
        n_bars += *c == '|' && c[-1] != '\\';
    assert_int_equal(n_bars, 1 + 1 + 7 + 1);
    table_append_csv(&t, &csv);
    assert_non_null(strstr(csv.data, ",\"c,\"\"d\"\"\","));
    assert_non_null(strstr(csv.data, ",\"two\nlines\x1b[2J\","));
    text_buffer_clear(&text);
    text_buffer_clear(&markdown);
    text_buffer_clear(&csv);
    table_clear(&t);
    clear_results(&m);
}

static void file_names_stay_in_their_folder(void **state) {
    static const struct {
        const char *id, *name;
    } cases[] = {{"table3-shd", "table3-shd"},
                 {"../../etc/passwd", "_._.._etc_passwd"},
                 {"", "_"},
                 {".", "_"},
                 {"a b;c'd\"e`f", "a_b_c_d_e_f"},
                 {"gr\xc3\xb6\xc3\x9f"
                  "e",
                  "gr\xc3\xb6\xc3\x9f"
                  "e"},
                 {"x\n<y>", "x__y_"},
                 {"-o", "-o"}};
    char id[1000];
    char *name;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        name = display_file_name(cases[i].id);
        assert_string_equal(name, cases[i].name);
        free(name);
    }
    memset(id, 'x', sizeof id - 1);
    id[sizeof id - 1] = '\0';
    name = display_file_name(id);
    assert_true(strlen(name) <= 96);
    free(name);
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
        cmocka_unit_test(a_failed_cell_drops_its_data_set_for_every_learner),
        cmocka_unit_test(a_failed_cell_counts_as_the_worst_value_where_declared),
        cmocka_unit_test(the_worst_of_a_score_is_the_least),
        cmocka_unit_test(a_time_counts_as_its_limit_where_declared_and_nothing_else_does),
        cmocka_unit_test(a_learner_that_always_fails_is_shown_as_failed_and_costs_nobody_a_data_set),
        cmocka_unit_test(a_baseline_of_zero_drops_that_network_for_every_learner_of_the_row),
        cmocka_unit_test(without_its_baseline_a_row_has_no_ratios),
        cmocka_unit_test(a_learner_whose_graphs_lack_the_metric_is_left_out_and_named),
        cmocka_unit_test(data_sets_that_not_every_learner_has_run_wait),
        cmocka_unit_test(rows_and_columns_change_places),
        cmocka_unit_test(axes_that_make_no_table_are_refused),
        cmocka_unit_test(the_best_is_marked_as_shown_and_a_ratio_of_negatives_turns_round),
        cmocka_unit_test(published_figures_stand_beside_those_of_the_same_learner_and_size),
        cmocka_unit_test(published_figures_of_another_baseline_are_not_shown),
        cmocka_unit_test(a_row_of_a_network_takes_that_networks_published_figure),
        cmocka_unit_test(the_text_is_aligned_and_says_what_its_figures_are),
        cmocka_unit_test(markdown_and_csv_hold_the_same_figures),
        cmocka_unit_test(numbers_are_shown_by_their_kind),
        cmocka_unit_test(no_line_is_wider_than_the_terminal),
        cmocka_unit_test(hostile_names_stay_text),
        cmocka_unit_test(file_names_stay_in_their_folder),
        cmocka_unit_test(random_tables_agree_with_the_rule_written_once_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
