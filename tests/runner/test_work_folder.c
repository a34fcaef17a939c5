/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workers that share a plan, on hosts of several names, and the collector of their results. */
#include "tests/runner/runner_support.h"
#include "tests/support/store_sql.h"

#include "runner/job/record_file_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <time.h>

#include <jansson.h>

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { INTERRUPTED = 75, FAILED = 255 };

/* In the place of the C library's: each worker of a test is told its host. */
static const char *host = "here";
int gethostname(char *name, size_t size) {
    (void)snprintf(name, size, "%s", host);
    return 0;
}

/* What happens in a plan folder right before the folder of that name in it is listed, once. */
static struct {
    const char *part;
    const char *from, *to; /* a file that is renamed */
} meanwhile;

/* The names are the linker's. NOLINTBEGIN(cert-dcl51-cpp) */
DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);
DIR *__wrap_opendir(const char *path) {
    if (meanwhile.part && path_ends_with(path, meanwhile.part)) {
        meanwhile.part = NULL;
        assert_int_equal(rename(meanwhile.from, meanwhile.to), 0);
    }
    return __real_opendir(path);
}
/* NOLINTEND(cert-dcl51-cpp) */

static pid_t work_apart(const char *on, const char *folder) {
    pid_t child = fork();
    if (child == 0) {
        work_outcome done = {0};
        error_info err = {0};
        host = on;
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* where the test fails, its workers do not stay behind */
        if (runner_work(folder, &(work_options){.quiet = true}, &done, &err) != STATUS_OK) {
            (void)fprintf(stderr, "%s\n", err.message);
            _exit(FAILED);
        }
        _exit(done.interrupted ? INTERRUPTED : (int)done.n_worked);
    }
    return child;
}

static int exit_of(pid_t child) {
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

static int work_on(const char *on, const char *folder) {
    return exit_of(work_apart(on, folder));
}

static void kill_worker(pid_t child) {
    int how = 0;
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
}

static plan_jobs lay_plan(const experiment *e, const char *folder, plan_options options) {
    plan_jobs jobs = {0};
    error_info err = {0};
    if (options.lease_s == 0)
        options.lease_s = 120;
    if (options.retries == 0)
        options.retries = 3;
    assert_ok(runner_write_plan(e, folder, &options, &jobs, &err), &err);
    return jobs;
}

/* Imports what there is; how many were added. What was refused is appended to `words`, which may be NULL. */
static size_t collect(const char *folder, const char *into, size_t n_refused, text_buffer *words) {
    collect_outcome done = {0};
    error_info err = {0};
    size_t n_added;
    assert_ok(runner_collect(folder, into, &done, &err), &err);
    if (done.n_refused != n_refused)
        fail_msg("%zu refused, not %zu:\n%s", done.n_refused, n_refused, done.refused.data);
    if (words && done.refused.data)
        text_append(words, done.refused.data);
    n_added = done.n_added;
    collect_outcome_clear(&done);
    return n_added;
}

static size_t count_in(const char *folder, const char *part) {
    char *path = path_join(folder, part);
    size_t n = count_entries(path);
    free(path);
    return n;
}

/* The path of the only result; the caller's. */
static char *only_result(const char *folder) {
    folder_list names = {0};
    error_info err = {0};
    char *path;
    assert_ok(plan_folder_list(folder, "results", &names, &err), &err);
    assert_int_equal(names.n, 1);
    path = plan_folder_path(folder, "results", names.names[0]);
    folder_list_clear(&names);
    return path;
}

/* The path of a job in a part of the folder, with what its name has behind the key; the caller's. */
static char *job_path(const char *folder, const char *part, size_t cell, const char *ending) {
    folder_plan p = {0};
    error_info err = {0};
    char name[128], *path;
    assert_ok(folder_plan_read(folder, &p, &err), &err);
    (void)snprintf(name, sizeof name, "%s%s", p.keys[cell], ending);
    path = plan_folder_path(folder, part, name);
    folder_plan_clear(&p);
    return path;
}

/* Twelve cells; four of them say that they have begun, and hang until there is a file `go`. */
static experiment declare_gated(const char *folder) {
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "name: gated\nseed: 3\nnetworks: [asia]\ndata: {samples: [100, 300], replicates: 2}\n"
        "learners:\n  - hc\n  - empty\n"
        "  - {id: gate, command: [sh, -c, \"touch '%s/begun'.$$; while ! test -e '%s/go'; do sleep 0.02; done; "
        "printf 'from,to,type\\\\n' > \\\"$1\\\"\", sh, \"{graph}\"]}\n",
        folder, folder);
    return declare(text);
}

static void open_gate(const char *folder) {
    put_file(folder, "go", "");
}

/* Until so many jobs hang in front of the gate. */
static void wait_at_gate(const char *gate, size_t n) {
    for (int i = 0; i < 10000 && count_entries(gate) < n; i++)
        (void)usleep(2000);
    assert_int_equal(count_entries(gate), n);
}

