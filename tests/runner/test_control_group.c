/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs in control groups of their own. What needs cgroup v2 is skipped where no group can be made, and where
 * nothing else remains to test the program says so by its status, 77.
 */
#include "tests/support/run_support.h"

#include "runner/job/control_group_internal.h"
#include "runner/plan/plan_internal.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/wait.h>

/* A folder of another file system stands for a kernel that passes no controller on. */
static void without_the_controller_the_kernel_holds_no_limit(void **state) {
    bool has_limit = true;
    char *group = control_group_create(scratch_folder(), 1 << 20, &has_limit);
    (void)state;
    assert_non_null(group);
    assert_false(has_limit);
    assert_int_equal(control_group_fork(group), -1);
    assert_false(control_group_lacked_memory(group));
    put_file(group, "memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 0\noom_group_kill 0\n");
    assert_false(control_group_lacked_memory(group));
    put_file(group, "memory.events", "low 0\nhigh 0\nmax 12\noom 1\noom_kill 2\noom_group_kill 1\n");
    assert_true(control_group_lacked_memory(group));
    control_group_remove_left(group); /* no group: it stays */
    assert_int_equal(access(group, F_OK), 0);
    control_group_destroy(group);
    assert_null(control_group_create("/nowhere/at/all", 0, &has_limit));
}

/* ---- in it ---- */

static bool can_have_group(void) {
    char *own = control_group_own(), *group = NULL;
    bool has_limit;
    pid_t child = -1;
    group = own ? control_group_create(own, 0, &has_limit) : NULL;
    child = group ? control_group_fork(group) : -1;
    if (child == 0)
        _exit(0);
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    control_group_destroy(group);
    free(own);
    return child > 0;
}

/* One cell on asia of a shell script. */
static job_record run_script(const char *script, const char *limits) {
    const char *folder = scratch_folder(), *results = new_store();
    text_buffer text = {0};
    experiment e;
    put_file(folder, "l.sh", script);
    text_append_format(&text,
                       "name: a\nnetworks: [asia]\ndata: {samples: 30}\n"
                       "learners: [{id: ext, command: [sh, l.sh, \"{graph}\"]}]\nlimits: %s\n",
                       limits);
    e = declare_in(folder, text.data);
    (void)run_in(&e, results, 1);
    experiment_clear(&e);
    text_buffer_clear(&text);
    return only_record(results);
}

/* The script wrote what /proc/self/cgroup says of it into the file `group` of that folder. */
#define NOTE_GROUP "sed -n 's/^0:://p' /proc/self/cgroup > %s/group\n"

static bool group_is_gone(const char *folder) {
    char *own = control_group_own(), *note = path_join(folder, "group"), *text = NULL, *group;
    size_t length = 0;
    error_info err = {0};
    bool gone;
    assert_ok(file_read(note, 4096, &text, &length, &err), &err);
    text[strcspn(text, "\n")] = '\0';
    assert_non_null(strstr(text, "/bnbench-job-"));
    group = path_join(own, path_base(text));
    gone = access(group, F_OK) != 0;
    free(group);
    free(text);
    free(note);
    free(own);
    return gone;
}

/* A process that is gone, or is only waited for. */
static bool is_gone(pid_t id) {
    char path[64], line[512] = "";
    FILE *f;
    const char *name_end;
    (void)snprintf(path, sizeof path, "/proc/%ld/stat", (long)id);
    f = fopen(path, "re");
    if (!f)
        return true;
    (void)!fgets(line, sizeof line, f);
    (void)fclose(f);
    name_end = strrchr(line, ')');
    return !name_end || name_end[2] == 'Z' || name_end[2] == 'X';
}

static pid_t wait_for_number(const char *folder, const char *name) {
    char *path = path_join(folder, name);
    long number = 0;
    for (int i = 0; i < 5000 && number <= 1; i++) {
        FILE *f = fopen(path, "re");
        if (!f || fscanf(f, "%ld.", &number) != 1)
            (void)usleep(2000);
        if (f)
            (void)fclose(f);
    }
    free(path);
    assert_that(number, >, 1);
    return (pid_t)number;
}

/* Deaf to SIGTERM and SIGHUP, in a session of its own, its parent gone: the number of the daemon goes into $1. */
#define DAEMON                                                                                                         \
    "(setsid sh -c 'trap \"\" TERM HUP INT; echo $$. > '\"$1\"'; while :; do sleep 1; done' > /dev/null 2>&1 &)\n"

static void a_deaf_daemon_is_gone_after_the_limit(void **state) {
    const char *folder = scratch_folder();
    text_buffer script = {0};
    (void)state;
    if (!can_have_group())
        skip();
    text_append_format(&script, NOTE_GROUP "set -- %s/daemon\ntrap '' TERM HUP INT\n" DAEMON "sleep 100\n", folder,
                       folder);
    job_record r = run_script(script.data, "{time: 500ms}");
    assert_int_equal(r.state, JOB_TIMEOUT);
    assert_string_equal(r.confinement, "cgroup");
    assert_true(is_gone(wait_for_number(folder, "daemon")));
    assert_true(group_is_gone(folder));
    job_record_clear(&r);
    text_buffer_clear(&script);
}

