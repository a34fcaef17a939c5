/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `bnbench stats` from outside: answers, refusals, and the reference values through the command line. */
#include "tests/support/cli_support.h"
#include "tests/support/csv_support.h"

#include "core/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char friedman_rows[] = "net,hc,chc,mmhc\na,1,2,3\nb,1,3,2\nc,1,2,3\nd,2,1,3\ne,1,2.5,2.5\n";

static void wilcoxon_answers_with_the_agreed_keys(void **state) {
    const char *path = write_file("w.csv", "x,y\n1.1,0\n0,0.3\n2,0\n0.7,0\n0.4,0\n0,0.2\n1.5,0\n");
    json_t *a;
    (void)state;
    assert_status(0, "stats", "wilcoxon", path, "--alternative", "greater", "--json");
    a = parse_answer();
    assert_close(number_at(a, "statistic"), 25, 0);
    assert_close(number_at(a, "p_value"), .0390625, 1e-15);
    assert_close(number_at(a, "n"), 7, 0);
    assert_string_equal(text_at(a, "method"), "exact");
    json_decref(a);
    assert_status(0, "stats", "wilcoxon", path, "--alternative", "greater");
    assert_text_has(cli_out, "x exceeds y");
    assert_text_has(cli_out, "W+ = 25, W- = 3");
    assert_text_has(cli_out, "significant at level 0.05");
}

static void wilcoxon_takes_differences_or_two_of_many_columns(void **state) {
    const char *one = write_file("d.csv", "d\n1\n1\n-1\n2\n0\n3\n-2\n4\n0\n5\n");
    const char *many = write_file("m.csv", "run,a,b,c\nr1,1,2,3\nr2,2,4,9\nr3,5,6,1\n");
    json_t *a;
    (void)state;
    assert_status(0, "stats", "wilcoxon", one, "--alternative", "greater", "--json");
    a = parse_answer();
    assert_close(number_at(a, "statistic"), 29.5, 0);
    assert_close(number_at(a, "p_value"), .060591, 1e-5);
    assert_string_equal(text_at(a, "method"), "normal");
    assert_close(number_at(a, "zeros"), 2, 0);
    json_decref(a);
    assert_status(2, "stats", "wilcoxon", many);
    assert_text_has(cli_errors, "3 columns hold numbers; name two of them with --columns");
    assert_status(0, "stats", "wilcoxon", many, "--columns", "b,a", "--json");
    a = parse_answer();
    assert_close(number_at(a, "w_minus"), 0, 0);
    json_decref(a);
    assert_status(2, "stats", "wilcoxon", many, "--columns", "b,aa");
    assert_text_has(cli_errors, "there is no column 'aa'; did you mean 'a'?");
}

static void friedman_answers_with_the_agreed_keys(void **state) {
    const char *path = write_file("f.csv", friedman_rows);
    json_t *a;
    const json_t *id, *ranks, *first;
    (void)state;
    assert_status(0, "stats", "friedman", path, "--json");
    a = parse_answer();
    assert_close(number_at(a, "statistic"), 6, 1e-14);
    assert_close(number_at(a, "df"), 2, 0);
    assert_close(number_at(a, "p_value"), .049787068367863944, 1e-12);
    id = json_object_get(a, "iman_davenport");
    assert_close(number_at(id, "F"), 6, 1e-13);
    assert_close(number_at(id, "df1"), 2, 0);
    assert_close(number_at(id, "df2"), 8, 0);
    assert_close(number_at(id, "p_value"), .0256, 1e-12);
    ranks = json_object_get(a, "ranks");
    assert_close(number_at(ranks, "mmhc"), 2.7, 1e-14);
    first = json_array_get(json_object_get(a, "comparisons"), 1);
    assert_string_equal(text_at(first, "name"), "mmhc");
    assert_true(json_is_true(json_object_get(first, "rejected")));
    json_decref(a);
    assert_status(0, "stats", "friedman", path, "--control", "chc", "--more-is-better");
    assert_text_has(cli_out, "chc           1.9    control");
}

static void printed_mean_ranks_give_the_published_marks(void **state) {
    const char *path = write_file("r.csv", "hc,chc-star,ichc,2ichc,fastchc,mmhc\n5.75,4.63,3.16,2.34,1.19,3.94\n");
    (void)state;
    assert_status(0, "stats", "friedman", path, "--blocks", "16");
    assert_text_has(cli_out, "chi-square 61.25");
    assert_text_has(cli_out, "2.34      1.739      0.0821      0.0821\n");
    assert_text_has(cli_out, "3.16      2.978    0.002898    0.005796  rejected\n");
    assert_status(3, "stats", "friedman", write_file("bad.csv", "a,b\n0.5,2.5\n"), "--blocks", "16");
    assert_text_has(cli_errors, "the mean rank of 'a' is 0.5");
}

