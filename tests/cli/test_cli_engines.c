/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run --engine from outside, with a scheduler of shell scripts in front of PATH. */
#include "tests/support/cli_support.h"
#include "tests/support/run_support.h"
#include "tests/support/store_sql.h"

#include <signal.h>
#include <unistd.h>

#include <sys/stat.h>

static const char small[] = "name: small\nseed: 7\nnetworks: [asia]\ndata: {samples: [100, 200], replicates: 2}\n"
                            "learners: [hc, empty]\nmetrics: [shd]\nlimits: {time: 20s, memory: 1GiB}\n";

/* Each of its programs notes its words in $STATE/NAME. sbatch starts the tasks of its array at once, on the node `n1`;
 * squeue has a line for each that runs. */
static const char sbatch[] =
    "#!/bin/sh\nprintf '<%s>' \"$@\" >> \"$STATE/sbatch\"; echo >> \"$STATE/sbatch\"\n"
    "for w do case $w in --array=1-*) n=${w#--array=1-};; esac; script=$w; done\n"
    "while [ $n -gt 0 ]; do\n"
    "    SLURMD_NODENAME=n1 \"$script\" >/dev/null 2>&1 & echo $! >> \"$STATE/ids\"; n=$((n - 1))\n"
    "done\necho 4711\n";
static const char squeue[] =
    "#!/bin/sh\nprintf '<%s>' \"$@\" > \"$STATE/squeue\"\n"
    "for id in $(cat \"$STATE/ids\" 2>/dev/null); do\n"
    "    case $(cut -d ' ' -f 3 /proc/$id/stat 2>/dev/null) in ''|Z) ;; *) echo 'RUNNING|None';; "
    "esac\ndone\n";
static const char scancel[] = "#!/bin/sh\nprintf '<%s>' \"$@\" > \"$STATE/scancel\"\n";

static char *path_before;

static void put_program(const char *name, const char *text) {
    char relative[64];
    (void)snprintf(relative, sizeof relative, "bin/%s", name);
    assert_int_equal(chmod(write_file(relative, text), 0755), 0);
}

static int start(void **state) {
    char path[8192];
    if (cli_start_test(state) != 0)
        return -1;
    path_before = text_copy(getenv("PATH"));
    (void)snprintf(path, sizeof path, "%s:%s", in_folder("bin"), path_before);
    assert_int_equal(mkdir(in_folder("bin"), 0755), 0);
    put_program("sbatch", sbatch);
    put_program("squeue", squeue);
    put_program("scancel", scancel);
    return setenv("PATH", path, 1) != 0 || setenv("STATE", cli_folder, 1) != 0;
}

static int end(void **state) {
    (void)setenv("PATH", path_before, 1);
    free(path_before);
    return cli_end_test(state);
}

static char *read_noted(const char *name) {
    char *text = NULL;
    size_t length;
    error_info err = {0};
    assert_ok(file_read(in_folder(name), FILE_READ_MOST, &text, &length, &err), &err);
    return text;
}

static void assert_noted(const char *name, const char *words) {
    char *text = read_noted(name);
    assert_text_has(text, words);
    free(text);
}

static size_t count_lines(const char *name) {
    char *text = is_there(in_folder(name)) ? read_noted(name) : NULL;
    size_t n = 0;
    for (const char *c = text ? text : ""; *c; c++)
        n += *c == '\n';
    free(text);
    return n;
}

static void a_followed_run_stores_what_a_local_one_stores(void **state) {
    const char *file = write_file("small.yaml", small), *name;
    char *noted;
    (void)state;
    assert_status(0, "run", file, "--store", in_folder("local"), "--quiet");
    assert_status(0, "run", file, "--store", in_folder("shared"), "--engine", "slurm", "--tasks", "3", "--follow",
                  "--slurm-args=--partition=short --comment='two words'");
    assert_same_results(in_folder("local"), in_folder("shared"));
    assert_text_has(cli_out, "8 of 8 cells done");
    assert_int_equal(count_lines("sbatch"), 1);
    assert_noted("sbatch", "<--array=1-3>");
    assert_noted("sbatch", "<--mem=1664M><--time=32><--partition=short><--comment=two words>"); /* 3 x 622 s */
    noted = read_noted("sbatch");
    name = strstr(noted, "<--job-name=bnbench-");
    assert_non_null(name);
    assert_noted("squeue", "<--name><bnbench-");
    free(noted);
    assert_status(0, "run", file, "--store", in_folder("shared"), "--engine", "slurm", "--follow");
    assert_int_equal(count_lines("sbatch"), 1); /* nothing was left to submit */
    assert_text_has(cli_out, "8 of 8 cells done");
}

