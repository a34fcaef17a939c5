/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plan, data, isolated jobs, store: what a run promises. */
#include "tests/support/run_support.h"

#include "core/base/text.h"
#include "core/run/run_context.h"
#include "runner/plan/plan_internal.h"
#include "runner/job/job_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

static const char small[] = "name: small\n"
                            "seed: 3\n"
                            "networks: [asia, survey]\n"
                            "data: {samples: [100, 300], replicates: 2, test_samples: 200}\n"
                            "learners: [hc, {learner: mmpc, alpha: 0.01}, empty]\n";

/* ---- plan ---- */

static void key_of_first_cell(const char *text, char key[PLAN_KEY_SIZE]) {
    experiment e = declare(text);
    plan *p = NULL;
    error_info err = {0};
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_ok(plan_key(p, 0, key, &err), &err);
    plan_destroy(p);
    experiment_clear(&e);
}

static void a_key_is_the_same_whenever_it_is_computed(void **state) {
    (void)state;
    char a[PLAN_KEY_SIZE], b[PLAN_KEY_SIZE];
    key_of_first_cell(small, a);
    key_of_first_cell(small, b);
    assert_string_equal(a, b);
    assert_int_equal(strlen(a), 64);
}

#define CELL "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{learner: hc, id: x}]\n"

static void whatever_changes_a_result_changes_the_key(void **state) {
    (void)state;
    static const char *const others[] = {
        CELL "seed: 2\n",
        CELL "threads: 2\n",
        "name: a\nnetworks: [survey]\ndata: {samples: [100]}\nlearners: [{learner: hc, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [101]}\nlearners: [{learner: hc, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100], test_samples: 7}\nlearners: [{learner: hc, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100], column_order: file}\nlearners: [{learner: hc, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{learner: hc, id: x, ess: 11}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{learner: gts, id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{command: [hc], id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{command: [hc, x], id: x}]\n",
        "name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{command: [hcx], id: x}]\n",
    };
    enum { N = sizeof others / sizeof *others };
    char keys[N + 1][PLAN_KEY_SIZE];
    key_of_first_cell(CELL, keys[N]);
    for (size_t i = 0; i < N; i++) {
        key_of_first_cell(others[i], keys[i]);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(keys[i], keys[k]);
        assert_string_not_equal(keys[i], keys[N]);
    }
}

static void what_does_not_change_a_result_leaves_the_key(void **state) {
    (void)state;
    static const char *const others[] = {
        CELL "limits: {time: 5s, memory: 1GiB}\n",
        CELL "title: other\nmetrics: [shd]\ntables: []\n",
        ("name: b\nnetworks: [asia, child]\ndata: {samples: [100, 7], replicates: 5}\n"
         "learners: [{learner: hc, id: x, ess: 10}, empty]\n"),
    };
    char key[PLAN_KEY_SIZE], other[PLAN_KEY_SIZE];
    key_of_first_cell(CELL, key);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        key_of_first_cell(others[i], other);
        assert_string_equal(other, key);
    }
}

static void every_cell_has_its_place(void **state) {
    (void)state;
    experiment e = declare(small);
    plan *p = NULL;
    error_info err = {0};
    size_t i = 0;
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_int_equal(plan_cell_count(p), 2 * 2 * 2 * 3);
    for (size_t n = 0; n < 2; n++) {
        for (size_t s = 0; s < 2; s++) {
            for (size_t r = 0; r < 2; r++) {
                for (size_t v = 0; v < 3; v++) {
                    plan_cell cell = plan_cell_at(p, i++);
                    assert_true(cell.network == n && cell.size == s && cell.replicate == r && cell.variant == v);
                }
            }
        }
    }
    plan_destroy(p);
    experiment_clear(&e);
}