static void workers_share_a_plan_and_the_collector_takes_each_result_once(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *whole = new_store(), *collected = new_store();
    experiment e = declare(small);
    error_info err = {0};
    store *s = NULL;
    pid_t a, b;
    int n_a, n_b;
    (void)run_in(&e, whole, 2);
    assert_int_equal(lay_plan(&e, folder, (plan_options){0}).queued, 24);
    a = work_apart("here", folder);
    b = work_apart("there", folder);
    n_a = exit_of(a);
    n_b = exit_of(b);
    assert_int_equal(n_a + n_b, 24);
    assert_int_equal(collect(folder, collected, 0, NULL), 24);
    assert_same_results(whole, collected);
    assert_int_equal(collect(folder, collected, 0, NULL), 0);
    assert_int_equal(count_in(folder, "spool"), 0);
    assert_ok(store_open(collected, false, false, &s, &err), &err);
    assert_int_equal(count_stored(s).done, 24);
    store_close(s);
    experiment_clear(&e);
}

static void what_a_killed_and_a_stopped_worker_left_is_done_by_a_third(void **state) {
    (void)state;
    const char *gate = scratch_folder(), *folder = scratch_folder(), *whole = new_store(), *collected = new_store();
    experiment e = declare_gated(gate);
    pid_t killed, stopped;
    assert_int_equal(lay_plan(&e, folder, (plan_options){.lease_s = 2}).queued, 12);
    killed = work_apart("a", folder);
    stopped = work_apart("b", folder);
    wait_at_gate(gate, 2);
    kill_worker(killed);
    assert_int_equal(kill(stopped, SIGTERM), 0);
    assert_int_equal(exit_of(stopped), INTERRUPTED);
    assert_int_equal(count_in(folder, "claimed"), 1); /* the killed one's; the stopped one gave its job back */
    open_gate(gate);
    assert_true(work_on("c", folder) > 0);
    assert_int_equal(count_in(folder, "todo"), 0);
    assert_int_equal(count_in(folder, "claimed"), 0);
    assert_int_equal(count_in(folder, "results"), 12);
    assert_int_equal(collect(folder, collected, 0, NULL), 12);
    (void)run_in(&e, whole, 1);
    assert_same_results(whole, collected);
    experiment_clear(&e);
}

static void a_worker_leaves_while_others_that_live_are_at_work(void **state) {
    (void)state;
    const char *gate = scratch_folder(), *folder = scratch_folder();
    experiment e = declare_gated(gate);
    pid_t busy[4];
    (void)lay_plan(&e, folder, (plan_options){.lease_s = 5});
    for (size_t i = 0; i < 4; i++) /* one for each gate */
        busy[i] = work_apart("busy", folder);
    wait_at_gate(gate, 4);
    assert_true(work_on("idle", folder) <= 8);
    assert_int_equal(count_in(folder, "todo"), 0);
    assert_int_equal(count_in(folder, "claimed"), 4);
    open_gate(gate);
    for (size_t i = 0; i < 4; i++)
        assert_true(exit_of(busy[i]) <= 12);
    assert_int_equal(count_in(folder, "results"), 12);
    experiment_clear(&e);
}

#define BUDGET                                                                                                         \
    "name: a\nnetworks: [asia]\ndata: {samples: [100]}\n"                                                              \
    "learners: [hc, {id: or1, learner: or, budget: {times: 2, of: hc}}]\n"

/* Lays a plan out in which the job of `hc` is done and that of `or1`, which hangs on it, is queued. */
static void do_base(const experiment *e, const char *folder) {
    char *todo;
    (void)lay_plan(e, folder, (plan_options){.lease_s = 60});
    todo = job_path(folder, "todo", 1, "");
    assert_int_equal(unlink(todo), 0);
    assert_int_equal(work_on("here", folder), 1);
    assert_int_equal(lay_plan(e, folder, (plan_options){.lease_s = 60}).queued, 1);
    free(todo);
}

/* The worker `other`, which has just given a sign of life, has the job of `hc` as long as this test likes. */
static void a_worker_waits_while_a_living_one_has_the_job_that_gives_a_budget(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    char *claim, *result, *kept = path_join(folder, "kept"), *place = plan_folder_path(folder, "spool", "other");
    experiment e = declare(BUDGET);
    error_info err = {0};
    pid_t worker;
    int how = 0;
    do_base(&e, folder);
    claim = job_path(folder, "claimed", 0, ".other");
    result = only_result(folder);
    assert_int_equal(rename(result, kept), 0);
    assert_ok(file_write(claim, "", 0, &err), &err);
    assert_ok(folder_create(place, &err), &err);
    worker = work_apart("here", folder);
    for (int i = 0; i < 10000 && count_in(folder, "spool") < 2; i++)
        (void)usleep(2000);
    (void)usleep(700000); /* one that does not wait is gone by then */
    assert_int_equal(waitpid(worker, &how, WNOHANG), 0);
    assert_int_equal(rename(kept, result), 0);
    assert_int_equal(unlink(claim), 0);
    assert_int_equal(exit_of(worker), 1);
    assert_int_equal(count_in(folder, "results"), 2);
    free(claim);
    free(result);
    free(kept);
    free(place);
    experiment_clear(&e);
}

