/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that are killed or stopped, and go on. */
#include "tests/runner/runner_support.h"

#include "runner/job/process_internal.h"
#include "runner/job/record_file_internal.h"

#include <signal.h>

#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* As a terminal leaves them: a shell has what it runs in the background ignore an interrupt, and so the run would. */
static void hear_signals(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)signal(signals[i], SIG_DFL);
}

/* Runs in a process of its own, which it returns. */
static pid_t run_apart(const experiment *e, const char *folder, size_t n_jobs) {
    pid_t child = fork();
    if (child == 0) {
        run_options options = {.store_folder = folder, .n_jobs = n_jobs, .quiet = true};
        run_counts counts;
        bool interrupted = false;
        error_info err = {0};
        hear_signals();
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

/* Records of a store that another process may be making just now. */
static size_t count_records(const char *folder) {
    store *s = NULL;
    job_record *records = NULL;
    size_t n = 0;
    if (store_open(folder, false, false, &s, NULL) == STATUS_OK &&
        store_read_all(s, false, &records, &n, NULL) != STATUS_OK)
        n = 0;
    job_records_destroy(records, n);
    store_close(s);
    return n;
}

/* Each signal once, and each twice. */
static void a_signal_stops_the_run_and_the_same_command_goes_on(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    enum { N_SIGNALS = sizeof signals / sizeof *signals };
    learner odd = {.name = "odd",
                   .version = 1,
                   .accepts = DATA_DISCRETE,
                   .returns = GRAPH_DAG,
                   .is_anytime = true,
                   .run = wait_out};
    for (size_t k = 0; k < 2 * N_SIGNALS; k++) {
        const char *folder = new_store();
        experiment e =
            declare("name: a\nnetworks: [asia]\ndata: {samples: 20}\nlearners: [empty, {learner: empty, id: odd}]\n"
                    "limits: {time: 1h}\n");
        pid_t child;
        int how = 0;
        e.variants[1].kind = &odd;
        child = run_apart(&e, folder, 1);
        for (int i = 0; i < 10000 && count_records(folder) == 0; i++)
            (void)usleep(2000);
        (void)usleep(100000); /* the second cell is on its way, or soon will be */
        (void)kill(child, signals[k % N_SIGNALS]);
        if (k >= N_SIGNALS) {
            (void)usleep(20000); /* two of a kind that wait are one */
            (void)kill(child, signals[k % N_SIGNALS]);
        }
        assert_int_equal(waitpid(child, &how, 0), child);
        if (k >= N_SIGNALS && WIFSIGNALED(how)) { /* the run was over when the second came */
            assert_int_equal(WTERMSIG(how), signals[k % N_SIGNALS]);
        } else {
            assert_true(WIFEXITED(how));
            assert_int_equal(WEXITSTATUS(how), 3);
        }
        job_record r = only_record(folder);
        assert_string_equal(r.learner, "empty");
        job_record_clear(&r);
        e.time_limit_s = 0.05;
        assert_int_equal(run_in(&e, folder, 1).done, 2);
        experiment_clear(&e);
    }
}

/* The first child that /proc tells of. */
static pid_t wait_for_child_of(pid_t parent) {
    char path[64], text[64] = "";
    pid_t id = 0;
    (void)snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)parent, (long)parent);
    for (int i = 0; i < 5000 && !process_next_id(text, &id); i++) {
        FILE *f = fopen(path, "re");
        (void)usleep(2000);
        if (f && !fgets(text, sizeof text, f))
            text[0] = '\0';
        if (f)
            (void)fclose(f);
    }
    return id;
}

/* Traced, a killed process stays a zombie until the tracer has seen its end, and its parent is told nothing. */
static void a_job_that_cannot_be_killed_is_left(void **state) {
    (void)state;
    learner odd = {.name = "odd", .version = 1, .accepts = DATA_DISCRETE, .returns = GRAPH_DAG, .run = wait_out};
    experiment e = declare(CELL "limits: {time: 1m}\n");
    pid_t child, job;
    int how = 0;
    e.variants[0].kind = &odd;
    child = run_apart(&e, new_store(), 1);
    job = wait_for_child_of(child);
    assert_that(job, >, 1);
    if (ptrace(PTRACE_SEIZE, job, NULL, NULL) != 0) {
        (void)kill(child, SIGKILL); /* takes the job along */
        (void)waitpid(child, NULL, 0);
        skip();
    }
    assert_int_equal(kill(child, SIGTERM), 0);
    for (int i = 0; i < 3000 && waitpid(child, &how, WNOHANG) == 0; i++)
        (void)usleep(10000);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 3);
    assert_int_equal(waitpid(job, &how, 0), job);
    assert_int_equal(WTERMSIG(how), SIGKILL);
    experiment_clear(&e);
}

#define HALF "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static void remove_result(const char *folder, const char *key) {
    store *s = NULL;
    error_info err = {0};
    assert_ok(store_open(folder, false, true, &s, &err), &err);
    assert_ok(store_remove(s, key, &err), &err);
    store_close(s);
}

