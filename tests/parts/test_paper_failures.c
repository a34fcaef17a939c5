/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tables, tests and plots make of cells that failed in the paper and not here. */
#include "tests/parts/significance_support.h"

#include "parts/plots/trace_plot.h"
#include "parts/tables/metric_table.h"

#include <math.h>

/* Names end with NULL, sizes with 0. */
static void fail_in_paper(made_results *m, const char *learner, const char *const *networks, const size_t *sizes) {
    experiment_outputs *o = &m->outputs;
    paper_failure *f;
    o->paper_failures = realloc(o->paper_failures, (o->n_paper_failures + 1) * sizeof *o->paper_failures);
    f = &o->paper_failures[o->n_paper_failures++];
    *f = (paper_failure){.learner = text_copy(learner)};
    f->networks = copy_names(networks, &f->n_networks);
    while (sizes[f->n_sizes])
        f->n_sizes++;
    f->sizes = malloc((f->n_sizes + 1) * sizeof *f->sizes);
    memcpy(f->sizes, sizes, f->n_sizes * sizeof *sizes);
}

static const char *const asia_and_child[] = {"asia", "child", NULL};

static table tabulate(const made_results *m, const metric_table_spec *spec) {
    table t = {0};
    error_info err = {0};
    assert_ok(metric_table_compute(&m->outputs, spec, m->records, m->n, NULL, &t, &err), &err);
    return t;
}

static void assert_notes(char *const *notes, size_t n, const char *words, bool is_there) {
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found = found || strstr(notes[i], words);
    if (found != is_there)
        fail_msg("'%s' is %s the notes", words, found ? "in" : "not in");
}

/*
 * By hand: a, b, c have 1, 2, 9 on asia, 2, 2, 9 on child and 3, 5, 1 on alarm. With a last on the first two networks
 * the ranks are 3 1 2, 3 1 2 and 2 3 1; their sums 8, 5, 5, and chi2 = 12 / (3 * 3 * 4) * (64 + 25 + 25) - 3 * 3 * 4
 * = 2.
 */
static void ranks_and_friedmans_test_are_those_with_the_learner_last(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "ranks", "shd", NULL);
    friedman_spec test = friedman_of("shd");
    significance s;
    table t;
    (void)state;
    spec->aggregate = AGGREGATE_MEAN_RANK;
    spec->failures = FAILURES_WORST;
    fail_in_paper(&m, "a", asia_and_child, one_size);
    t = tabulate(&m, spec);
    assert_close(t.cells[0].value, 8 / 3., 1e-14);
    assert_close(t.cells[1].value, 5 / 3., 1e-14);
    assert_close(t.cells[2].value, 5 / 3., 1e-14);
    assert_int_equal(t.cells[0].n_imputed, 4);
    assert_notes(t.notes, t.n_notes, "a counts as failed on 2 networks, as in the paper (failed_in_paper).", true);
    assert_notes(t.notes, t.n_notes, "is ranked last there", true);
    assert_notes(t.notes, t.n_notes, "4 failed", false); /* that is said of what failed here */
    table_clear(&t);
    s = rank(&m, &test);
    assert_close(s.groups[0].test.chi2, 2, 1e-12);
    assert_close(s.groups[0].test.p_value, exp(-1), 1e-12);
    assert_int_equal(s.groups[0].learners[0].n_failed, 2);
    assert_close(s.groups[0].learners[0].mean_rank, 8 / 3., 1e-14);
    assert_notes(s.notes, s.n_notes, "a counts as failed on 2 networks, as in the paper (failed_in_paper).", true);
    significance_clear(&s);
    clear_spec(&test.shared);
    clear_results(&m);
}

static void assert_same_tables(const table *a, const table *b) {
    assert_int_equal(a->n_rows * a->n_columns, b->n_rows * b->n_columns);
    for (size_t i = 0; i < a->n_rows * a->n_columns; i++) {
        assert_int_equal(a->cells[i].kind, b->cells[i].kind);
        assert_int_equal(a->cells[i].n, b->cells[i].n);
        assert_int_equal(a->cells[i].n_imputed, b->cells[i].n_imputed);
        if (a->cells[i].kind == CELL_FIGURE)
            assert_close(a->cells[i].value, b->cells[i].value, 0);
    }
}