static void nemenyi_names_the_groups(void **state) {
    (void)state;
    assert_status(0, "stats", "nemenyi", write_file("f.csv", friedman_rows));
    assert_text_has(cli_out, "differ by more than 1.4823");
    assert_text_has(cli_out, "within it: hc, chc\nwithin it: chc, mmhc\n");
}

static void ranks_are_a_table_again(void **state) {
    (void)state;
    assert_status(0, "stats", "ranks", write_file("f.csv", friedman_rows));
    assert_string_equal(cli_out, "net,hc,chc,mmhc\na,1,2,3\nb,1,3,2\nc,1,2,3\nd,2,1,3\ne,1,2.5,2.5\n"
                                 "mean rank,1.2,2.1,2.7\n");
}

/* Words, words with a number among them under no header, and numbers under a header that says what they are. */
static void a_first_column_of_names_is_told_by_its_fields_or_its_header(void **state) {
    static const char *const tables[] = {
        "net,a,b\nx,1,2\ny,3,1\n",
        "net,a,b\n-,1,2\ny,3,1\n",
        "id,a,b\n1,1,2\n2,3,1\n",
        ",a,b\nx,1,2\ny,3,1\nz,1,2\nu,1,2\nv,1,2\nw,1,2\n7,1,2\ns,1,2\nt,1,2\nr,1,2\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        json_t *a, *ranks;
        assert_status(0, "stats", "friedman", write_file("names.csv", tables[i]), "--json");
        a = parse_answer();
        ranks = json_object_get(a, "ranks");
        assert_int_equal(json_object_size(ranks), 2);
        assert_non_null(json_object_get(ranks, "a"));
        json_decref(a);
    }
}

static void holm_reads_standard_input(void **state) {
    json_t *a;
    const json_t *first;
    (void)state;
    assert_int_equal(
        cli_call_shell("printf 'name,p_value\\na,.01\\nb,.04\\nc,.03\\nd,.005\\n' | \"$0\" stats holm - --json"), 0);
    a = parse_answer();
    assert_int_equal(json_array_size(a), 4);
    first = json_array_get(a, 0);
    assert_string_equal(text_at(first, "name"), "a");
    assert_close(number_at(first, "p_value"), .01, 0);
    assert_close(number_at(first, "adjusted"), .03, 1e-15);
    assert_true(json_is_true(json_object_get(first, "rejected")));
    json_decref(a);
}

static void a_missing_value_ranks_last_or_takes_its_row_away(void **state) {
    const char *path = write_file("f.csv", "net,a,b\nx,1,2\ny,1,timeout\nz,,3\n");
    json_t *a;
    (void)state;
    assert_status(0, "stats", "friedman", path, "--json");
    assert_text_has(cli_errors, "2 missing values ranked last");
    a = parse_answer();
    assert_close(number_at(json_object_get(a, "ranks"), "a"), 4 / 3., 1e-14);
    json_decref(a);
    assert_status(0, "stats", "friedman", path, "--failures", "drop-dataset", "--json");
    a = parse_answer();
    assert_close(number_at(a, "n"), 1, 0);
    json_decref(a);
}

static void extreme_tables_have_answers(void **state) {
    (void)state;
    assert_status(0, "stats", "friedman", write_file("c.csv", "a,b\n1,1\n2,2\n")); /* ties everywhere */
    assert_text_has(cli_out, "chi-square 0 on 1 degrees of freedom, p = 1");
    assert_status(0, "stats", "friedman", write_file("o.csv", "a,b,c\n1,2,3\n")); /* one row */
    assert_text_has(cli_out, "F undefined");
    assert_status(0, "stats", "friedman", write_file("p.csv", "a,b\n1,2\n1,2\n")); /* perfect agreement */
    assert_text_has(cli_out, "F infinite on 1 and 1 degrees of freedom, p = 0");
    assert_status(0, "stats", "wilcoxon", write_file("z.csv", "x,y\n1,1\n2,2\n"));
    assert_text_has(cli_out, "no pair differs: nothing can be said");
    assert_status(0, "stats", "describe", write_file("k.csv", "x\n7\n"));
    assert_text_has(cli_out, "-"); /* no deviation of one value */
}

