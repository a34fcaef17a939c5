/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Papers again from outside: bnbench reproduce, and report --verdicts over their stores. */
#include "tests/support/tiny_paper.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void a_paper_is_run_with_its_readings_reported_and_judged(void **state) {
    const char *file = write_paper("tiny.yaml"), *stores = in_folder("stores/here"), *out = in_folder("out");
    json_t *answer;
    const json_t *paper;
    (void)state;
    assert_status(0, "reproduce", file, "--stores", stores, "--out", out);
    assert_text_has(cli_out, "tiny: 3 of 3 cells done\nReading 'whole': 3 of 3 cells done\n");
    assert_text_has(cli_out, "Verdicts: ");
    assert_text_has(cli_out, "/out/README.md\n");
    assert_text_has(cli_errors, "tiny (1 of 1):");
    assert_file_has("out/tiny.md", "# Reproduction: A tiny paper\n");
    assert_text_has(cli_out, "| 3 | 3 | 1 | 1 (33%) | 1 | 0 | 1 |");
    assert_text_has(cli_out, "| 100 | own | 0 | 8");
    assert_text_has(cli_out, "**no** | graph |");
    assert_file_has("out/README.md", "## A tiny paper\n\nIt comes out.\n\nThe report: [tiny](tiny.md)\n");
    assert_text_has(cli_out, "| tiny | 3 | 1 | 1 | 0 | 0 | 1 | 67% |\n| **results** | 3 | 1 | 1 | 0 | 0 | 1 | 67% |");

    /* Nothing runs again, and the same pages are written. */
    assert_int_equal(cli_call_shell("cd \"$1\" && mv out first"), 0);
    assert_status(0, "reproduce", file, "--stores", stores, "--out", out, "--json", "-q");
    assert_string_equal(cli_errors, "");
    answer = parse_answer();
    assert_true(json_is_false(json_object_get(answer, "interrupted")));
    paper = json_array_get(json_object_get(answer, "experiments"), 0);
    assert_string_equal(text_at(paper, "name"), "tiny");
    assert_that(number_at(json_object_get(paper, "cells"), "done"), ==, 3);
    assert_int_equal(json_array_size(json_object_get(paper, "readings")), 1);
    json_decref(answer);
    assert_int_equal(cli_call_shell("cd \"$1\" && cmp out/README.md first/README.md"), 0);

    assert_status(0, "report", "--verdicts", in_folder("stores/here/tiny"));
    assert_text_has(cli_out, "| **all counted figures** | 3 | 1 | 1 | 0 | 0 | 1 | 67% |");
    assert_status(0, "report", "--verdicts", in_folder("stores/here/tiny"), "--out", in_folder("page.md"));
    assert_string_equal(cli_out, "");
    assert_int_equal(cli_call_shell("cd \"$1\" && cmp out/README.md page.md"), 0);
}

static size_t place_in(const char *text, const char *words) {
    const char *at = strstr(text, words);
    if (!at)
        fail_msg("'%s' is not on the page", words);
    return (size_t)(at - text);
}

/* The HTML page of a paper begins with what its report begins with, and the verdicts have a page of the same kind. */
static void both_stand_on_html_pages_too(void **state) {
    static const char front[] = "<section id=\"reproduction\"", all[] = "<strong>all</strong></th><td>3</td>",
                      heading[] = " id=\"at-missing_edges-edges\">";
    (void)state;
    assert_status(0, "reproduce", write_paper("tiny.yaml"), "--stores", in_folder("s"), "--out", in_folder("out"),
                  "-q");
    assert_status(0, "report", "--verdicts", in_folder("s/tiny"), "--out", in_folder("page.html"));
    assert_file_has("page.html", "<title>Do the published tables come out?</title>");
    assert_text_has(cli_out, "<strong>all counted figures</strong></th><td>3</td><td>1</td><td>1</td>");
    assert_text_has(cli_out, "<a href=\"tiny.md\">tiny</a>");
    assert_null(strstr(cli_out, "<script"));

    assert_status(0, "report", in_folder("s/tiny"), "--format", "html", "--out", in_folder("html"));
    assert_file_has("html/index.html", front);
    assert_that(place_in(cli_out, front), <, place_in(cli_out, "<p>It comes out.</p>"));
    assert_that(place_in(cli_out, "<p>It comes out.</p>"), <, place_in(cli_out, all));
    assert_that(place_in(cli_out, all), <, place_in(cli_out, "<section id=\"summary\""));
    assert_text_has(cli_out, "<a href=\"#reproduction\">");
    assert_text_has(cli_out, "<a href=\"#at-missing_edges-edges\">missing_edges (edges)</a>");
    assert_that(place_in(cli_out, "<section id=\"tables\""), <, place_in(cli_out, heading));

    /* Nothing is published of this one. */
    assert_status(0, "run",
                  write_file("plain.yaml", "name: plain\nnetworks: [asia]\ndata: {samples: [50]}\nlearners: [empty]\n"),
                  "--store", in_folder("plain"), "-q");
    assert_status(0, "report", in_folder("plain"), "--format", "html", "--out", in_folder("plain-html"));
    assert_file_has("plain-html/index.html", "<section id=\"summary\"");
    assert_null(strstr(cli_out, front));
}

