/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench job: a stored job is shown, exported, repeated by hand and by the program. */
#include "tests/support/cli_support.h"
#include "tests/support/store_sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const experiment =
    "name: jobs\nseed: 7\nnetworks: [asia, survey]\n"
    "data: {samples: [200], replicates: 2, test_samples: 100}\n"
    "learners:\n  - hc\n  - {id: k2, learner: hc, score: bic, max_parents: 2}\n  - {learner: mmhc, alpha: 0.01}\n"
    "  - {id: own, command: [sh, copy.sh, \"{data}\", \"{graph}\"]}\n"
    "  - {id: liar, command: [sh, liar.sh, \"{graph}\"]}\n"
    "tables: [{id: shd, metric: shd}]\n";

/* A program of the experiment's folder gives one edge between the first two columns; another one complains. */
static const char *make_store(void) {
    const char *store = in_folder("s");
    (void)write_file("copy.sh",
                     "head -n 1 \"$1\" | awk -F, '{print \"from,to,type\"; print $1 \",\" $2 \",directed\"}' "
                     ">\"$2\"\n");
    (void)write_file("liar.sh", "echo 'no such thing' >&2; exit 3\n");
    assert_status(6, "run", write_file("jobs.yaml", experiment), "--store", store, "-q");
    return store;
}

static void details_have_options_metrics_graph_and_errors(void **state) {
    const char *store = make_store();
    json_t *answer;
    (void)state;
    assert_status(0, "job", store, "asia/200/2/k2");
    assert_text_has(cli_out, "job          asia/200/2/k2\n");
    assert_text_has(cli_out, "replicate    2\n");
    assert_text_has(cli_out, "score=bic");
    assert_text_has(cli_out, "\n  shd ");
    assert_text_has(cli_out, "graph        dag, ");
    assert_text_has(cli_out, " -> ");
    assert_status(0, "job", store, "survey, 200 rows, replicate 1, liar"); /* as status --why has it */
    assert_text_has(cli_out, "state        failed: ");
    assert_text_has(cli_out, "standard error, its end\n  no such thing\n");
    assert_status(0, "job", store, "survey/200/1/hc", "--json");
    answer = parse_answer();
    assert_string_equal(text_at(answer, "job"), "survey/200/1/hc");
    assert_that(number_at(answer, "replicate"), ==, 1);
    assert_string_equal(text_at(answer, "state"), "done");
    assert_true(json_is_object(json_object_get(answer, "options")));
    assert_non_null(strstr(text_at(answer, "graph"), "from,to,type"));
    assert_that(number_at(json_object_get(answer, "metrics"), "shd"), >=, 0);
    json_decref(answer);
}

static void a_cell_that_is_not_there_is_named(void **state) {
    const char *store = make_store();
    (void)state;
    assert_status(4, "job", store, "asia/200/2/hcc");
    assert_text_has(cli_errors, "did you mean 'asia/200/2/hc'?");
    assert_status(4, "job", in_folder("none"), "asia/200/2/hc");
    assert_status(2, "job", store);
}

/* The printed command, as a shell takes it, learns the stored graph. */
static void assert_repeated_by_hand(const char *store, const char *cell) {
    char script[1024];
    const char *command;
    assert_int_equal(cli_call_shell("rm -rf \"$1/x\""), 0);
    assert_status(0, "job", store, cell, "-o", in_folder("x"));
    assert_text_has(cli_out, "/x/data.csv, ");
    assert_true(is_there(in_folder("x/data.schema.csv")));
    assert_true(is_there(in_folder("x/truth.csv")));
    assert_true(is_there(in_folder("x/network.bif")));
    assert_true(is_there(in_folder("x/learned.csv")));
    command = strstr(cli_out, "By hand:\n  ");
    assert_non_null(command);
    (void)snprintf(script, sizeof script, "PATH=\"$(dirname \"$0\"):$PATH\"\n%s", command + strlen("By hand:\n  "));
    assert_int_equal(cli_call_shell(script), 0);
    assert_status(0, "compare", in_folder("x/again.csv"), in_folder("x/learned.csv"), "--metrics", "shd_raw", "--json");
    assert_text_has(cli_out, "\"shd_raw\": 0");
    assert_status(0, "compare", in_folder("x/truth.csv"), in_folder("x/network.bif"), "--json");
    assert_text_has(cli_out, "\"shd\": 0");
}

static void files_and_command_repeat_it_by_hand(void **state) {
    const char *store = make_store();
    (void)state;
    assert_repeated_by_hand(store, "asia/200/2/hc");
    assert_repeated_by_hand(store, "asia/200/1/k2");
    assert_repeated_by_hand(store, "survey/200/1/mmhc");
    assert_repeated_by_hand(store, "asia/200/2/own");
}

