/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff and nightly from outside, and the history that nightly keeps. */
#include "tests/support/cli_support.h"

#include "parts/plots/trend.h"
#include "report/difference/difference.h"
#include "store/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A learner that finds the edges which the file "edges" lists: what a night finds is what the test puts there. */
static const char *const nights = "name: nights\n"
                                  "seed: 3\n"
                                  "networks: [asia]\n"
                                  "data: {samples: [50], replicates: 4, test_samples: 0}\n"
                                  "learners:\n"
                                  "  - hc\n"
                                  "  - {id: planted, command: [cp, edges, \"{graph}\"], returns: skeleton}\n"
                                  "metrics: [edge_errors, edges]\n"
                                  "tables: [{id: e, metric: edge_errors, rows: samples}]\n";

/* Times do not count: these jobs take a millisecond, which a busy computer doubles. */
#define UNTIMED "--max-slowdown", "1000"
#define assert_night(status, ...) assert_status(status, "nightly", __VA_ARGS__, UNTIMED)

static const char good_edges[] = "from,to,type\nasia,tub,undirected\nsmoke,lung,undirected\nsmoke,bronc,undirected\n";
static const char bad_edges[] = "from,to,type\nasia,tub,undirected\n";

static void three_nights_draw_a_trend_and_the_third_tells_of_its_regression(void **state) {
    (void)state;
    const char *file = write_file("nights.yaml", nights), *history_folder = in_folder("history");
    write_file("edges", good_edges);
    assert_night(0, file, "--history", history_folder);
    assert_text_has(cli_out, "nothing to compare with yet");
    assert_night(0, file, "--history", history_folder);
    assert_text_has(cli_out, "0 regressions");
    write_file("edges", bad_edges);
    assert_night(1, file, "--history", history_folder);
    assert_text_has(cli_out, "Regressions:");
    assert_text_has(cli_out, "planted: edge_errors 5.0 -> 7.0 edges, +2");
    assert_true(is_there(in_folder("history/trend-edge_errors.csv")));
    assert_true(is_there(in_folder("history/changes.html")));

    history h = {0};
    error_info err = {0};
    assert_ok(history_read(in_folder("history/history.csv"), &h, &err), &err);
    assert_int_equal(h.n_nights, 3);
    assert_int_equal(h.nights[1].outcome, NIGHT_GOOD);
    assert_int_equal(h.nights[2].outcome, NIGHT_REGRESSION);
    assert_string_equal(h.nights[2].baseline, h.nights[1].name);
    assert_ptr_equal(history_last_good(&h), &h.nights[1]);
    history_clear(&h);
}

/* A learner whose time is 0.01 s and one that has 10 s, both half as long again in the second night. */
static void a_trend_of_times_shows_each_learner_against_its_first_night(void **state) {
    static const char *const learners[] = {"fast", "slow"}, *const metrics[] = {"time"};
    static const char *const names[] = {"2026-11-21T030000Z", "2026-11-22T030000Z.2"};
    (void)state;
    history h = {0};
    error_info err = {0};
    bool drawn = false;
    for (size_t k = 0; k < 2; k++) {
        job_record r[2] = {{.network = (char *)"asia", .n_samples = 50}, {.network = (char *)"asia", .n_samples = 50}};
        for (size_t i = 0; i < 2; i++) {
            r[i].learner = (char *)learners[i];
            assert_ok(job_record_set_metric(&r[i], "time", (i ? 10 : 0.01) * (k ? 1.5 : 1), &err), &err);
        }
        assert_ok(history_add(&h, names[k], "", NIGHT_GOOD, r, 2, metrics, 1, &err), &err);
        for (size_t i = 0; i < 2; i++) {
            free(r[i].metrics[0].name);
            free(r[i].metrics);
        }
    }
    if (trend_write(&h, "time", cli_folder, &drawn, &err) == STATUS_OK)
        assert_true(is_there(in_folder("trend-time.svg")));
    assert_int_equal(cli_call_shell("cat \"$1\"/trend-time.gp"), 0); /* written also where gnuplot is not there */
    assert_text_has(cli_out, "$learner0 << END_OF_DATA\n1 1\n2 1.5\nEND_OF_DATA");
    assert_text_has(cli_out, "$learner1 << END_OF_DATA\n1 1\n2 1.5\nEND_OF_DATA");
    assert_text_has(cli_out, "'2026-11-21T030000Z' 1, '2026-11-22T030000Z.2' 2");
    assert_text_lacks(cli_out, "logscale");
    history_clear(&h);
}