static void a_worker_leaves_where_nobody_has_the_job_that_gives_a_budget(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    experiment e = declare(BUDGET);
    char *result;
    do_base(&e, folder);
    result = only_result(folder);
    assert_int_equal(unlink(result), 0);
    assert_int_equal(work_on("here", folder), 0);
    assert_int_equal(count_in(folder, "todo"), 1);
    free(result);
    experiment_clear(&e);
}

/* Its worker ends it right when the collector looks what is left. */
static void a_job_is_over_for_the_collector_only_with_its_result(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *collected = new_store();
    experiment e = declare("name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [hc]\n");
    collect_outcome done = {0};
    error_info err = {0};
    char *result, *claim = NULL;
    (void)lay_plan(&e, folder, (plan_options){0});
    assert_int_equal(work_on("here", folder), 1);
    result = only_result(folder);
    claim = job_path(folder, "claimed", 0, ".other");
    assert_int_equal(rename(result, claim), 0);
    meanwhile.part = "todo";
    meanwhile.from = claim;
    meanwhile.to = result;
    assert_ok(runner_collect(folder, collected, &done, &err), &err);
    assert_int_equal(done.n_added + done.left.claimed, 1);
    collect_outcome_clear(&done);
    free(result);
    free(claim);
    experiment_clear(&e);
}

/* As if a worker that is gone had the job of that cell. */
static void lose_worker(const char *folder, size_t cell, const char *worker) {
    char *todo = job_path(folder, "todo", cell, ""), *claim = job_path(folder, "claimed", cell, worker);
    assert_int_equal(rename(todo, claim), 0);
    free(todo);
    free(claim);
}

/* ---- clocks ---- */

/* The last sign of a worker, as if it had been given so many seconds from now. */
static void move_sign(const char *place, time_t by_s) {
    struct timespec when[2];
    (void)clock_gettime(CLOCK_REALTIME, &when[0]);
    when[0].tv_sec += by_s;
    when[1] = when[0];
    (void)utimensat(AT_FDCWD, place, when, 0);
}

/* A worker died, and then the clock went back by an hour: nobody waits for that hour. */
static void a_sign_of_life_of_a_time_to_come_is_none(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    char *place = plan_folder_path(folder, "spool", "other");
    experiment e = declare(CELL);
    error_info err = {0};
    (void)lay_plan(&e, folder, (plan_options){.lease_s = 60});
    lose_worker(folder, 0, ".other");
    assert_ok(folder_create(place, &err), &err);
    move_sign(place, 3600);
    assert_int_equal(work_on("here", folder), 1);
    assert_int_equal(count_in(folder, "results"), 1);
    assert_int_equal(count_in(folder, "claimed"), 0);
    free(place);
    experiment_clear(&e);
}

/* Until it is killed: every worker's sign jumps, by up to two hours, again and again. */
static pid_t let_clocks_jump(const char *folder) {
    pid_t child = fork();
    random_stream random;
    if (child != 0)
        return child;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    random_stream_init(&random, random_key_of(6));
    for (;;) {
        folder_list places = {0};
        error_info quiet = {0};
        if (plan_folder_list(folder, "spool", &places, &quiet) != STATUS_OK)
            _exit(1);
        for (size_t i = 0; i < places.n; i++) {
            AUTO_FREE char *place = plan_folder_path(folder, "spool", places.names[i]);
            move_sign(place, (time_t)random_below(&random, 14400) - 7200);
        }
        folder_list_clear(&places);
        (void)usleep(20000);
    }
}

/* Three workers do e among jumping clocks; what they left is done and collected. How often one was taken for dead. */
static size_t work_among_jumping_clocks(const experiment *e, const char *whole) {
    const char *folder = scratch_folder(), *collected = new_store();
    pid_t jumper, workers[3];
    size_t n_lost;
    (void)lay_plan(e, folder, (plan_options){.lease_s = 2, .retries = 1000});
    jumper = let_clocks_jump(folder);
    for (size_t i = 0; i < 3; i++)
        workers[i] = work_apart("n", folder);
    for (size_t i = 0; i < 3; i++)
        (void)exit_of(workers[i]);
    kill_worker(jumper);
    n_lost = count_in(folder, "lost");
    (void)work_on("n", folder); /* what one left that took the others for dead, or for living */
    assert_int_equal(count_in(folder, "todo") + count_in(folder, "claimed") + count_in(folder, "given_up"), 0);
    assert_int_equal(collect(folder, collected, 0, NULL), 12);
    assert_int_equal(collect(folder, collected, 0, NULL), 0);
    assert_same_results(whole, collected);
    return n_lost;
}