static void one_that_is_not_followed_says_how_to_go_on_and_submits_once(void **state) {
    const char *file = write_file("small.yaml", small), *place = in_folder("it's here");
    json_t *answer;
    (void)state;
    put_program("sbatch", "#!/bin/sh\necho >> \"$STATE/sbatch\"; echo '4711;cluster'\n");
    put_program("squeue", "#!/bin/sh\ntest ! -e \"$STATE/sbatch\" || echo 'PENDING|Priority'\n");
    assert_status(0, "run", file, "--store", place, "--engine", "slurm");
    assert_text_has(cli_out, "0 of 8 cells done, 8 left");
    assert_text_has(cli_out, "Workers are submitted: 4711;cluster.\n  bnbench collect '");
    assert_text_has(cli_out, "it'\\''s here'\n  bnbench status '");
    assert_text_has(cli_out, "the same command with --follow");
    assert_status(0, "run", file, "--store", place, "--engine", "slurm", "--json");
    answer = parse_answer();
    assert_close(number_at(answer, "queued"), 8, 0);
    assert_false(json_is_true(json_object_get(answer, "submitted")));
    json_decref(answer);
    assert_int_equal(count_lines("sbatch"), 1);
    assert_status(0, "status", place);
    assert_status(0, "run", file, "--store", place, "--engine", "command", "--submit", "{script}", "--follow",
                  "--shared", in_folder("it's here-jobs"));
    assert_text_has(cli_out, "8 of 8 cells done");
}

static void submissions_that_bring_no_result_end_the_run_with_6(void **state) {
    (void)state;
    put_program("sbatch", "#!/bin/sh\necho >> \"$STATE/sbatch\"; echo 1\n"); /* and no task ever starts */
    assert_status(6, "run", write_file("small.yaml", small), "--store", in_folder("s"), "--engine", "slurm", "--follow",
                  "--retries", "1");
    assert_int_equal(count_lines("sbatch"), 2);
    assert_text_has(cli_errors, "2 submissions in a row brought no result");
    assert_text_has(cli_errors, "s-jobs/engine");
    assert_text_has(cli_out, "0 of 8 cells done, 8 left");
}

static void a_scheduler_that_is_not_there_or_refuses_is_told_of(void **state) {
    const char *file = write_file("small.yaml", small);
    (void)state;
    put_program("sbatch", "#!/bin/sh\necho 'sbatch: error: invalid partition' >&2; exit 1\n");
    assert_status(5, "run", file, "--store", in_folder("s"), "--engine", "slurm");
    assert_text_has(cli_errors, "'sbatch' ended with status 1: sbatch: error: invalid partition");
    assert_status(4, "run", file, "--store", in_folder("s"), "--engine", "command", "--submit",
                  "no-such-qsub {script}");
    assert_text_has(cli_errors, "there is no program 'no-such-qsub' in PATH");
    assert_int_equal(unlink(in_folder("bin/squeue")), 0);
    assert_int_equal(setenv("PATH", in_folder("bin"), 1), 0);
    assert_status(4, "run", file, "--store", in_folder("s"), "--engine", "slurm");
    assert_text_has(cli_errors, "there is no program 'squeue' in PATH");
}

