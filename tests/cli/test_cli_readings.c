/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readings of an experiment from outside: run --readings, and report, status and info of them. */
#include "tests/support/cli_support.h"
#include "tests/support/store_sql.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The first reading has two cells of its own, the second none. */
static const char *const two_readings =
    "name: two\n"
    "title: Two readings\n"
    "networks: [asia]\n"
    "data: {samples: [100, 200], test_samples: 50}\n"
    "learners: [hc, {id: m, learner: mmhc, alpha: 0.01}]\n"
    "metrics: [shd]\n"
    "readings:\n"
    "  - {id: base, text: The authors' program., basis: text}\n"
    "  - {id: strict, text: It says 0.05., basis: figures, change: {learners: {m: {alpha: 0.05}}}}\n"
    "  - {id: small, text: Table 2 has 100 rows., change: {data: {samples: [100]}}}\n";

static void assert_reading(const json_t *readings, size_t i, const char *id, double n_cells) {
    const json_t *reading = json_array_get(readings, i), *cells = json_object_get(reading, "cells");
    assert_string_equal(text_at(reading, "id"), id);
    assert_that(number_at(cells, "total"), ==, n_cells);
    assert_that(number_at(cells, "done"), ==, n_cells);
}

static void cells_that_readings_share_run_once(void **state) {
    const char *file = write_file("two.yaml", two_readings), *store = in_folder("s");
    json_t *answer;
    (void)state;
    assert_status(0, "run", file, "--store", store, "--readings", "all", "--json", "-q");
    assert_string_equal(cli_errors, "");
    answer = parse_answer();
    assert_that(number_at(answer, "total"), ==, 4); /* of the experiment itself */
    assert_that(number_at(answer, "done"), ==, 4);
    assert_int_equal(json_array_size(json_object_get(answer, "readings")), 2);
    assert_reading(json_object_get(answer, "readings"), 0, "strict", 4);
    assert_reading(json_object_get(answer, "readings"), 1, "small", 2);
    json_decref(answer);
    assert_int_equal(ask(store, "SELECT count(*) FROM job"), 4 + 2);
    assert_int_equal(ask(store, "SELECT count(*) FROM run WHERE reading IS NULL"), 1);
    assert_int_equal(ask(store, "SELECT count(*) FROM run WHERE reading = 'strict'"), 1);
    assert_int_equal(ask(store, "SELECT count(*) FROM run WHERE reading = 'small'"), 1);

    assert_status(0, "run", file, "--store", store, "--readings", "small,strict");
    assert_text_has(cli_errors, "Reading 'small' (1 of 2):");
    assert_text_has(cli_errors, "Reading 'strict' (2 of 2):");
    assert_text_lacks(cli_errors, "declared something else");
    assert_text_has(cli_out, "4 of 4 cells done\nReading 'small': 2 of 2 cells done\n"
                             "Reading 'strict': 4 of 4 cells done\n");
    assert_int_equal(ask(store, "SELECT count(*) FROM job"), 6);
}

static void a_dry_run_says_what_each_reading_adds(void **state) {
    const char *file = write_file("two.yaml", two_readings), *store = in_folder("s");
    json_t *answer;
    const json_t *readings;
    (void)state;
    assert_status(0, "run", file, "--store", store, "--readings", "all", "--dry-run");
    assert_text_has(cli_out, "Reading 'strict': 4 cells, adds 2 to run\nReading 'small': 2 cells, adds 0 to run\n"
                             "All together: 6 cells to run, 2 of them for readings\n");
    assert_status(0, "run", file, "--store", store, "-q");
    assert_status(0, "run", file, "--store", store, "--readings", "small,strict", "--dry-run");
    assert_text_has(cli_out, "Reading 'small': 2 cells, adds 0 to run\nReading 'strict': 4 cells, adds 2 to run\n"
                             "All together: 2 cells to run, 2 of them for readings\n");
    assert_status(0, "run", file, "--store", store, "--readings", "all", "--dry-run", "--json");
    answer = parse_answer();
    readings = json_object_get(answer, "readings");
    assert_string_equal(text_at(json_array_get(readings, 0), "id"), "strict");
    assert_that(number_at(json_array_get(readings, 0), "to_run"), ==, 2);
    assert_that(number_at(json_array_get(readings, 1), "to_run"), ==, 0);
    json_decref(answer);
    assert_int_equal(ask(store, "SELECT count(*) FROM job"), 4);
}

static void without_readings_the_experiment_runs_alone(void **state) {
    const char *file = write_file("two.yaml", two_readings), *store = in_folder("s");
    json_t *answer;
    (void)state;
    assert_status(0, "run", file, "--store", store, "--json");
    answer = parse_answer();
    assert_null(json_object_get(answer, "readings"));
    json_decref(answer);
    assert_int_equal(ask(store, "SELECT count(*) FROM job"), 4);
    assert_int_equal(ask(store, "SELECT count(*) FROM run"), 1);
}

