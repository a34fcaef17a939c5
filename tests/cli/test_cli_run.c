/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run, report, status, work and collect from outside: statuses, what is printed, what is written, and going on. */
#include "tests/support/cli_support.h"
#include "tests/support/store_sql.h"

#include "build_info.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const small_experiment = "name: small\n"
                                            "title: A small comparison\n"
                                            "seed: 7\n"
                                            "networks: [asia]\n"
                                            "data: {samples: [100, 200], replicates: 2}\n"
                                            "learners: [hc, empty]\n"
                                            "metrics: [time, shd]\n"
                                            "tables:\n"
                                            "  - {id: shd, metric: shd, rows: samples, columns: learner}\n";

static void a_run_prints_its_tables_and_names_what_it_wrote(void **state) {
    const char *file = write_file("small.yaml", small_experiment), *store = in_folder("my store");
    json_t *counts;
    (void)state;
    assert_status(0, "run", file, "--store", store, "--jobs", "2");
    assert_text_has(cli_out, "hc");
    assert_text_has(cli_out, "8 of 8 cells done");
    assert_text_has(cli_out, "my store/report/");
    assert_text_lacks(cli_out, "\x1b"); /* no terminal, no bold type */
    assert_status(0, "status", store, "--json");
    counts = parse_answer();
    assert_that(number_at(counts, "total"), ==, 8);
    assert_that(number_at(counts, "done"), ==, 8);
    assert_that(number_at(counts, "left"), ==, 0);
    assert_that(number_at(counts, "failed"), ==, 0);
    assert_that(number_at(counts, "timeout"), ==, 0);
    assert_that(number_at(counts, "memory"), ==, 0);
    assert_that(number_at(counts, "running"), ==, 0);
    json_decref(counts);
}

static void json_of_a_run_has_counts_store_and_files(void **state) {
    const char *file = write_file("small.yaml", small_experiment), *store = in_folder("s");
    json_t *answer, *name;
    size_t i;
    (void)state;
    assert_status(0, "run", file, "--store", store, "--json", "--set", "data.replicates=1", "-q");
    assert_string_equal(cli_errors, "");
    answer = parse_answer();
    assert_that(number_at(answer, "total"), ==, 4);
    assert_that(number_at(answer, "done"), ==, 4);
    assert_string_equal(text_at(answer, "store"), store);
    assert_true(json_array_size(json_object_get(answer, "files")) > 0);
    json_array_foreach(json_object_get(answer, "files"), i, name) {
        assert_true(is_there(json_string_value(name)));
    }
    json_decref(answer);
}

static void a_best_of_is_traced_and_a_reproduction_is_one_file(void **state) {
    const char *file =
        write_file("best.yaml", "name: best\n"
                                "networks: [asia]\n"
                                "data: {samples: [100], replicates: 2}\n"
                                "learners: [{id: sc, by: bdeu_train, best_of: [{learner: sc, k: [1, 2]}]}]\n"
                                "tables: [{id: shd, metric: shd}, {id: nets, kind: networks}]\n"
                                "claims: [{id: c, text: Less., holds_if: {table: shd, below: sc, than: 99}}]\n");
    const char *store = in_folder("s"), *report = in_folder("again.md");
    json_t *answer, *choice;
    (void)state;
    assert_status(0, "run", file, "--store", store, "--jobs", "1");
    assert_text_has(cli_out, "sc: of 2 learners the one with the best bdeu_train on each data set: sc:k=1 ");
    assert_text_has(cli_out, "4 of 4 cells done");
    assert_status(0, "status", store);
    assert_text_has(cli_out, "of 2 data sets.");
    assert_status(0, "status", store, "--json");
    answer = parse_answer();
    choice = json_array_get(json_object_get(answer, "best_of"), 0);
    assert_string_equal(text_at(choice, "id"), "sc");
    assert_that(number_at(choice, "data_sets"), ==, 2);
    assert_that(number_at(choice, "failed"), ==, 0);
    assert_int_equal(json_array_size(json_object_get(choice, "parts")), 2);
    json_decref(answer);
    assert_status(0, "report", store, "--reproduction", "-");
    assert_text_has(cli_out, "# Reproduction: best");
    assert_text_has(cli_out, "| **holds** |");
    assert_text_has(cli_out, "| asia | 8 | 8 |");
    assert_status(0, "report", store, "--reproduction", report);
    assert_true(is_there(report));
    assert_status(2, "report", store, "--reproduction", report, "--format", "md");
}