/* Whatever the policy and the aggregate, the figures are those of a store in which these cells failed. */
static void figures_are_those_of_a_store_where_the_cells_failed(void **state) {
    (void)state;
    for (size_t way = 0; way < 36; way++) {
        made_results ours = make_three(), failed = make_three();
        metric_table_spec *spec = add_table(&ours, "t", way % 2 ? "time" : "shd", NULL);
        table in_paper, in_store;
        spec->aggregate = (table_aggregate)(way / 2 % 3);
        spec->failures = (failure_policy)(way / 6 % 3);
        spec->rows = way < 18 ? AXIS_SAMPLES : AXIS_NETWORK;
        if (spec->aggregate != AGGREGATE_MEAN_RANK && way % 4 == 1)
            spec->normalise_by = text_copy("a");
        for (size_t i = 0; i < ours.n; i++) {
            set_metric(&ours.records[i], "time", (double)(i % 7) + 1);
            set_metric(&failed.records[i], "time", (double)(i % 7) + 1);
            if (*failed.records[i].learner == 'b' && strcmp(failed.records[i].network, "child") != 0)
                failed.records[i].state = JOB_FAILED;
        }
        fail_in_paper(&ours, "b", (const char *const[]){"asia", "alarm", NULL}, one_size);
        in_paper = tabulate(&ours, spec);
        in_store = tabulate(&failed, spec);
        assert_same_tables(&in_paper, &in_store);
        table_clear(&in_paper);
        table_clear(&in_store);
        clear_results(&ours);
        clear_results(&failed);
    }
}

static void wilcoxons_verdict_turns(void **state) {
    made_results m = make_pairs();
    wilcoxon_spec spec = wilcoxon_of("bdeu_train");
    significance s = compare(&m, &spec);
    (void)state;
    assert_int_equal(s.verdicts[0].verdict, '+'); /* a : b on asia at 500 rows */
    significance_clear(&s);
    fail_in_paper(&m, "a", (const char *const[]){"asia", NULL}, one_size);
    s = compare(&m, &spec);
    assert_int_equal(s.verdicts[0].verdict, '-');
    assert_int_equal(s.verdicts[0].n_failed, 20);
    assert_int_equal(s.verdicts[1].verdict, '+'); /* at 5000 rows as before */
    assert_notes(s.notes, s.n_notes, "a counts as failed on 1 network at 500 rows, as in the paper", true);
    significance_clear(&s);
    clear_spec(&spec.shared);
    clear_results(&m);
}

static void a_cell_fails_at_every_noise_level_and_whether_or_not_it_ran(void **state) {
    static const char *const networks[] = {"asia", "child", NULL};
    made_results m = make_results(networks, one_size, 1, three_learners);
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    table t;
    (void)state;
    m.outputs.n_sigmas = 2;
    m.outputs.sigmas = calloc(2, sizeof *m.outputs.sigmas);
    m.outputs.sigmas[0] = 0.1;
    m.outputs.sigmas[1] = 0.5;
    for (size_t i = 0; i < 12; i++) {
        if (i < 9 || i % 3 != 0) /* a has not run on child at the second level */
            add_done(&m, networks[i / 6], 500, 0, three_learners[i % 3], "shd", (double)(i % 3))->sigma =
                m.outputs.sigmas[i / 3 % 2];
    }
    spec->aggregate = AGGREGATE_MEAN_RANK;
    spec->failures = FAILURES_WORST;
    fail_in_paper(&m, "a", (const char *const[]){"child", NULL}, one_size);
    t = tabulate(&m, spec);
    assert_close(t.cells[0].value, (1 + 1 + 3 + 3) / 4., 1e-14);
    assert_close(t.cells[1].value, (2 + 2 + 1 + 1) / 4., 1e-14);
    assert_int_equal(t.cells[0].n, 4);
    table_clear(&t);
    clear_results(&m);
}

