/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces: noted by a learner, carried by record files, kept in the store, drawn. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/run/trace.h"
#include "parts/plots/trace_plot.h"
#include "parts/tables/metric_table.h"
#include "runner/declare/experiment.h"
#include "runner/job/record_file_internal.h"
#include "store/store.h"
#include "tests/support/records.h"
#include "tests/support/store_sql.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note(trace *t, const char *series, uint64_t step, double value) {
    error_info err = {0};
    assert_ok(trace_add_point(t, series, step, value, &err), &err);
}

static void figures_are_replaced_and_points_are_appended(void **state) {
    trace t = {0};
    error_info err = {0};
    (void)state;
    assert_null(trace_find_figure(&t, "a"));
    assert_null(trace_find_series(&t, "a"));
    assert_ok(trace_set_figure(&t, "a", 1, &err), &err);
    assert_ok(trace_set_figure(&t, "b", 2, &err), &err);
    assert_ok(trace_set_figure(&t, "a", 3, &err), &err);
    assert_int_equal(t.n_figures, 2);
    assert_true(*trace_find_figure(&t, "a") == 3);
    for (uint64_t i = 0; i < 100; i++)
        note(&t, i % 2 ? "odd" : "even", i, (double)i / 4);
    assert_int_equal(t.n_series, 2);
    assert_int_equal(trace_find_series(&t, "odd")->n, 50);
    assert_int_equal(trace_find_series(&t, "odd")->points[1].step, 3);
    assert_true(trace_find_series(&t, "even")->points[49].value == 24.5);
    trace_clear(&t);
    assert_int_equal(t.n_series, 0);
}

static void nobody_need_listen_and_what_is_no_number_is_passed_over(void **state) {
    trace t = {0};
    error_info err = {0};
    (void)state;
    assert_ok(trace_set_figure(NULL, "a", 1, &err), &err);
    assert_ok(trace_add_point(NULL, "a", 1, 1, &err), &err);
    assert_ok(trace_set_figure(&t, "a", (double)NAN, &err), &err);
    note(&t, "a", 1, -INFINITY);
    assert_int_equal(t.n_figures + t.n_series, 0);
}

static void a_series_is_bounded(void **state) {
    trace t = {0};
    (void)state;
    for (uint64_t i = 0; i < TRACE_MAX_POINTS + 5; i++)
        note(&t, "long", i, 1);
    assert_int_equal(trace_find_series(&t, "long")->n, TRACE_MAX_POINTS);
    trace_clear(&t);
}

/* --- kept and carried */

static job_record make_record(unsigned number) {
    char key[65];
    error_info err = {0};
    job_record r = {.network = text_copy("alarm"), .n_samples = 500, .replicate = number, .learner = text_copy("sgs1")};
    (void)snprintf(key, sizeof key, "%064x", number);
    r.key = text_copy(key);
    assert_ok(job_record_set_metric(&r, "iterations", 55, &err), &err);
    note(&r.trace, "best_score", 1, -5541.5500000000002);
    note(&r.trace, "best_score", 2, -5541.5500000000002);
    note(&r.trace, "best_score", 7, 1.0 / 3);
    note(&r.trace, "another", UINT32_MAX, 0);
    return r;
}

static void assert_same_traces(const trace *a, const trace *b) {
    assert_int_equal(a->n_series, b->n_series);
    for (size_t i = 0; i < a->n_series; i++) {
        const trace_series *s = &a->series[i], *t = trace_find_series(b, s->name);
        assert_non_null(t);
        assert_int_equal(s->n, t->n);
        for (size_t k = 0; k < s->n; k++) {
            assert_int_equal(s->points[k].step, t->points[k].step);
            assert_true(s->points[k].value == t->points[k].value);
        }
    }
}

static store *open_store(const char *folder, bool create) {
    error_info err = {0};
    store *s = NULL;
    assert_ok(store_open(folder, create, false, &s, &err), &err);
    return s;
}

static void add(store *s, const job_record *r) {
    error_info err = {0};
    bool added = false;
    assert_ok(store_add(s, r, &added, &err), &err);
    assert_true(added);
}

static void the_store_gives_a_trace_back_and_forgets_it_with_its_job(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true);
    job_record one = make_record(1), two = make_record(2), back = {0}, *all = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    add(s, &one);
    add(s, &two);
    assert_ok(store_find(s, one.key, &back, &err), &err);
    assert_same_traces(&one.trace, &back.trace);
    assert_ok(store_read_all(s, false, &all, &n, &err), &err);
    assert_int_equal(n, 2);
    for (size_t i = 0; i < n; i++)
        assert_same_traces(&one.trace, &all[i].trace);
    assert_ok(store_remove(s, one.key, &err), &err);
    store_close(s);
    assert_int_equal(ask(folder, "SELECT count(*) FROM trace"), 4);
    job_records_destroy(all, n);
    job_record_clear(&one);
    job_record_clear(&two);
    job_record_clear(&back);
}

