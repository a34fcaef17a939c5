/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/text.h"
#include "core/run/calibration.h"
#include "report/difference/difference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_CELLS = 21, N_REPLICATES = 10, N_RECORDS = N_CELLS * N_REPLICATES };

static const char *const judged[] = {"time", "shd", "statistics"};
static const char *const timed[] = {"against-the-clock"};
static const difference_options usual = {.max_slowdown = 1.2, .alpha = 0.01, .metrics = judged, .n_metrics = 3};

static void set(job_record *r, const char *metric, double value) {
    error_info err = {0};
    assert_ok(job_record_set_metric(r, metric, value, &err), &err);
}

/* A normal deviate, near enough for noise on times. */
static double deviate(random_stream *random) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_uniform(random);
    return sum;
}

/* A run of one version: results depend on the cell alone, times have a tenth of noise. */
static job_record *make_run(uint64_t seed) {
    job_record *records = calloc(N_RECORDS, sizeof *records);
    random_stream random;
    random_stream_init(&random, random_key_of(seed));
    for (size_t i = 0; i < N_RECORDS; i++) {
        job_record *r = &records[i];
        size_t cell = i / N_REPLICATES;
        char name[32];
        (void)snprintf(name, sizeof name, "net%zu", cell);
        r->key = text_copy("k");
        r->network = text_copy(name);
        r->learner = text_copy("hc");
        r->n_samples = 500;
        r->replicate = i % N_REPLICATES;
        r->state = JOB_DONE;
        r->fingerprint = text_copy("same");
        r->options = text_copy("{}");
        r->graph = text_copy("from,to,type\n");
        r->cpu_seconds = 0.01 * (double)(cell + 1) * exp(0.1 * deviate(&random));
        set(r, "time", r->cpu_seconds);
        set(r, "shd", (double)(10 + (cell * 7 + r->replicate * 3) % 5));
        set(r, "statistics", 1000);
    }
    return records;
}

static difference compare(const job_record *a, size_t n_a, const job_record *b, size_t n_b,
                          const difference_options *options) {
    difference d = {0};
    error_info err = {0};
    assert_ok(difference_measure(a, n_a, b, n_b, options, &d, &err), &err);
    return d;
}

static const metric_change *find(const difference *d, const char *network, const char *metric) {
    for (size_t i = 0; i < d->n_cells; i++)
        for (size_t k = 0; k < d->cells[i].n_changes; k++)
            if (strcmp(d->cells[i].network, network) == 0 && strcmp(d->cells[i].changes[k].metric, metric) == 0)
                return &d->cells[i].changes[k];
    return NULL;
}

