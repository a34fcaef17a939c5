/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan, work and collect from outside: what they say, their statuses, and that they come to what run comes to. */
#include "tests/support/cli_support.h"
#include "tests/support/run_support.h"
#include "tests/support/store_sql.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

static const char small[] = "name: small\nseed: 7\nnetworks: [asia]\ndata: {samples: [100, 200], replicates: 2}\n"
                            "learners: [hc, empty]\nmetrics: [shd]\n";

/* Says that it has begun, and hangs until there is a file `go`. */
static const char *write_gated(void) {
    char text[1024];
    (void)snprintf(
        text, sizeof text,
        "name: gated\nseed: 7\nnetworks: [asia]\ndata: {samples: [100], replicates: 1}\n"
        "learners: [{id: gate, command: [sh, -c, \"touch '%s/begun'; while ! test -e '%s/go'; do sleep 0.02; "
        "done; printf 'from,to,type\\\\n' > \\\"$1\\\"\", sh, \"{graph}\"]}]\nmetrics: [shd]\n",
        cli_folder, cli_folder);
    return write_file("gated.yaml", text);
}

static void wait_for(const char *path) {
    for (int i = 0; i < 10000 && !is_there(path); i++)
        (void)usleep(2000);
    assert_true(is_there(path));
}

static pid_t start_work(const char *folder) {
    pid_t child = fork();
    if (child == 0) {
        int fd = open("/dev/null", O_WRONLY);
        (void)dup2(fd, 1);
        (void)dup2(fd, 2);
        (void)execl(cli_program(), "bnbench", "work", folder, (char *)NULL);
        _exit(127);
    }
    return child;
}

static void a_plan_worked_and_collected_is_what_run_stores(void **state) {
    const char *file = write_file("small.yaml", small), *jobs = in_folder("jobs");
    json_t *answer;
    (void)state;
    assert_status(0, "plan", file, jobs, "--json");
    answer = parse_answer();
    assert_close(number_at(answer, "total"), 8, 0);
    assert_close(number_at(answer, "queued"), 8, 0);
    assert_close(number_at(answer, "claimed"), 0, 0);
    json_decref(answer);
    assert_status(0, "work", jobs);
    assert_string_equal(cli_out, "8 jobs done\n");
    assert_text_has(cli_errors, "asia, 200 rows, replicate 2, hc: done");
    assert_status(0, "collect", jobs, in_folder("collected"));
    assert_string_equal(cli_out, "8 results added\n");
    assert_status(0, "run", file, "--store", in_folder("run"), "--quiet");
    assert_same_results(in_folder("run"), in_folder("collected"));
    assert_status(0, "status", in_folder("collected"), "--json");
    answer = parse_answer();
    assert_close(number_at(answer, "done"), 8, 0);
    json_decref(answer);
    assert_status(0, "plan", file, in_folder("others"), "--store", in_folder("run"), "--set", "data.replicates=3");
    assert_string_equal(cli_out, "12 cells: 4 jobs queued, 0 with workers\n");
}

static void an_interrupted_worker_ends_with_status_75_and_gives_its_job_back(void **state) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const char *jobs = in_folder("jobs");
    (void)state;
    assert_status(0, "plan", write_gated(), jobs);
    for (size_t i = 0; i < 3; i++) {
        int how = 0;
        pid_t worker = start_work(jobs);
        wait_for(in_folder("begun"));
        assert_int_equal(kill(worker, signals[i]), 0);
        assert_int_equal(waitpid(worker, &how, 0), worker);
        assert_true(WIFEXITED(how));
        assert_int_equal(WEXITSTATUS(how), 75);
        assert_int_equal(unlink(in_folder("begun")), 0);
    }
    (void)write_file("go", "");
    assert_status(0, "work", jobs, "-q");
    assert_string_equal(cli_out, "1 jobs done\n");
}