static void what_failed_in_the_paper_fails_in_tables_and_nowhere_else(void **state) {
    const char *file = write_file("paper.yaml", "name: paper\n"
                                                "networks: [asia, alarm]\n"
                                                "data: {samples: [1000]}\n"
                                                "learners: [mmhc, empty]\n"
                                                "metrics: [shd]\n"
                                                "tables:\n"
                                                "  - {id: ranks, metric: shd, aggregate: mean_rank, decimals: 1}\n"
                                                "  - {id: shd, metric: shd, rows: network}\n"
                                                "tests: [{id: f, test: friedman, metric: shd}]\n"
                                                "profiles:\n"
                                                "  read: {failed_in_paper: [{learner: mmhc, if: nodes >= 8}]}\n");
    const char *store = in_folder("s"), *rule = "failed_in_paper=[{learner: mmhc, if: nodes > 8, text: sec. 5}]";
    json_t *counts;
    (void)state;
    assert_status(0, "run", file, "--store", store, "--jobs", "1");
    assert_text_has(cli_out, "1000      1.0    2.0     2/2");
    assert_text_lacks(cli_out, "in the paper");
    assert_status(0, "run", file, "--store", store, "--jobs", "1", "--profile", "read");
    assert_text_has(cli_out, "1000     2.0*    1.0     2/2");
    assert_text_has(cli_out, "mmhc counts as failed on 2 networks, as in the paper (failed_in_paper).");
    assert_text_has(cli_out, "4 of 4 cells done");
    assert_status(0, "run", file, "--store", store, "--jobs", "1", "--set", rule);
    assert_text_has(cli_out, "1000     1.5*    1.5     2/2");
    assert_text_has(cli_out, "alarm    failed");
    assert_text_has(cli_out, "ranked last: mmhc on 1 network at 1000 rows");
    assert_text_has(cli_out, "mmhc counts as failed on 1 network, as in the paper (failed_in_paper: sec. 5).");
    assert_status(0, "report", store, "--reproduction", "-");
    assert_text_has(cli_out, "4 of 4 cells: 4 done, 0 failed");
    assert_text_has(cli_out, "mmhc counts as failed on 1 network, as in the paper (failed_in_paper: sec. 5).");
    assert_status(0, "status", store, "--json");
    counts = parse_answer();
    assert_that(number_at(counts, "done"), ==, 4);
    assert_that(number_at(counts, "failed"), ==, 0);
    json_decref(counts);
    assert_status(3, "run", file, "--store", store, "--set", "failed_in_paper=[{learner: mmhc, if: nods > 8}]");
    assert_text_has(cli_errors, "'nods' is no fact of a network; did you mean 'nodes'?");
}

static void a_dry_run_shows_the_plan_and_leaves_nothing(void **state) {
    const char *file = write_file("small.yaml", small_experiment), *store = in_folder("s");
    json_t *answer;
    (void)state;
    assert_status(0, "run", file, "--store", store, "--dry-run");
    assert_text_has(cli_out,
                    "8 cells of 1 network, 2 sample sizes, 2 replicates, 2 learners: 0 from the store, 8 to run");
    assert_text_lacks(cli_out, "asia, 100 rows, replicate 1, hc");
    assert_status(0, "run", file, "--store", store, "--dry-run", "--verbose");
    assert_text_has(cli_out, "asia, 100 rows, replicate 1, hc: to run\n");
    assert_text_has(cli_out, "0 of 8 cells done, 8 left");
    assert_false(is_there(store));
    assert_status(0, "run", file, "--store", store, "--dry-run", "--json");
    answer = parse_answer();
    assert_true(number_at(answer, "left") == 8);
    assert_true(json_array_size(json_object_get(answer, "plan")) >= 8);
    json_decref(answer);
}