static void a_learner_that_names_networks_runs_on_these_alone(void **state) {
    static const char text[] = "name: some\n"
                               "networks: [asia, survey, cancer]\n"
                               "data: {samples: [100, 300], replicates: 2, test_samples: 0}\n"
                               "learners: [hc, {learner: mmpc, networks: survey}, empty,\n"
                               "  {id: or1, learner: or, budget: {times: 2, of: hc}, networks: [cancer, survey]}]\n";
    experiment e = declare(text);
    plan *p = NULL;
    error_info err = {0};
    size_t n_by[4] = {0};
    (void)state;
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_int_equal(plan_cell_count(p), 2 * 2 * (2 + 4 + 3));
    for (size_t i = 0; i < plan_cell_count(p); i++) {
        plan_cell cell = plan_cell_at(p, i), base;
        bool has_base;
        size_t at = plan_base_cell(p, i, &has_base);
        n_by[cell.variant]++;
        assert_true(cell.variant != 1 || cell.network == 1);
        assert_true(cell.variant != 3 || cell.network != 0);
        assert_int_equal(has_base, cell.variant == 3);
        if (!has_base)
            continue;
        base = plan_cell_at(p, at);
        assert_true(base.variant == 0 && base.network == cell.network && base.size == cell.size &&
                    base.replicate == cell.replicate);
    }
    assert_true(n_by[0] == 12 && n_by[1] == 4 && n_by[2] == 12 && n_by[3] == 8);
    plan_destroy(p);
    experiment_clear(&e);
}

/* ---- data ---- */

static job_data data_of_cell(plan *p, size_t i) {
    job j;
    job_data d = {0};
    error_info err = {0};
    assert_ok(job_init(p, i, &j, &err), &err);
    assert_ok(job_data_make(&j, &d, &err), &err);
    return d;
}

static void a_smaller_sample_begins_the_larger_and_shares_its_order(void **state) {
    (void)state;
    experiment e = declare(small);
    plan *p = NULL;
    error_info err = {0};
    assert_ok(plan_create(&e, &p, &err), &err);
    job_data few = data_of_cell(p, 0), many = data_of_cell(p, 6), again = data_of_cell(p, 2), next = data_of_cell(p, 3);
    size_t n_same = 0;
    assert_int_equal(dataset_row_count(few.train), 100);
    assert_int_equal(dataset_row_count(many.train), 300);
    for (size_t c = 0; c < 8; c++) {
        assert_int_equal(few.order[c], many.order[c]);
        assert_int_equal(few.order[c], again.order[c]); /* another learner */
        assert_string_equal(dataset_variable(few.ordered, c)->name, dataset_variable(few.train, few.order[c])->name);
        for (size_t i = 0; i < 100; i++) {
            assert_int_equal(dataset_state(few.train, i, c), dataset_state(many.train, i, c));
            assert_int_equal(dataset_state(few.train, i, few.order[c]), dataset_state(few.ordered, i, c));
            n_same += dataset_state(few.train, i, c) == dataset_state(next.train, i, c);
        }
    }
    assert_true(n_same < 800); /* another replicate, other rows */
    assert_int_equal(dataset_row_count(few.tests[0]), 200);
    job_data_clear(&few);
    job_data_clear(&many);
    job_data_clear(&again);
    job_data_clear(&next);
    plan_destroy(p);
    experiment_clear(&e);
}

static void columns_stand_as_declared(void **state) {
    (void)state;
    static const char *const orders[] = {"file", "reverse"};
    for (size_t k = 0; k < 2; k++) {
        char text[300];
        plan *p = NULL;
        error_info err = {0};
        (void)snprintf(text, sizeof text,
                       "name: a\nnetworks: [asia]\ndata: {samples: 10, test_samples: 0, column_order: %s}\n"
                       "learners: [hc]\n",
                       orders[k]);
        experiment e = declare(text);
        assert_ok(plan_create(&e, &p, &err), &err);
        job_data d = data_of_cell(p, 0);
        assert_int_equal(d.n_tests, 0);
        for (size_t c = 0; c < 8; c++)
            assert_int_equal(d.order[c], k == 0 ? c : 7 - c);
        job_data_clear(&d);
        plan_destroy(p);
        experiment_clear(&e);
    }
}

