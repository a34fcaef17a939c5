/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strange continuous data through the command line: every discretizer, learner, score and test that takes continuous
 * data gives the answer of docs/manual.md ("Strange data"), and none ends otherwise than by itself.
 */
#include "discretizers/registry.h"
#include "learners/registry.h"
#include "tests/support/cli_support.h"

#include "discretizers/base/discretizer.h"
#include "learners/base/learner.h"
#include "metrics/scores/score.h"
#include "metrics/tests/ci_test.h"

#include <stdio.h>
#include <string.h>

enum { N_ROWS = 40, MOST_TEXT = 1 << 14 };

/* ---- the files ---- */

/* Columns a, b, k, c: b hangs on a, c on nothing; k is what the file is about. */
static const char *write_columns(const char *name, size_t n_rows, const char *(*k)(size_t row, char *digits)) {
    static char text[MOST_TEXT];
    char file[64], digits[64];
    size_t used = (size_t)snprintf(text, sizeof text, "a,b,k,c\n");
    random_stream random;
    random_stream_init(&random, random_key_of(11));
    for (size_t row = 0; row < n_rows; row++) {
        double a = random_uniform(&random), b = a + 0.3 * random_uniform(&random), c = random_uniform(&random);
        used += (size_t)snprintf(text + used, sizeof text - used, "%.6f,%.6f,%s,%.6f\n", a, b, k(row, digits), c);
    }
    (void)snprintf(file, sizeof file, "%s.schema.csv", name);
    (void)write_file(file, "column,type,cardinality\na,continuous,\nb,continuous,\nk,continuous,\nc,continuous,\n");
    (void)snprintf(file, sizeof file, "%s.csv", name);
    return write_file(file, text);
}

static const char *constant(size_t row, char *digits) {
    (void)row;
    (void)digits;
    return "2.5";
}

static const char *three_values(size_t row, char *digits) {
    static const char *const values[] = {"1.5", "2", "7.25"};
    (void)digits;
    return values[row * row % 7 % 3];
}

static const char *tied(size_t row, char *digits) {
    (void)digits;
    return row % 5 == 0 ? "1.25" : row % 5 == 1 ? "-0.0" : "0.0";
}

static const char *huge(size_t row, char *digits) {
    (void)snprintf(digits, 64, "%s%zue307", row % 2 ? "-" : "", 1 + row % 17);
    return digits;
}

static const char *minute(size_t row, char *digits) {
    (void)snprintf(digits, 64, "%zue-320", row % 4);
    return digits;
}

/* Every column k: ties everywhere, and a is c. */
static const char *write_ties(void) {
    static char text[MOST_TEXT];
    size_t used = (size_t)snprintf(text, sizeof text, "a,b,k,c\n");
    for (size_t row = 0; row < N_ROWS; row++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu.5,%zu.5,%zu.5,%zu.5\n", row % 2, row / 3 % 3,
                                 row * row % 7 % 2, row % 2);
    (void)write_file("ties.schema.csv", "column,type,cardinality\na,continuous,\nb,continuous,\nk,continuous,\n"
                                        "c,continuous,\n");
    return write_file("ties.csv", text);
}

typedef struct {
    const char *name, *path;
    size_t most_states; /* of k, by any discretizer; 0: many */
    bool is_lonely;     /* k is in no edge that a learner finds */
    bool is_too_large;  /* refused by what calculates with the values */
} odd_file;

enum { N_FILES = 7 };

static void write_files(odd_file files[N_FILES]) {
    const odd_file made[N_FILES] = {
        {"constant", write_columns("constant", N_ROWS, constant), 1, true, false},
        {"three", write_columns("three", N_ROWS, three_values), 3, false, false},
        {"tied", write_columns("tied", N_ROWS, tied), 3, false, false}, /* -0 is 0; equal widths may stay empty */
        {"ties", write_ties(), 3, false, false},
        {"one row", write_columns("row", 1, constant), 1, true, false},
        {"minute", write_columns("minute", N_ROWS, minute), 0, true, false},
        {"huge", write_columns("huge", N_ROWS, huge), 0, false, true},
    };
    memcpy(files, made, sizeof made);
}

/* ---- the walks ---- */

static void expect(const odd_file *file, const char *what, int status_seen, int expected) {
    if (status_seen != expected)
        fail_msg("%s on %s: status %d, expected %d\nstdout: %s\nstderr: %s", what, file->name, status_seen, expected,
                 cli_out, cli_errors);
}

static void expect_refusal(const odd_file *file, const char *what, int status_seen) {
    expect(file, what, status_seen, 3);
    assert_text_has(cli_errors, "column k holds ");
    assert_text_has(cli_errors, "it must be a number of size");
}