static void a_report_can_be_made_again_in_the_form_asked_for(void **state) {
    const char *file = write_file("small.yaml", small_experiment), *store = in_folder("s");
    char *tables;
    (void)state;
    assert_status(0, "run", file, "--store", store, "-q");
    assert_status(0, "report", store, "--format", "text");
    tables = strdup(cli_out);
    assert_text_has(tables, "hc");
    assert_text_lacks(tables, "Written");
    assert_status(0, "report", store, "--format", "csv", "--out", in_folder("tables"));
    assert_text_has(cli_out, tables);
    assert_text_has(cli_out, "\nWritten: 1 table: ");
    assert_text_has(cli_out, "/tables/\n");
    assert_text_lacks(cli_out, ".md");
    assert_status(0, "report", store, "--format", "csv", "--out", in_folder("tables"), "--verbose");
    assert_text_has(cli_out, "/tables/tables/shd.csv\n");
    assert_true(is_there(in_folder("tables")));
    assert_status(0, "report", store, "--format", "md", "--out", in_folder("markdown"), "--json");
    assert_text_has(cli_out, ".md");
    free(tables);
}

static void a_run_with_failures_ends_with_its_tables_and_status_6(void **state) {
    const char *file = write_file("broken.yaml", "name: broken\nseed: 7\nnetworks: [asia]\n"
                                                 "data: {samples: [100], replicates: 2}\n"
                                                 "learners:\n  - hc\n"
                                                 "  - {id: liar, command: [\"false\", \"{graph}\"]}\n"
                                                 "metrics: [shd]\n"
                                                 "tables:\n"
                                                 "  - {id: shd, metric: shd, rows: samples, columns: learner}\n");
    const char *store = in_folder("s");
    (void)state;
    assert_status(6, "run", file, "--store", store);
    assert_text_has(cli_out, "2 of 4 cells done, 2 failed");
    assert_text_has(cli_out, "--why");
    assert_text_has(cli_out, "--retry-failed runs failed cells again");
    assert_status(0, "status", store, "--why");
    assert_text_has(cli_out, "liar");
    assert_status(0, "status", store, "--why", "--json");
    json_t *answer = parse_answer();
    assert_true(number_at(answer, "failed") == 2);
    assert_true(json_array_size(json_object_get(answer, "why")) >= 2);
    json_decref(answer);
    assert_status(6, "run", file, "--store", store); /* a failure is a result that stays */
}

static const struct {
    const char *command, *message;
    int leave;
} cannot_start[] = {
    {"[pyton3, there.py, \"{data}\", \"{graph}\"]",
     "learner 'own': there is no program 'pyton3' in PATH; did you mean 'python3'?", 4},
    {"[no-such-program-anywhere, \"{graph}\"]", "learner 'own': there is no program 'no-such-program-anywhere' in PATH",
     4},
    {"[./there.py, \"{graph}\"]", "learner 'own': './there.py' is no program that can be started from", 4},
    {"[sh, gone.sh, \"{data}\", \"{graph}\"]", "learner 'own': there is no script", 4},
    {"[/bin/sh, gone.sh, \"{graph}\"]", "learner 'own': there is no script", 4},
    {"[./python3.11, --long, gone.sh, \"{graph}\"]", "gone.sh", 4},
    {"[./java, -jar, gone.jar, \"{graph}\"]", "gone.jar", 4},
    {"[./java, -Xmx4g, -jar, gone.jar, \"{graph}\"]", "gone.jar", 4},
    {"[./python3.11, gone.py, \"{graph}\"]", "gone.py", 4},
    {"[sh, there.py, \"{data}\"]", "learner 'own': its command lacks \"{graph}\"", 3},
};