/* Thresholds found with the graph: the data stay continuous, and the command finds both again. */
static void continuous_data_are_exported_as_the_learner_had_them(void **state) {
    const char *store = in_folder("s"), *file;
    (void)state;
    file =
        write_file("noisy.yaml", "name: noisy\nnetworks: [asia]\ndata: {samples: [150], continuize: {sigma: [0.35]}}\n"
                                 "discretize: {method: steck, k: 2}\nlearners: [hc, {id: eq, learner: hc, discretize: "
                                 "eqfreq}]\n");
    assert_status(0, "run", file, "--store", store, "-q");
    assert_repeated_by_hand(store, "asia/150/0.35/1/hc");
    assert_repeated_by_hand(store, "asia/150/0.35/1/eq");
    assert_status(0, "job", store, "asia/150/0.35/1/hc", "--repeat");
    assert_text_has(cli_out, "same as stored: graph identical, shd ");
}

static void a_repetition_says_same_or_what_differs(void **state) {
    const char *store = make_store();
    json_t *answer, *again;
    (void)state;
    assert_status(0, "job", store, "asia/200/1/hc", "--repeat");
    assert_text_has(cli_out, "same as stored: graph identical, shd ");
    assert_text_has(cli_out, ", time x");
    assert_status(0, "job", store, "asia/200/1/own", "--repeat");
    assert_status(0, "job", store, "asia/200/1/liar", "--repeat");
    assert_text_has(cli_out, "same as stored: failed");
    execute(store, "UPDATE job SET digest = NULL, texts_digest = NULL;"
                   "UPDATE metric SET value = 77 WHERE name = 'shd';"
                   "UPDATE job SET graph = '# nodes: A,B' WHERE learner = 'k2'");
    assert_status(1, "job", store, "asia/200/1/hc", "--repeat");
    assert_text_has(cli_out, "differs from what is stored:\n  graph: identical\n  shd: 77 stored, ");
    assert_status(1, "job", store, "asia/200/1/k2", "--repeat", "--json");
    answer = parse_answer();
    again = json_object_get(answer, "repeat");
    assert_true(json_is_false(json_object_get(again, "same")));
    assert_true(json_is_false(json_object_get(again, "graph_same")));
    assert_true(json_is_true(json_object_get(again, "data_same")));
    assert_that(number_at(json_object_get(json_object_get(again, "differences"), "shd"), "stored"), ==, 77);
    json_decref(answer);
}

static void a_program_that_has_changed_is_told(void **state) {
    const char *store = make_store();
    (void)state;
    (void)write_file("copy.sh", "echo from,to,type >\"$2\"\n");
    assert_status(1, "job", store, "asia/200/1/own", "--repeat");
    assert_text_has(cli_out, "  graph: another one\n");
    assert_text_has(cli_out, "a program, or the version of data, discretizer or metric is another one");
}

static void a_run_of_one_job_prints_that_job(void **state) {
    const char *store = in_folder("one");
    (void)state;
    (void)make_store();
    assert_status(0, "run", in_folder("jobs.yaml"), "--store", store, "--set", "only.network=asia", "--set",
                  "only.replicate=2", "--set", "only.learner=k2", "--set", "only.samples=200");
    assert_text_has(cli_out, "job          asia/200/2/k2\n");
    assert_text_has(cli_out, "1 of 1 cells done");
    assert_text_lacks(cli_out, "not run");
}

/* Data without a truth: all rows, and no distance. */
static void a_real_data_set_has_no_truth_and_all_rows(void **state) {
    const char *store = in_folder("s");
    (void)state;
    assert_status(0, "sample", "asia", "-n", "60", "-o", in_folder("real.csv"));
    (void)write_file("real.yaml", "name: real\nnetworks: [{dataset: real.csv, id: real}]\ndata: {samples: [all]}\n"
                                  "learners: [hc]\n");
    assert_status(0, "run", in_folder("real.yaml"), "--store", store);
    assert_status(0, "job", store, "real/all/1/hc", "--repeat");
    assert_text_has(cli_out, "same as stored: graph identical, all ");
    assert_status(0, "job", store, "real/all/1/hc", "-o", in_folder("x"));
    assert_false(is_there(in_folder("x/truth.csv")));
    assert_status(0, "run", in_folder("real.yaml"), "--store", store, "--set", "learners=[hc, mmhc]", "--set",
                  "only.learner=hc");
    execute(store, "DELETE FROM job");
    assert_status(4, "job", store, "real/all/1/hc", "--repeat");
    assert_text_has(cli_errors, "has no result to compare with");
    assert_int_equal(cli_call_shell("rm \"$1/real.csv\""), 0); /* nobody knows how many rows it had */
    assert_status(0, "status", store, "--why");
    assert_text_has(cli_out, "real, all rows, replicate 1, hc: never ran");
    assert_status(0, "job", store, "real/all/1/hc");
    assert_text_has(cli_out, "no result");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(details_have_options_metrics_graph_and_errors),
        cli_test(a_cell_that_is_not_there_is_named),
        cli_test(files_and_command_repeat_it_by_hand),
        cli_test(continuous_data_are_exported_as_the_learner_had_them),
        cli_test(a_repetition_says_same_or_what_differs),
        cli_test(a_program_that_has_changed_is_told),
        cli_test(a_run_of_one_job_prints_that_job),
        cli_test(a_real_data_set_has_no_truth_and_all_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