static void a_note_speaks_of_what_the_table_shows(void **state) {
    made_results m = make_three();
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    table t;
    (void)state;
    fail_in_paper(&m, "a", asia_and_child, one_size);
    spec->networks = copy_names((const char *const[]){"alarm", "child", NULL}, &spec->n_networks);
    t = tabulate(&m, spec);
    assert_notes(t.notes, t.n_notes, "a counts as failed on 1 network, as in the paper", true);
    table_clear(&t);
    spec->learners = copy_names((const char *const[]){"c", "b", NULL}, &spec->n_learners);
    t = tabulate(&m, spec);
    assert_notes(t.notes, t.n_notes, "as in the paper", false);
    assert_close(t.cells[0].value, 5, 1e-14); /* c, over child and alarm: no data set is lost */
    assert_int_equal(t.cells[0].n, 4);
    table_clear(&t);
    clear_results(&m);
}

/* The best of a and b is b where a failed in the paper, and fails where both did. */
static void the_best_of_others_does_without_a_part_that_failed(void **state) {
    static const char *const learners[] = {"a", "b", "best", NULL};
    made_results m = make_results(three_networks, one_size, 1, learners);
    experiment_outputs *o = &m.outputs;
    metric_table_spec *spec = add_table(&m, "t", "shd", NULL);
    table t;
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        add_done(&m, three_networks[i], 500, 0, "a", "shd", 1);
        add_done(&m, three_networks[i], 500, 0, "b", "shd", 7);
    }
    o->n_best_of = 1;
    o->best_of = calloc(1, sizeof *o->best_of);
    o->best_of[0] = (best_of_spec){.id = text_copy("best"), .by = text_copy("shd")};
    o->best_of[0].parts = copy_names((const char *const[]){"a", "b", NULL}, &o->best_of[0].n_parts);
    o->is_hidden = calloc(3, sizeof *o->is_hidden);
    o->is_hidden[0] = o->is_hidden[1] = true;
    fail_in_paper(&m, "a", asia_and_child, one_size);
    fail_in_paper(&m, "b", (const char *const[]){"child", NULL}, one_size);
    spec->rows = AXIS_NETWORK;
    t = tabulate(&m, spec);
    assert_close(t.cells[0].value, 7, 0);
    assert_int_equal(t.cells[1].kind, CELL_FAILED);
    assert_close(t.cells[2].value, 1, 0);
    assert_notes(t.notes, t.n_notes, "a 1 (no result on 2), b 1 (no result on 1) of 3 data sets; none on 1.", true);
    assert_notes(t.notes, t.n_notes, "a counts as failed on 2 networks, as in the paper (failed_in_paper). b counts",
                 true);
    table_clear(&t);
    clear_results(&m);
}

static void plots_leave_the_cells_out(void **state) {
    made_results m = make_three();
    trace_spec *traced = add_part(&m, PART_PLOT, "trace", "trace");
    values_spec *boxes = add_values(&m, "boxes", "box", "shd");
    const part_kind *trace_kind = part_find(PART_PLOT, "trace"), *box_kind = part_find(PART_PLOT, "box");
    (void)state;
    traced->y = text_copy("best_score");
    for (size_t i = 0; i < m.n; i++) {
        error_info err = {0};
        assert_ok(trace_add_point(&m.records[i].trace, "best_score", 1, (double)i, &err), &err);
    }
    for (size_t way = 0; way < 2; way++) { /* 6 data sets each, of a without those of asia and child */
        plot lines = {0}, box = {0};
        error_info err = {0};
        assert_ok(trace_kind->plot(&m.outputs, traced, m.records, m.n, &lines, &err), &err);
        assert_ok(box_kind->plot(&m.outputs, boxes, m.records, m.n, &box, &err), &err);
        assert_int_equal(lines.points[0].n, way ? 2 : 6);
        assert_int_equal(lines.points[1].n, 6);
        assert_int_equal(box.n_values, way ? 14 : 18);
        plot_clear(&lines);
        plot_clear(&box);
        fail_in_paper(&m, "a", asia_and_child, one_size);
    }
    clear_results(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_and_friedmans_test_are_those_with_the_learner_last),
        cmocka_unit_test(figures_are_those_of_a_store_where_the_cells_failed),
        cmocka_unit_test(wilcoxons_verdict_turns),
        cmocka_unit_test(a_cell_fails_at_every_noise_level_and_whether_or_not_it_ran),
        cmocka_unit_test(a_note_speaks_of_what_the_table_shows),
        cmocka_unit_test(the_best_of_others_does_without_a_part_that_failed),
        cmocka_unit_test(plots_leave_the_cells_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
