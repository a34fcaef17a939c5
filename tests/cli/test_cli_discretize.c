/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench discretize, from outside. */
#include "tests/support/cli_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

static const char cells[] = "x,kind,flat\n1.5,a,2.5\n2.5,b,2.5\n3.5,a,2.5\n4.5,b,2.5\n";

static void thresholds_are_written_beside_the_data(void **state) {
    const char *data = write_file("cells.csv", cells), *out = in_folder("out.csv");
    (void)state;
    (void)write_file("cells.schema.csv",
                     "column,type,cardinality,states\nx,continuous,,\nkind,discrete,2,a|b\nflat,continuous,,\n");
    assert_status(0, "discretize", "eqfreq", data, "-O", "k=2", "-o", out);
    assert_status(0, "discretize", "eqfreq", out); /* it reads back, with its schema, and is discrete now */
    assert_string_equal(cli_out, "x,kind,flat\n0,a,0\n0,b,0\n1,a,0\n1,b,0\n");
    assert_text_has(cli_errors, "discrete already");
    assert_int_equal(cli_call_shell("cat \"$1/out.policy.csv\""), 0);
    assert_string_equal(cli_out, "column,states,thresholds\nx,2,3\nflat,1,\n");
}

static void the_answer_for_machines_holds_method_options_and_thresholds(void **state) {
    const char *data = write_file("cells.csv", cells);
    json_t *answer, *columns;
    (void)state;
    assert_status(0, "discretize", "eqwidth", data, "-O", "k=2", "--json");
    answer = parse_answer();
    assert_string_equal(text_at(answer, "method"), "eqwidth");
    assert_true(number_at(answer, "n") == 4);
    columns = json_object_get(answer, "columns");
    assert_int_equal(json_array_size(columns), 2); /* kind is discrete */
    assert_string_equal(text_at(json_array_get(columns, 0), "name"), "x");
    assert_true(number_at(json_array_get(columns, 0), "states") == 2);
    assert_true(json_number_value(json_array_get(json_object_get(json_array_get(columns, 0), "thresholds"), 0)) == 3);
    assert_true(number_at(json_array_get(columns, 1), "states") == 1);
    json_decref(answer);
}

static void threads_change_no_threshold(void **state) {
    const char *data = write_file("cells.csv", cells);
    json_t *one, *three;
    (void)state;
    assert_status(0, "discretize", "gmm", data, "--json");
    one = parse_answer();
    assert_status(0, "discretize", "gmm", data, "--threads", "3", "--json");
    three = parse_answer();
    assert_true(number_at(one, "threads") == 1);
    assert_true(number_at(three, "threads") == 3);
    assert_true(json_equal(json_object_get(one, "columns"), json_object_get(three, "columns")));
    json_decref(one);
    json_decref(three);
    assert_status(2, "discretize", "gmm", data, "--threads", "0");
}

static void wrong_words_and_bad_values_have_their_status(void **state) {
    const char *data = write_file("cells.csv", cells), *bad = write_file("bad.csv", "x\n1.5\nnan\n");
    (void)state;
    assert_status(2, "discretize", "kmean", data);
    assert_text_has(cli_errors, "did you mean 'kmeans'?");
    assert_status(2, "discretize", "kmeans", data, "-O", "k=1");
    assert_status(2, "discretize", "kmeans", data, "--json", "-o", "-");
    (void)write_file("bad.schema.csv", "column,type,cardinality\nx,continuous,\n");
    assert_status(3, "discretize", "kmeans", bad);
    assert_text_has(cli_errors, "line 3, column 1");
    (void)write_file("bad.csv", "x\n1.5\ninf\n");
    assert_status(3, "discretize", "kmeans", bad);
    assert_status(4, "discretize", "kmeans", in_folder("nothing.csv"));
}

static void a_learner_of_discrete_data_says_what_to_do(void **state) {
    const char *data = write_file("cells.csv", cells);
    (void)state;
    assert_int_not_equal(cli_call("learn", "hc", data), 0);
    assert_text_has(cli_errors, "discretize it");
}

/* Sixty rows in which y follows x, and z follows nothing. */
static const char *write_pairs(void) {
    static char text[8000];
    size_t used = (size_t)snprintf(text, sizeof text, "x,y,z\n");
    for (int row = 0; row < 60; row++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%g,%g,%g\n", row + .25,
                                 (row < 20 ? 100 : 200) + .37 * (row * 7 % 60), .11 * (row * 17 % 60) + .5);
    (void)write_file("pairs.schema.csv", "column,type,cardinality\nx,continuous,\ny,continuous,\nz,continuous,\n");
    return write_file("pairs.csv", text);
}