/* ---- result files ---- */

static void a_result_file_gives_the_record_back_bit_for_bit(void **state) {
    (void)state;
    static const double values[] = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308, 1e22, -0.0};
    job_record a = {.key = text_copy("k"),
                    .network = text_copy("nétwork"),
                    .learner = text_copy("l \"q\"\n"),
                    .state = JOB_TIMEOUT,
                    .is_cut_short = true,
                    .n_samples = 7,
                    .seed = 1u << 30,
                    .stderr_tail = text_copy("bad \xff\xc3 bytes \x01 and tab\t"),
                    .cpu_seconds = 0.1,
                    .tests = {.requests = 3, .computed = 2, .skipped = 1}};
    job_record b = {0};
    error_info err = {0};
    char *path = path_join(scratch_folder(), "r.json"), name[8];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        (void)snprintf(name, sizeof name, "m%zu", i);
        assert_ok(job_record_set_metric(&a, name, values[i], &err), &err);
    }
    assert_ok(record_write(&a, path, &err), &err);
    assert_ok(record_read(path, &b, &err), &err);
    assert_same_record(&a, &b);
    assert_close(b.cpu_seconds, 0.1, 0);
    assert_string_equal(b.stderr_tail, "bad ?? bytes ? and tab\t");
    job_record_clear(&a);
    job_record_clear(&b);
    free(path);
}

static void a_broken_result_file_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "{}",
                                        "{\"format\": 1, \"state\": \"done\"}",
                                        "{\"format\": 1, \"state\": \"well\"}",
                                        "{\"format\": 2, \"state\": \"done\"}"};
    const char *folder = scratch_folder();
    char *path = path_join(folder, "r.json");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        job_record r = {0};
        error_info err = {0};
        put_file(folder, "r.json", texts[i]);
        assert_int_equal(record_read(path, &r, &err), STATUS_PARSE);
    }
    free(path);
}

/* In this process, so that a sanitizer sees what is left behind. */
static void a_job_writes_its_result_and_tells_when_it_learns(void **state) {
    (void)state;
    experiment e = declare(small);
    char *path = path_join(scratch_folder(), "r.json");
    int messages[2];
    plan *p = NULL;
    error_info err = {0};
    assert_ok(plan_create(&e, &p, &err), &err);
    assert_int_equal(pipe(messages), 0);
    for (size_t i = 0; i < 3; i++) {
        job j;
        job_record r = {0};
        job_message m[2];
        assert_ok(job_init(p, i, &j, &err), &err);
        assert_int_equal(job_run(&j, path, NULL, messages[1]), JOB_EXIT_DONE);
        assert_int_equal(read(messages[0], m, sizeof m), sizeof m);
        assert_int_equal(m[0].event, JOB_LEARNING_STARTS);
        assert_int_equal(m[1].event, JOB_LEARNING_ENDS);
        assert_ok(record_read(path, &r, &err), &err);
        assert_string_equal(r.key, j.key);
        assert_string_equal(r.fingerprint, m[0].fingerprint);
        job_record_clear(&r);
    }
    (void)close(messages[0]);
    (void)close(messages[1]);
    plan_destroy(p);
    experiment_clear(&e);
    free(path);
}

/* ---- runs ---- */