static void all_are_those_that_ship_and_name_their_paper(void **state) {
    (void)state;
    (void)write_paper("share/experiments/tiny.yaml");
    (void)write_paper("share/experiments/unnamed.yaml"); /* the same figures, which would count twice */
    assert_int_equal(cli_call_shell("sed -i '1a paper: Tiny 2001' \"$1/share/experiments/tiny.yaml\""), 0);
    (void)write_file(
        "share/experiments/other.yaml",
        "name: other\nnetworks: [asia]\ndata: {samples: [50]}\nlearners: [empty]\nprofiles: {quick: {seed: 2}}\n");
    assert_int_equal(cli_call_shell("cp \"$1\"/*.csv \"$1/share/experiments\""), 0);
    assert_status(0, "reproduce", "all", "--profile", "quick", "--stores", in_folder("s"), "--out", in_folder("out"));
    assert_text_has(cli_errors, "tiny (1 of 1):");
    assert_true(is_there(in_folder("s/tiny-quick")));
    assert_false(is_there(in_folder("out/other.md")));
    assert_file_has("out/README.md", "## A quick one\n");
    /* One that is named runs all the same, and has no figures. */
    assert_status(0, "reproduce", "other", "tiny", "--stores", in_folder("s"), "--out", in_folder("out"));
    assert_text_has(cli_errors, "other (1 of 2):");
    assert_file_has("out/README.md", "| Tiny 2001 | 3 | 1 | 1 | 0 | 0 | 1 | 67% |");
}

static void a_job_that_fails_leaves_with_status_6_and_the_pages_are_written(void **state) {
    const char *file = write_paper("tiny.yaml");
    (void)state;
    assert_int_equal(cli_call_shell("rm \"$1/asia.csv\""), 0); /* the reading's program fails */
    assert_status(6, "reproduce", file, "--stores", in_folder("s"), "--out", in_folder("out"));
    assert_text_has(cli_out, "tiny: 3 of 3 cells done\nReading 'whole': 2 of 3 cells done, 1 failed\n");
    assert_file_has("out/README.md", "| tiny | 3 | 1 | 0 | 0 | 1 | 1 | 33% |");
}

static void a_paper_that_stops_does_not_cost_the_page(void **state) {
    const char *file = write_paper("tiny.yaml"), *broken;
    (void)state;
    broken = write_file("broken.yaml", "name: broken\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [empty]\n"
                                       "metrics: [shd]\ntables: [{id: t, metric: shd}]\n");
    assert_int_equal(cli_call_shell("mkdir -p \"$1/s/broken\" && echo mine > \"$1/s/broken/a-file\""), 0);
    assert_status(6, "reproduce", broken, file, "--stores", in_folder("s"), "--out", in_folder("out"));
    assert_text_has(cli_out, "broken: ");
    assert_text_has(cli_out, "tiny: 3 of 3 cells done");
    assert_file_has("out/README.md", "## What could not be reproduced\n\n- broken: ");
    assert_text_has(cli_out, "| tiny | 3 |");
    assert_true(is_there(in_folder("out/tiny.md")));
    assert_false(is_there(in_folder("out/broken.md")));
    /* With nothing to run the start says so. */
    assert_status(0, "reproduce", file, "--stores", in_folder("s"), "--out", in_folder("out"));
    assert_text_has(cli_errors, "All cells are stored");
    assert_file_has("out/README.md", "# Do the published");
    assert_text_lacks(cli_out, "could not be reproduced");
}

static void what_cannot_be_reproduced_is_refused_before_anything_runs(void **state) {
    const char *file = write_paper("tiny.yaml"), *same = write_file("same.yaml", paper_yaml);
    const char *stores = in_folder("s"), *out = in_folder("out");
    (void)state;
    assert_status(3, "reproduce", file, same, "--stores", stores, "--out", out);
    assert_text_has(cli_errors, "same.yaml are both called 'tiny': each needs a name of its own");
    assert_status(3, "reproduce", file, file, "--stores", stores, "--out", out);
    assert_status(4, "reproduce", "tinny", "--stores", stores, "--out", out);
    assert_text_has(cli_errors, "no experiment of that name");
    assert_status(3, "reproduce", file, "--profile", "slow", "--stores", stores, "--out", out);
    assert_status(2, "reproduce", file, "--jobs", "0", "--stores", stores, "--out", out);
    assert_status(2, "reproduce", "--stores", stores);
    assert_false(is_there(stores));
    assert_false(is_there(out));
}