static size_t states_of_k(const char *what) {
    json_t *answer = parse_answer(), *columns = json_object_get(answer, "columns"), *column;
    size_t i, n = 0;
    json_array_foreach(columns, i, column) {
        if (strcmp(text_at(column, "name"), "k") == 0)
            n = (size_t)number_at(column, "states");
    }
    json_decref(answer);
    if (n == 0)
        fail_msg("%s: no column k in %s", what, cli_out);
    return n;
}

static void every_discretizer_cuts_what_there_is_to_cut(void **state) {
    odd_file files[N_FILES];
    (void)state;
    write_files(files);
    for (size_t f = 0; f < N_FILES; f++) {
        for (size_t i = 0; i < discretizer_count(); i++) {
            const char *name = discretizer_at(i)->name;
            expect(&files[f], name, cli_call("discretize", name, files[f].path, "--json"), 0);
            if (files[f].most_states && states_of_k(name) > files[f].most_states)
                fail_msg("%s on %s: k has %zu states", name, files[f].name, states_of_k(name));
        }
    }
}

static bool has_option(const learner *l, const char *name) {
    for (size_t i = 0; i < options_count(l->options); i++) {
        if (strcmp(l->options[i].name, name) == 0)
            return true;
    }
    return false;
}

static int learn(const learner *l, const char *path, const char *test, const char *measure) {
    const char *words[10] = {"learn", l->name, path, "-o", "-"};
    size_t n = 5;
    if (has_option(l, "test") && test) {
        words[n++] = "-O";
        words[n++] = test;
    }
    if (has_option(l, "score") && measure) {
        words[n++] = "-O";
        words[n++] = measure;
    }
    words[n] = NULL;
    return cli_call_list(words);
}

static bool touches_k(void) {
    const char *edges = strstr(cli_out, "from,to,type");
    return edges && (strstr(edges, "\nk,") || strstr(edges, ",k,"));
}

static void check_learner(const learner *l, const odd_file *file, const char *test, const char *measure) {
    int seen = learn(l, file->path, test, measure);
    char what[96];
    (void)snprintf(what, sizeof what, "%s with %s, %s", l->name, test ? test : "its test",
                   measure ? measure : "its score");
    if (file->is_too_large && strcmp(l->name, "empty") != 0) { /* that one looks at no value */
        expect_refusal(file, what, seen);
        return;
    }
    expect(file, what, seen, 0);
    if (file->is_lonely && touches_k() &&
        !(measure && strcmp(measure, "score=bge") == 0)) /* its prior gives k a variance */
        fail_msg("%s on %s: %s", what, file->name, cli_out);
}

static bool takes_continuous(int kinds) {
    return (kinds & DATA_CONTINUOUS) != 0;
}

static void every_learner_of_continuous_data_gives_a_graph(void **state) {
    odd_file files[N_FILES];
    size_t n = 0;
    (void)state;
    write_files(files);
    for (size_t i = 0; i < learner_count(); i++) {
        const learner *l = learner_at(i);
        if (!takes_continuous(l->accepts))
            continue;
        n++;
        for (size_t f = 0; f < N_FILES; f++)
            check_learner(l, &files[f], "test=zf", "score=bic-g");
    }
    assert_true(n >= 10);
}

/* One learner with each score, another with each test. */
static void every_score_and_test_serves_a_learner(void **state) {
    odd_file files[N_FILES];
    const learner *hc = NULL, *pc = NULL;
    char option[64];
    error_info err = {0};
    (void)state;
    write_files(files);
    assert_ok(learner_find("hc", &hc, &err), &err);
    assert_ok(learner_find("pc", &pc, &err), &err);
    for (size_t f = 0; f < N_FILES; f++) {
        for (size_t i = 0; i < score_registry.n; i++) {
            (void)snprintf(option, sizeof option, "score=%s", score_kind_at(i)->name);
            if (takes_continuous(score_kind_at(i)->accepts))
                check_learner(hc, &files[f], NULL, option);
        }
        for (size_t i = 0; i < ci_test_registry.n; i++) {
            (void)snprintf(option, sizeof option, "test=%s", ci_test_kind_at(i)->name);
            if (takes_continuous(ci_test_kind_at(i)->accepts))
                check_learner(pc, &files[f], option, NULL);
        }
    }
}

static void every_score_of_continuous_data_is_a_number_or_says_that_it_is_none(void **state) {
    odd_file files[N_FILES];
    const char *graph = write_file("graph.csv", "# nodes: a,b,k,c\nfrom,to,type\na,b,directed\nk,b,directed\n");
    (void)state;
    write_files(files);
    for (size_t f = 0; f < N_FILES; f++) {
        for (size_t i = 0; i < score_registry.n; i++) {
            const char *name = score_kind_at(i)->name;
            int seen;
            if (!takes_continuous(score_kind_at(i)->accepts))
                continue;
            seen = cli_call("score", name, graph, files[f].path, "--json");
            if (files[f].is_too_large) {
                expect_refusal(&files[f], name, seen);
                continue;
            }
            expect(&files[f], name, seen, 0);
            json_t *answer = parse_answer(), *value = json_object_get(answer, "value");
            assert_true(json_is_number(value) || json_is_null(value)); /* null: minus infinity */
            json_decref(answer);
        }
    }
}