static void clocks_that_jump_lose_and_double_no_job(void **state) {
    (void)state;
    AUTO_FREE char *whole = text_copy(new_store()); /* new_store gives a path anew after eight */
    experiment e = declare("name: a\nseed: 3\nnetworks: [asia]\ndata: {samples: [100, 300], replicates: 3}\n"
                           "learners: [hc, {id: slow, command: [sh, -c, \"sleep 0.1; printf 'from,to,type\\n' > "
                           "\\\"$1\\\"\", sh, \"{graph}\"]}]\n");
    size_t n_lost = 0;
    (void)run_in(&e, whole, 2);
    /* Whether a worker looks while a clock is wrong is chance: most rounds see it, and one that does is enough. */
    for (size_t round = 0; round < 30 && n_lost == 0; round++)
        n_lost = work_among_jumping_clocks(&e, whole);
    assert_true(n_lost > 0);
    experiment_clear(&e);
}

static void a_job_that_costs_more_workers_than_the_plan_allows_is_given_up(void **state) {
    static const char *const workers[] = {".n1.1-aaaaaa", ".n2.2-bbbbbb", ".n1.3-cccccc"};
    (void)state;
    const char *folder = scratch_folder();
    experiment e = declare("name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [hc]\n");
    char *note;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(lay_plan(&e, folder, (plan_options){.retries = 1}).queued, 1);
        lose_worker(folder, 0, workers[i]);
        assert_int_equal(work_on("here", folder), i == 1 ? 0 : 1);
        note = job_path(folder, "lost", 0, workers[i]);
        assert_true(file_exists(note));
        free(note);
        assert_int_equal(count_in(folder, "given_up"), i == 1);
        if (i == 0) {
            char *result = only_result(folder);
            assert_int_equal(unlink(result), 0);
            free(result);
        }
    }
    assert_int_equal(count_in(folder, "lost"), 1); /* the plan that queued it again began to count anew */
    assert_int_equal(count_in(folder, "results"), 1);
    experiment_clear(&e);
}

/* A scheduler signals every process of a task, and the worker may hear of its program's end before its own. */
static void a_job_that_was_ended_right_before_its_worker_did_not_fail(void **state) {
    (void)state;
    const char *gate = scratch_folder(), *folder = scratch_folder();
    experiment e = declare_gated(gate);
    folder_list begun = {0};
    error_info err = {0};
    pid_t worker, program;
    (void)lay_plan(&e, folder, (plan_options){0});
    worker = work_apart("here", folder);
    wait_at_gate(gate, 1);
    assert_ok(folder_list_read(gate, "", &begun, &err), &err);
    program = (pid_t)strtol(begun.names[0] + strlen("begun."), NULL, 10);
    assert_int_equal(kill(program, SIGTERM), 0);
    (void)usleep(100000);
    assert_int_equal(kill(worker, SIGTERM), 0);
    assert_int_equal(exit_of(worker), INTERRUPTED);
    assert_int_equal(count_in(folder, "claimed"), 0);
    assert_int_equal(count_in(folder, "todo") + count_in(folder, "results"), 12);
    for (size_t cell = 2; cell < 12; cell += 3) {
        char *todo = job_path(folder, "todo", cell, "");
        assert_true(file_exists(todo));
        free(todo);
    }
    folder_list_clear(&begun);
    experiment_clear(&e);
}

/* A worker that was held up so long that its job went to another one. */
static void a_worker_that_lost_its_job_drops_the_result(void **state) {
    (void)state;
    const char *gate = scratch_folder(), *folder = scratch_folder();
    experiment e = declare_gated(gate);
    pid_t held;
    (void)lay_plan(&e, folder, (plan_options){.lease_s = 2});
    held = work_apart("held", folder);
    wait_at_gate(gate, 1);
    assert_int_equal(kill(held, SIGSTOP), 0);
    open_gate(gate);
    assert_true(work_on("other", folder) > 0);
    assert_int_equal(count_in(folder, "results"), 12);
    assert_int_equal(kill(held, SIGCONT), 0);
    assert_true(exit_of(held) < 12);
    assert_int_equal(count_in(folder, "results"), 12);
    experiment_clear(&e);
}