/* A store whose spool holds the result of its only cell, which is known by the time that it says. */
static void leave_result(const experiment *e, const char *folder, const char *spool, bool is_stored) {
    job_record r;
    char *file;
    error_info err = {0};
    (void)run_in(e, folder, 1);
    r = only_record(folder);
    if (!is_stored)
        remove_result(folder, r.key);
    r.wall_seconds = 123;
    file = path_join_ending(spool, r.key, ".json");
    assert_ok(record_write(&r, file, &err), &err);
    free(file);
    job_record_clear(&r);
}

/* Also where the store has an older one: the job ran since that was not enough, cut by a limit, say. */
static void what_a_killed_run_left_in_the_spool_is_imported_once(void **state) {
    (void)state;
    for (int is_stored = 0; is_stored <= 1; is_stored++) {
        const char *folder = new_store();
        experiment e = declare(CELL);
        char *spool = path_join(folder, "jobs");
        job_record r;
        leave_result(&e, folder, spool, is_stored);
        put_file(spool, HALF ".json", "{\"format\": 1, ");
        put_file(spool, HALF ".running", "1\n");
        put_file(spool, HALF ".data", "x");
        put_file(spool, ".bnbench-1-7.tmp", "x");
        assert_int_equal(run_in(&e, folder, 1).done, 1);
        r = only_record(folder);
        assert_close(r.wall_seconds, 123, 0);
        assert_int_equal(count_entries(spool), 0);
        job_record_clear(&r);
        free(spool);
        experiment_clear(&e);
    }
}

/* Thirty jobs at once do not fit among so few descriptors, the fewer the more of them are in use already. */
static void where_descriptors_are_few_fewer_jobs_run_at_once(void **state) {
    (void)state;
    for (int n_used = 0; n_used <= 20; n_used += 10) {
        const char *folder = new_store();
        experiment e = declare(many);
        int how = -1;
        pid_t child = fork();
        if (child == 0) {
            struct rlimit few = {64, 64};
            for (int i = 0; i < n_used; i++)
                assert_true(dup(2) >= 0);
            (void)setrlimit(RLIMIT_NOFILE, &few);
            _exit(run_in(&e, folder, 30).done == 60 ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &how, 0), child);
        assert_int_equal(how, 0);
        experiment_clear(&e);
    }
}

/* Every file that stood in the folder `jobs` of a store, or where it points to, stays. */
static void a_run_removes_no_file_of_another_name(void **state) {
    (void)state;
    static const char *const foreign[] = {"submit.sh",   "settings.json", "notes.running", "table.data",
                                          "x.folder",    ".profile",      "a.policy",      HALF ".csv",
                                          HALF "0.json", HALF "0.data",   ".bnbench-7"};
    const char *folder = new_store();
    experiment e = declare(CELL);
    char *spool = path_join(folder, "jobs");
    (void)run_in(&e, folder, 1);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        put_file(spool, foreign[i], "mine");
    assert_int_equal(run_in(&e, folder, 1).done, 1);
    assert_int_equal(count_entries(spool), sizeof foreign / sizeof *foreign);
    free(spool);
    experiment_clear(&e);
}

static void assert_run_refused(const experiment *e, const char *folder, const char *words) {
    run_options options = {.store_folder = folder, .n_jobs = 1, .quiet = true};
    run_counts counts;
    bool interrupted;
    error_info err = {0};
    assert_int_equal(runner_run(e, &options, &counts, &interrupted, &err), STATUS_INVALID);
    assert_message_has(&err, words);
}

static void a_folder_with_other_files_becomes_no_store(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    experiment e = declare(CELL);
    char *spool = path_join(folder, "jobs");
    error_info err = {0};
    assert_ok(folder_create(spool, &err), &err);
    put_file(spool, HALF ".data", "mine");
    assert_run_refused(&e, folder, "no store and holds other files ('jobs')");
    assert_int_equal(count_entries(spool), 1);
    assert_int_equal(count_entries(folder), 1);
    free(spool);
    experiment_clear(&e);
}

static void a_link_in_place_of_the_jobs_is_not_followed(void **state) {
    (void)state;
    const char *folder = new_store(), *elsewhere = scratch_folder();
    experiment e = declare(CELL);
    char *spool = path_join(folder, "jobs");
    (void)run_in(&e, folder, 1);
    put_file(elsewhere, HALF ".data", "mine");
    assert_int_equal(rmdir(spool), 0);
    assert_int_equal(symlink(elsewhere, spool), 0);
    assert_run_refused(&e, folder, "a link to another folder");
    assert_int_equal(count_entries(elsewhere), 1);
    free(spool);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_at_any_moment_and_resumed_nothing_is_lost_or_doubled),
        cmocka_unit_test(a_signal_stops_the_run_and_the_same_command_goes_on),
        cmocka_unit_test(a_job_that_cannot_be_killed_is_left),
        cmocka_unit_test(what_a_killed_run_left_in_the_spool_is_imported_once),
        cmocka_unit_test(where_descriptors_are_few_fewer_jobs_run_at_once),
        cmocka_unit_test(a_run_removes_no_file_of_another_name),
        cmocka_unit_test(a_folder_with_other_files_becomes_no_store),
        cmocka_unit_test(a_link_in_place_of_the_jobs_is_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