/* The first worker is killed as soon as it has a job. */
static void a_node_that_loses_a_worker_is_named_and_avoided(void **state) {
    const char *file = write_file(
        "slow.yaml",
        "name: slow\nseed: 7\nnetworks: [asia]\ndata: {samples: [100], replicates: 3}\nlearners: [{id: slow, "
        "command: [sh, -c, \"sleep 0.5; printf 'from,to,type\\\\n' > \\\"$1\\\"\", sh, \"{graph}\"]}]\n");
    (void)state;
    put_program("sbatch",
                "#!/bin/sh\nprintf '<%s>' \"$@\" >> \"$STATE/sbatch\"; echo >> \"$STATE/sbatch\"\n"
                "for script do :; done\nnode=good; test -e \"$STATE/ids\" || node=bad\n"
                "SLURMD_NODENAME=$node \"$script\" >/dev/null 2>&1 & echo $! >> \"$STATE/ids\"\n"
                "if [ $node = bad ]; then while ! ls \"$STATE\"/s-jobs/claimed/*.bad.* >/dev/null 2>&1; do sleep "
                "0.02; done; kill -9 $!; fi\necho 1\n");
    assert_status(0, "run", file, "--store", in_folder("local"), "--quiet");
    assert_status(0, "run", file, "--store", in_folder("s"), "--engine", "slurm", "--follow", "--lease", "5s",
                  "--tasks", "1");
    assert_same_results(in_folder("local"), in_folder("s"));
    assert_text_has(cli_errors, "slow: lost on bad: worker bad.");
    assert_int_equal(count_lines("sbatch"), 2);
}

/* Each worker is killed as soon as it has the job, each on a node of its own. */
static void a_job_that_every_node_loses_is_given_up_with_their_names(void **state) {
    const char *file =
        write_file("hard.yaml", "name: hard\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [{id: hard, command: "
                                "[sleep, \"60\", \"{data}\", \"{graph}\"]}]\n");
    (void)state;
    put_program("sbatch",
                "#!/bin/sh\necho >> \"$STATE/sbatch\"; n=$(grep -c '' \"$STATE/sbatch\")\nfor script do :; done\n"
                "SLURMD_NODENAME=n$n \"$script\" >/dev/null 2>&1 & echo $! >> \"$STATE/ids\"\n"
                "while ! ls \"$STATE\"/s-jobs/claimed/*.n$n.* >/dev/null 2>&1; do sleep 0.02; done; kill -9 $!\n"
                "echo 1\n");
    assert_status(6, "run", file, "--store", in_folder("s"), "--engine", "slurm", "--follow", "--lease", "5s",
                  "--tasks", "1", "--retries", "1");
    assert_text_has(cli_errors, "hard: given up; its workers were lost on n1, n2\n");
    assert_text_has(cli_out, "0 of 1 cells done");
    assert_int_equal(count_lines("sbatch"), 2);
}

static void a_template_is_no_shell_and_its_command_may_stay(void **state) {
    const char *file = write_file("small.yaml", small), *folder = in_folder("a b;touch x'$(touch y)");
    char line[512];
    (void)state;
    put_program("my qsub", "#!/bin/sh\nprintf '<%s>' \"$@\" >> \"$STATE/qsub\"\nfor script do :; done\n"
                           "for i in 1 2 3; do \"$script\" & done >/dev/null 2>&1; wait\n");
    (void)snprintf(line, sizeof line, "'%s' -t 1-{tasks} -l {memory},{time} ;touch z $(touch z) {folder} {script}",
                   in_folder("bin/my qsub"));
    assert_status(0, "run", file, "--store", in_folder("local"), "--quiet");
    assert_status(0, "run", file, "--store", in_folder("s"), "--engine", "command", "--submit", line, "--tasks", "3",
                  "--shared", folder, "--follow");
    assert_same_results(in_folder("local"), in_folder("s"));
    assert_noted("qsub", "<-t><1-3><-l><1664,1866><;touch><z><$(touch><z)><");
    assert_noted("qsub", "/a b;touch x'$(touch y)><");
    assert_false(is_there("x") || is_there("y") || is_there("z"));
}

/* SIGINT ends the follower; its workers go on, and the same command follows them again. */
static void an_interrupted_follower_says_how_to_go_on(void **state) {
    (void)state;
    (void)write_file("small.yaml", small);
    put_program("sbatch", "#!/bin/sh\necho >> \"$STATE/sbatch\"; echo 1\n");
    put_program("squeue", "#!/bin/sh\ntest ! -e \"$STATE/sbatch\" || echo 'PENDING|Priority'\n");
    assert_int_equal(cli_call_shell("\"$0\" run \"$1/small.yaml\" --store \"$1/s\" --engine slurm --follow & id=$!; "
                                    "while ! test -e \"$1/sbatch\"; do sleep 0.05; done; kill -TERM $id; wait $id"),
                     130);
    assert_text_has(cli_errors, "the workers go on; this follows them again:");
    assert_text_has(cli_errors, "--engine slurm --follow");
    assert_int_equal(count_lines("sbatch"), 1);
}