static void the_next_worker_of_a_host_removes_what_a_killed_one_left_there(void **state) {
    (void)state;
    const char *gate = scratch_folder(), *folder = scratch_folder(), *temporary = scratch_folder();
    char *before = getenv("TMPDIR") ? text_copy(getenv("TMPDIR")) : NULL;
    experiment e = declare_gated(gate);
    pid_t killed;
    assert_int_equal(setenv("TMPDIR", temporary, 1), 0);
    put_file(temporary, "bnbench-job-of-a-user", "");
    (void)lay_plan(&e, folder, (plan_options){.lease_s = 2});
    killed = work_apart("there", folder);
    wait_at_gate(gate, 1);
    kill_worker(killed);
    open_gate(gate);
    assert_true(work_on("here", folder) > 0); /* waits for the lease */
    assert_int_equal(count_in(folder, "spool"), 1);
    assert_int_equal(count_entries(temporary), 2);
    assert_int_equal(work_on("there", folder), 0);
    assert_int_equal(count_in(folder, "spool"), 0);
    assert_int_equal(count_entries(temporary), 1);
    assert_int_equal(before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR"), 0);
    free(before);
    experiment_clear(&e);
}

static void a_plan_laid_out_again_holds_what_has_no_result(void **state) {
    (void)state;
    const char *folder = scratch_folder();
    experiment e = declare(small), other = declare(CELL);
    error_info err = {0};
    folder_list list = {0};
    plan_jobs jobs;
    char *path;
    (void)lay_plan(&e, folder, (plan_options){0});
    assert_int_equal(work_on("here", folder), 24);
    assert_ok(plan_folder_list(folder, "results", &list, &err), &err);
    path = plan_folder_path(folder, "results", list.names[5]);
    assert_int_equal(unlink(path), 0);
    free(path);
    path = plan_folder_path(folder, "results", list.names[7]);
    assert_int_equal(truncate(path, 300), 0);
    free(path);
    folder_list_clear(&list);
    jobs = lay_plan(&e, folder, (plan_options){0});
    assert_int_equal(jobs.total, 24);
    assert_int_equal(jobs.queued, 2);
    assert_int_equal(count_in(folder, "aside"), 1);
    assert_int_equal(work_on("here", folder), 2);
    assert_int_equal(runner_write_plan(&other, folder, &(plan_options){.lease_s = 120}, &jobs, &err), STATUS_INVALID);
    assert_message_has(&err, "another plan lies there");
    experiment_clear(&e);
    experiment_clear(&other);
}

static void a_plan_laid_out_while_workers_run_leaves_them_their_jobs(void **state) {
    (void)state;
    const char *gate = scratch_folder(), *folder = scratch_folder();
    experiment e = declare_gated(gate);
    plan_jobs jobs;
    pid_t worker;
    (void)lay_plan(&e, folder, (plan_options){0});
    worker = work_apart("here", folder);
    wait_at_gate(gate, 1);
    jobs = lay_plan(&e, folder, (plan_options){0});
    assert_int_equal(jobs.claimed, 1);
    assert_int_equal(jobs.queued + jobs.claimed + count_in(folder, "results"), 12);
    open_gate(gate);
    assert_int_equal(exit_of(worker), 12);
    experiment_clear(&e);
}

static void a_job_that_moves_on_while_a_plan_is_laid_out_is_not_queued_twice(void **state) {
    static const char *const parts[] = {"/todo", "/claimed", "/results"};
    experiment e = declare(small);
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *folder = scratch_folder();
        char *todo, *claimed;
        plan_jobs jobs;
        (void)lay_plan(&e, folder, (plan_options){0});
        todo = job_path(folder, "todo", 3, "");
        claimed = job_path(folder, "claimed", 3, ".w");
        meanwhile.from = todo;
        meanwhile.to = claimed;
        meanwhile.part = parts[i];
        jobs = lay_plan(&e, folder, (plan_options){0});
        assert_null(meanwhile.part);
        assert_int_equal(jobs.claimed, 1);
        assert_int_equal(jobs.queued, 23);
        free(todo);
        free(claimed);
    }
    experiment_clear(&e);
}

/* ---- what is no result ---- */

/* A name to which there is no file, as of one that was listed and then set aside by another process. */
static void a_result_that_is_gone_when_it_is_to_be_read_is_passed_over(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *collected = new_store();
    experiment e = declare(CELL);
    char *gone;
    (void)lay_plan(&e, folder, (plan_options){0});
    gone = job_path(folder, "results", 0, ".gone.json");
    assert_int_equal(symlink("nowhere", gone), 0);
    assert_int_equal(collect(folder, collected, 0, NULL), 0);
    assert_int_equal(lay_plan(&e, folder, (plan_options){0}).queued, 1);
    assert_int_equal(work_on("here", folder), 1);
    assert_int_equal(collect(folder, collected, 0, NULL), 1);
    free(gone);
    experiment_clear(&e);
}

static void truncate_it(const char *path) {
    assert_int_equal(truncate(path, 300), 0);
}

static void change_text(const char *path) {
    char *text = NULL, *at;
    size_t length = 0;
    error_info err = {0};
    assert_ok(file_read(path, 1 << 20, &text, &length, &err), &err);
    assert_non_null(at = strstr(text, "\"shd\": "));
    at[7] = at[7] == '9' ? '8' : '9';
    assert_ok(file_write(path, text, length, &err), &err);
    free(text);
}

static void name_it_otherwise(const char *path) {
    char *to = text_copy(path);
    memset(to + (path_base(path) - path), '0', 8);
    assert_int_equal(rename(path, to), 0);
    free(to);
}

/* A whole record, with its digest, in which one text is another. */
static void replace_text(const char *path, size_t offset, const char *text) {
    job_record r = {0};
    error_info err = {0};
    char **place;
    assert_ok(record_read(path, &r, &err), &err);
    place = (char **)(void *)((char *)&r + offset);
    free(*place);
    *place = text_copy(text);
    assert_ok(record_write(&r, path, &err), &err);
    job_record_clear(&r);
}