static void a_page_of_verdicts_goes_with_out_alone(void **state) {
    static const char *const refused[][3] = {
        {"--format", "md"}, {"--reading", "whole"}, {"--policies"}, {"--reproduction", "r.md"},
        {"--json"},         {"--verbose"},
    };
    const char *store = in_folder("s/tiny");
    (void)state;
    assert_status(0, "reproduce", write_paper("tiny.yaml"), "--stores", in_folder("s"), "--out", in_folder("out"),
                  "-q");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const char *words[8] = {"report", "--verdicts", store};
        for (size_t k = 0; refused[i][k]; k++)
            words[3 + k] = refused[i][k];
        assert_int_equal(cli_call_list(words), 2);
        assert_text_has(cli_errors, "--verdicts writes one page: it goes with --out FILE alone");
    }
    assert_status(0, "report", "--verdicts", store, "-q");
    assert_status(2, "report", store, store);
    assert_text_has(cli_errors, "one store at a time; --verdicts takes several");
    assert_status(2, "report", "--verdicts", store, store);
    assert_text_has(cli_errors, "two of the stores are of the experiment 'tiny'");
    assert_status(4, "report", "--verdicts", store, in_folder("nosuch"));
    assert_text_has(cli_errors, "nosuch");
    assert_status(2, "report", "--verdicts");
}

/* ---- an interruption ---- */

static void wait_for(const char *path) {
    const struct timespec tenth = {.tv_nsec = 100000000};
    for (int i = 0; i < 200 && !is_there(path); i++)
        (void)nanosleep(&tenth, NULL);
    assert_true(is_there(path));
}

static pid_t start_reproduce(const char *first, const char *second, const char *third) {
    const char *out = in_folder("stdout"), *log = in_folder("log"), *stores = in_folder("s"), *pages = in_folder("out");
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(open(out, O_CREAT | O_TRUNC | O_WRONLY, 0600), 1);
        (void)dup2(open(log, O_CREAT | O_TRUNC | O_WRONLY, 0600), 2);
        (void)execl(cli_program(), "bnbench", "reproduce", first, second, third, "--stores", stores, "--out", pages,
                    "--jobs", "1", (char *)NULL);
        _exit(127);
    }
    return child;
}

static const char *write_hanging(const char *name) {
    char text[1024], file[40];
    (void)snprintf(text, sizeof text,
                   "name: %s\nnetworks: [asia]\ndata: {samples: [100]}\nlearners: [empty]\nmetrics: [shd]\n"
                   "readings: [{id: slow, text: T, change: {learners: [{id: slow, command: [sh, -c, \"touch "
                   "'%s/begun'; test -e '%s/go' || sleep 60; printf 'from,to,type\\\\n' > \\\"$1\\\"\", sh, "
                   "\"{graph}\"]}]}}]\n",
                   name, cli_folder, cli_folder);
    (void)snprintf(file, sizeof file, "%s.yaml", name);
    return write_file(file, text);
}

static void the_same_command_goes_on_after_an_interruption(void **state) {
    const char *first = write_paper("tiny.yaml"), *second = write_hanging("hangs"), *third = write_hanging("waits");
    int wait_status = 0;
    pid_t child;
    (void)state;
    child = start_reproduce(first, second, third);
    wait_for(in_folder("begun"));
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &wait_status, 0), child);
    assert_true(WIFEXITED(wait_status));
    assert_int_equal(WEXITSTATUS(wait_status), 130);
    assert_file_has("stdout", "hangs: 1 of 1 cells done\nReading 'slow': 0 of 1 cells done");
    assert_text_has(cli_out, "Interrupted. What is done is stored; the same command goes on from there.\n");
    assert_text_lacks(cli_out, "waits");
    assert_true(is_there(in_folder("out/tiny.md")));
    assert_false(is_there(in_folder("out/hangs.md")));
    assert_false(is_there(in_folder("out/README.md")));

    (void)write_file("go", "");
    assert_status(0, "reproduce", first, second, third, "--stores", in_folder("s"), "--out", in_folder("out"));
    assert_text_has(cli_out, "hangs: 1 of 1 cells done\nReading 'slow': 1 of 1 cells done\nwaits: ");
    assert_true(is_there(in_folder("out/hangs.md")));
    assert_file_has("out/README.md", "| tiny | 3 | 1 | 1 | 0 | 0 | 1 | 67% |");
}

#define reproduce_test(name) cmocka_unit_test_setup_teardown(name, tiny_paper_start, tiny_paper_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        reproduce_test(a_paper_is_run_with_its_readings_reported_and_judged),
        reproduce_test(all_are_those_that_ship_and_name_their_paper),
        reproduce_test(a_job_that_fails_leaves_with_status_6_and_the_pages_are_written),
        reproduce_test(a_paper_that_stops_does_not_cost_the_page),
        reproduce_test(what_cannot_be_reproduced_is_refused_before_anything_runs),
        reproduce_test(a_page_of_verdicts_goes_with_out_alone),
        reproduce_test(both_stand_on_html_pages_too),
        reproduce_test(the_same_command_goes_on_after_an_interruption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