/* A hundred thousand pairs, all in one direction: p is some 1e-10000. */
static void a_tiny_p_is_told_by_its_log(void **state) {
    text_buffer b = {0};
    json_t *a;
    double log_p;
    (void)state;
    text_append(&b, "d\n");
    for (int i = 1; i <= 100000; i++)
        text_append_format(&b, "%d\n", i);
    assert_status(0, "stats", "wilcoxon", write_file("huge.csv", b.data), "--json");
    a = parse_answer();
    log_p = number_at(a, "log_p_value");
    assert_that(log_p, <, -30000);
    assert_that(log_p, >, -40000);
    assert_that(number_at(a, "p_value"), ==, 0);
    json_decref(a);
    assert_status(0, "stats", "wilcoxon", "--quiet", in_folder("huge.csv"));
    assert_text_has(cli_out, "e-1");
    text_buffer_clear(&b);
}

static const struct {
    const char *kind, *text, *message;
    int status;
} refused[] = {
    {"wilcoxon", "", "w.csv: line 1, column 1: a header was expected and the file is empty", 3},
    {"wilcoxon", "x,y\n", "w.csv: line 1, column 1: only a header", 3},
    {"wilcoxon", "1,2\n3,4\n", "w.csv: line 1, column 1: the first line holds numbers alone", 3},
    {"wilcoxon", "x,y\n1,2\n1,NaN\n", "w.csv: line 3, column 2 ('y'): there is no value; a pair needs two", 3},
    {"wilcoxon", "x,y\n1,2\n\n1,two\n", "w.csv: line 4, column 2 ('y'): 'two' is no finite number", 3},
    {"wilcoxon", "x,y\n1,inf\n", "w.csv: line 2, column 2 ('y'): 'inf' is no finite number", 3},
    {"wilcoxon", "x,y\n1,2,3\n", "w.csv: line 2, column 3: 3 fields where the header has 2", 3},
    {"wilcoxon", "x,x\n1,2\n", "w.csv: line 1, column 2: the header 'x' stands in column 1 already", 3},
    {"wilcoxon", "mmhc,hc\n10,2\n1x,2\n5,4\n", "w.csv: line 3, column 1 ('mmhc'): '1x' is no finite number", 3},
    {"wilcoxon", "mmhc,hc\n1x,2\nfailed,3\n5,4\n", "w.csv: line 2, column 1 ('mmhc'): '1x' is no finite number", 3},
    {"wilcoxon", "mmhc,hc\n10,2\n5,4\n1e999,2\n", "w.csv: line 4, column 1 ('mmhc'): '1e999' is no finite", 3},
    {"wilcoxon", "mmhc,hc\n10,2\ninf,4\n", "w.csv: line 3, column 1 ('mmhc'): 'inf' is no finite number", 3},
    {"wilcoxon", "mmhc,hc\n-Infinity,2\ninf,4\n", "w.csv: line 2, column 1 ('mmhc'): '-Infinity' is no", 3},
    {"wilcoxon", "mmhc,hc\n10,2\nnan,4\n", "w.csv: line 3, column 1 ('mmhc'): there is no value", 3},
    {"friedman", "mmhc,hc,ges\n10,2,1\n1x,2,3\n", "w.csv: line 3, column 1 ('mmhc'): '1x' is no finite", 3},
    {"describe", "mmhc,hc\n10,2\n1x,2\n", "w.csv: line 3, column 1 ('mmhc'): '1x' is no finite number", 3},
    {"friedman", ",hc,ges\n1,2,1\n2,2,3\n", "w.csv: line 1, column 1: a column without a header, 2 of its 2", 3},
    {"friedman", "x\n1\n2\n", "w.csv: 1 column holds numbers; at least two are compared", 3},
    {"holm", "name,p_value\na,0.5\nb,1.5\n", "w.csv: line 3, column 2 ('p_value'): 1.5 is no p-value", 3},
    {"holm", "a,b\n0.5,0.1\n", "none is called p_value; name the one with --columns", 2},
    {"holm", "p\n0.1\nNA\n", "w.csv: line 3, column 1 ('p'): there is no value", 3},
};