static void change_network(const char *path) {
    replace_text(path, offsetof(job_record, network), "nonesuch");
}

static void change_key(const char *path) {
    replace_text(path, offsetof(job_record, key), "0000");
}

static void change_graph(const char *path) {
    replace_text(path, offsetof(job_record, graph), "garbage");
}

static void close_cycle(const char *path) {
    replace_text(path, offsetof(job_record, graph),
                 "from,to,type\nasia,tub,directed\ntub,lung,directed\nlung,asia,directed\n");
}

static void what_is_no_result_of_its_cell_is_set_aside_and_the_job_runs_again(void **state) {
    static const struct {
        void (*damage)(const char *path);
        const char *words;
        size_t n_queued; /* the job's name is known */
    } cases[] = {{truncate_it, "no JSON", 1},
                 {change_text, "changed after it was written", 1},
                 {name_it_otherwise, "begins with no key of the plan", 0},
                 {change_network, "another cell", 1},
                 {change_key, "another cell", 1},
                 {change_graph, "graph: 1:1", 1},
                 {close_cycle, "the graph is no dag", 1}};
    experiment e = declare(CELL);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *folder = scratch_folder(), *collected = new_store();
        text_buffer words = {0};
        char *path;
        (void)lay_plan(&e, folder, (plan_options){0});
        assert_int_equal(work_on("here", folder), 1);
        path = only_result(folder);
        cases[i].damage(path);
        assert_int_equal(collect(folder, collected, 1, &words), 0);
        if (!strstr(words.data, cases[i].words) || !strstr(words.data, "/results/"))
            fail_msg("'%s' does not say '%s'", words.data, cases[i].words);
        assert_int_equal(count_in(folder, "results"), 0);
        assert_int_equal(count_in(folder, "aside"), 1);
        assert_int_equal(count_in(folder, "todo"), cases[i].n_queued);
        assert_int_equal(lay_plan(&e, folder, (plan_options){0}).queued, 1);
        assert_int_equal(work_on("here", folder), 1);
        assert_int_equal(collect(folder, collected, 0, NULL), 1);
        text_buffer_clear(&words);
        free(path);
    }
    experiment_clear(&e);
}

static void a_budget_from_a_broken_result_is_worked_out_again(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *collected = new_store();
    experiment e = declare(BUDGET);
    error_info err = {0};
    folder_plan p = {0};
    char *todo, *path;
    (void)lay_plan(&e, folder, (plan_options){0});
    assert_ok(folder_plan_read(folder, &p, &err), &err);
    todo = plan_folder_path(folder, "todo", p.keys[1]); /* that of `or` is put by */
    assert_int_equal(unlink(todo), 0);
    assert_int_equal(work_on("here", folder), 1);
    path = only_result(folder);
    truncate_it(path);
    assert_ok(plan_folder_queue(folder, p.keys[1], &err), &err);
    assert_int_equal(work_on("here", folder), 2);
    assert_int_equal(collect(folder, collected, 0, NULL), 2);
    folder_plan_clear(&p);
    free(todo);
    free(path);
    experiment_clear(&e);
}

/* ---- beside a store ---- */

static double budget_of(const job_record *r) {
    json_t *options = json_loads(r->options, 0, NULL);
    double budget = json_number_value(json_object_get(options, "budget"));
    json_decref(options);
    return budget;
}

static void a_plan_leaves_out_what_the_store_has_and_a_budget_comes_from_there(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *store_folder = new_store();
    experiment base = declare("name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [hc]\n"),
               e = declare(BUDGET);
    record_list before, after;
    (void)run_in(&base, store_folder, 1);
    before = read_records(store_folder);
    assert_int_equal(lay_plan(&e, folder, (plan_options){.store_folder = store_folder}).queued, 1);
    assert_int_equal(work_on("here", folder), 1);
    assert_int_equal(collect(folder, store_folder, 0, NULL), 1);
    after = read_records(store_folder);
    assert_int_equal(after.n, 2);
    assert_same_record(&before.items[0], &after.items[0]);
    assert_int_equal(after.items[1].state, JOB_DONE);
    assert_close(budget_of(&after.items[1]), fmax(0.001, 2 * before.items[0].cpu_seconds), 1e-9);
    assert_int_equal(lay_plan(&e, folder, (plan_options){.store_folder = store_folder}).queued, 0);
    job_records_destroy(before.items, before.n);
    job_records_destroy(after.items, after.n);
    experiment_clear(&base);
    experiment_clear(&e);
}

static void a_base_that_lies_in_the_store_too_is_put_again_where_its_file_broke(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *store_folder = new_store();
    experiment base = declare("name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [hc]\n"),
               e = declare(BUDGET);
    plan_options beside = {.store_folder = store_folder};
    char *path;
    (void)run_in(&base, store_folder, 1);
    assert_int_equal(lay_plan(&e, folder, beside).queued, 1);
    path = only_result(folder);
    truncate_it(path);
    assert_int_equal(lay_plan(&e, folder, beside).queued, 1);
    assert_int_equal(work_on("here", folder), 1);
    assert_int_equal(collect(folder, store_folder, 0, NULL), 1);
    free(path);
    experiment_clear(&base);
    experiment_clear(&e);
}