static void a_broken_result_is_told_of_and_ends_with_status_6(void **state) {
    const char *jobs = in_folder("jobs"), *into = in_folder("s");
    json_t *answer;
    (void)state;
    assert_status(0, "plan", write_file("small.yaml", small), jobs);
    assert_status(0, "work", jobs, "-q");
    assert_int_equal(cli_call_shell("for f in \"$1\"/jobs/results/*; do truncate -s 300 \"$f\"; break; done"), 0);
    assert_status(6, "collect", jobs, into);
    assert_string_equal(cli_out, "7 results added; 1 jobs are queued, 0 with workers\n");
    assert_text_has(cli_errors, "jobs/results/");
    assert_text_has(cli_errors, "no JSON");
    assert_text_has(cli_errors, "jobs/aside");
    assert_status(0, "work", jobs, "-q");
    assert_status(0, "collect", jobs, into, "--json");
    answer = parse_answer();
    assert_close(number_at(answer, "added"), 1, 0);
    assert_close(number_at(answer, "refused"), 0, 0);
    json_decref(answer);
}

/* The one claim of a plan whose only job a worker has. */
static json_t *read_claim(const char *jobs, json_t **answer) {
    assert_status(0, "status", jobs, "--json");
    *answer = parse_answer();
    assert_close(number_at(*answer, "claimed"), 1, 0);
    assert_int_equal(json_array_size(json_object_get(*answer, "claims")), 1);
    return json_array_get(json_object_get(*answer, "claims"), 0);
}

static void status_tells_who_has_which_job_since_when_and_who_is_lost(void **state) {
    const char *jobs = in_folder("jobs");
    json_t *answer, *claim;
    pid_t worker;
    char id[32];
    (void)state;
    assert_status(0, "plan", write_gated(), jobs, "--lease", "5s");
    assert_status(0, "status", jobs);
    assert_string_equal(cli_out, "1 cells: 1 jobs queued, 0 with workers, 0 done, 0 given up\n"
                                 "'bnbench collect' would bring 0 results\n");
    worker = start_work(jobs);
    wait_for(in_folder("begun"));
    claim = read_claim(jobs, &answer);
    (void)snprintf(id, sizeof id, ".%ld-", (long)worker);
    assert_text_has(json_string_value(json_object_get(claim, "worker")), id);
    assert_string_equal(json_string_value(json_object_get(claim, "cell")), "asia, 100 rows, replicate 1, gate");
    assert_text_has(json_string_value(json_object_get(claim, "since")), "T");
    json_decref(answer);
    assert_status(0, "status", jobs);
    assert_text_has(cli_out, "  asia, 100 rows, replicate 1, gate: ");
    (void)kill(worker, SIGKILL);
    (void)waitpid(worker, NULL, 0);
    assert_int_equal(cli_call_shell("touch -d '8 seconds ago' \"$1\"/jobs/spool/*"), 0); /* longer than the lease */
    claim = read_claim(jobs, &answer);
    assert_true(json_is_true(json_object_get(claim, "is_lost")));
    assert_true(number_at(claim, "silent_seconds") > 1);
    json_decref(answer);
    (void)write_file("go", "");
    assert_status(0, "work", jobs, "-q");
    assert_status(0, "status", jobs);
    assert_string_equal(cli_out, "1 cells: 0 jobs queued, 0 with workers, 1 done, 0 given up\n"
                                 "1 times a worker was lost with a job\n"
                                 "'bnbench collect' would bring 1 results\n");
}

