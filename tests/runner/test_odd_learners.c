/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learners that crash, hang or eat memory end as failed cells. */
#include "tests/runner/runner_support.h"

#include <math.h>
#include <signal.h>

static status crash(const learner *self, const dataset *data, const void *options, run_context *ctx,
                    learner_result *result, error_info *err) {
    (void)self;
    (void)data;
    (void)options;
    (void)ctx;
    (void)result;
    (void)err;
    if (write(2, "about to fall\n", 14) != 14)
        return STATUS_IO;
    (void)raise(SIGSEGV);
    return STATUS_OK;
}

static status leave(const learner *self, const dataset *data, const void *options, run_context *ctx,
                    learner_result *result, error_info *err) {
    (void)self;
    (void)data;
    (void)options;
    (void)ctx;
    (void)result;
    (void)err;
    _exit(9);
}

static status hang(const learner *self, const dataset *data, const void *options, run_context *ctx,
                   learner_result *result, error_info *err) {
    (void)self;
    (void)data;
    (void)options;
    (void)ctx;
    (void)result;
    (void)err;
    for (;;)
        (void)sleep(1);
    return STATUS_OK;
}

static status hog(const learner *self, const dataset *data, const void *options, run_context *ctx,
                  learner_result *result, error_info *err) {
    (void)self;
    (void)data;
    (void)options;
    (void)ctx;
    (void)result;
    for (int i = 0; i < 4096; i++) {
        char *piece = malloc(1 << 20); /* kept on purpose */
        if (!piece)
            return error_out_of_memory(err);
        memset(piece, i, 1 << 20);
        ((volatile char *)piece)[0] = 1;
        (void)usleep(200);
    }
    return error_set(err, STATUS_BUG, "four gigabytes were there");
}

static status refuse(const learner *self, const dataset *data, const void *options, run_context *ctx,
                     learner_result *result, error_info *err) {
    (void)self;
    (void)data;
    (void)options;
    (void)ctx;
    (void)result;
    return error_set(err, STATUS_INVALID, "these data are not to my taste");
}

/* One cell of that learner in a store of its own. */
static job_record run_odd(status (*run)(const learner *, const dataset *, const void *, run_context *, learner_result *,
                                        error_info *),
                          bool is_anytime, const char *limits) {
    learner odd = {.name = "odd",
                   .version = 1,
                   .accepts = DATA_DISCRETE,
                   .returns = GRAPH_DAG,
                   .is_anytime = is_anytime,
                   .run = run};
    char text[300];
    const char *folder = new_store();
    experiment e;
    (void)snprintf(text, sizeof text, "name: a\nnetworks: [asia]\ndata: {samples: 20}\nlearners: [empty]\nlimits: %s\n",
                   limits);
    e = declare(text);
    e.variants[0].kind = &odd;
    (void)run_in(&e, folder, 1);
    experiment_clear(&e);
    return only_record(folder);
}

static void a_learner_that_crashes_is_a_failed_cell(void **state) {
    (void)state;
    job_record r = run_odd(crash, false, "{}");
    assert_int_equal(r.state, JOB_FAILED);
    assert_string_equal(r.message, "the job was ended by signal 11 (Segmentation fault)");
    assert_string_equal(r.stderr_tail, "about to fall\n");
    assert_int_equal(strlen(r.fingerprint), 64);
    assert_null(r.graph);
    job_record_clear(&r);
}

static void a_learner_that_leaves_is_a_failed_cell(void **state) {
    (void)state;
    job_record r = run_odd(leave, false, "{}");
    assert_int_equal(r.state, JOB_FAILED);
    assert_string_equal(r.message, "the job ended with status 9 and left no result");
    job_record_clear(&r);
}

static void a_learner_that_refuses_is_a_failed_cell_with_its_words(void **state) {
    (void)state;
    job_record r = run_odd(refuse, false, "{}");
    assert_int_equal(r.state, JOB_FAILED);
    assert_string_equal(r.message, "these data are not to my taste");
    assert_int_equal(r.n_metrics, 0);
    job_record_clear(&r);
}

static void a_learner_that_hangs_is_stopped(void **state) {
    (void)state;
    job_record r = run_odd(hang, false, "{time: 100ms}");
    assert_int_equal(r.state, JOB_TIMEOUT);
    assert_string_equal(r.message, "stopped at its limit of 0.1 s");
    assert_close(r.time_limit_s, 0.1, 0);
    assert_between(r.wall_seconds, 2, INFINITY); /* with the time of grace */
    job_record_clear(&r);
}

static void an_anytime_learner_brings_its_best_graph_home(void **state) {
    (void)state;
    job_record r = run_odd(wait_out, true, "{time: 100ms}");
    assert_int_equal(r.state, JOB_DONE);
    assert_true(r.is_cut_short);
    assert_string_equal(r.message, "the best graph at the limit of 0.1 s");
    assert_close(*job_record_metric(&r, "edges"), 0, 0);
    job_record_clear(&r);
    r = run_odd(wait_out, false, "{time: 100ms}");
    assert_int_equal(r.state, JOB_TIMEOUT);
    assert_true(r.is_cut_short);
    assert_int_equal(r.n_metrics, 0);
    job_record_clear(&r);
}