static void set_time(const char *path, double cpu_seconds) {
    job_record r = {0};
    error_info err = {0};
    assert_ok(record_read(path, &r, &err), &err);
    r.cpu_seconds = cpu_seconds;
    assert_ok(record_write(&r, path, &err), &err);
    job_record_clear(&r);
}

/* A folder in which `hc` took another time than in any store, and `or1` had twice that. */
static const char *work_at_another_time(const experiment *e) {
    const char *folder = scratch_folder();
    char *path;
    do_base(e, folder);
    path = only_result(folder);
    set_time(path, 0.0625);
    assert_int_equal(work_on("here", folder), 1);
    free(path);
    return folder;
}

static void a_budget_that_comes_from_the_time_in_the_store_stays(void **state) {
    (void)state;
    const char *store_folder = new_store();
    experiment e = declare(BUDGET);
    record_list before, after;
    (void)run_in(&e, store_folder, 1);
    before = read_records(store_folder);
    assert_int_equal(collect(work_at_another_time(&e), store_folder, 0, NULL), 0);
    after = read_records(store_folder);
    assert_int_equal(after.n, 2);
    for (size_t i = 0; i < 2; i++)
        assert_same_record(&before.items[i], &after.items[i]);
    job_records_destroy(before.items, before.n);
    job_records_destroy(after.items, after.n);
    experiment_clear(&e);
}

static void a_budget_that_comes_from_another_time_gives_way(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *store_folder = new_store();
    experiment base = declare("name: a\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [hc]\n"),
               e = declare(BUDGET);
    char *result;
    record_list list;
    error_info err = {0};
    (void)run_in(&base, store_folder, 1);
    assert_int_equal(collect(work_at_another_time(&e), store_folder, 0, NULL), 1); /* better than none */
    list = read_records(store_folder);
    assert_close(budget_of(&list.items[1]), 0.125, 0);
    do_base(&e, folder);
    result = only_result(folder);
    assert_ok(record_write(&list.items[0], result, &err), &err);
    job_records_destroy(list.items, list.n);
    assert_int_equal(work_on("here", folder), 1);
    assert_int_equal(collect(folder, store_folder, 0, NULL), 1);
    list = read_records(store_folder);
    assert_close(budget_of(&list.items[1]), fmax(0.001, 2 * list.items[0].cpu_seconds), 0);
    job_records_destroy(list.items, list.n);
    free(result);
    experiment_clear(&base);
    experiment_clear(&e);
}

static void a_failure_is_tried_again_where_that_is_asked_for(void **state) {
    (void)state;
    const char *gate = scratch_folder(), *folder = scratch_folder(), *store_folder = new_store();
    char text[512];
    experiment e;
    plan_options again = {.store_folder = store_folder, .retry_failed = true};
    job_record r;
    (void)snprintf(text, sizeof text,
                   "name: a\nnetworks: [asia]\ndata: {samples: [100]}\n"
                   "learners: [{id: x, command: [sh, -c, \"test -e '%s/go' && "
                   "printf 'from,to,type\\\\n' > \\\"$1\\\"\", sh, \"{graph}\"]}]\n",
                   gate);
    e = declare(text);
    (void)lay_plan(&e, folder, again);
    assert_int_equal(work_on("here", folder), 1);
    assert_int_equal(collect(folder, store_folder, 0, NULL), 1);
    open_gate(gate);
    again.retry_failed = false;
    assert_int_equal(lay_plan(&e, folder, again).queued, 0);
    again.retry_failed = true;
    assert_int_equal(lay_plan(&e, folder, again).queued, 1);
    assert_int_equal(work_on("here", folder), 1);
    assert_int_equal(collect(folder, store_folder, 0, NULL), 1);
    r = only_record(store_folder);
    assert_int_equal(r.state, JOB_DONE);
    job_record_clear(&r);
    experiment_clear(&e);
}

/* The one number that a query gives. */
static int count_by(const char *store_folder, const char *sql) {
    char *path = path_join(store_folder, "results.sqlite");
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int n;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    n = sqlite3_column_int(statement, 0);
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(db);
    free(path);
    return n;
}

static void a_damaged_run_of_the_store_is_recorded_anew(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *store_folder = new_store();
    experiment e = declare(CELL);
    store *s = NULL;
    char *declaration = NULL, *keys = NULL;
    error_info err = {0};
    (void)run_in(&e, store_folder, 1);
    execute(store_folder, "UPDATE run SET plan = NULL");
    (void)lay_plan(&e, folder, (plan_options){0});
    assert_int_equal(collect(folder, store_folder, 0, NULL), 0);
    assert_ok(store_open(store_folder, false, false, &s, &err), &err);
    assert_ok(store_last_run(s, NULL, &declaration, &keys, &err), &err);
    store_close(s);
    free(declaration);
    free(keys);
    experiment_clear(&e);
}