static void a_graph_is_learned_from_columns_made_discrete_first(void **state) {
    const char *data = write_pairs();
    json_t *answer, *policy;
    (void)state;
    assert_status(0, "learn", "hc", data, "--discretize", "eqfreq", "--discretize-option", "k=3", "--json");
    answer = parse_answer();
    policy = json_object_get(answer, "discretize");
    assert_string_equal(text_at(policy, "method"), "eqfreq");
    assert_int_equal(json_array_size(json_object_get(policy, "columns")), 3);
    assert_true(number_at(json_array_get(json_object_get(policy, "columns"), 0), "states") == 3);
    json_decref(answer);
    assert_status(2, "learn", "hc", data, "--discretize-option", "k=3");
    assert_text_has(cli_errors, "--discretize-option needs --discretize");
    assert_status(2, "learn", "hc", data, "--discretize", "stek");
    assert_text_has(cli_errors, "did you mean 'steck'?");
}

static void thresholds_and_graph_are_found_in_turn(void **state) {
    static const char *const methods[] = {"friedman", "monti", "steck"};
    const char *data = write_pairs();
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        json_t *answer, *figures, *first;
        assert_status(0, "learn", "hc", data, "-O", "ess=1", "--discretize", methods[i], "--json");
        answer = parse_answer();
        figures = json_object_get(answer, "figures");
        assert_true(number_at(figures, "outer_iterations") >= 1);
        assert_true(number_at(figures, "threshold_evaluations") >= 177);
        assert_true(number_at(figures, "discretization_calls") ==
                    number_at(figures, "threshold_evaluations") + number_at(figures, "policy_scores"));
        assert_true(number_at(answer, "edges") == 1);
        first = json_array_get(json_object_get(json_object_get(answer, "discretize"), "columns"), 0);
        if (i != 1) { /* monti's densities cut an even spread as they like */
            assert_true(number_at(first, "states") == 2);
            assert_true(json_number_value(json_array_get(json_object_get(first, "thresholds"), 0)) == 19.75);
        }
        json_decref(answer);
        assert_status(0, "discretize", methods[i], data, "--json");
        answer = parse_answer();
        assert_true(number_at(json_object_get(answer, "figures"), "outer_iterations") >= 1);
        json_decref(answer);
        assert_status(3, "learn", "mmpc", data, "--discretize", methods[i]);
        assert_text_has(cli_errors, "needs directions");
    }
}

static void thresholds_are_drawn_into_an_svg_file(void **state) {
    const char *data = write_file("cells.csv", cells), *plot = in_folder("cells.svg");
    (void)state;
    assert_status(2, "discretize", "eqwidth", data, "--plot", in_folder("cells.png"));
    assert_text_has(cli_errors, "must be a file that ends in .svg");
    (void)setenv("BNBENCH_GNUPLOT", "/nowhere/gnuplot", 1);
    assert_status(4, "discretize", "eqwidth", data, "-O", "k=2", "--plot", plot);
    assert_text_has(cli_errors, "gnuplot");
    assert_false(is_there(plot));
    for (size_t i = 0; i < 3; i++) { /* no fault of the words or the data */
        static const char *const ends[] = {"exit 0", "exit 1", "kill -9 $$"};
        char script[64];
        (void)snprintf(script, sizeof script, "#!/bin/sh\n%s\n", ends[i]);
        assert_int_equal(chmod(write_file("fake", script), 0700), 0);
        (void)setenv("BNBENCH_GNUPLOT", in_folder("fake"), 1);
        assert_status(5, "discretize", "eqwidth", data, "-O", "k=2", "--plot", plot);
        assert_text_has(cli_errors, "gnuplot");
        assert_false(is_there(plot));
    }
    (void)unsetenv("BNBENCH_GNUPLOT");
    if (cli_call("discretize", "eqwidth", data, "-O", "k=2", "--plot", plot) == 4)
        skip(); /* gnuplot is not here */
    assert_true(is_there(plot));
    assert_int_equal(cli_call_shell("grep -c '<svg' \"$1/cells.svg\"; ls -A \"$1\" | grep -c plot-"),
                     1); /* no scratch left */
    assert_string_equal(cli_out, "1\n0\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(thresholds_are_written_beside_the_data),
        cli_test(the_answer_for_machines_holds_method_options_and_thresholds),
        cli_test(threads_change_no_threshold),
        cli_test(wrong_words_and_bad_values_have_their_status),
        cli_test(a_learner_of_discrete_data_says_what_to_do),
        cli_test(a_graph_is_learned_from_columns_made_discrete_first),
        cli_test(thresholds_and_graph_are_found_in_turn),
        cli_test(thresholds_are_drawn_into_an_svg_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
