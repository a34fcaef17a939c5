/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SIGTERM, SIGINT and SIGHUP, once and twice, at the runner, a worker, the collector and a follower: each ends at once,
 * and the same command goes on to the results of a run that nothing disturbed.
 */
#include "tests/support/cli_support.h"
#include "tests/support/run_support.h"

#include "core/run/run_context.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

static const char declared[] = "name: signalled\nseed: 3\nnetworks: [asia]\ndata: {samples: [50, 100], replicates: 2}\n"
                               "learners:\n  - hc\n"
                               "  - {id: program, command: [sh, -c, \"sleep 0.1 & wait; "
                               "printf 'from,to,type\\\\nasia,tub,directed\\\\n' > \\\"$1\\\"\", sh, \"{graph}\"]}\n"
                               "metrics: [shd]\n";
static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
enum { N_SIGNALS = 3, MOST_WORDS = 20 };
static const char *file, *whole;

static int start(void **state) {
    if (cli_start_test(state) != 0)
        return -1;
    file = write_file("signalled.yaml", declared);
    whole = in_folder("whole");
    assert_status(0, "run", file, "--store", whole, "--quiet");
    return 0;
}

/* Started with every signal as a terminal leaves it. */
static pid_t begin(const char *const *words) {
    const char *argv[MOST_WORDS] = {"bnbench"};
    pid_t child;
    for (size_t i = 0; words[i]; i++)
        argv[i + 1] = words[i];
    child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        (void)dup2(null, 1);
        (void)dup2(null, 2);
        for (size_t i = 0; i < N_SIGNALS; i++)
            (void)signal(signals[i], SIG_DFL);
        (void)execv(cli_program(), (char *const *)argv);
        _exit(127);
    }
    return child;
}

/* Until an entry of the folder ends so. */
static void wait_for_entry(const char *folder, const char *ending) {
    double until_s = run_clock_s() + 60;
    for (;;) {
        folder_list found = {0};
        error_info quiet = {0};
        bool is_there = folder_list_read(folder, ending, &found, &quiet) == STATUS_OK && found.n > 0;
        folder_list_clear(&found);
        if (is_there)
            return;
        assert_that(run_clock_s(), <, until_s);
        (void)usleep(1000);
    }
}

/* Sends the signal, a second one soon after where `twice`, and waits for the end: with that status, or, as is right
 * where the second came when all was over or nobody took it, by the signal. */
static void end_by(pid_t child, int number, bool twice, int expected, bool may_die) {
    int how = 0;
    (void)kill(child, number);
    if (twice) {
        (void)usleep(5000);
        (void)kill(child, number);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    if (WIFSIGNALED(how) && (twice || may_die))
        assert_int_equal(WTERMSIG(how), number);
    else if (!may_die || WEXITSTATUS(how) != 0)
        assert_int_equal(WEXITSTATUS(how), expected);
}

static void signals_at_a_run(void **state) {
    (void)state;
    for (size_t k = 0; k < 2 * (size_t)N_SIGNALS; k++) {
        const char *place = new_store();
        const char *const words[] = {"run", file, "--store", place, "--jobs", "2", NULL};
        char *jobs = path_join(place, "jobs");
        pid_t child = begin(words);
        wait_for_entry(jobs, ".running");
        end_by(child, signals[k / 2], k % 2, 130, false);
        assert_status(0, "run", file, "--store", place, "--quiet");
        assert_same_results(whole, place);
        assert_int_equal(count_entries(jobs), 0);
        free(jobs);
    }
}

static void signals_at_a_worker(void **state) {
    (void)state;
    for (size_t k = 0; k < 2 * (size_t)N_SIGNALS; k++) {
        const char *jobs = scratch_folder(), *place = new_store();
        const char *const words[] = {"work", jobs, NULL};
        char *claimed = path_join(jobs, "claimed");
        pid_t child;
        assert_status(0, "plan", file, jobs, "--lease", "5s", "--retries", "9");
        child = begin(words);
        wait_for_entry(claimed, "");
        end_by(child, signals[k / 2], k % 2, 75, false);
        if (k % 2 == 0)
            assert_int_equal(count_entries(claimed), 0); /* its job went back */
        assert_status(0, "work", jobs);
        assert_status(0, "collect", jobs, place);
        assert_same_results(whole, place);
        free(claimed);
    }
}

/* It takes no signal: a result is in the store, or it is not. */
static void signals_at_a_collector(void **state) {
    const char *jobs = in_folder("jobs");
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(8));
    assert_status(0, "plan", file, jobs);
    assert_status(0, "work", jobs);
    for (size_t k = 0; k < 4 * (size_t)N_SIGNALS; k++) {
        const char *place = new_store();
        const char *const words[] = {"collect", jobs, place, NULL};
        pid_t child = begin(words);
        (void)usleep((useconds_t)random_below(&random, 40000));
        end_by(child, signals[k % N_SIGNALS], k % 2, 128, true);
        assert_status(0, "collect", jobs, place);
        assert_same_results(whole, place);
    }
}

static void signals_at_a_follower(void **state) {
    static const char submit[] = "sh -c '\"$1\" >/dev/null 2>&1 &' sh {script}";
    (void)state;
    for (size_t k = 0; k < N_SIGNALS; k++) {
        const char *place = new_store();
        char jobs[256];
        const char *const words[] = {"run",     file, "--store", place, "--engine",  "command", "--submit", submit,
                                     "--tasks", "1",  "--lease", "5s",  "--retries", "9",       "--follow", NULL};
        AUTO_FREE char *claimed = NULL;
        pid_t child = begin(words);
        (void)snprintf(jobs, sizeof jobs, "%s-jobs", place);
        claimed = path_join(jobs, "claimed");
        wait_for_entry(claimed, "");
        end_by(child, signals[k], k == 1, 130, false);
        assert_int_equal(cli_call_list(words), 0);
        assert_same_results(whole, place);
    }
}

#define signal_test(name) cmocka_unit_test_setup_teardown(name, start, cli_end_test)

int main(void) {
    const struct CMUnitTest tests[] = {
        signal_test(signals_at_a_run),
        signal_test(signals_at_a_worker),
        signal_test(signals_at_a_collector),
        signal_test(signals_at_a_follower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
