/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run promises: every cell once, in the store. */
#include "tests/runner/runner_support.h"

#include "build_info.h"

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
        assert_that(r->wall_seconds, >=, 0);
        assert_that(r->cpu_seconds, >=, 0);
        assert_that(r->peak_memory_bytes, >, 1 << 20);
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

/* What a long run leaves behind: a heap of free memory that its last block keeps. */
static void *leave_free_memory(void) {
    enum { N_BLOCKS = 3000, BLOCK = 100000 };
    void **blocks = calloc(N_BLOCKS, sizeof *blocks), *last;
    assert_non_null(blocks);
    for (size_t i = 0; i < N_BLOCKS; i++) {
        assert_non_null(blocks[i] = malloc(BLOCK));
        memset(blocks[i], 1, BLOCK);
    }
    assert_non_null(last = malloc(BLOCK));
    for (size_t i = 0; i < N_BLOCKS; i++)
        free(blocks[i]);
    free(blocks);
    return last;
}

static void what_the_runner_freed_is_no_memory_of_a_job(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare("name: a\nnetworks: [alarm]\ndata: {samples: [500]}\nlearners: [hc, mmhc]\n"
                           "limits: {memory: 150MiB}\n");
    void *last;
    record_list list;
    if (BNB_SANITIZERS[0]) { /* which have an allocator of their own */
        experiment_clear(&e);
        skip();
    }
    last = leave_free_memory();
    (void)run_in(&e, folder, 1);
    list = read_records(folder);
    assert_int_equal(list.n, 2);
    for (size_t i = 0; i < list.n; i++) {
        assert_int_equal(list.items[i].state, JOB_DONE);
        assert_that(list.items[i].peak_memory_bytes, <, 150000000);
    }
    free(last);
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
    stored_run *run = NULL;
    size_t n = 0;
    store *s = NULL;
    error_info err = {0};
    text_buffer why = {0};
    (void)run_in(&e, folder, 1);
    experiment_clear(&e);
    e = declare("name: a\nnetworks: [asia]\ndata: {samples: [50]}\nlearners: [{learner: hc, ess: 2}]\n");
    (void)run_in(&e, folder, 1);
    assert_ok(store_open(folder, false, false, &s, &err), &err);
    assert_ok(stored_run_read(s, NULL, STORED_RUN_TEXTS | STORED_RUN_OTHERS, &run, &err), &err);
    assert_ok(stored_run_take_records(run, &planned, &n, &err), &err);
    stored_run_destroy(run);
    assert_int_equal(n, 1);
    assert_non_null(strstr(planned[0].options, "\"ess\":2.0"));
    assert_non_null(planned[0].graph);
    assert_ok(store_remove(s, planned[0].key, &err), &err);
    explain_stored(s, &why);
    assert_non_null(strstr(why.data, "asia, 50 rows, replicate 1, hc: has not run with {\"score\""));
    assert_non_null(strstr(why.data, "\"ess\":1.0"));
    job_records_destroy(planned, n);
    text_buffer_clear(&why);
    store_close(s);
    experiment_clear(&e);
}

static planned_run describe(const experiment *e, const char *folder, bool retry_failed) {
    planned_run planned = {.wants_cells = true};
    error_info err = {0};
    assert_ok(runner_describe_plan(e, folder, retry_failed, 1, NULL, &planned, &err), &err);
    return planned;
}

static void a_dry_run_counts_and_names_every_cell(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare(small);
    planned_run planned = describe(&e, folder, false);
    assert_int_equal(planned.counts.left, 24);
    assert_true(planned.counts.seconds_left < 0); /* nothing is known */
    assert_non_null(strstr(planned.cells.data, "survey, 300 rows, replicate 2, empty: to run\n"));
    assert_non_null(strstr(planned.summary.data, "24 cells of 2 networks, 2 sample sizes, 2 replicates, 3 learners: "
                                                 "0 from the store, 24 to run\n"));
    assert_non_null(strstr(planned.summary.data, "empty           8               0         8\n"));
    assert_false(file_exists(folder)); /* nothing was made */
    planned_run_clear(&planned);
    (void)run_in(&e, folder, 2);
    planned = describe(&e, folder, false);
    assert_int_equal(planned.counts.done, 24);
    assert_non_null(strstr(planned.cells.data, "asia, 100 rows, replicate 1, hc: done\n"));
    assert_non_null(strstr(planned.summary.data, "24 from the store, 0 to run\n"));
    planned_run_clear(&planned);
    experiment_clear(&e);
}