/* squeue gives no answer, the first time or later, or sbatch: the first signal ends the waiting; where they are deaf to
 * their end, the second does. */
static void a_scheduler_that_gives_no_answer_holds_no_signal_up(void **state) {
    static const char hangs[] = "#!/bin/sh\ntrap '' TERM\ntouch \"$STATE/asked\"\nwhile :; do sleep 1; done\n";
    static const char *const signals[] = {"TERM", "TERM", "HUP"}; /* a shell starts it deaf to SIGINT */
    static const char later[] =
        "#!/bin/sh\ntest ! -e \"$STATE/sbatch\" && exit\ntouch \"$STATE/asked\"\nexec sleep 100\n";
    (void)state;
    (void)write_file("small.yaml", small);
    for (int which = 0; which < 3; which++) {
        char script[1024];
        put_program("squeue", which == 0 ? hangs : which == 1 ? later : "#!/bin/sh\n");
        put_program("sbatch", which == 2 ? hangs : "#!/bin/sh\necho >> \"$STATE/sbatch\"; echo 1\n");
        (void)snprintf(
            script, sizeof script,
            "rm -f \"$1\"/asked; \"$0\" run \"$1/small.yaml\" --store \"$1/s%d\" --engine slurm --follow & "
            "id=$!; while ! test -e \"$1/asked\"; do sleep 0.02; done; kill -%s $id; sleep 0.5; kill -%s $id "
            "2>/dev/null; timeout 5 tail --pid=$id -f /dev/null || { kill -9 $id; exit 99; }; wait $id",
            which, signals[which], signals[which]);
        assert_int_equal(cli_call_shell(script), 130);
        assert_text_has(cli_errors, "the workers go on; this follows them again:");
        assert_text_lacks(cli_errors, "no answer");
        (void)unlink(in_folder("sbatch"));
    }
}

/* Its command stays, with the workers below it, and is ended. */
static void an_interrupted_command_that_stays_is_ended_and_its_job_goes_back(void **state) {
    (void)state;
    (void)write_file("slow.yaml",
                     "name: slow\nseed: 7\nnetworks: [asia]\ndata: {samples: [100], replicates: 1}\nlearners: [{id: "
                     "slow, command: [sh, -c, 'touch \"$0\"; sleep 60', \"{graph}\"]}]\n");
    put_program("stay", "#!/bin/sh\n\"$1\" >/dev/null 2>&1 & wait\n");
    assert_int_equal(
        cli_call_shell("\"$0\" run \"$1/slow.yaml\" --store \"$1/s\" --engine command --submit 'stay "
                       "{script}' --follow & id=$!; while ! ls \"$1\"/s-jobs/claimed/* >/dev/null 2>&1; do "
                       "sleep 0.05; done; kill -TERM $id; wait $id; status=$?; n=0; while ! ls "
                       "\"$1\"/s-jobs/todo/* >/dev/null 2>&1 && [ $n -lt 400 ]; do sleep 0.05; "
                       "n=$((n + 1)); done; exit $status"),
        130);
    assert_text_has(cli_errors, "the command of --submit, which still ran, is ended; this goes on from there:");
    assert_int_equal(count_entries(in_folder("s-jobs/todo")), 1);
    assert_int_equal(count_entries(in_folder("s-jobs/claimed")), 0);
}

/* The first reading has two cells of its own, the second none. */
static const char two_readings[] =
    "name: two\nnetworks: [asia]\ndata: {samples: [100, 200], test_samples: 50}\n"
    "learners: [hc, {id: m, learner: mmhc, alpha: 0.01}]\nmetrics: [shd]\n"
    "readings:\n"
    "  - {id: strict, text: It says 0.05., basis: figures, change: {learners: {m: {alpha: 0.05}}}}\n"
    "  - {id: small, text: Table 2 has 100 rows., change: {data: {samples: [100]}}}\n";

static void assert_has_runs(const char *folder, const char *which) {
    char sql[200];
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM run WHERE reading IS %s", which);
    assert_int_equal(ask(folder, sql), 1);
}