static void a_planted_slowdown_of_thirty_percent_is_found_among_twenty_unchanged(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(2);
    for (size_t i = 0; i < N_REPLICATES; i++)
        b[4 * N_REPLICATES + i].cpu_seconds *= 1.3;
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_int_equal(d.n_regressions, 1);
    assert_int_equal(find(&d, "net4", "time")->verdict, CHANGE_WORSE);
    assert_that(find(&d, "net4", "time")->low, <, 1.3);
    assert_that(find(&d, "net4", "time")->high, >, 1.3);
    assert_false(d.has_shrunk);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

/* Four cells of a learner whose times scatter: its slowdown is doubtful in each of them and plain in all together. */
static void set_learner(job_record *records, size_t n_cells, const char *learner, uint64_t seed, double factor) {
    random_stream random;
    random_stream_init(&random, random_key_of(seed));
    for (size_t i = 0; i < n_cells * N_REPLICATES; i++) {
        free(records[i].learner);
        records[i].learner = text_copy(learner);
        records[i].cpu_seconds *= factor * exp(0.35 * deviate(&random));
    }
}

static void a_slowdown_that_no_cell_shows_is_found_in_all_cells_of_its_learner(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(2);
    double sum = 0, squares = 0, n = 4 * N_REPLICATES;
    set_learner(a, 4, "mine", 3, 1);
    set_learner(b, 4, "mine", 4, 1.45);
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    for (size_t i = 0; i < 4 * N_REPLICATES; i++)
        sum += log(b[i].cpu_seconds / a[i].cpu_seconds);
    for (size_t i = 0; i < 4 * N_REPLICATES; i++)
        squares += pow(log(b[i].cpu_seconds / a[i].cpu_seconds) - sum / n, 2);
    for (size_t i = 0; i < d.n_cells; i++)
        assert_int_not_equal(d.cells[i].verdict, CHANGE_WORSE);
    assert_int_equal(d.n_regressions, 1);
    assert_int_equal(d.n_learners, 2);
    const learner_difference *mine = &d.learners[strcmp(d.learners[0].learner, "mine") != 0];
    assert_string_equal(mine->learner, "mine");
    assert_int_equal(mine->n_cells, 4);
    assert_int_equal(mine->time.n_pairs, 4 * N_REPLICATES);
    assert_close(mine->time.change, exp(sum / n), 1e-12);
    assert_close(mine->time.sd, sqrt(squares / (n - 1)), 1e-12);
    assert_int_equal(mine->time.verdict, CHANGE_WORSE);
    text_buffer xml = {0};
    junit_append(&d, "nights", &xml);
    assert_non_null(strstr(xml.data, "failures=\"1\""));
    assert_non_null(strstr(xml.data, "name=\"mine\"><failure"));
    text_buffer_clear(&xml);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void a_time_past_the_limit_without_a_test_is_suspicious_and_no_regression(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(1);
    text_buffer text = {0};
    for (size_t i = 0; i < N_RECORDS; i++)
        b[i].state = i % N_REPLICATES ? JOB_FAILED : JOB_DONE;
    for (size_t i = 0; i < N_RECORDS; i++)
        a[i].state = b[i].state;
    b[7 * N_REPLICATES].cpu_seconds *= 2;
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_int_equal(d.n_regressions, 0);
    assert_int_equal(find(&d, "net7", "time")->verdict, CHANGE_SUSPICIOUS);
    assert_int_equal(find(&d, "net8", "time")->verdict, CHANGE_NONE);
    difference_append_text(&d, &usual, &text);
    assert_non_null(strstr(text.data, "Suspicious"));
    text_buffer_clear(&text);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

/* 0.1 has no exact double: the differences are equal but for the last bits. */
static void equal_differences_have_no_effect_size(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(1);
    text_buffer text = {0};
    for (size_t i = 0; i < N_REPLICATES; i++) {
        set(&a[i], "shd", 0.1 * (double)i);
        set(&b[i], "shd", 0.1 * (double)i + 0.1);
    }
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_close(find(&d, "net0", "shd")->change, 0.1, 1e-12);
    assert_true(isnan(find(&d, "net0", "shd")->effect));
    difference_append_text(&d, &usual, &text);
    assert_null(strstr(text.data, ", d = "));
    text_buffer_clear(&text);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void what_changed_otherwise_takes_a_line_a_cell(void **state) {
    (void)state;
    static const char *const metrics[] = {"edges", "f1", "precision", "recall", "skeleton_fn", "skeleton_tp"};
    job_record *a = make_run(1), *b = make_run(1);
    text_buffer text = {0};
    size_t n_lines = 0;
    for (size_t k = 0; k < sizeof metrics / sizeof *metrics; k++) {
        set(&a[0], metrics[k], 8);
        set(&b[0], metrics[k], 7);
    }
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    difference_append_text(&d, &usual, &text);
    for (const char *c = strstr(text.data, "Changed otherwise"); c && (c = strstr(c, "net")); c++)
        n_lines++;
    assert_int_equal(n_lines, 1);
    assert_non_null(strstr(text.data, "edges -1, f1 -1, precision -1, recall -1, skeleton_fn -1, skeleton_tp -1"));
    text_buffer_clear(&text);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void a_new_failure_says_what_the_program_said(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(1);
    text_buffer page = {0};
    error_info err = {0};
    b[3].state = JOB_FAILED;
    b[3].message = text_copy("ended with status 1");
    b[3].stderr_tail = text_copy("a trace\nModuleNotFoundError: No module named x<y\n\n");
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_ok(difference_append_html(&d, &usual, "a", "b", &page, &err), &err);
    assert_non_null(strstr(page.data, "ended with status 1; it said: ModuleNotFoundError: No module named x&lt;y"));
    text_buffer_clear(&page);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void a_planted_loss_of_two_edges_is_found_and_a_gain_is_no_regression(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(2);
    set(&b[9 * N_REPLICATES + 3], "shd", *job_record_metric(&a[9 * N_REPLICATES + 3], "shd") + 2);
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_int_equal(d.n_regressions, 1);
    assert_int_equal(find(&d, "net9", "shd")->verdict, CHANGE_WORSE);
    assert_int_equal(find(&d, "net9", "shd")->n_changed, 1);
    assert_close(find(&d, "net9", "shd")->change, 0.2, 1e-12);
    difference_clear(&d);
    d = compare(b, N_RECORDS, a, N_RECORDS, &usual);
    assert_int_equal(d.n_regressions, 0);
    assert_int_equal(d.n_better, 1);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void two_runs_of_one_version_raise_at_most_one_false_alarm_in_twenty(void **state) {
    (void)state;
    size_t n_alarms = 0;
    for (uint64_t round = 0; round < 20; round++) {
        job_record *a = make_run(100 + 2 * round), *b = make_run(101 + 2 * round);
        difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
        n_alarms += d.n_regressions > 0;
        difference_clear(&d);
        job_records_destroy(a, N_RECORDS);
        job_records_destroy(b, N_RECORDS);
    }
    assert_true(n_alarms <= 1);
}

static void a_slower_processor_is_no_slower_program(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(2);
    for (size_t i = 0; i < N_RECORDS; i++) {
        b[i].cpu_seconds *= 1.5;
        set(&a[i], "calibration", 0.001);
        set(&b[i], "calibration", 0.0015);
    }
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_true(d.is_calibrated);
    assert_int_equal(d.n_regressions, 0);
    assert_close(d.drift, 1, 0.1);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void a_program_that_is_slower_throughout_is_one_regression(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(2);
    for (size_t i = 0; i < N_RECORDS; i++) {
        b[i].cpu_seconds *= 1.4;
        set(&a[i], "calibration", 0.001);
        set(&b[i], "calibration", 0.001);
    }
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_true(d.is_slower_throughout);
    assert_int_equal(d.n_regressions, 1);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void noise_in_the_fixed_work_alone_raises_no_alarm(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(2);
    for (size_t i = 0; i < N_RECORDS; i++) {
        set(&a[i], "calibration", 0.002);
        set(&b[i], "calibration", 0.001);
    }
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_int_equal(d.n_regressions, 0);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void new_failures_other_data_and_what_is_gone_are_told_apart(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(2);
    b[5].state = JOB_TIMEOUT;
    a[17].state = JOB_FAILED;
    free(b[40].fingerprint);
    b[40].fingerprint = text_copy("other");
    difference d = compare(a, N_RECORDS, b, N_RECORDS - 1, &usual);
    assert_int_equal(d.n_jobs, 4);
    assert_int_equal(d.n_regressions, 1);
    assert_true(d.has_shrunk);
    size_t seen[5] = {0};
    for (size_t i = 0; i < d.n_jobs; i++)
        seen[d.jobs[i].kind]++;
    for (size_t k = 0; k < 5; k++)
        assert_int_equal(seen[k], k == JOB_ONLY_AFTER ? 0 : 1);
    difference_clear(&d);
    d = compare(a, 0, b, N_RECORDS, &usual);
    assert_int_equal(d.n_compared, 0);
    assert_false(d.has_shrunk);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void what_the_clock_decides_needs_a_test_and_the_rest_does_not(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(2);
    difference_options options = usual;
    options.timed = timed;
    options.n_timed = 1;
    for (size_t i = 0; i < N_REPLICATES; i++) {
        free(a[i].learner), free(b[i].learner);
        a[i].learner = text_copy(timed[0]);
        b[i].learner = text_copy(timed[0]);
        set(&b[i], "shd", *job_record_metric(&a[i], "shd") + (i % 2 ? 1 : -0.9));
    }
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &options);
    assert_int_equal(d.n_regressions, 0);
    difference_clear(&d);
    for (size_t i = 0; i < N_REPLICATES; i++)
        set(&b[i], "shd", *job_record_metric(&a[i], "shd") + 1 + (double)i / 100);
    d = compare(a, N_RECORDS, b, N_RECORDS, &options);
    assert_int_equal(d.n_regressions, 1);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void the_last_bit_of_a_logarithm_is_no_change(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(1);
    set(&a[0], "statistics", 12345.678901234567);
    set(&b[0], "statistics", 12345.678901234569);
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_int_equal(d.n_regressions + d.n_better, 0);
    for (size_t i = 0; i < d.n_cells; i++)
        assert_int_equal(d.cells[i].verdict, CHANGE_NONE);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void names_are_text_in_the_page(void **state) {
    (void)state;
    job_record *a = make_run(1), *b = make_run(1);
    text_buffer page = {0};
    error_info err = {0};
    for (size_t i = 0; i < N_REPLICATES; i++) {
        free(a[i].learner), free(b[i].learner);
        a[i].learner = text_copy("<script>alert('x')</script>\"&");
        b[i].learner = text_copy("<script>alert('x')</script>\"&");
        set(&b[i], "shd", 99);
    }
    difference d = compare(a, N_RECORDS, b, N_RECORDS, &usual);
    assert_ok(difference_append_html(&d, &usual, "<b>", "a & b", &page, &err), &err);
    assert_false(page.failed);
    assert_null(strstr(page.data, "<script"));
    assert_null(strstr(page.data, "<b>"));
    assert_non_null(strstr(page.data, "&lt;script&gt;"));
    text_buffer_clear(&page);
    difference_append_text(&d, &usual, &page);
    assert_non_null(strstr(page.data, "Regressions:"));
    text_buffer_clear(&page);
    difference_clear(&d);
    job_records_destroy(a, N_RECORDS);
    job_records_destroy(b, N_RECORDS);
}

static void options_that_mean_nothing_are_refused(void **state) {
    (void)state;
    difference d = {0};
    error_info err = {0};
    difference_options o = usual;
    o.max_slowdown = 0.9;
    assert_int_equal(difference_measure(NULL, 0, NULL, 0, &o, &d, &err), STATUS_INVALID);
    o = usual;
    o.alpha = NAN;
    assert_int_equal(difference_measure(NULL, 0, NULL, 0, &o, &d, &err), STATUS_INVALID);
}

static void the_fixed_work_takes_about_the_same_time_twice(void **state) {
    (void)state;
    double first = calibration_s(1), second = calibration_s(CALIBRATION_ROUNDS);
    assert_that(first, >, 1e-6);
    assert_that(first, <, 1);
    assert_that(second / first, <, 20);
    assert_that(first / second, <, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_slowdown_of_thirty_percent_is_found_among_twenty_unchanged),
        cmocka_unit_test(a_slowdown_that_no_cell_shows_is_found_in_all_cells_of_its_learner),
        cmocka_unit_test(a_time_past_the_limit_without_a_test_is_suspicious_and_no_regression),
        cmocka_unit_test(equal_differences_have_no_effect_size),
        cmocka_unit_test(what_changed_otherwise_takes_a_line_a_cell),
        cmocka_unit_test(a_new_failure_says_what_the_program_said),
        cmocka_unit_test(a_planted_loss_of_two_edges_is_found_and_a_gain_is_no_regression),
        cmocka_unit_test(two_runs_of_one_version_raise_at_most_one_false_alarm_in_twenty),
        cmocka_unit_test(a_slower_processor_is_no_slower_program),
        cmocka_unit_test(a_program_that_is_slower_throughout_is_one_regression),
        cmocka_unit_test(noise_in_the_fixed_work_alone_raises_no_alarm),
        cmocka_unit_test(new_failures_other_data_and_what_is_gone_are_told_apart),
        cmocka_unit_test(what_the_clock_decides_needs_a_test_and_the_rest_does_not),
        cmocka_unit_test(the_last_bit_of_a_logarithm_is_no_change),
        cmocka_unit_test(names_are_text_in_the_page),
        cmocka_unit_test(options_that_mean_nothing_are_refused),
        cmocka_unit_test(the_fixed_work_takes_about_the_same_time_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
