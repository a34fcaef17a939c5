/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report --format html and latex from outside, and the repetition of one job that the page promises. */
#include "tests/support/cli_support.h"

#include <stdlib.h>
#include <string.h>

static const char experiment[] =
    "name: small\n"
    "title: A <b>small</b> comparison\n"
    "seed: 7\n"
    "networks: [asia]\n"
    "data: {samples: [100, 200], replicates: 2}\n"
    "learners: [hc, {id: \"gts:k=1\", learner: gts}, {learner: or, budget: {times: 2, of: hc}}]\n"
    "metrics: [time, shd]\n"
    "tables:\n"
    "  - {id: shd, metric: shd}\n"
    "plots:\n"
    "  - {id: box, kind: box, y: shd, style: {width: 600}}\n"
    "  - {id: heat, kind: heatmap, y: shd, samples: 100}\n"
    "  - {id: growth, kind: growth, y: time}\n";

static char *make_store(void) {
    const char *file = write_file("small.yaml", experiment), *store = in_folder("store");
    assert_status(0, "run", file, "--store", store, "-q");
    return strdup(store);
}

static void the_page_and_what_repeats_a_job_are_written(void **state) {
    char *store = make_store();
    const char *page = in_folder("page");
    (void)state;
    assert_status(0, "report", store, "--format", "html", "--out", page);
    assert_text_has(cli_out, " plots, index.html, experiment.yaml: ");
    assert_text_has(cli_out, "/page/\n");
    assert_true(is_there(in_folder("page/index.html")));
    assert_true(is_there(in_folder("page/experiment.yaml")));
    assert_true(is_there(in_folder("page/plots/box.csv")));
    assert_true(is_there(in_folder("page/plots/growth.gp")));
    assert_false(is_there(in_folder("page/report.md")));
    assert_int_equal(cli_call_shell("grep -rlF \"$1\" \"$1/page\""), 1); /* no path of this computer */
    assert_int_equal(cli_call_shell("grep folder: \"$1/page/experiment.yaml\""), 0);
    assert_string_equal(cli_out, "folder: \"..\"\n");
    free(store);
}

static void one_job_is_repeated_alone_and_comes_out_the_same(void **state) {
    char *store = make_store();
    const char *again = in_folder("again");
    json_t *answer, *cells;
    (void)state;
    assert_status(0, "report", store, "--format", "html", "--out", in_folder("page"), "-q");
    assert_status(0, "run", in_folder("page/experiment.yaml"), "--store", again, "--set", "only.network=asia", "--set",
                  "only.samples=200", "--set", "only.replicate=2", "--set", "only.learner=\"gts:k=1\"", "-q");
    assert_text_has(cli_out, "1 of 1 cells done");
    assert_status(7, "diff", store, again, "--json");
    answer = parse_answer();
    cells = json_object_get(answer, "cells");
    assert_int_equal(json_array_size(cells), 1);
    assert_true(number_at(json_array_get(cells, 0), "graphs_differ") == 0);
    json_decref(answer);
    free(store);
}

static void a_budget_brings_the_learner_along_whose_time_it_is(void **state) {
    char *store = make_store();
    (void)state;
    assert_status(0, "run", in_folder("small.yaml"), "--store", in_folder("or"), "--set",
                  "only={samples: 100, replicate: 1, learner: or}", "-q");
    assert_text_has(cli_out, "2 of 2 cells done");
    free(store);
}

static void what_the_experiment_does_not_have_is_refused(void **state) {
    const char *file = write_file("small.yaml", experiment);
    (void)state;
    assert_status(3, "run", file, "--store", in_folder("s"), "--set", "only.network=asai");
    assert_text_has(cli_errors, "only.network is 'asai'");
    assert_text_has(cli_errors, "asia");
    assert_status(3, "run", file, "--store", in_folder("s"), "--set", "only.samples=300");
    assert_text_has(cli_errors, "no sample size");
    assert_status(3, "run", file, "--store", in_folder("s"), "--set", "only.replicate=3");
    assert_status(3, "run", file, "--store", in_folder("s"), "--set", "only.learner=nobody");
    assert_status(3, "run", file, "--store", in_folder("s"), "--set", "only.seed=1");
    assert_false(is_there(in_folder("s")));
}

static void latex_is_two_files(void **state) {
    char *store = make_store();
    (void)state;
    assert_status(0, "report", store, "--format", "latex", "--out", in_folder("tex"), "--json");
    assert_true(is_there(in_folder("tex/report.tex")));
    assert_true(is_there(in_folder("tex/tables.tex")));
    assert_false(is_there(in_folder("tex/plots")));
    free(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(the_page_and_what_repeats_a_job_are_written),
        cli_test(one_job_is_repeated_alone_and_comes_out_the_same),
        cli_test(a_budget_brings_the_learner_along_whose_time_it_is),
        cli_test(what_the_experiment_does_not_have_is_refused),
        cli_test(latex_is_two_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