static void a_run_stores_every_cell_with_every_metric(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare(small);
    run_counts counts = run_in(&e, folder, 2);
    record_list list = read_records(folder);
    assert_int_equal(counts.total, 24);
    assert_int_equal(counts.done, 24);
    assert_int_equal(list.n, 24);
    for (size_t i = 0; i < list.n; i++) {
        const job_record *r = &list.items[i];
        bool is_skeleton = strcmp(r->learner, "mmpc") == 0;
        assert_int_equal(r->state, JOB_DONE);
        assert_string_equal(r->graph_kind, is_skeleton ? "skeleton" : "dag");
        assert_non_null(job_record_metric(r, "time"));
        assert_non_null(job_record_metric(r, "statistics"));
        assert_non_null(job_record_metric(r, "edge_errors"));
        assert_int_equal(job_record_metric(r, "shd") != NULL, !is_skeleton);
        assert_int_equal(job_record_metric(r, "bdeu_test") != NULL, !is_skeleton);
        assert_true(r->wall_seconds >= 0 && r->cpu_seconds >= 0 && r->peak_memory_bytes > 1 << 20);
        assert_non_null(strstr(r->graph, "# nodes:"));
        if (strcmp(r->learner, "empty") == 0 && strcmp(r->network, "asia") == 0) {
            assert_close(*job_record_metric(r, "shd"), 8, 0);
            assert_close(*job_record_metric(r, "missing_edges"), 8, 0);
            assert_close(*job_record_metric(r, "edges"), 0, 0);
        }
    }
    job_records_destroy(list.items, list.n);
    experiment_clear(&e);
}

static void one_job_or_three_at_once_give_the_same_results(void **state) {
    (void)state;
    const char *one = new_store(), *three = new_store();
    experiment e = declare(small);
    (void)run_in(&e, one, 1);
    (void)run_in(&e, three, 3);
    assert_same_results(one, three);
    experiment_clear(&e);
}

static void a_second_run_has_nothing_to_do(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare(small);
    record_list before, after;
    (void)run_in(&e, folder, 2);
    before = read_records(folder);
    (void)run_in(&e, folder, 2);
    after = read_records(folder);
    for (size_t i = 0; i < before.n; i++) {
        assert_same_record(&before.items[i], &after.items[i]);
        assert_memory_equal(&before.items[i].wall_seconds, &after.items[i].wall_seconds, sizeof(double));
    }
    job_records_destroy(before.items, before.n);
    job_records_destroy(after.items, after.n);
    experiment_clear(&e);
}

static void a_report_sees_only_what_the_last_run_planned(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e =
        declare("name: a\nnetworks: [asia]\ndata: {samples: [50]}\nlearners: [{learner: hc, ess: 1}, empty]\n");
    job_record *planned = NULL;
    size_t n = 0;
    store *s = NULL;
    error_info err = {0};
    text_buffer why = {0};
    (void)run_in(&e, folder, 1);
    experiment_clear(&e);
    e = declare("name: a\nnetworks: [asia]\ndata: {samples: [50]}\nlearners: [{learner: hc, ess: 2}]\n");
    (void)run_in(&e, folder, 1);
    assert_ok(store_open(folder, false, false, &s, &err), &err);
    assert_ok(runner_read_planned(s, true, &planned, &n, &err), &err);
    assert_int_equal(n, 1);
    assert_non_null(strstr(planned[0].options, "\"ess\":2.0"));
    assert_non_null(planned[0].graph);
    assert_ok(store_remove(s, planned[0].key, &err), &err);
    assert_ok(runner_explain(s, &why, &err), &err);
    assert_non_null(strstr(why.data, "asia, 50 rows, replicate 1, hc: has not run with {\"score\""));
    assert_non_null(strstr(why.data, "\"ess\":1.0"));
    job_records_destroy(planned, n);
    text_buffer_clear(&why);
    store_close(s);
    experiment_clear(&e);
}

static void a_dry_run_names_every_cell(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare(small);
    text_buffer text = {0};
    run_counts counts = {0};
    error_info err = {0};
    assert_ok(runner_describe_plan(&e, folder, &text, &counts, &err), &err);
    assert_int_equal(counts.left, 24);
    assert_non_null(strstr(text.data, "survey, 300 rows, replicate 2, empty: to run\n"));
    assert_false(file_exists(folder)); /* nothing was made */
    (void)run_in(&e, folder, 2);
    text_buffer_clear(&text);
    assert_ok(runner_describe_plan(&e, folder, &text, &counts, &err), &err);
    assert_int_equal(counts.done, 24);
    assert_non_null(strstr(text.data, "asia, 100 rows, replicate 1, hc: done\n"));
    text_buffer_clear(&text);
    experiment_clear(&e);
}

