/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every row of the published figures that ship is counted, or somebody says why not. */
#include "tests/support/cli_support.h"

#include "core/base/file.h"

#include <stdio.h>
#include <string.h>

static const char *const categories[] = {"counted", "compared", "baseline", "empty", "absent", "left", NULL};

static double sum_of(const json_t *file) {
    double sum = 0;
    for (size_t i = 0; categories[i]; i++)
        sum += number_at(file, categories[i]);
    return sum;
}

static const json_t *file_named(const json_t *answer, const char *name) {
    for (size_t i = 0; i < json_array_size(answer); i++) {
        if (strcmp(text_at(json_array_get(answer, i), "name"), name) == 0)
            return json_array_get(answer, i);
    }
    fail_msg("%s is not in the list", name);
    return NULL;
}

static void every_row_is_in_one_category(void **state) {
    json_t *answer;
    double rows = 0;
    (void)state;
    assert_status(0, "list", "published", "--json");
    answer = parse_answer();
    for (size_t i = 0; i < json_array_size(answer); i++) {
        const json_t *file = json_array_get(answer, i);
        assert_that(number_at(file, "rows"), ==, sum_of(file));
        rows += number_at(file, "rows");
    }
    assert_that(2 * number_at(file_named(answer, "all"), "rows"), ==, rows);
    /* By hand: 14 methods at 3 sizes and their average, the baseline's among them. */
    assert_that(number_at(file_named(answer, "fu2005_tableV4_shd.csv"), "rows"), ==, 56);
    assert_that(number_at(file_named(answer, "fu2005_tableV4_shd.csv"), "counted"), ==, 52);
    assert_that(number_at(file_named(answer, "fu2005_tableV4_shd.csv"), "baseline"), ==, 4);
    /* 10 pairs at 8 places, of which the paper prints n/a for LAGD on pigs. */
    assert_that(number_at(file_named(answer, "vandel2012_table2_wilcoxon.csv"), "counted"), ==, 72);
    assert_that(number_at(file_named(answer, "vandel2012_table2_wilcoxon.csv"), "empty"), ==, 8);
    /* Relative times of which Table V-5 has the same. */
    assert_that(number_at(file_named(answer, "fu2005_tableV8_time_integrated.csv"), "compared"), ==, 24);
    json_decref(answer);
}

static void no_row_is_left_over(void **state) {
    (void)state;
    assert_status(0, "list", "published", "--check");
    assert_string_equal(cli_errors, "");
}

/* A copy of what ships, with a row that nobody knows. */
static void a_row_that_nobody_knows_is_named(void **state) {
    const char *share = in_folder("share");
    (void)state;
    assert_int_equal(cli_call_shell("mkdir -p \"$1/share/networks\" && cp -r \"$BNB_SOURCE/results/published\" "
                                    "\"$BNB_SOURCE/experiments\" \"$1/share\" && "
                                    "echo 'gamez2013,x,all,700,hc,mean_rank_loglik,2,2,no,no,HC,' >> "
                                    "\"$1/share/published/gamez2013/gamez2013_rank_loglik.csv\" && "
                                    "BNBENCH_SHARE=\"$1/share\" \"$0\" list published --check"),
                     1);
    assert_text_has(cli_errors, "gamez2013_rank_loglik.csv:20: no table compares this row, and no experiment says why");
    assert_text_has(cli_out, "gamez2013_rank_loglik.csv  19 rows: 18 counted, 1 left over");
    (void)share;
}

static void check_goes_with_published_alone(void **state) {
    (void)state;
    assert_status(2, "list", "learners", "--check");
    assert_text_has(cli_errors, "--check goes with 'published'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(every_row_is_in_one_category),
        cli_test(no_row_is_left_over),
        cli_test(a_row_that_nobody_knows_is_named),
        cli_test(check_goes_with_published_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