static void what_cannot_be_is_refused_with_its_place(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_status(refused[i].status, "stats", refused[i].kind, write_file("w.csv", refused[i].text));
        assert_text_has(cli_errors, refused[i].message);
        assert_string_equal(cli_out, "");
    }
    assert_status(4, "stats", "holm", in_folder("not-there.csv"));
    assert_status(2, "stats", "wilcoxen", in_folder("w.csv"));
    assert_text_has(cli_errors, "unknown kind 'wilcoxen'; did you mean 'wilcoxon'?");
    assert_status(2, "stats", "holm", write_file("p.csv", "p\n0.1\n"), "--alpha", "2");
    assert_text_has(cli_errors, "--alpha is '2'; it must lie in (0, 1)");
    assert_status(2, "stats", "holm", in_folder("p.csv"), "--tests", "0");
    assert_status(2, "stats", "wilcoxon", in_folder("p.csv"), "--alternative", "bigger");
    assert_text_has(cli_errors, "--alternative is 'bigger'; it must be one of two-sided|greater|less");
}

static void the_help_has_examples(void **state) {
    (void)state;
    assert_status(0, "stats", "--help");
    assert_text_has(cli_out, "bnbench stats wilcoxon scores.csv");
    assert_text_has(cli_out, "--post-hoc");
}

/* The reference values, each case through a file of its own. */

/* Relative, however small. */
static void assert_same(double found, double expected) {
    if (found != expected)
        assert_close(found / expected, 1, 1e-9);
}

static json_t *load_inputs(void) {
    json_t *inputs = json_load_file(golden_path("stats/inputs.json"), 0, NULL);
    assert_non_null(inputs);
    return inputs;
}

static double expected_value(const csv_table *t, const char *name, const char *args, const char *output) {
    for (size_t i = 0; i < csv_table_row_count(t); i++) {
        if (strcmp(csv_table_field(t, i, 0), name) == 0 && strcmp(csv_table_field(t, i, 2), args) == 0 &&
            strcmp(csv_table_field(t, i, 3), output) == 0)
            return strtod(csv_table_field(t, i, 4), NULL);
    }
    fail_msg("no reference value %s %s %s", name, args, output);
    return NAN;
}

static void append_number(text_buffer *b, const json_t *value) {
    char number[32];
    text_append(b, text_from_double(json_number_value(value), number));
}

static void write_pairs(const json_t *c) {
    const json_t *x = json_object_get(c, "x"), *y = json_object_get(c, "y");
    text_buffer b = {0};
    text_append(&b, "x,y\n");
    for (size_t i = 0; i < json_array_size(x); i++) {
        append_number(&b, json_array_get(x, i));
        text_append(&b, ",");
        append_number(&b, json_array_get(y, i));
        text_append(&b, "\n");
    }
    (void)write_file("w.csv", b.data);
    text_buffer_clear(&b);
}

static void check_wilcoxon(const csv_table *values, const char *name, bool is_exact, const char *side,
                           const char *their_side) {
    char args[96];
    json_t *a;
    (void)snprintf(args, sizeof args, "alternative=%s;exact=%s;correct=TRUE", their_side, is_exact ? "TRUE" : "FALSE");
    assert_status(0, "stats", "wilcoxon", in_folder("w.csv"), "--alternative", side, "--method",
                  is_exact ? "exact" : "normal", "--json");
    a = parse_answer();
    assert_close(number_at(a, "statistic"), expected_value(values, name, args, "V"), 1e-12);
    assert_same(number_at(a, "p_value"), expected_value(values, name, args, "p_value"));
    json_decref(a);
}

static void wilcoxon_agrees_with_the_reference(void **state) {
    static const char *const sides[] = {"two-sided", "greater", "less"}, *const theirs[] = {"two.sided", "greater",
                                                                                            "less"};
    json_t *inputs = load_inputs(), *c;
    csv_table *values = read_table(golden_path("stats/stats.csv"));
    const char *name;
    (void)state;
    json_object_foreach(json_object_get(inputs, "wilcoxon"), name, c) {
        write_pairs(c);
        for (size_t side = 0; side < 3; side++) {
            const char *args = "alternative=two.sided;exact=TRUE;correct=TRUE";
            bool has_exact = false;
            for (size_t i = 0; i < csv_table_row_count(values); i++)
                has_exact = has_exact || (strcmp(csv_table_field(values, i, 0), name) == 0 &&
                                          strcmp(csv_table_field(values, i, 2), args) == 0 &&
                                          strcmp(csv_table_field(values, i, 4), "TRUE") == 0);
            if (has_exact)
                check_wilcoxon(values, name, true, sides[side], theirs[side]);
            check_wilcoxon(values, name, false, sides[side], theirs[side]);
        }
    }
    csv_table_destroy(values);
    json_decref(inputs);
}