static void a_network_that_is_not_there_stops_before_anything_starts(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare("name: a\nnetworks: [asia, /nowhere/net.bif]\ndata: {samples: 9}\nlearners: [hc]\n");
    run_options options = {.store_folder = folder, .n_jobs = 1, .quiet = true};
    run_counts counts;
    bool interrupted;
    error_info err = {0};
    assert_int_equal(runner_run(&e, &options, &counts, &interrupted, &err), STATUS_MISSING);
    assert_message_has(&err, "x.yaml:2:18: ");
    assert_message_has(&err, "/nowhere/net.bif");
    assert_false(file_exists(folder));
    experiment_clear(&e);
}

static void tiles_are_made_and_are_the_same_every_time(void **state) {
    (void)state;
    const char *one = new_store(), *other = new_store();
    experiment e = declare("name: a\nnetworks: [{tile: asia, copies: 3, arcs: 4}, {tile: child, copies: 3}]\n"
                           "data: {samples: 60, test_samples: 0}\nlearners: [empty]\n");
    record_list list;
    (void)run_in(&e, one, 1);
    (void)run_in(&e, other, 1);
    assert_same_results(one, other);
    list = read_records(one);
    assert_string_equal(list.items[0].network, "asia3");
    assert_close(*job_record_metric(&list.items[0], "missing_edges"), 3 * 8 + 4, 0);
    assert_close(*job_record_metric(&list.items[1], "missing_edges"), 79, 0);
    job_records_destroy(list.items, list.n);
    experiment_clear(&e);
}

static void one_runner_at_a_time(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare(CELL);
    run_options options = {.store_folder = folder, .n_jobs = 1, .quiet = true};
    run_counts counts;
    bool interrupted;
    store *s = NULL;
    error_info err = {0};
    assert_ok(store_open(folder, true, true, &s, &err), &err);
    assert_int_equal(runner_run(&e, &options, &counts, &interrupted, &err), STATUS_IO);
    assert_message_has(&err, "in use");
    store_close(s);
    experiment_clear(&e);
}

/* ---- learners that do what no learner should ---- */

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