/* The program kills the process of its job, the one that would find the daemon: the group still holds it. */
static void a_daemon_is_gone_though_its_job_was_killed(void **state) {
    const char *folder = scratch_folder();
    text_buffer script = {0};
    (void)state;
    if (!can_have_group())
        skip();
    text_append_format(
        &script, "set -- %s/daemon\n" DAEMON "until test -s \"$1\"; do sleep 0.01; done\nkill -KILL $PPID\n", folder);
    job_record r = run_script(script.data, "{}");
    assert_int_equal(r.state, JOB_FAILED);
    assert_string_equal(r.confinement, "cgroup");
    assert_true(is_gone(wait_for_number(folder, "daemon")));
    job_record_clear(&r);
    text_buffer_clear(&script);
}

static void a_job_that_makes_groups_of_its_own_leaves_none(void **state) {
    const char *folder = scratch_folder();
    text_buffer script = {0};
    char *own = control_group_own();
    (void)state;
    if (!can_have_group()) {
        free(own);
        skip();
    }
    text_append_format(&script,
                       NOTE_GROUP "inner=%s/$(basename $(cat %s/group))/inner\nmkdir $inner || exit 1\n"
                                  "(sh -c 'echo 0 > '$inner'/cgroup.procs; exec sleep 100' > /dev/null 2>&1 &)\n"
                                  "sleep 0.2\nprintf 'from,to,type\\n' > \"$1\"\n",
                       folder, own, folder);
    job_record r = run_script(script.data, "{}");
    assert_int_equal(r.state, JOB_DONE);
    assert_true(group_is_gone(folder));
    job_record_clear(&r);
    text_buffer_clear(&script);
    free(own);
}

static void a_learner_of_ours_needs_no_group(void **state) {
    const char *results = new_store();
    experiment e = declare("name: a\nnetworks: [asia]\ndata: {samples: 30}\nlearners: [hc]\n");
    job_record r;
    (void)state;
    (void)run_in(&e, results, 1);
    r = only_record(results);
    assert_string_equal(r.confinement, "process group");
    job_record_clear(&r);
    experiment_clear(&e);
}

/*
 * Either would end the daemon if it saw the other die: both stop before one is killed. By a process that is no child of
 * the job for long, as the program dies with the job.
 */
#define KILL_RUNNER_AND_JOB                                                                                            \
    "runner=$(cut -d' ' -f4 /proc/$PPID/stat)\n"                                                                       \
    "setsid sh -c \"kill -STOP $runner; kill -STOP $PPID; kill -KILL $PPID; kill -KILL $runner\" > /dev/null 2>&1 &\n"

/* Runner and job are killed together; what is left of the program ends with the next run. */
static void what_a_killed_run_left_ends_with_the_next(void **state) {
    const char *folder = scratch_folder(), *results = new_store();
    text_buffer script = {0};
    experiment e;
    pid_t runner, left;
    (void)state;
    if (!can_have_group())
        skip();
    text_append_format(&script,
                       "set -- %s/daemon %s/over \"$1\"\n" NOTE_GROUP "test -e $2 || {\n" DAEMON
                       "until test -s \"$1\"; do sleep 0.01; done\n: > $2\n" KILL_RUNNER_AND_JOB
                       "sleep 100\n}\nprintf 'from,to,type\\n' > \"$3\"\n",
                       folder, folder, folder);
    put_file(folder, "l.sh", script.data);
    e = declare_in(folder, "name: a\nnetworks: [asia]\ndata: {samples: 30}\n"
                           "learners: [{id: ext, command: [sh, l.sh, \"{graph}\"]}]\n");
    runner = fork();
    if (runner == 0) {
        (void)run_in(&e, results, 1);
        _exit(0);
    }
    assert_int_equal(waitpid(runner, NULL, 0), runner);
    left = wait_for_number(folder, "daemon");
    assert_false(is_gone(left)); /* nobody was left to end it */
    assert_int_equal(run_in(&e, results, 1).done, 1);
    for (int i = 0; i < 1000 && !is_gone(left); i++) /* a process that is killed ends when the kernel gets to it */
        (void)usleep(10000);
    assert_true(is_gone(left));
    assert_true(group_is_gone(folder));
    experiment_clear(&e);
    text_buffer_clear(&script);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_controller_the_kernel_holds_no_limit),
        cmocka_unit_test(a_learner_of_ours_needs_no_group),
        cmocka_unit_test(a_deaf_daemon_is_gone_after_the_limit),
        cmocka_unit_test(a_daemon_is_gone_though_its_job_was_killed),
        cmocka_unit_test(a_job_that_makes_groups_of_its_own_leaves_none),
        cmocka_unit_test(what_a_killed_run_left_ends_with_the_next),
    };
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    return n_failed == 0 && !can_have_group() ? 77 : n_failed;
}