static void status_counts_the_experiment_or_one_reading(void **state) {
    const char *file = write_file("two.yaml", two_readings), *store = in_folder("s");
    (void)state;
    assert_status(0, "run", file, "--store", store, "--readings", "small");
    assert_status(0, "status", store);
    assert_string_equal(cli_out, "4 of 4 cells done\n");
    assert_status(0, "status", store, "--why");
    assert_string_equal(cli_out, "4 of 4 cells done\n");
    assert_status(0, "status", store, "--reading", "small", "--why");
    assert_string_equal(cli_out, "2 of 2 cells done\n");
    assert_status(4, "status", store, "--reading", "strict");
    assert_text_has(cli_errors, "no run of the reading 'strict' is in this store; 'bnbench run FILE --readings ID'");
}

static void a_reading_has_a_report_of_its_own(void **state) {
    const char *file = write_file("two.yaml", two_readings), *store = in_folder("s");
    (void)state;
    assert_status(0, "run", file, "--store", store, "--readings", "small");
    assert_int_equal(cli_call_shell("cat \"$1/s/report/report.md\""), 0);
    assert_text_has(cli_out, "\n| 200 |");
    assert_text_lacks(cli_out, "The reading");
    assert_status(0, "report", store, "--reading", "small", "--format", "md");
    assert_text_has(cli_out, "\nWritten: report.md: ");
    assert_text_has(cli_out, "/s/report-small/\n");
    assert_text_lacks(cli_out, "\n200 ");
    assert_int_equal(cli_call_shell("cat \"$1/s/report-small/report.md\""), 0);
    assert_text_has(cli_out, "# Two readings\n\nThe reading 'small' of the experiment. Networks: 1");
    assert_status(0, "report", store, "--reading", "small", "--format", "md", "--out", in_folder("there"));
    assert_true(is_there(in_folder("there/report.md")));
    assert_status(4, "report", store, "--reading", "strict");
    assert_text_has(cli_errors, "no run of the reading 'strict' is in this store");
    assert_false(is_there(in_folder("s/report-strict")));
    assert_status(2, "report", store, "--reading", "small", "--reproduction", "-");
    assert_text_has(cli_errors, "leave out --format, --out, --policies and --reading");
}

/* What the page says that repeats a job does so. */
static void the_declaration_beside_the_page_of_a_reading_runs(void **state) {
    const char *file = write_file("two.yaml", two_readings), *again = in_folder("again");
    (void)state;
    assert_status(0, "run", file, "--store", in_folder("s"), "--readings", "strict");
    assert_status(0, "report", in_folder("s"), "--reading", "strict", "--format", "html");
    assert_status(0, "run", in_folder("s/report-strict/experiment.yaml"), "--store", again, "--set", "only.learner=m");
    assert_text_has(cli_out, "2 of 2 cells done");
    assert_status(0, "status", again);
    assert_int_equal(ask(again, "SELECT count(*) FROM job WHERE options LIKE '%\"alpha\":0.05%'"), 2);
}

static void what_cannot_be_run_is_refused_before_anything_runs(void **state) {
    static const char *const cases[][2] = {
        {"stict", "there is no reading 'stict'; did you mean 'strict'?"},
        {"strict,smal", "there is no reading 'smal'; did you mean 'small'?"},
        {"base", "'base' is the experiment as it is declared, which always runs; name another"},
        {"small,small", "--readings names 'small' twice"},
        {"", "--readings names none: write all, or ids with commas"},
    };
    const char *file = write_file("two.yaml", two_readings), *store = in_folder("s");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_status(2, "run", file, "--store", store, "--readings", cases[i][0]);
        assert_text_has(cli_errors, cases[i][1]);
    }
    file = write_file("none.yaml", "name: none\nnetworks: [asia]\ndata: {samples: [50]}\nlearners: [empty]\n"
                                   "readings: [{id: base, text: It is as it is.}]\n");
    assert_status(2, "run", file, "--store", store, "--readings", "all");
    assert_text_has(cli_errors, "the experiment declares no readings: leave out --readings");
    file = write_file("lost.yaml", "name: lost\nnetworks: [asia]\ndata: {samples: [50]}\nlearners: [empty]\n"
                                   "readings: [{id: r, text: T, change: {learners: [{id: x, command: "
                                   "[no-such-program-anywhere, \"{graph}\"]}]}}]\n");
    assert_status(4, "run", file, "--store", store, "--readings", "all");
    assert_text_has(cli_errors, "there is no program 'no-such-program-anywhere' in PATH");
    assert_false(is_there(store));
}

static void a_reading_with_failures_ends_with_status_6_and_says_where_to_look(void **state) {
    const char *file = write_file("broken.yaml", "name: broken\nnetworks: [asia]\ndata: {samples: [100]}\n"
                                                 "learners: [hc, {id: own, command: [cp, good.csv, \"{graph}\"]}]\n"
                                                 "metrics: [shd]\n"
                                                 "readings: [{id: bad, text: T, change: {learners: {own: "
                                                 "{command: [\"false\", \"{graph}\"]}}}}]\n");
    const char *store = in_folder("s");
    (void)state;
    (void)write_file("good.csv", "from,to,type\n");
    assert_status(6, "run", file, "--store", store, "--readings", "bad");
    assert_text_has(cli_out, "2 of 2 cells done\nReading 'bad': 1 of 2 cells done, 1 failed\n");
    assert_text_has(cli_out, "--reading ID --why' says why cells of a reading have none.");
    assert_status(0, "status", store, "--why");
    assert_string_equal(cli_out, "2 of 2 cells done\n");
    assert_status(0, "status", store, "--reading", "bad", "--why");
    assert_text_has(cli_out, "1 of 2 cells done, 1 failed");
    assert_text_has(cli_out, "own: failed");
    assert_status(0, "run", file, "--store", store); /* the experiment itself is done */
}