static void readings_follow_the_experiment_each_in_a_folder_of_its_own(void **state) {
    const char *file = write_file("two.yaml", two_readings), *local = in_folder("local"), *shared = in_folder("shared");
    json_t *answer;
    (void)state;
    assert_status(0, "run", file, "--store", local, "--readings", "all", "--quiet");
    assert_status(0, "run", file, "--store", shared, "--readings", "all", "--engine", "command", "--submit", "{script}",
                  "--follow");
    assert_text_has(cli_out, "4 of 4 cells done\nReading 'strict': 4 of 4 cells done\nReading 'small': 2 of 2");
    assert_same_results(local, shared);
    assert_has_runs(shared, "NULL");
    assert_has_runs(shared, "'strict'");
    assert_has_runs(shared, "'small'");
    assert_int_equal(count_entries(in_folder("shared-jobs/results")), 4);
    assert_int_equal(count_entries(in_folder("shared-jobs-strict/results")), 2); /* what it alone has */
    assert_int_equal(count_entries(in_folder("shared-jobs-small/results")), 0);
    assert_status(0, "status", shared, "--reading", "strict");
    assert_text_has(cli_out, "4 of 4 cells done");
    assert_status(0, "run", file, "--store", shared, "--readings", "strict", "--engine", "command", "--submit",
                  "{script}", "--follow", "--json"); /* nothing is left to do, and it says so */
    answer = parse_answer();
    assert_close(number_at(json_object_get(json_array_get(json_object_get(answer, "readings"), 0), "cells"), "done"), 4,
                 0);
    json_decref(answer);
    assert_has_runs(shared, "'strict'");
}

/* Without --follow: each call takes in what is done and submits what comes next. */
static void readings_that_are_not_followed_wait_for_what_is_before_them(void **state) {
    const char *file = write_file("two.yaml", two_readings), *place = in_folder("s");
    (void)state;
    put_program("sbatch", "#!/bin/sh\necho >> \"$STATE/sbatch\"; for script do :; done; cp \"$script\" "
                          "\"$STATE/task\"; echo 1\n");
    put_program("squeue", "#!/bin/sh\ntest ! -e \"$STATE/task\" || echo 'PENDING|Priority'\n");
    assert_status(0, "run", file, "--store", place, "--readings", "all", "--engine", "slurm");
    assert_text_has(cli_out, "0 of 4 cells done, 4 left");
    assert_text_has(cli_out, "Of 2 readings 2 wait for that; the same command goes on with them.");
    assert_int_equal(cli_call_shell("sh \"$1/task\" && rm \"$1/task\""), 0);
    assert_status(0, "run", file, "--store", place, "--readings", "all", "--engine", "slurm");
    assert_text_has(cli_out, "4 of 4 cells done\nReading 'strict': 2 of 4 cells done, 2 left");
    assert_text_has(cli_out, "s-jobs-strict ");
    assert_text_has(cli_out, "Of 2 readings 1 wait");
    assert_int_equal(cli_call_shell("sh \"$1/task\" && rm \"$1/task\""), 0);
    assert_status(0, "collect", in_folder("s-jobs-strict"), place);
    assert_status(0, "status", place, "--reading", "strict");
    assert_text_has(cli_out, "4 of 4 cells done");
    assert_status(0, "run", file, "--store", place, "--readings", "all", "--engine", "slurm");
    assert_text_has(cli_out, "Reading 'small': 2 of 2 cells done");
    assert_int_equal(count_lines("sbatch"), 2); /* the last reading has no cell of its own */
    assert_has_runs(place, "'strict'");
}

#define engine_test(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        engine_test(a_followed_run_stores_what_a_local_one_stores),
        engine_test(one_that_is_not_followed_says_how_to_go_on_and_submits_once),
        engine_test(submissions_that_bring_no_result_end_the_run_with_6),
        engine_test(a_scheduler_that_is_not_there_or_refuses_is_told_of),
        engine_test(a_node_that_loses_a_worker_is_named_and_avoided),
        engine_test(a_job_that_every_node_loses_is_given_up_with_their_names),
        engine_test(a_template_is_no_shell_and_its_command_may_stay),
        engine_test(readings_follow_the_experiment_each_in_a_folder_of_its_own),
        engine_test(readings_that_are_not_followed_wait_for_what_is_before_them),
        engine_test(an_interrupted_follower_says_how_to_go_on),
        engine_test(a_scheduler_that_gives_no_answer_holds_no_signal_up),
        engine_test(an_interrupted_command_that_stays_is_ended_and_its_job_goes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