static void a_regression_is_told_every_night_until_it_is_accepted(void **state) {
    (void)state;
    const char *file = write_file("nights.yaml", nights), *history_folder = in_folder("history");
    write_file("edges", good_edges);
    assert_night(0, file, "--history", history_folder, "-q");
    write_file("edges", bad_edges);
    assert_night(1, file, "--history", history_folder, "-q");
    assert_night(1, file, "--history", history_folder, "-q");
    assert_status(0, "nightly", file, "--history", history_folder, "--accept");
    assert_night(0, file, "--history", history_folder, "-q");
    write_file("edges", good_edges);
    assert_night(0, file, "--history", history_folder, "-q");
    assert_text_has(cli_out, "Better:");
}

/* What the night is looked at for is not lost for want of a picture. */
static void a_gnuplot_that_fails_hides_no_regression(void **state) {
    (void)state;
    const char *file = write_file("nights.yaml", nights), *history_folder = in_folder("history");
    assert_int_equal(chmod(write_file("fake", "#!/bin/sh\necho broken >&2\nexit 1\n"), 0700), 0);
    assert_int_equal(setenv("BNBENCH_GNUPLOT", in_folder("fake"), 1), 0);
    write_file("edges", good_edges);
    assert_night(0, file, "--history", history_folder, "-q");
    write_file("edges", bad_edges);
    assert_night(1, file, "--history", history_folder);
    assert_int_equal(unsetenv("BNBENCH_GNUPLOT"), 0);
    assert_text_has(cli_errors, "note: no pictures of trends: gnuplot failed: broken");
    assert_text_has(cli_out, "planted: edge_errors");
}

static void a_night_that_measures_less_says_so(void **state) {
    (void)state;
    const char *file = write_file("nights.yaml", nights), *history_folder = in_folder("history");
    json_t *answer;
    write_file("edges", good_edges);
    assert_night(0, file, "--history", history_folder, "-q");
    assert_night(7, file, "--history", history_folder, "--set", "data.replicates=3", "--json");
    answer = parse_answer();
    assert_string_equal(text_at(answer, "outcome"), "shrunk");
    assert_int_equal(json_array_size(json_object_get(answer, "jobs")), 2);
    json_decref(answer);
}

static void a_learner_that_fails_now_is_a_regression(void **state) {
    (void)state;
    const char *file = write_file("nights.yaml", nights), *history_folder = in_folder("history");
    write_file("edges", good_edges);
    assert_night(0, file, "--history", history_folder, "-q");
    assert_int_equal(unlink(in_folder("edges")), 0);
    assert_night(1, file, "--history", history_folder, "-q");
    assert_text_has(cli_out, "New failures:");
    assert_true(is_there(in_folder("history/junit.xml")));
    assert_night(1, file, "--history", history_folder, "-q");
}

static void a_damaged_history_is_answered_with_its_place(void **state) {
    (void)state;
    const char *file = write_file("nights.yaml", nights), *history_folder = in_folder("history");
    assert_int_equal(mkdir(history_folder, 0700), 0);
    write_file("history/history.csv", "night,outcome,baseline,network,samples,learner,metric,n,value\n"
                                      "2026-01-01T030000Z,good,,asia,50,hc,shd,1,many\n");
    assert_night(3, file, "--history", history_folder);
    assert_text_has(cli_errors, "'value' is not a number");
    write_file("history/history.csv", "night,outcome,baseline,network,samples,learner,metric,n,value\n"
                                      "2026-01-01T030000Z,fine,,asia,50,hc,shd,1,2\n");
    assert_night(3, file, "--history", history_folder);
    assert_text_has(cli_errors, "outcome");
}