static void a_dry_run_knows_what_retry_failed_runs_again(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare("name: a\nnetworks: [asia]\ndata: {samples: 50}\n"
                           "learners: [hc, {id: liar, command: [\"false\", \"{graph}\"]}]\n");
    planned_run planned;
    assert_int_equal(run_in(&e, folder, 1).failed, 1);
    planned = describe(&e, folder, false);
    assert_non_null(strstr(planned.summary.data, "2 from the store, 0 to run\n"));
    assert_non_null(strstr(planned.cells.data, "liar: failed (stays)\n"));
    planned_run_clear(&planned);
    planned = describe(&e, folder, true);
    assert_int_equal(planned.counts.left, 1);
    assert_non_null(strstr(planned.summary.data, "1 from the store, 1 to run\n"));
    assert_non_null(strstr(planned.summary.data, "; 1 runs again (1: failed before).\n"));
    assert_non_null(strstr(planned.cells.data, "liar: to run again (failed)\n"));
    planned_run_clear(&planned);
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
    counts = count_stored(s);
    assert_int_equal(counts.total, 24);
    assert_int_equal(counts.done, 23);
    assert_int_equal(counts.left, 1);
    assert_true(counts.seconds_left >= 0);
    explain_stored(s, &why);
    assert_string_equal(why.data, "asia, 100 rows, replicate 1, empty: never ran to its end\n");
    text_buffer_clear(&why);
    store_close(s);
    job_records_destroy(list.items, list.n);
    experiment_clear(&e);
}

static void results_of_an_earlier_version_are_found(void **state) {
    (void)state;
    const char *folder = new_store();
    experiment e = declare("name: a\nnetworks: [asia]\ndata: {samples: 50, replicates: 3}\nlearners: [hc, empty]\n");
    const learner *now = e.variants[0].kind;
    learner earlier = *now;
    planned_run planned;
    char words[160];
    AUTO(text_buffer_clear) text_buffer why = {0};
    error_info err = {0};
    store *s = NULL;
    earlier.version = now->version - 1;
    e.variants[0].kind = &earlier;
    (void)run_in(&e, folder, 1);
    assert_ok(store_open(folder, false, false, &s, &err), &err);
    explain_stored(s, &why);
    store_close(s);
    (void)snprintf(words, sizeof words, "hc: version %d stored, version %d now: 3 cells run again", earlier.version,
                   now->version);
    assert_non_null(why.data);
    assert_non_null(strstr(why.data, words));
    assert_null(strstr(why.data, "empty"));
    e.variants[0].kind = now;
    planned = describe(&e, folder, false);
    (void)snprintf(words, sizeof words,
                   "3 of 6 results are taken over from the store; 3 run again (3: their learners have a newer version, "
                   "hc %d after %d).\n",
                   now->version, earlier.version);
    assert_non_null(strstr(planned.summary.data, words));
    planned_run_clear(&planned);
    assert_int_equal(run_in(&e, folder, 1).done, 6);
    text_buffer_clear(&why);
    assert_ok(store_open(folder, false, false, &s, &err), &err);
    explain_stored(s, &why);
    store_close(s);
    assert_int_equal(why.length, 0);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_stores_every_cell_with_every_metric),
        cmocka_unit_test(what_the_runner_freed_is_no_memory_of_a_job),
        cmocka_unit_test(one_job_or_three_at_once_give_the_same_results),
        cmocka_unit_test(a_second_run_has_nothing_to_do),
        cmocka_unit_test(a_report_sees_only_what_the_last_run_planned),
        cmocka_unit_test(a_dry_run_counts_and_names_every_cell),
        cmocka_unit_test(a_dry_run_knows_what_retry_failed_runs_again),
        cmocka_unit_test(a_network_that_is_not_there_stops_before_anything_starts),
        cmocka_unit_test(tiles_are_made_and_are_the_same_every_time),
        cmocka_unit_test(one_runner_at_a_time),
        cmocka_unit_test(status_counts_against_the_last_plan),
        cmocka_unit_test(results_of_an_earlier_version_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
