/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bnbench recommend on data whose best learner is known by how they were made. */
#include "tests/support/cli_support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static json_t *recommend(const char *file) {
    assert_status(0, "recommend", file, "--time", "5min", "--json");
    return parse_answer();
}

static const json_t *trial_of(const json_t *answer, const char *learner) {
    const json_t *t;
    size_t i;
    json_array_foreach(json_object_get(answer, "trials"), i, t) {
        if (strcmp(text_at(t, "learner"), learner) == 0)
            return t;
    }
    fail_msg("%s was not tried", learner);
    return NULL;
}

/* Each column copies the one before it in nine rows of ten. */
static const char *write_chain(size_t n_rows) {
    char text[60000] = "a,b,c,d\n";
    size_t at = strlen(text);
    uint32_t random = 1;
    for (size_t i = 0; i < n_rows; i++) {
        unsigned last = 0;
        for (size_t c = 0; c < 4; c++) {
            random = random * 1664525u + 1013904223u;
            last = c == 0 ? random >> 31 : (random >> 16) % 10 == 0 ? !last : last;
            at += (size_t)snprintf(text + at, sizeof text - at, "%u%s", last, c < 3 ? "," : "\n");
        }
    }
    return write_file("chain.csv", text);
}

/*
 * The entropy of a row is ln 2 + 3 H(0.1) = 0.6931 + 3 * 0.3251 = 1.668 nats; without edges 4 ln 2 = 2.773.
 */
static void a_chain_is_found_and_its_likelihood_is_its_entropy(void **state) {
    json_t *answer = recommend(write_chain(4000));
    double chosen;
    (void)state;
    assert_true(fabs(number_at(trial_of(answer, "empty"), "held_out") + 2.773) < 0.01);
    assert_true(fabs(number_at(trial_of(answer, "hc"), "held_out") + 1.668) < 0.04);
    assert_that(number_at(trial_of(answer, "mmhc"), "edges"), ==, 3);
    assert_that(number_at(trial_of(answer, "mmhc"), "parameters"), ==, 7);
    assert_that(number_at(trial_of(answer, "mmhc"), "stability"), >, 0.5); /* the three edges are in every half */
    assert_that(number_at(trial_of(answer, "mmhc"), "stability"), <=, 1);
    chosen = number_at(trial_of(answer, text_at(answer, "recommended")), "held_out");
    assert_true(fabs(chosen + 1.668) < 0.04);
    assert_true(json_is_false(json_object_get(answer, "no_dependence")));
    assert_int_equal(json_array_size(json_object_get(answer, "warnings")), 0);
    assert_non_null(strstr(text_at(answer, "command"), text_at(answer, "recommended")));
    json_decref(answer);
}

/* Of a network where pc-stable and mmhc find too little, a search with a score is as likely as the best. */
static void the_most_likely_is_taken_and_the_command_runs(void **state) {
    const char *file = in_folder("asia.csv");
    char script[512];
    json_t *answer, *again;
    (void)state;
    assert_status(0, "sample", "asia", "-n", "3000", "-o", file);
    answer = recommend(file);
    assert_that(number_at(trial_of(answer, "hc"), "held_out"), >, number_at(trial_of(answer, "pc-stable"), "held_out"));
    assert_true(strcmp(text_at(answer, "recommended"), "hc") == 0 ||
                strcmp(text_at(answer, "recommended"), "ges") == 0);
    (void)snprintf(script, sizeof script, "PATH=\"$(dirname \"$0\"):$PATH\"; cd \"$1\"; %s",
                   text_at(answer, "command"));
    assert_int_equal(cli_call_shell(script), 0);
    assert_true(is_there(in_folder("graph.csv")));
    again = recommend(file); /* the same but for the seconds */
    for (size_t i = 0; i < json_array_size(json_object_get(answer, "trials")); i++) {
        json_object_del(json_array_get(json_object_get(answer, "trials"), i), "seconds");
        json_object_del(json_array_get(json_object_get(again, "trials"), i), "seconds");
    }
    assert_true(json_equal(answer, again));
    json_decref(answer);
    json_decref(again);
}

static void few_rows_and_useless_columns_are_told(void **state) {
    (void)state;
    assert_status(0, "sample", "child", "-n", "20", "-o", in_folder("few.csv"));
    assert_status(0, "recommend", in_folder("few.csv"));
    assert_text_has(cli_out, "too few rows");
    write_file("constant.csv", "a,b,c\nx,1,7\ny,1,7\nx,2,7\ny,2,7\nx,1,7\ny,2,7\nx,1,7\ny,1,7\nx,2,7\ny,2,7\n");
    assert_status(0, "recommend", in_folder("constant.csv"));
    assert_text_has(cli_out, "'c' is constant");
    assert_status(2, "recommend", in_folder("constant.csv"), "--time", "0s");
    assert_status(3, "recommend", write_file("gap.csv", "a,b\n1,2\n,2\n"));
}

static void numbers_and_both_kinds(void **state) {
    char text[20000] = "x,y,kind\n";
    size_t at = strlen(text);
    json_t *answer;
    (void)state;
    assert_status(0, "sample", "asia", "-n", "300", "--continuize", "sigma=0.35", "-o", in_folder("numbers.csv"));
    answer = recommend(in_folder("numbers.csv"));
    assert_string_equal(json_string_value(json_array_get(json_object_get(trial_of(answer, "hc"), "options"), 0)),
                        "score=bic-g");
    assert_that(number_at(trial_of(answer, "hc"), "held_out"), >, number_at(trial_of(answer, "empty"), "held_out"));
    json_decref(answer);
    for (unsigned i = 0; i < 100; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%u.5,%u.25,%s\n", i * 37 % 101, i * 53 % 97,
                               i * 37 % 101 > 50 ? "high" : "low");
    answer = recommend(write_file("both.csv", text));
    assert_true(json_is_null(json_object_get(trial_of(answer, "bach"), "held_out")));
    assert_non_null(strstr(text_at(answer, "advice"), "most stable"));
    json_decref(answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(a_chain_is_found_and_its_likelihood_is_its_entropy),
        cli_test(the_most_likely_is_taken_and_the_command_runs),
        cli_test(few_rows_and_useless_columns_are_told),
        cli_test(numbers_and_both_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