static void diff_of_one_store_with_itself_finds_nothing(void **state) {
    (void)state;
    const char *file = write_file("nights.yaml", nights), *one = in_folder("a"), *other = in_folder("b");
    json_t *answer;
    write_file("edges", good_edges);
    assert_status(0, "run", file, "--store", one, "-q");
    assert_status(0, "diff", one, one);
    assert_text_has(cli_out, "0 regressions, 0 better");
    assert_status(0, "run", file, "--store", other, "-q");
    assert_status(0, "diff", one, other, "--json", UNTIMED);
    answer = parse_answer();
    assert_that(number_at(answer, "compared"), ==, 8);
    assert_that(number_at(answer, "regressions"), ==, 0);
    json_decref(answer);
    assert_status(0, "diff", one, other, "--html", in_folder("page.html"), UNTIMED);
    assert_true(is_there(in_folder("page.html")));
    assert_status(0, "run", file, "--store", other, "-q", "--set", "seed=4");
    assert_status(7, "diff", one, other);
    assert_text_has(cli_out, "other data");
    assert_status(2, "diff", one, other, "--max-slowdown", "0.5");
    assert_status(2, "diff", one, other, "--metrics", "sdh");
    assert_text_has(cli_errors, "did you mean 'shd'");
}

static void a_history_comes_back_as_it_went_in(void **state) {
    (void)state;
    history h = {0}, back = {0};
    error_info err = {0};
    job_record r = {.network = (char *)"a,b\"c", .learner = (char *)"h\nc", .n_samples = 500, .state = JOB_DONE};
    static const char *const metrics[] = {"time", "shd", "absent"};
    const char *path = in_folder("h.csv");
    assert_ok(job_record_set_metric(&r, "time", 4, &err), &err);
    assert_ok(job_record_set_metric(&r, "calibration", 2, &err), &err);
    assert_ok(job_record_set_metric(&r, "shd", 1.0 / 3, &err), &err);
    assert_ok(history_add(&h, "one", "", NIGHT_GOOD, &r, 1, metrics, 3, &err), &err);
    assert_ok(history_add(&h, "two", "one", NIGHT_SHRUNK, &r, 0, metrics, 3, &err), &err);
    assert_ok(history_write(&h, path, &err), &err);
    assert_ok(history_read(path, &back, &err), &err);
    assert_int_equal(back.n_nights, 2);
    assert_int_equal(back.n_values, 3);
    assert_string_equal(back.values[1].metric, "time_calibrated");
    assert_close(back.values[1].value, 2, 1e-15);
    assert_true(back.values[2].value == 1.0 / 3);
    assert_string_equal(back.values[0].network, "a,b\"c");
    assert_string_equal(back.values[0].learner, "h\nc");
    assert_int_equal(back.nights[1].outcome, NIGHT_SHRUNK);
    history_clear(&h);
    history_clear(&back);
    for (size_t i = 0; i < r.n_metrics; i++)
        free(r.metrics[i].name);
    free(r.metrics);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(three_nights_draw_a_trend_and_the_third_tells_of_its_regression),
        cli_test(a_trend_of_times_shows_each_learner_against_its_first_night),
        cli_test(a_regression_is_told_every_night_until_it_is_accepted),
        cli_test(a_gnuplot_that_fails_hides_no_regression),
        cli_test(a_night_that_measures_less_says_so),
        cli_test(a_learner_that_fails_now_is_a_regression),
        cli_test(a_damaged_history_is_answered_with_its_place),
        cli_test(diff_of_one_store_with_itself_finds_nothing),
        cli_test(a_history_comes_back_as_it_went_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