static void wait_for(const char *path) {
    const struct timespec tenth = {.tv_nsec = 100000000};
    for (int i = 0; i < 200 && !is_there(path); i++)
        (void)nanosleep(&tenth, NULL);
    assert_true(is_there(path));
}

/* Runs all readings in the background, the streams to files; its process. */
static pid_t start_run(const char *file, const char *store) {
    const char *out = in_folder("out"), *log = in_folder("log");
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(open(out, O_CREAT | O_TRUNC | O_WRONLY, 0600), 1);
        (void)dup2(open(log, O_CREAT | O_TRUNC | O_WRONLY, 0600), 2);
        (void)execl(cli_program(), "bnbench", "run", file, "--store", store, "--jobs", "1", "--readings", "all",
                    "--json", (char *)NULL);
        _exit(127);
    }
    return child;
}

static void an_interrupted_reading_goes_on_with_the_same_command(void **state) {
    char text[1024];
    const char *store = in_folder("s"), *file;
    int wait_status = 0;
    pid_t child;
    json_t *answer;
    (void)state;
    /* The reading's learner says that it has begun, and hangs unless it is told to end at once. */
    (void)snprintf(text, sizeof text,
                   "name: stop\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [hc]\nmetrics: [shd]\n"
                   "readings:\n"
                   "  - {id: slow, text: T, change: {learners: [hc, {id: slow, command: [sh, -c, \"touch '%s/begun'; "
                   "test -e '%s/go' || sleep 60; printf 'from,to,type\\\\n' > \\\"$1\\\"\", sh, \"{graph}\"]}]}}\n"
                   "  - {id: later, text: T, change: {learners: [gts]}}\n",
                   cli_folder, cli_folder);
    file = write_file("stop.yaml", text);
    child = start_run(file, store);
    wait_for(in_folder("begun"));
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &wait_status, 0), child);
    assert_true(WIFEXITED(wait_status));
    assert_int_equal(WEXITSTATUS(wait_status), 130);
    assert_int_equal(cli_call_shell("cat \"$1/log\""), 0);
    assert_text_has(cli_out, "--readings all");
    assert_int_equal(cli_call_shell("cat \"$1/out\""), 0);
    answer = parse_answer();
    assert_true(json_is_true(json_object_get(answer, "interrupted")));
    assert_that(number_at(answer, "done"), ==, 1);
    assert_int_equal(json_array_size(json_object_get(answer, "readings")), 1); /* the other did not begin */
    json_decref(answer);
    (void)write_file("go", "");
    assert_status(0, "run", file, "--store", store, "--readings", "all");
    assert_text_has(cli_out,
                    "1 of 1 cells done\nReading 'slow': 2 of 2 cells done\nReading 'later': 1 of 1 cells done\n");
    assert_int_equal(ask(store, "SELECT count(*) FROM job"), 3);
    assert_int_equal(ask(store, "SELECT count(*) FROM run WHERE outcome = 'interrupted'"), 1);
}

static void info_tells_the_readings_and_why_they_are_allowed(void **state) {
    const char *file = write_file("two.yaml", two_readings);
    json_t *answer;
    const json_t *second;
    (void)state;
    assert_status(0, "info", file);
    assert_text_has(cli_out, "\nreadings     base (text): The authors' program.\n"
                             "             strict (figures): It says 0.05.\n"
                             "             small (silent): Table 2 has 100 rows.\n");
    assert_status(0, "info", file, "--json");
    answer = parse_answer();
    assert_int_equal(json_array_size(json_object_get(answer, "readings")), 3);
    second = json_array_get(json_object_get(answer, "readings"), 1);
    assert_string_equal(text_at(second, "id"), "strict");
    assert_string_equal(text_at(second, "text"), "It says 0.05.");
    assert_string_equal(text_at(second, "basis"), "figures");
    json_decref(answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(cells_that_readings_share_run_once),
        cli_test(a_dry_run_says_what_each_reading_adds),
        cli_test(without_readings_the_experiment_runs_alone),
        cli_test(status_counts_the_experiment_or_one_reading),
        cli_test(a_reading_has_a_report_of_its_own),
        cli_test(the_declaration_beside_the_page_of_a_reading_runs),
        cli_test(what_cannot_be_run_is_refused_before_anything_runs),
        cli_test(a_reading_with_failures_ends_with_status_6_and_says_where_to_look),
        cli_test(an_interrupted_reading_goes_on_with_the_same_command),
        cli_test(info_tells_the_readings_and_why_they_are_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