static void write_blocks(const json_t *rows) {
    text_buffer b = {0};
    for (size_t k = 0; k < json_array_size(json_array_get(rows, 0)); k++)
        text_append_format(&b, "%sc%zu", k ? "," : "", k + 1);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        text_append(&b, "\n");
        for (size_t k = 0; k < json_array_size(json_array_get(rows, i)); k++) {
            text_append(&b, k ? "," : "");
            append_number(&b, json_array_get(json_array_get(rows, i), k));
        }
    }
    (void)write_file("f.csv", b.data);
    text_buffer_clear(&b);
}

static void check_friedman(const csv_table *values, const char *name) {
    static const char rows[] = "rows=blocks;cols=treatments";
    json_t *a;
    const json_t *id, *rank;
    const char *column;
    assert_status(0, "stats", "friedman", in_folder("f.csv"), "--json");
    a = parse_answer();
    id = json_object_get(a, "iman_davenport");
    assert_close(number_at(a, "statistic"), expected_value(values, name, rows, "chi2"), 1e-9);
    assert_same(number_at(a, "p_value"), expected_value(values, name, rows, "p_value"));
    if (isinf(expected_value(values, name, "", "F"))) {
        assert_true(json_is_null(json_object_get(id, "F")));
        assert_true(number_at(id, "p_value") == 0);
    } else {
        assert_close(number_at(id, "F"), expected_value(values, name, "", "F"), 1e-9);
        assert_same(number_at(id, "p_value"), expected_value(values, name, "", "p_value"));
    }
    json_object_foreach(json_object_get(a, "ranks"), column, rank) {
        char args[32];
        (void)snprintf(args, sizeof args, "col=%s", column + 1);
        assert_close(json_number_value(rank), expected_value(values, name, args, "mean_rank"), 1e-12);
    }
    json_decref(a);
}

static void friedman_agrees_with_the_reference(void **state) {
    json_t *inputs = load_inputs(), *rows;
    csv_table *values = read_table(golden_path("stats/stats.csv"));
    const char *name;
    (void)state;
    json_object_foreach(json_object_get(inputs, "friedman"), name, rows) {
        write_blocks(rows);
        check_friedman(values, name);
    }
    csv_table_destroy(values);
    json_decref(inputs);
}

static void write_p_values(const json_t *p) {
    text_buffer b = {0};
    text_append(&b, "p_value");
    for (size_t i = 0; i < json_array_size(p); i++) {
        text_append(&b, "\n");
        append_number(&b, json_array_get(p, i));
    }
    (void)write_file("p.csv", b.data);
    text_buffer_clear(&b);
}

static void adjustments_agree_with_the_reference(void **state) {
    static const char *const ours[] = {"holm", "bonferroni", "bh", "hochberg", "by"}, *const theirs[] = {
                                                                                          "holm", "bonferroni", "BH",
                                                                                          "hochberg", "BY"};
    json_t *inputs = load_inputs(), *p;
    csv_table *values = read_table(golden_path("stats/stats.csv"));
    const char *name;
    (void)state;
    json_object_foreach(json_object_get(inputs, "p_adjust"), name, p) {
        write_p_values(p);
        for (size_t kind = 0; kind < 5; kind++) {
            json_t *a;
            assert_status(0, "stats", ours[kind], in_folder("p.csv"), "--json");
            a = parse_answer();
            for (size_t i = 0; i < json_array_size(p); i++) {
                char args[64];
                (void)snprintf(args, sizeof args, "method=%s;index=%zu", theirs[kind], i + 1);
                assert_same(number_at(json_array_get(a, i), "adjusted"),
                            expected_value(values, name, args, "p_adjusted"));
            }
            json_decref(a);
        }
    }
    csv_table_destroy(values);
    json_decref(inputs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cli_test(wilcoxon_answers_with_the_agreed_keys),
        cli_test(wilcoxon_takes_differences_or_two_of_many_columns),
        cli_test(friedman_answers_with_the_agreed_keys),
        cli_test(printed_mean_ranks_give_the_published_marks),
        cli_test(nemenyi_names_the_groups),
        cli_test(ranks_are_a_table_again),
        cli_test(a_first_column_of_names_is_told_by_its_fields_or_its_header),
        cli_test(holm_reads_standard_input),
        cli_test(a_missing_value_ranks_last_or_takes_its_row_away),
        cli_test(extreme_tables_have_answers),
        cli_test(a_tiny_p_is_told_by_its_log),
        cli_test(what_cannot_be_is_refused_with_its_place),
        cli_test(the_help_has_examples),
        cli_test(wilcoxon_agrees_with_the_reference),
        cli_test(friedman_agrees_with_the_reference),
        cli_test(adjustments_agree_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