/* Returns an empty graph at its deadline. */
static status wait_out(const learner *self, const dataset *data, const void *options, run_context *ctx,
                       learner_result *result, error_info *err) {
    (void)self;
    (void)options;
    while (!run_context_is_expired(ctx))
        (void)usleep(1000);
    result->is_cut_short = true;
    return pdag_create(dataset_column_count(data), &result->graph, err);
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
    double began = run_clock_s();
    job_record r = run_odd(hang, false, "{time: 100ms}");
    assert_int_equal(r.state, JOB_TIMEOUT);
    assert_string_equal(r.message, "stopped at its limit of 0.1 s");
    assert_close(r.time_limit_s, 0.1, 0);
    assert_true(r.wall_seconds > 2 && r.wall_seconds < 8); /* with the time of grace */
    assert_true(run_clock_s() - began < 10);
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

/* ---- interruption ---- */

/* Runs in a process of its own, which it returns. */
static pid_t run_apart(const experiment *e, const char *folder, size_t n_jobs) {
    pid_t child = fork();
    if (child == 0) {
        run_options options = {.store_folder = folder, .n_jobs = n_jobs, .quiet = true};
        run_counts counts;
        bool interrupted = false;
        error_info err = {0};
        status st = runner_run(e, &options, &counts, &interrupted, &err);
        _exit(st != STATUS_OK ? 5 : interrupted ? 3 : 0);
    }
    return child;
}

static const char many[] = "name: many\n"
                           "networks: [asia, child]\n"
                           "data: {samples: [200, 1000], replicates: 5, test_samples: 500}\n"
                           "learners: [hc, mmpc, empty]\n";

static void killed_at_any_moment_and_resumed_nothing_is_lost_or_doubled(void **state) {
    (void)state;
    const char *whole = new_store();
    experiment e = declare(many);
    double began = run_clock_s(), took;
    random_stream random;
    random_stream_init(&random, random_key_of(20));
    (void)run_in(&e, whole, 1);
    took = run_clock_s() - began;
    for (size_t n_jobs = 1; n_jobs <= 2; n_jobs++) {
        const char *folder = new_store();
        char *spool = path_join(folder, "jobs");
        int n_killed = 0;
        for (int k = 0; k < 20; k++) {
            pid_t child = run_apart(&e, folder, n_jobs);
            int how = 0;
            (void)usleep((unsigned)(1e6 * took / (double)n_jobs / 10 * random_uniform(&random)));
            (void)kill(child, SIGKILL);
            (void)waitpid(child, &how, 0);
            n_killed += WIFSIGNALED(how);
        }
        run_counts counts = run_in(&e, folder, n_jobs);
        assert_int_equal(counts.done, 60);
        assert_same_results(whole, folder);
        assert_int_equal(count_entries(spool), 0);
        assert_true(n_killed > 3);
        free(spool);
    }
    experiment_clear(&e);
}

static void a_signal_stops_the_run_and_the_same_command_goes_on(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM};
    learner odd = {.name = "odd",
                   .version = 1,
                   .accepts = DATA_DISCRETE,
                   .returns = GRAPH_DAG,
                   .is_anytime = true,
                   .run = wait_out};
    for (size_t k = 0; k < 2; k++) {
        const char *folder = new_store();
        experiment e =
            declare("name: a\nnetworks: [asia]\ndata: {samples: 20}\nlearners: [empty, {learner: empty, id: odd}]\n"
                    "limits: {time: 1h}\n");
        pid_t child;
        int how = 0;
        double began = run_clock_s();
        e.variants[1].kind = &odd;
        child = run_apart(&e, folder, 1);
        while (run_clock_s() - began < 20) { /* until the first cell is there, and the second on its way */
            char *spool = path_join(folder, "jobs"), *store_file = path_join(folder, "results.sqlite");
            bool is_going = file_exists(store_file) && count_entries(spool) > 0;
            free(spool);
            free(store_file);
            if (is_going)
                break;
            (void)usleep(2000);
        }
        (void)usleep(200000);
        (void)kill(child, signals[k]);
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 3);
        job_record r = only_record(folder);
        assert_string_equal(r.learner, "empty");
        job_record_clear(&r);
        e.time_limit_s = 0.05;
        assert_int_equal(run_in(&e, folder, 1).done, 2);
        experiment_clear(&e);
    }
}

static void what_a_killed_run_left_in_the_spool_is_imported_once(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare(CELL);
    char *spool = path_join(folder, "jobs"), *file;
    error_info err = {0};
    job_record r;
    (void)run_in(&e, folder, 1);
    r = only_record(folder);
    store *s = NULL;
    assert_ok(store_open(folder, false, true, &s, &err), &err);
    assert_ok(store_remove(s, r.key, &err), &err);
    store_close(s);
    r.wall_seconds = 123; /* known again by it */
    file = path_join(spool, "left.json");
    assert_ok(record_write(&r, file, &err), &err);
    put_file(spool, "half.json", "{\"format\": 1, ");
    put_file(spool, ".tmp-7", "x");
    job_record_clear(&r);
    assert_int_equal(run_in(&e, folder, 1).done, 1);
    r = only_record(folder);
    assert_close(r.wall_seconds, 123, 0);
    assert_int_equal(count_entries(spool), 0);
    job_record_clear(&r);
    free(file);
    free(spool);
    experiment_clear(&e);
}