static void damaged_results_of_the_store_are_planned_and_collected_again(void **state) {
    static const char *const damages[] = {"UPDATE metric SET value = 77 WHERE name = 'shd' AND job = 1",
                                          "UPDATE job SET graph = 'x' WHERE id = 2",
                                          "UPDATE job SET state = 'well' WHERE id = 2"};
    const char *whole = new_store();
    experiment e = declare(small);
    (void)state;
    (void)run_in(&e, whole, 1);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const char *folder = scratch_folder(), *again = scratch_folder(), *store_folder = new_store();
        collect_outcome done = {0};
        error_info err = {0};
        plan_jobs jobs;
        (void)run_in(&e, store_folder, 1);
        execute(store_folder, damages[i]);
        jobs = lay_plan(&e, folder, (plan_options){.store_folder = store_folder});
        assert_int_equal(jobs.n_damaged, 1);
        assert_int_equal(jobs.queued, 1);
        assert_int_equal(work_on("here", folder), 1);
        assert_int_equal(collect(folder, store_folder, 0, NULL), 1);
        assert_same_results(whole, store_folder);
        execute(store_folder, "UPDATE job SET message = 'zz' WHERE id = 3"); /* now found by the collector */
        assert_int_equal(lay_plan(&e, again, (plan_options){0}).queued, 24);
        assert_int_equal(work_on("here", again), 24);
        assert_ok(runner_collect(again, store_folder, &done, &err), &err);
        assert_int_equal(done.n_damaged, 1);
        assert_int_equal(done.n_added, 1);
        assert_same_results(whole, store_folder);
        collect_outcome_clear(&done);
    }
    experiment_clear(&e);
}

static void results_that_are_collected_later_are_of_the_same_run(void **state) {
    (void)state;
    const char *folder = scratch_folder(), *store_folder = new_store();
    experiment e = declare(CELL);
    (void)lay_plan(&e, folder, (plan_options){0});
    assert_int_equal(collect(folder, store_folder, 0, NULL), 0);
    assert_int_equal(work_on("here", folder), 1);
    assert_int_equal(collect(folder, store_folder, 0, NULL), 1);
    assert_int_equal(count_by(store_folder, "SELECT count(*) FROM run"), 1);
    assert_int_equal(count_by(store_folder, "SELECT count(*) FROM job JOIN run ON job.run = run.id"), 1);
    experiment_clear(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_share_a_plan_and_the_collector_takes_each_result_once),
        cmocka_unit_test(what_a_killed_and_a_stopped_worker_left_is_done_by_a_third),
        cmocka_unit_test(a_worker_leaves_while_others_that_live_are_at_work),
        cmocka_unit_test(a_worker_waits_while_a_living_one_has_the_job_that_gives_a_budget),
        cmocka_unit_test(a_worker_leaves_where_nobody_has_the_job_that_gives_a_budget),
        cmocka_unit_test(a_job_is_over_for_the_collector_only_with_its_result),
        cmocka_unit_test(a_sign_of_life_of_a_time_to_come_is_none),
        cmocka_unit_test(clocks_that_jump_lose_and_double_no_job),
        cmocka_unit_test(a_job_that_costs_more_workers_than_the_plan_allows_is_given_up),
        cmocka_unit_test(a_job_that_was_ended_right_before_its_worker_did_not_fail),
        cmocka_unit_test(a_worker_that_lost_its_job_drops_the_result),
        cmocka_unit_test(the_next_worker_of_a_host_removes_what_a_killed_one_left_there),
        cmocka_unit_test(a_plan_laid_out_again_holds_what_has_no_result),
        cmocka_unit_test(a_plan_laid_out_while_workers_run_leaves_them_their_jobs),
        cmocka_unit_test(a_job_that_moves_on_while_a_plan_is_laid_out_is_not_queued_twice),
        cmocka_unit_test(a_result_that_is_gone_when_it_is_to_be_read_is_passed_over),
        cmocka_unit_test(what_is_no_result_of_its_cell_is_set_aside_and_the_job_runs_again),
        cmocka_unit_test(a_budget_from_a_broken_result_is_worked_out_again),
        cmocka_unit_test(a_plan_leaves_out_what_the_store_has_and_a_budget_comes_from_there),
        cmocka_unit_test(a_base_that_lies_in_the_store_too_is_put_again_where_its_file_broke),
        cmocka_unit_test(a_budget_that_comes_from_the_time_in_the_store_stays),
        cmocka_unit_test(a_budget_that_comes_from_another_time_gives_way),
        cmocka_unit_test(a_failure_is_tried_again_where_that_is_asked_for),
        cmocka_unit_test(a_damaged_run_of_the_store_is_recorded_anew),
        cmocka_unit_test(damaged_results_of_the_store_are_planned_and_collected_again),
        cmocka_unit_test(results_that_are_collected_later_are_of_the_same_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