static void status_of_a_plan_tells_what_collect_would_take_and_changes_nothing(void **state) {
    const char *jobs = in_folder("jobs");
    json_t *answer;
    (void)state;
    assert_status(0, "plan", write_file("small.yaml", small), jobs);
    assert_status(0, "work", jobs, "-q");
    assert_int_equal(cli_call_shell("cd \"$1\"; for f in jobs/results/*; do truncate -s 300 \"$f\"; break; done; "
                                    "find jobs -printf '%p %T@ %s\\n' | sort >before"),
                     0);
    assert_status(0, "status", jobs);
    assert_text_has(cli_out, "8 cells: 0 jobs queued, 0 with workers, 7 done, 0 given up\n");
    assert_text_has(cli_out, "'bnbench collect' would bring 7 results, and refuse 1 files:\n");
    assert_text_has(cli_out, "no JSON");
    assert_status(0, "status", jobs, "--json");
    answer = parse_answer();
    assert_close(number_at(answer, "refused"), 1, 0);
    json_decref(answer);
    assert_int_equal(cli_call_shell("cd \"$1\"; find jobs -printf '%p %T@ %s\\n' | sort | cmp - before"), 0);
    assert_status(6, "collect", jobs, in_folder("s"));
    assert_text_has(cli_out, "7 results added");
    assert_status(2, "status", jobs, "--watch");
    assert_text_has(cli_errors, "is the folder of a plan, of which there is no --watch");
}

static void damaged_results_of_the_store_are_told_of(void **state) {
    const char *file = write_file("small.yaml", small), *jobs = in_folder("jobs"), *into = in_folder("s");
    (void)state;
    assert_status(0, "run", file, "--store", into, "--quiet");
    execute(into, "UPDATE job SET graph = 'x' WHERE learner = 'hc' AND n_samples = 100");
    assert_status(0, "plan", file, jobs, "--store", into);
    assert_string_equal(cli_out, "8 cells: 2 jobs queued, 0 with workers\n");
    assert_text_has(cli_errors, "2 damaged results were removed from the store; cells without a result are queued");
    assert_status(0, "work", jobs, "-q");
    assert_status(0, "collect", jobs, into);
    assert_string_equal(cli_out, "2 results added\n");
    execute(into, "UPDATE job SET graph = 'x' WHERE learner = 'hc'"); /* the folder has results of two of them */
    assert_status(0, "collect", jobs, into);
    assert_string_equal(cli_out, "2 results added\n");
    assert_text_has(cli_errors, "4 damaged results were removed from the store; cells that have none now");
    assert_status(0, "plan", file, jobs, "--store", into);
    assert_string_equal(cli_out, "8 cells: 2 jobs queued, 0 with workers\n");
}

static void a_worker_whose_time_is_up_takes_no_more_jobs(void **state) {
    const char *jobs = in_folder("jobs");
    (void)state;
    assert_status(0, "plan", write_file("small.yaml", small), jobs, "--retries", "0");
    assert_status(0, "work", jobs, "--for", "0.000000001s");
    assert_string_equal(cli_out, "0 jobs done; 8 jobs are queued, 0 with workers\n");
    assert_status(2, "work", jobs, "--for", "0");
    assert_text_has(cli_errors, "--for is '0'; it must be a time above 0: 90min, 12h");
}

static void a_lease_is_a_time_and_a_folder_holds_one_plan(void **state) {
    const char *file = write_file("small.yaml", small), *jobs = in_folder("jobs");
    (void)state;
    assert_status(2, "plan", file, jobs, "--lease", "2");
    assert_text_has(cli_errors, "at least 5 s");
    assert_status(2, "plan", file, jobs, "--lease", "soon");
    assert_false(is_there(jobs));
    assert_status(0, "plan", file, jobs, "--lease", "5min");
    assert_status(3, "plan", file, jobs, "--set", "seed=8");
    assert_text_has(cli_errors, "another plan lies there");
    assert_status(4, "plan", in_folder("none.yaml"), jobs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(a_plan_worked_and_collected_is_what_run_stores),
        cli_test(an_interrupted_worker_ends_with_status_75_and_gives_its_job_back),
        cli_test(a_broken_result_is_told_of_and_ends_with_status_6),
        cli_test(status_tells_who_has_which_job_since_when_and_who_is_lost),
        cli_test(status_of_a_plan_tells_what_collect_would_take_and_changes_nothing),
        cli_test(damaged_results_of_the_store_are_told_of),
        cli_test(a_worker_whose_time_is_up_takes_no_more_jobs),
        cli_test(a_lease_is_a_time_and_a_folder_holds_one_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