/* Nothing is run and no store is made; what can be started passes. */
static void a_program_that_cannot_be_started_is_refused_before_anything_runs(void **state) {
    static const char *const good[] = {"[sh, there.py, \"{graph}\"]", "[sh, -c, 'x > gone.sh', \"{graph}\"]",
                                       "[./run.sh, \"{graph}\"]", "[cp, gone.csv, \"{graph}\"]",
                                       /* a path of classes, and what other options and programs take */
                                       "[./java, -cp, \"a.jar:b.jar\", Main, \"{graph}\"]",
                                       "[./java, -cp, gone.jar, Main, -jar, gone.jar, \"{graph}\"]",
                                       "[./java, -jar, there.py, \"{graph}\"]", "[sh, -c, run.sh, \"{graph}\"]",
                                       "[sh, \"a.sh:b.sh\", \"{graph}\"]", "[cp, gone.sh, \"{graph}\"]",
                                       "[./python3.11, -m, gone.py, \"{graph}\"]"};
    char text[512];
    static const char form[] = "name: own\nnetworks: [asia]\ndata: {samples: [50]}\n"
                               "learners: [hc, {id: own, command: %s}]\n";
    (void)state;
    (void)write_file("there.py", "");
    (void)write_file("run.sh", "#!/bin/sh\n");
    assert_int_equal(cli_call_shell("cd \"$1\" && chmod +x run.sh && cp run.sh java && cp run.sh python3.11"), 0);
    for (size_t i = 0; i < sizeof cannot_start / sizeof *cannot_start; i++) {
        (void)snprintf(text, sizeof text, form, cannot_start[i].command);
        assert_status(cannot_start[i].leave, "run", write_file("own.yaml", text), "--store", in_folder("s"));
        assert_text_has(cli_errors, cannot_start[i].message);
        assert_false(is_there(in_folder("s")));
        assert_status(0, "run", in_folder("own.yaml"), "--store", in_folder("t"), "--dry-run", "--set",
                      "only.learner=hc");
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        (void)snprintf(text, sizeof text, form, good[i]);
        assert_status(0, "run", write_file("own.yaml", text), "--store", in_folder("s"), "--dry-run");
    }
}

static void a_file_beside_the_name_that_was_typed_is_suggested(void **state) {
    (void)state;
    (void)write_file("base.yaml", small_experiment);
    assert_status(4, "run", in_folder("base"), "--dry-run");
    assert_text_has(cli_errors, "base.yaml'?");
    assert_int_equal(cli_call_shell("cd \"$1\" && \"$0\" run base --dry-run"), 4);
    assert_text_has(cli_errors, "there is no file 'base'; did you mean 'base.yaml'?");
}

static void a_folder_hides_no_experiment_that_ships(void **state) {
    (void)state;
    assert_int_equal(cli_call_shell("cd \"$1\" && mkdir quickstart other && \"$0\" run quickstart --dry-run"), 0);
    assert_int_equal(cli_call_shell("cd \"$1\" && \"$0\" run other --dry-run"), 3);
    assert_text_has(cli_errors, "other: is a folder");
}

static void a_tab_in_an_experiment_is_called_a_tab(void **state) {
    (void)state;
    assert_status(3, "run", write_file("tab.yaml", "name: x\nnetworks:\n\t- asia\n"), "--dry-run");
    assert_text_has(cli_errors, "tab.yaml:3:1: this is not YAML: a tab; use blanks");
}

static void wait_for(const char *path) {
    const struct timespec tenth = {.tv_nsec = 100000000};
    for (int i = 0; i < 200 && !is_there(path); i++)
        (void)nanosleep(&tenth, NULL);
    assert_true(is_there(path));
}

/* The run of a file in the background, its streams to a file; its process. */
static pid_t start_run(const char *file, const char *store) {
    const char *log = in_folder("log");
    pid_t child = fork();
    if (child == 0) {
        int fd = open(log, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        (void)dup2(fd, 1);
        (void)dup2(fd, 2);
        (void)execl(cli_program(), "bnbench", "run", file, "--store", store, "--jobs", "1", (char *)NULL);
        _exit(127);
    }
    return child;
}

static void ctrl_c_stops_cleanly_and_the_same_command_goes_on(void **state) {
    char text[1024];
    const char *store = in_folder("s"), *file;
    int wait_status = 0;
    pid_t child;
    (void)state;
    /* The second learner says that it has begun, and hangs unless it is told to end at once. */
    (void)snprintf(text, sizeof text,
                   "name: stop\nseed: 7\nnetworks: [asia]\ndata: {samples: [100], replicates: 1}\n"
                   "learners:\n  - hc\n"
                   "  - {id: slow, command: [sh, -c, \"touch '%s/begun'; test -e '%s/go' || sleep 60; "
                   "printf 'from,to,type\\\\n' > \\\"$1\\\"\", sh, \"{graph}\"]}\n"
                   "metrics: [shd]\n",
                   cli_folder, cli_folder);
    file = write_file("stop.yaml", text);
    child = start_run(file, store);
    wait_for(in_folder("begun"));
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &wait_status, 0), child);
    assert_true(WIFEXITED(wait_status));
    assert_int_equal(WEXITSTATUS(wait_status), 130);
    assert_int_equal(cli_call_shell("cat \"$1/log\""), 0);
    assert_text_has(cli_out, "bnbench run ");
    (void)write_file("go", "");
    assert_status(0, "run", file, "--store", store);
    assert_text_has(cli_out, "2 of 2 cells done");
}