static void a_store_of_format_1_gets_the_table_and_keeps_its_results(void **state) {
    const char *folder = scratch_folder();
    store *s = open_store(folder, true);
    job_record one = make_record(1), two = make_record(2), back = {0};
    error_info err = {0};
    (void)state;
    add(s, &one);
    store_close(s);
    execute(folder,
            "DROP VIEW result; DROP TABLE trace; ALTER TABLE job DROP COLUMN confinement; ALTER TABLE job DROP COLUMN "
            "sigma; ALTER TABLE job DROP COLUMN policy; "
            "ALTER TABLE job DROP COLUMN digest; ALTER TABLE job DROP COLUMN texts_digest; "
            "ALTER TABLE run DROP COLUMN digest; ALTER TABLE run DROP COLUMN plan_run; ALTER TABLE run DROP COLUMN "
            "reading; PRAGMA user_version=1");
    s = open_store(folder, false);
    assert_ok(store_find(s, one.key, &back, &err), &err);
    assert_int_equal(back.trace.n_series, 0);
    assert_true(*job_record_metric(&back, "iterations") == 55);
    add(s, &two);
    job_record_clear(&back);
    assert_ok(store_find(s, two.key, &back, &err), &err);
    assert_same_traces(&two.trace, &back.trace);
    store_close(s);
    store_close(open_store(folder, false)); /* once more, and there is nothing left to do */
    assert_int_equal(ask(folder, "PRAGMA user_version"), 6);
    job_record_clear(&one);
    job_record_clear(&two);
    job_record_clear(&back);
}

static char *record_path(void) {
    char *path = NULL;
    assert_true(asprintf(&path, "%s/record.json", scratch_folder()) > 0);
    return path;
}

static void a_record_file_carries_the_trace(void **state) {
    char *path = record_path();
    job_record r = make_record(1), back = {0};
    error_info err = {0};
    (void)state;
    assert_ok(record_write(&r, path, &err), &err);
    assert_ok(record_read(path, &back, &err), &err);
    assert_same_traces(&r.trace, &back.trace);
    job_record_clear(&back);
    trace_clear(&r.trace);
    assert_ok(record_write(&r, path, &err), &err);
    assert_ok(record_read(path, &back, &err), &err);
    assert_int_equal(back.trace.n_series, 0);
    job_record_clear(&back);
    job_record_clear(&r);
    free(path);
}

static void a_trace_of_another_shape_is_refused(void **state) {
    static const struct {
        const char *text, *message;
    } cases[] = {{"\"trace\": 3", "'trace' is no object"},
                 {"\"trace\": {\"a\": 3}", "the trace 'a' is no array"},
                 {"\"trace\": {\"a\": [3]}", "no [step, value]"},
                 {"\"trace\": {\"a\": [[-1, 2]]}", "no [step, value]"},
                 {"\"trace\": {\"a\": [[1, \"x\"]]}", "no [step, value]"}};
    char *path = record_path();
    job_record r = make_record(1), back = {0};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        error_info err = {0};
        char *text = NULL, *place;
        size_t length = 0;
        text_buffer changed = {0};
        assert_ok(record_write(&r, path, &err), &err);
        assert_ok(file_read(path, 1 << 20, &text, &length, &err), &err);
        place = strstr(text, "\"trace\"");
        assert_non_null(place);
        *place = '\0';
        text_append_format(&changed, "%s%s}", text, cases[i].text);
        assert_ok(file_write(path, changed.data, changed.length, &err), &err);
        assert_int_equal(record_read(path, &back, &err), STATUS_PARSE);
        assert_message_has(&err, cases[i].message);
        text_buffer_clear(&changed);
        free(text);
    }
    job_record_clear(&r);
    free(path);
}

/* --- drawn */