/* A thousandth of a second is not enough for a network as large. */
static void a_result_that_a_budget_cut_short_names_the_budget(void **state) {
    (void)state;
    static const char *const limits[] = {"{}", "{time: 1h}"};
    static const char *const learners[] = {"{learner: or, restarts: 0, budget: 0.001}",
                                           "hc, {learner: or, restarts: 0, budget: {times: 1e-9, of: hc}}"};
    for (size_t i = 0; i < 4; i++) {
        const char *results = new_store();
        char text[300];
        record_list list;
        experiment e;
        bool found = false;
        (void)snprintf(text, sizeof text,
                       "name: a\nnetworks: [alarm]\ndata: {samples: 5000}\nlearners: [%s]\nlimits: %s\n",
                       learners[i / 2], limits[i % 2]);
        e = declare(text);
        (void)run_in(&e, results, 1);
        list = read_records(results);
        for (size_t k = 0; k < list.n; k++) {
            if (strncmp(list.items[k].learner, "or", 2) != 0)
                continue;
            assert_true(list.items[k].is_cut_short);
            assert_string_equal(list.items[k].message, "the best graph with its budget of 0.001 s");
            found = true;
        }
        assert_true(found);
        job_records_destroy(list.items, list.n);
        experiment_clear(&e);
    }
}

static void a_learner_that_eats_memory_is_stopped(void **state) {
    (void)state;
    job_record r = run_odd(hog, false, "{memory: 300MiB}");
    assert_int_equal(r.state, JOB_MEMORY);
    assert_int_equal(r.memory_limit_bytes, 300 << 20);
    job_record_clear(&r);
}

static void a_higher_limit_runs_again_only_what_had_hit_the_lower(void **state) {
    (void)state;
    learner odd = {.name = "odd", .version = 1, .accepts = DATA_DISCRETE, .returns = GRAPH_DAG, .run = wait_out};
    learner cut = {.name = "cut",
                   .version = 1,
                   .accepts = DATA_DISCRETE,
                   .returns = GRAPH_DAG,
                   .is_anytime = true,
                   .run = wait_out};
    learner bad = {.name = "bad", .version = 1, .accepts = DATA_DISCRETE, .returns = GRAPH_DAG, .run = refuse};
    const char *folder = new_store();
    experiment e =
        declare("name: a\nnetworks: [asia]\ndata: {samples: 20}\n"
                "learners: [{learner: empty, id: odd}, {learner: empty, id: cut}, {learner: empty, id: bad}, hc]\n"
                "limits: {time: 100ms}\n");
    record_list list;
    run_counts counts;
    run_options options = {.store_folder = folder, .n_jobs = 2, .quiet = true, .retry_failed = true};
    bool interrupted;
    error_info err = {0};
    const double limits[] = {0.1, 0.05, 0.3};
    e.variants[0].kind = &odd;
    e.variants[1].kind = &cut;
    e.variants[2].kind = &bad;
    for (size_t k = 0; k < 3; k++) {
        double seen = k == 2 ? 0.3 : 0.1; /* a lower limit runs nothing again */
        e.time_limit_s = limits[k];
        counts = run_in(&e, folder, 2);
        assert_int_equal(counts.done, 2);
        assert_int_equal(counts.timeout, 1);
        assert_int_equal(counts.failed, 1);
        list = read_records(folder);
        assert_int_equal(list.n, 4);
        for (size_t i = 0; i < list.n; i++) {
            bool hit = strcmp(list.items[i].learner, "odd") == 0 || strcmp(list.items[i].learner, "cut") == 0;
            assert_close(list.items[i].time_limit_s, hit ? seen : 0.1, 0);
        }
        job_records_destroy(list.items, list.n);
    }
    bad.run = wait_out; /* mended */
    bad.is_anytime = true;
    assert_ok(runner_run(&e, &options, &counts, &interrupted, &err), &err);
    assert_int_equal(counts.failed, 0);
    assert_int_equal(counts.done, 3);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_learner_that_crashes_is_a_failed_cell),
        cmocka_unit_test(a_learner_that_leaves_is_a_failed_cell),
        cmocka_unit_test(a_learner_that_refuses_is_a_failed_cell_with_its_words),
        cmocka_unit_test(a_learner_that_hangs_is_stopped),
        cmocka_unit_test(an_anytime_learner_brings_its_best_graph_home),
        cmocka_unit_test(a_result_that_a_budget_cut_short_names_the_budget),
        cmocka_unit_test(a_learner_that_eats_memory_is_stopped),
        cmocka_unit_test(a_higher_limit_runs_again_only_what_had_hit_the_lower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