/* ---- status ---- */

static void status_counts_against_the_last_plan(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare(small);
    run_counts counts = {0};
    store *s = NULL;
    error_info err = {0};
    record_list list;
    text_buffer why = {0};
    (void)run_in(&e, folder, 2);
    list = read_records(folder);
    assert_ok(store_open(folder, false, true, &s, &err), &err);
    assert_ok(store_remove(s, list.items[0].key, &err), &err);
    assert_ok(runner_status(s, &counts, &err), &err);
    assert_int_equal(counts.total, 24);
    assert_int_equal(counts.done, 23);
    assert_int_equal(counts.left, 1);
    assert_true(counts.seconds_left >= 0);
    assert_ok(runner_explain(s, &why, &err), &err);
    assert_string_equal(why.data, "asia, 100 rows, replicate 1, empty: never ran to its end\n");
    text_buffer_clear(&why);
    store_close(s);
    job_records_destroy(list.items, list.n);
    experiment_clear(&e);
}

/* ---- work and collect ---- */

static pid_t work_apart(const char *folder) {
    pid_t child = fork();
    if (child == 0) {
        size_t n = 0;
        error_info err = {0};
        status st = runner_work(folder, true, &n, &err);
        _exit(st == STATUS_OK ? (int)n : 255);
    }
    return child;
}

