/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench discretize, from outside. */
#include "tests/cli_support.h"

#include <string.h>

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
    assert_text_has(cli_errors, "these are mixed: discretize them first");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(thresholds_are_written_beside_the_data),
        cli_test(the_answer_for_machines_holds_method_options_and_thresholds),
        cli_test(wrong_words_and_bad_values_have_their_status),
        cli_test(a_learner_of_discrete_data_says_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