static void a_plot_of_a_trace_shows_means_by_step_and_levels(void **state) {
    made_results m = make_results((const char *const[]){"alarm", NULL}, (const size_t[]){500, 0}, 2,
                                  (const char *const[]){"sgs1", "ges", "hc", NULL});
    trace_spec spec = {.id = (char *)(uintptr_t) "f",
                       .y = (char *)(uintptr_t) "best_score",
                       .level = (char *)(uintptr_t) "bdeu1_train"};
    plot p = {0};
    text_buffer csv = {0}, script = {0};
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        job_record *r = add_record(&m, "alarm", 500, i, "sgs1", JOB_DONE);
        note(&r->trace, "best_score", 1, -10.0 - (double)i);
        note(&r->trace, "best_score", 2, -8);
        if (i == 0)
            note(&r->trace, "best_score", 3, -7);
        set_metric(add_record(&m, "alarm", 500, i, "ges", JOB_DONE), "bdeu1_train", -20 + 2 * (double)i);
        (void)add_record(&m, "alarm", 500, i, "hc", JOB_FAILED);
    }
    assert_ok(part_find(PART_PLOT, "trace")->plot(&m.outputs, &spec, m.records, m.n, &p, &err), &err);
    plot_append_csv(&p, &csv);
    assert_string_equal(csv.data, "learner,step,n,of,mean\n"
                                  "sgs1,1,2,2,-10.5\nsgs1,2,2,2,-8\nsgs1,3,1,2,-7\n"
                                  "ges,1,2,2,-19\nges,3,2,2,-19\n");
    plot_append_script(&p, "f", &script);
    assert_non_null(strstr(script.data, "$learner0 << END_OF_DATA\n1 -10.5 "));
    assert_non_null(strstr(script.data, "Mean over data sets; n = 1 to 2 of 2"));
    assert_null(strstr(script.data, "$learner2"));
    text_buffer_clear(&csv);
    text_buffer_clear(&script);
    plot_clear(&p);
    clear_results(&m);
}

/* --- declared */

static status parse(const char *outputs, experiment *e, error_info *err) {
    text_buffer text = {0};
    status st;
    text_append_format(
        &text, "name: x\nnetworks: [asia]\ndata: {samples: [100, 200]}\nlearners: [sgs1, sgs2, ges]\n%s\n", outputs);
    st = experiment_parse(text.data, text.length, "x.yaml", e, err);
    text_buffer_clear(&text);
    return st;
}

static void a_trace_is_declared_by_its_series(void **state) {
    const declared_part *part;
    experiment e = {0};
    error_info err = {0};
    (void)state;
    assert_ok(
        parse("plots: [{id: f, kind: trace, y: best_score, level: bdeu1_train, learners: [sgs2, ges]}]", &e, &err),
        &err);
    part = &e.parts.parts[e.parts.n - 1];
    assert_string_equal(part->kind->name, "trace");
    assert_string_equal(part_text(part, "y"), "best_score");
    assert_string_equal(part_text(part, "level"), "bdeu1_train");
    assert_int_equal(((const trace_spec *)part->options)->n_learners, 2);
    experiment_clear(&e);
    assert_int_equal(parse("plots: [{id: f, kind: trace}]", &e, &err), STATUS_PARSE);
    assert_message_has(&err, "needs 'y', a series");
    assert_int_equal(parse("plots: [{id: f, kind: trace, y: best_score, x: time}]", &e, &err), STATUS_PARSE);
    assert_message_has(&err, "unknown key 'x'");
    assert_int_equal(parse("plots: [{id: f, kind: scatter, x: time, y: shd, level: time}]", &e, &err), STATUS_PARSE);
    assert_message_has(&err, "unknown key 'level' in a plot of kind scatter; it belongs to a plot of kind trace");
}

static void a_table_may_show_some_sample_sizes_alone(void **state) {
    made_results m = make_results((const char *const[]){"asia", NULL}, (const size_t[]){100, 200, 0}, 1,
                                  (const char *const[]){"sgs1", NULL});
    experiment e = {0};
    table t = {0};
    error_info err = {0};
    (void)state;
    assert_ok(parse("tables: [{id: t, metric: shd, samples: 200, rows: network}]", &e, &err), &err);
    assert_int_equal(metric_table_of(&e.parts.parts[0])->n_samples, 1);
    add_done(&m, "asia", 100, 0, "sgs1", "shd", 5);
    add_done(&m, "asia", 200, 0, "sgs1", "shd", 3);
    assert_ok(metric_table_compute(&m.outputs, e.parts.parts[0].options, m.records, m.n, NULL, &t, &err), &err);
    assert_int_equal(t.n_rows * t.n_columns, 1);
    assert_true(t.cells[0].value == 3);
    table_clear(&t);
    experiment_clear(&e);
    clear_results(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_replaced_and_points_are_appended),
        cmocka_unit_test(nobody_need_listen_and_what_is_no_number_is_passed_over),
        cmocka_unit_test(a_series_is_bounded),
        cmocka_unit_test(the_store_gives_a_trace_back_and_forgets_it_with_its_job),
        cmocka_unit_test(a_store_of_format_1_gets_the_table_and_keeps_its_results),
        cmocka_unit_test(a_record_file_carries_the_trace),
        cmocka_unit_test(a_trace_of_another_shape_is_refused),
        cmocka_unit_test(a_plot_of_a_trace_shows_means_by_step_and_levels),
        cmocka_unit_test(a_trace_is_declared_by_its_series),
        cmocka_unit_test(a_table_may_show_some_sample_sizes_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