static void a_file_that_ships_runs_by_its_name(void **state) {
    (void)state;
    assert_status(0, "run", "quickstart", "--store", in_folder("s"), "--dry-run", "-v");
    assert_text_has(cli_out, "alarm");
    assert_status(0, "run", "brown2005", "--profile", "quick", "--store", in_folder("s"), "--dry-run");
    assert_status(3, "run", "brown2005", "--profile", "quik", "--store", in_folder("s"), "--dry-run");
    assert_text_has(cli_errors, "quick");
    assert_status(3, "run", "quickstart", "--set", "data.replicate=2", "--store", in_folder("s"), "--dry-run");
    assert_text_has(cli_errors, "replicates");
}

static void the_default_store_has_the_name_of_the_experiment(void **state) {
    (void)write_file("small.yaml", small_experiment);
    (void)state;
    assert_int_equal(cli_call_shell("cd \"$1\" && \"$0\" run small.yaml -q --set data.replicates=1"), 0);
    assert_true(is_there(in_folder("stores/small")));
}

static void a_run_of_another_declaration_says_that_the_report_changes(void **state) {
    const char *file = write_file("small.yaml", small_experiment), *store = in_folder("s");
    (void)state;
    assert_status(0, "run", file, "--store", store);
    assert_text_lacks(cli_errors, "declared something else");
    assert_status(0, "run", file, "--store", store);
    assert_text_lacks(cli_errors, "declared something else");
    assert_status(0, "run", file, "--store", store, "--set", "learners=[hc]");
    assert_text_has(cli_errors, "The last run of this store declared something else");
}

static void a_run_that_goes_on_says_what_it_takes_over(void **state) {
    const char *file = write_file("small.yaml", small_experiment), *store = in_folder("s");
    (void)state;
    assert_status(0, "run", file, "--store", store, "--set", "data.replicates=1");
    assert_text_lacks(cli_errors, "taken over");
    assert_status(0, "run", file, "--store", store);
    assert_text_has(cli_errors, "4 of 8 results are taken over from the store; 4 are new.");
    assert_status(0, "run", file, "--store", store, "-q");
    assert_string_equal(cli_errors, "");
    assert_status(0, "run", file, "--store", store, "--set", "seed=8");
    assert_text_has(cli_errors, "0 of 8 results are taken over from the store; 8 run again (8: the declaration, ");
}

/* Every command that reads the store says so, and the same run mends it. */
static void a_damaged_store_is_refused_and_mended_by_its_run(void **state) {
    static const char *const damages[] = {"UPDATE run SET declaration = NULL",
                                          "UPDATE run SET plan = NULL, digest = NULL",
                                          "UPDATE run SET declaration = x'00', digest = NULL",
                                          "UPDATE metric SET value = 77 WHERE name = 'shd' AND job = 2",
                                          "UPDATE job SET cpu_seconds = 'x', digest = NULL WHERE id = 3"};
    const char *file = write_file("small.yaml", small_experiment), *store = in_folder("s");
    (void)state;
    assert_status(0, "run", file, "--store", store, "-q");
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        execute(store, damages[i]);
        assert_status(3, "status", store);
        assert_text_has(cli_errors, "damaged");
        assert_text_has(cli_errors, i < 3 ? "the run in row " : "the result in row ");
        assert_text_has(cli_errors, "'bnbench run' of the same experiment");
        assert_status(3, "status", store, "--why");
        assert_status(3, "report", store);
        assert_status(3, "diff", store, store);
        assert_status(0, "run", file, "--store", store);
        assert_text_has(
            cli_errors,
            i < 3 ? ""
                  : "1 damaged result was removed from the store; cells of this experiment without a result run again");
        assert_text_has(cli_out, "8 of 8 cells done");
        assert_status(0, "report", store);
    }
}