static void every_test_of_continuous_data_has_a_p_value(void **state) {
    odd_file files[N_FILES];
    (void)state;
    write_files(files);
    for (size_t f = 0; f < N_FILES; f++) {
        for (size_t i = 0; i < ci_test_registry.n; i++) {
            const char *name = ci_test_kind_at(i)->name;
            int seen;
            if (!takes_continuous(ci_test_kind_at(i)->accepts))
                continue;
            seen = cli_call("test", name, files[f].path, "a", "k", "--given", "b,c", "--json");
            if (files[f].is_too_large) {
                expect_refusal(&files[f], name, seen);
                continue;
            }
            expect(&files[f], name, seen, 0);
            json_t *answer = parse_answer();
            double p = number_at(answer, "p_value");
            assert_that(p, >=, 0);
            assert_that(p, <=, 1);
            if (files[f].most_states == 1)
                assert_true(p > 0.999); /* a constant column is independent of all */
            json_decref(answer);
        }
    }
}

/* ---- what is no finite number ---- */

static void infinities_and_nan_are_refused_with_their_line(void **state) {
    static const char *const values[] = {"inf", "-inf", "Infinity", "nan", "NaN", "1e999", "-1e999", "NA", ""};
    static const char *const sidecar = "column,type,cardinality\na,continuous,\nb,continuous,\n";
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        for (int with_sidecar = 0; with_sidecar < 2; with_sidecar++) {
            char text[128];
            const char *data, *graph = write_file("ab.csv", "# nodes: a,b\nfrom,to,type\n");
            (void)snprintf(text, sizeof text, "a,b\n1.5,2.5\n2.5,%s\n3.25,1\n", values[i]);
            data = write_file("odd.csv", text);
            if (with_sidecar)
                (void)write_file("odd.schema.csv", sidecar);
            else
                (void)remove(in_folder("odd.schema.csv"));
            assert_status(3, "discretize", "eqfreq", data);
            assert_text_has(cli_errors, "line 3, column 2");
            assert_status(3, "learn", "bach", data);
            assert_status(3, "score", "bic-g", graph, data);
            assert_status(3, "test", "zf", data, "a", "b");
            assert_text_has(cli_errors, "line 3, column 2");
        }
    }
}

static void such_words_are_states_where_a_sidecar_says_so(void **state) {
    const char *data = write_file("odd.csv", "a,b\n1.5,2\n2.5,inf\n3.25,1\n");
    (void)state;
    (void)write_file("odd.schema.csv", "column,type,cardinality\na,continuous,\nb,discrete,3\n");
    assert_status(0, "discretize", "eqfreq", data, "-O", "k=2");
    assert_text_has(cli_out, "inf");
    (void)write_file("odd.csv", "a,b\n1.5,x\n2.5,inf\n3.25,1\n");
    (void)remove(in_folder("odd.schema.csv"));
    assert_status(0, "discretize", "eqfreq", data, "-O", "k=2"); /* and where other words stand beside them */
}

/* ---- what a run keeps of it ---- */

static void a_run_on_real_data_reports_its_thresholds(void **state) {
    const char *data = write_columns("cells", N_ROWS, three_values), *folder = in_folder("store");
    char text[512];
    const char *file;
    (void)state;
    (void)snprintf(text, sizeof text,
                   "name: x\nnetworks: [{id: cells, dataset: \"%s\"}]\ndata: {samples: all, test_samples: 0}\n"
                   "learners: [{learner: hc, discretize: {method: eqfreq, k: 2}}]\nmetrics: [edges]\n",
                   data);
    file = write_file("x.yaml", text);
    assert_status(0, "info", file);
    assert_text_has(cli_out, "samples      all");
    assert_status(0, "run", file, "--store", folder, "--quiet");
    assert_status(0, "report", folder, "--policies", "--format", "text");
    assert_text_has(cli_out, "cells, 40 rows");
    assert_text_has(cli_out, "\nk         ");
    assert_status(0, "report", folder, "--policies", "--format", "html", "--out", in_folder("page"));
    assert_int_equal(cli_call_shell("grep -c 'Discretization policies' \"$1/page/index.html\""), 0);
    assert_status(2, "report", folder, "--policies", "--reproduction", "-");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(every_discretizer_cuts_what_there_is_to_cut),
        cli_test(every_learner_of_continuous_data_gives_a_graph),
        cli_test(every_score_and_test_serves_a_learner),
        cli_test(every_score_of_continuous_data_is_a_number_or_says_that_it_is_none),
        cli_test(every_test_of_continuous_data_has_a_p_value),
        cli_test(infinities_and_nan_are_refused_with_their_line),
        cli_test(such_words_are_states_where_a_sidecar_says_so),
        cli_test(a_run_on_real_data_reports_its_thresholds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