static int exit_of(pid_t child) {
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static void workers_share_a_plan_and_the_collector_takes_each_result_once(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *whole = new_store(), *collected = new_store();
    experiment e = declare(small);
    size_t n = 0;
    error_info err = {0};
    pid_t a, b;
    int n_a, n_b;
    (void)run_in(&e, whole, 2);
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    a = work_apart(folder);
    b = work_apart(folder);
    n_a = exit_of(a);
    n_b = exit_of(b);
    assert_int_equal(n_a + n_b, 24);
    assert_ok(runner_collect(folder, collected, &n, &err), &err);
    assert_int_equal(n, 24);
    assert_same_results(whole, collected);
    assert_ok(runner_collect(folder, collected, &n, &err), &err);
    assert_int_equal(n, 0);
    store *s = NULL;
    run_counts counts;
    assert_ok(store_open(collected, false, false, &s, &err), &err);
    assert_ok(runner_status(s, &counts, &err), &err);
    assert_int_equal(counts.done, 24);
    store_close(s);
    experiment_clear(&e);
}

static void a_claim_of_a_dead_worker_is_taken_up_again(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    experiment e = declare(small);
    error_info err = {0};
    char **names = NULL;
    size_t n = 0;
    int how;
    pid_t child;
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    do { /* until a worker dies with a claim in its hands */
        texts_destroy(names, n);
        child = work_apart(folder);
        (void)usleep(60000);
        (void)kill(child, SIGKILL);
        (void)waitpid(child, &how, 0);
        assert_ok(plan_folder_list(folder, "claimed", &names, &n, &err), &err);
        if (WIFEXITED(how))
            break;
    } while (n == 0);
    texts_destroy(names, n);
    (void)exit_of(work_apart(folder));
    assert_ok(plan_folder_list(folder, "results", &names, &n, &err), &err);
    for (size_t i = 0; i < n; i++)
        assert_true(i == 0 || strncmp(names[i], names[i - 1], 64) != 0);
    assert_int_equal(n, 24);
    texts_destroy(names, n);
    assert_ok(plan_folder_list(folder, "claimed", &names, &n, &err), &err);
    assert_int_equal(n, 0);
    texts_destroy(names, n);
    experiment_clear(&e);
}

static void a_plan_laid_out_again_holds_what_has_no_result(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    experiment e = declare(small), other = declare(CELL);
    error_info err = {0};
    char **names = NULL, *path;
    size_t n = 0;
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    assert_int_equal(exit_of(work_apart(folder)), 24);
    assert_ok(plan_folder_list(folder, "results", &names, &n, &err), &err);
    path = plan_folder_path(folder, "results", names[5]);
    assert_int_equal(unlink(path), 0);
    free(path);
    texts_destroy(names, n);
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    assert_ok(plan_folder_list(folder, "todo", &names, &n, &err), &err);
    assert_int_equal(n, 1);
    texts_destroy(names, n);
    assert_int_equal(runner_write_plan(&other, folder, &err), STATUS_INVALID);
    assert_message_has(&err, "another plan lies there");
    experiment_clear(&e);
    experiment_clear(&other);
}

static void a_broken_result_does_not_hold_the_others_up(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *collected = new_store();
    experiment e = declare(CELL);
    size_t n = 0;
    error_info err = {0};
    char *results = plan_folder_path(folder, "results", NULL);
    assert_ok(runner_write_plan(&e, folder, &err), &err);
    assert_int_equal(exit_of(work_apart(folder)), 1);
    put_file(results, "0000.json", "{");
    assert_int_equal(runner_collect(folder, collected, &n, &err), STATUS_PARSE);
    assert_message_has(&err, "0000.json");
    assert_int_equal(n, 1);
    free(results);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_is_the_same_whenever_it_is_computed),
        cmocka_unit_test(whatever_changes_a_result_changes_the_key),
        cmocka_unit_test(what_does_not_change_a_result_leaves_the_key),
        cmocka_unit_test(every_cell_has_its_place),
        cmocka_unit_test(a_learner_that_names_networks_runs_on_these_alone),
        cmocka_unit_test(a_smaller_sample_begins_the_larger_and_shares_its_order),
        cmocka_unit_test(columns_stand_as_declared),
        cmocka_unit_test(a_result_file_gives_the_record_back_bit_for_bit),
        cmocka_unit_test(a_broken_result_file_is_refused),
        cmocka_unit_test(a_job_writes_its_result_and_tells_when_it_learns),
        cmocka_unit_test(a_run_stores_every_cell_with_every_metric),
        cmocka_unit_test(one_job_or_three_at_once_give_the_same_results),
        cmocka_unit_test(a_second_run_has_nothing_to_do),
        cmocka_unit_test(a_report_sees_only_what_the_last_run_planned),
        cmocka_unit_test(a_dry_run_names_every_cell),
        cmocka_unit_test(a_network_that_is_not_there_stops_before_anything_starts),
        cmocka_unit_test(tiles_are_made_and_are_the_same_every_time),
        cmocka_unit_test(one_runner_at_a_time),
        cmocka_unit_test(a_learner_that_crashes_is_a_failed_cell),
        cmocka_unit_test(a_learner_that_leaves_is_a_failed_cell),
        cmocka_unit_test(a_learner_that_refuses_is_a_failed_cell_with_its_words),
        cmocka_unit_test(a_learner_that_hangs_is_stopped),
        cmocka_unit_test(an_anytime_learner_brings_its_best_graph_home),
        cmocka_unit_test(a_learner_that_eats_memory_is_stopped),
        cmocka_unit_test(a_higher_limit_runs_again_only_what_had_hit_the_lower),
        cmocka_unit_test(killed_at_any_moment_and_resumed_nothing_is_lost_or_doubled),
        cmocka_unit_test(a_signal_stops_the_run_and_the_same_command_goes_on),
        cmocka_unit_test(what_a_killed_run_left_in_the_spool_is_imported_once),
        cmocka_unit_test(status_counts_against_the_last_plan),
        cmocka_unit_test(workers_share_a_plan_and_the_collector_takes_each_result_once),
        cmocka_unit_test(a_claim_of_a_dead_worker_is_taken_up_again),
        cmocka_unit_test(a_plan_laid_out_again_holds_what_has_no_result),
        cmocka_unit_test(a_broken_result_does_not_hold_the_others_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