/* A store with the results of two declarations, one of each damaged. */
static void a_run_removes_only_its_own_damaged_results(void **state) {
    const char *file = write_file("small.yaml", small_experiment), *store = in_folder("s");
    (void)state;
    assert_status(0, "run", file, "--store", store, "-q", "--set", "seed=99");
    execute(store, "UPDATE metric SET value = 77 WHERE name = 'shd' AND job = 2");
    assert_status(0, "run", file, "--store", store);
    assert_null(strstr(cli_errors, "damaged"));
    assert_text_has(cli_out, "8 of 8 cells done");
    execute(store, "UPDATE metric SET value = 77 WHERE name = 'shd' AND job = 12");
    assert_status(0, "run", file, "--store", store);
    assert_text_has(cli_errors, "1 damaged result was removed");
    assert_status(0, "report", store);
    assert_status(0, "run", file, "--store", store, "--dry-run");
    assert_status(0, "run", file, "--store", store, "--set", "seed=99");
    assert_text_has(cli_errors, "1 damaged result was removed");
    assert_text_has(cli_out, "8 of 8 cells done");
}

static void folders_that_hold_no_plan_are_refused(void **state) {
    (void)state;
    assert_status(4, "work", in_folder("none"));
    assert_status(4, "collect", in_folder("none"), in_folder("s"));
}

/* In an address space that would not take their keys. */
static void many_cells_are_planned_and_run_without_being_held(void **state) {
    (void)state;
    if (*BNB_SANITIZERS)
        skip();
    (void)write_file("ten.yaml",
                     "name: ten\nnetworks: [asia]\ndata: {samples: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19], "
                     "replicates: 100000}\nlearners: [{learner: hc, max_parents: [1, 2, 3, 4, 5, 6, 7, 8, 9, "
                     "10]}]\n");
    (void)write_file("one.yaml",
                     "name: one\nnetworks: [asia]\ndata: {samples: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19], "
                     "replicates: 100000}\nlearners: [empty]\n");
    assert_int_equal(cli_call_shell("ulimit -v 300000; \"$0\" run \"$1/ten.yaml\" --store \"$1/ten\" --dry-run"), 0);
    assert_text_has(cli_out, "10000000 cells of 1 network");
    assert_int_equal(cli_call_shell("ulimit -v 330000; \"$0\" run \"$1/one.yaml\" --store \"$1/one\" --jobs 1 -q & "
                                    "id=$!; while kill -0 $id && ! ls \"$1\"/one/jobs/*.running; do sleep 0.1; done "
                                    ">/dev/null 2>&1; kill -TERM $id; wait $id"),
                     130);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(a_run_prints_its_tables_and_names_what_it_wrote),
        cli_test(json_of_a_run_has_counts_store_and_files),
        cli_test(a_best_of_is_traced_and_a_reproduction_is_one_file),
        cli_test(what_failed_in_the_paper_fails_in_tables_and_nowhere_else),
        cli_test(a_dry_run_shows_the_plan_and_leaves_nothing),
        cli_test(a_run_that_goes_on_says_what_it_takes_over),
        cli_test(a_report_can_be_made_again_in_the_form_asked_for),
        cli_test(a_run_with_failures_ends_with_its_tables_and_status_6),
        cli_test(a_program_that_cannot_be_started_is_refused_before_anything_runs),
        cli_test(a_file_beside_the_name_that_was_typed_is_suggested),
        cli_test(a_folder_hides_no_experiment_that_ships),
        cli_test(a_tab_in_an_experiment_is_called_a_tab),
        cli_test(ctrl_c_stops_cleanly_and_the_same_command_goes_on),
        cli_test(a_file_that_ships_runs_by_its_name),
        cli_test(the_default_store_has_the_name_of_the_experiment),
        cli_test(a_run_of_another_declaration_says_that_the_report_changes),
        cli_test(a_damaged_store_is_refused_and_mended_by_its_run),
        cli_test(a_run_removes_only_its_own_damaged_results),
        cli_test(folders_that_hold_no_plan_are_refused),
        cli_test(many_cells_are_planned_and_run_without_being_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
