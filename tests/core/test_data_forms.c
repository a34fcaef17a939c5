/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data with tabs, semicolons and as ARFF: what separates, what other programs write, there and back. */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/data/dataset_arff.h"
#include "core/data/dataset_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *in_folder(const char *folder, const char *name) {
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* "a=yes|no b=continuous; yes 1.5; no 2": columns, then rows. */
static void show_data(const dataset *data, text_buffer *out) {
    for (size_t c = 0; c < dataset_column_count(data); c++) {
        const variable *v = dataset_variable(data, c);
        text_append_format(out, "%s%s=%s", c ? " " : "", v->name, v->n_states ? "" : "continuous");
        for (size_t k = 0; k < v->n_states; k++)
            text_append_format(out, "%s%s", k ? "|" : "", v->states[k]);
    }
    for (size_t row = 0; row < dataset_row_count(data); row++) {
        text_append(out, ";");
        for (size_t c = 0; c < dataset_column_count(data); c++) {
            const double *reals = dataset_reals(data, c);
            if (reals)
                text_append_format(out, " %g", reals[row]);
            else
                text_append_format(out, " %s", dataset_variable(data, c)->states[dataset_state(data, row, c)]);
        }
    }
}

static void assert_shows(const dataset *data, const char *wanted) {
    text_buffer found = {0};
    show_data(data, &found);
    assert_string_equal(found.data, wanted);
    text_buffer_clear(&found);
}

/* Of a file of that name, so that its ending is looked at. */
static void assert_file(const char *name, const char *text, const char *wanted) {
    const char *path = in_folder(scratch_folder(), name);
    dataset *data = NULL;
    error_info err = {0};
    assert_ok(file_write(path, text, strlen(text), &err), &err);
    assert_ok(dataset_read(path, NULL, &data, NULL, &err), &err);
    assert_shows(data, wanted);
    dataset_destroy(data);
}

static void assert_refused(const char *name, const char *text, const char *words) {
    const char *path = in_folder(scratch_folder(), name);
    dataset *data = NULL;
    error_info err = {0};
    assert_ok(file_write(path, text, strlen(text), &err), &err);
    if (dataset_read(path, NULL, &data, NULL, &err) != STATUS_PARSE || !strstr(err.message, words))
        fail_msg("expected a refusal with '%s', found '%s' for\n%s", words, err.message, text);
    assert_null(data);
}

/* ---- separators ---- */

static void the_header_tells_what_separates(void **state) {
    (void)state;
    assert_file("a.csv", "a,b\nx,1\ny,2\n", "a=x|y b=1|2; x 1; y 2");
    assert_file("a.csv", "a\tb\nx\t1\ny\t2\n", "a=x|y b=1|2; x 1; y 2");
    assert_file("a.csv", "a;b\nx;1\r\ny;2\n", "a=x|y b=1|2; x 1; y 2");
    assert_file("a.txt", "\xEF\xBB\xBF\"a\";\"b c\"\n\"x;y\";0.5\nz;1.5\n", "a=x;y|z b c=continuous; x;y 0.5; z 1.5");
    assert_file("a.csv", "a,b;c\n1;2\n3;4\n", "a,b=1|3 c=2|4; 1 2; 3 4");
    assert_file("a.csv", "a,b;c\tx,d\n1,2,3\n", "a=1 b;c\tx=2 d=3; 1 2 3"); /* commas, where they fit */
    assert_file("a.csv", "a;b,c;d\n1;2,3;4\n", "a;b=1;2 c;d=3;4; 1;2 3;4");
    assert_file("a.csv", "a;b\nx\n", "a;b=x; x");
    assert_file("a.csv", "\"a;b\"\nx;y\n", "a;b=x;y; x;y");
    assert_file("a.csv", "\"a\nb\";c\nx;1\n", "a\nb=x c=1; x 1");
}

static void the_ending_tsv_says_tabs(void **state) {
    (void)state;
    assert_file("a.tsv", "a,b\tc;d\nu,v\t3\n", "a,b=u,v c;d=3; u,v 3");
    assert_file("a.tsv.gz", "a\n1\n", "a=1; 1");
    assert_file("a.tsv.zst", "a\t\"b\tc\"\n1\t\"\"\"q\"\"\"\n", "a=1 b\tc=\"q\"; 1 \"q\"");
}

static void what_is_ambiguous_or_broken_is_said(void **state) {
    (void)state;
    assert_refused("a.csv", "a;b\tc\n1;2\t3\n", "tabs or semicolons may separate");
    assert_refused("a.csv", "a;b;c\n1;2\n", "line 2, column 2: expected 3 fields");
    assert_refused("a.csv", "a;b;c\n1;2;3\n4;5\n", "line 3, column 2: expected 3 fields");
    assert_refused("a.csv", "a;b\nx;1\n\"x\"1;2\n", "expected ';' or the end of the line");
    assert_refused("a.tsv", "a\tb\nx\t1\n\"x\"1\t2\n", "expected a tab or the end of the line");
    assert_refused("a.csv", "a;b\nx;1\n;2\n", "line 3, column 1: a missing value of 'a'");
    assert_refused("a.csv", "a,b\n1;2\n", "expected 2 fields as in the header, found 1");
}

static void a_decimal_comma_is_no_state(void **state) {
    (void)state;
    assert_refused("a.csv", "a;b\nx;1,5\ny;2\n", "line 2, column 2: expected a number with a decimal point for 'b'");
    assert_refused("a.csv", "a;b\nx;1\ny;-2,25\n", "line 3, column 2");
    assert_file("a.csv", "a;b\nx;1,5\ny;red, blue\n", "a=x|y b=1,5|red, blue; x 1,5; y red, blue");
}

/* Lines as the reader of CSV sees them, at any number of threads. */
static void other_separators_are_read_as_commas_are(void **state) {
    (void)state;
    static const char separators[] = "\t;";
    random_stream random;
    random_stream_init(&random, random_key_of(7));
    for (size_t round = 0; round < 200; round++) {
        text_buffer text = {0};
        size_t n_rows = 1 + random_below(&random, 40), n_columns = 2 + random_below(&random, 6);
        dataset *plain = NULL;
        char print[DATASET_FINGERPRINT_SIZE], print_again[DATASET_FINGERPRINT_SIZE];
        error_info err = {0};
        for (size_t row = 0; row <= n_rows; row++) {
            for (size_t c = 0; c < n_columns; c++) {
                static const char *const words[] = {"yes", "\"no\"", "a longer state", "7", "\"l\n\"\"f\"\"\""};
                text_append(&text, c ? "," : "");
                if (row == 0)
                    text_append_format(&text, "c%zu", c);
                else
                    text_append(&text, words[random_below(&random, round % 2 ? 5 : 3) % (round % 4 ? 5 : 1)]);
            }
            text_append(&text, "\n");
        }
        assert_ok(dataset_parse_csv(text.data, text.length, NULL, &plain, NULL, &err), &err);
        assert_ok(dataset_fingerprint(plain, print, &err), &err);
        for (size_t s = 0; s < 2; s++) {
            dataset *other = NULL;
            data_reading how = {.n_threads = 1 + random_below(&random, 3),
                                .block_bytes = 1 + random_below(&random, 200)};
            for (char *at = text.data; *at; at++) {
                if (*at == (s ? separators[0] : ','))
                    *at = separators[s];
            }
            assert_ok(dataset_parse_csv(text.data, text.length, &how, &other, NULL, &err), &err);
            assert_ok(dataset_fingerprint(other, print_again, &err), &err);
            assert_string_equal(print_again, print);
            dataset_destroy(other);
        }
        dataset_destroy(plain);
        text_buffer_clear(&text);
    }
}

/* ---- ARFF ---- */

/* The beginning of weather.arff, which comes with Weka, and forms of its writer. */
static void arff_of_weka_is_read(void **state) {
    (void)state;
    assert_file("a.arff",
                "% a remark\n@relation weather\n\n@attribute outlook {sunny, overcast, rainy}\n"
                "@attribute temperature real\n@attribute windy {TRUE, FALSE}\n\n@data\nsunny,85,FALSE\n"
                "% another\novercast, 83 ,TRUE % and one more\r\n\nrainy,7e1,FALSE",
                "outlook=sunny|overcast|rainy temperature=continuous windy=TRUE|FALSE; sunny 85 FALSE; overcast 83 "
                "TRUE; rainy 70 FALSE");
    assert_file("a.arff",
                "@RELATION 'a b'\n@ATTRIBUTE 'the \\'first\\'' {'a b',\"c,d\",'?','50\\%','\\\\'}\n"
                "@Attribute\tx{1,2}\n@attribute y INTEGER\n@DATA\n'a b',2,1\n\"c,d\" , 1,2\n'?',1,3\n'50\\%',1,4\n"
                "'\\\\',1,5\n",
                "the 'first'=a b|c,d|?|50%|\\ x=1|2 y=continuous; a b 2 1; c,d 1 2; ? 1 3; 50% 1 4; \\ 1 5");
    assert_file("data.txt", "% no ending says it\n@relation r\n@attribute a {x}\n@data\nx\n", "a=x; x");
    assert_file("data.csv", "@relation r\nx\n", "@relation r=x; x");
}

static void arff_that_is_not_read_says_why(void **state) {
    (void)state;
#define HEAD "@relation r\n@attribute a {x,y}\n@attribute b numeric\n@data\n"
    static const char *const cases[][2] = {
        {"", "expected @data, found the end"},
        {"@relation r\n@data\n", "line 2: expected attributes"},
        {"@relation r\n@attribute a {x}\n@data\n% nothing\n", "expected rows below @data"},
        {"@relation r\na,b\n", "line 2: expected @attribute or @data, found 'a,b'"},
        {"@relation r\n@attribute a string\n", "line 2: 'a' is of the type string"},
        {"@relation r\n@attribute a date 'yyyy'\n", "of the type date"},
        {"@relation r\n@attribute a\n", "expected the type of 'a'"},
        {"@relation r\n@attribute a {x,x}\n", "'x' stands twice"},
        {"@relation r\n@attribute a {}\n", "expected a value of 'a'"},
        {"@relation r\n@attribute a {x,y\n", "expected ',' or '}'"},
        {"@relation r\n@attribute a {x} y\n", "expected the end of the line"},
        {"@relation r\n@attribute 'a {x}\n", "closing quote"},
        {"@relation r\n@attribute a {x}\n@attribute a {x}\n", "line 3: a second attribute named 'a'"},
        {HEAD "x,?\n", "line 5, column 2: a missing value ('?') of 'b'; every cell needs one"},
        {HEAD "x,1\n?,1\n", "line 6, column 1: a missing value ('?') of 'a'; every cell needs one"},
        {HEAD "x,\n", "line 5, column 2: a missing value of 'b'; every cell needs one"},
        {HEAD "x,NaN\n", "line 5, column 2: a missing value ('NaN') of 'b'"},
        {HEAD "z,1\n", "line 5, column 1: 'z' is none of the 2 values of 'a'"},
        {HEAD "x,one\n", "line 5, column 2: expected a number for 'b', found 'one'"},
        {HEAD "x,inf\n", "expected a number for 'b', found 'inf'"},
        {HEAD "x\n", "line 5, column 1: expected 2 fields, one for each attribute, found 1"},
        {HEAD "x,1,2\n", "line 5, column 2: expected 2 fields, one for each attribute, found more"},
        {HEAD "x,1,{5}\n", "line 5, column 2: the row has a weight"},
        {HEAD "{1 5}\n", "line 5: a sparse row"},
        {HEAD "'x' y,1\n", "behind a closing quote"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused("a.arff", cases[i][0], cases[i][1]);
}

static void given_states_are_those_of_an_arff_file(void **state) {
    (void)state;
    static const char text[] = "@relation r\n@attribute b numeric\n@attribute a {y,x}\n@data\n1,y\n0,x\n";
    static const char *const bits[] = {"0", "1"}, *const letters[] = {"x", "y", "z"};
    variable given[2] = {0};
    schema_origin origin;
    dataset *data = NULL;
    error_info err = {0};
    assert_ok(variable_init_discrete(&given[0], "a", letters, 3, &err), &err);
    assert_ok(variable_init_discrete(&given[1], "b", bits, 2, &err), &err);
    data_reading how = {.given = given, .n_given = 2};
    assert_ok(dataset_parse_arff(text, strlen(text), &how, &data, &origin, &err), &err);
    assert_int_equal(origin, SCHEMA_GIVEN);
    assert_shows(data, "b=0|1 a=x|y|z; 1 y; 0 x");
    dataset_destroy(data);
    data = NULL;
    how.n_given = 1;
    assert_int_equal(dataset_parse_arff(text, strlen(text), &how, &data, &origin, &err), STATUS_PARSE);
    assert_message_has(&err, "the attribute 'b' is not among the 1 variables given");
    variable_clear(&given[0]);
    variable_clear(&given[1]);
}

/* ---- there and back ---- */

static dataset *odd_data(size_t n_columns) {
    static const char *const states[] = {"plain", "",  "a b", "a;b", "a\tb", "a,b",        "say \"x\"", "it's", "?",
                                         "50%",   "{", "}",   "\\",  "\\n",  "two\nlines", "\r",        "NA"};
    static const char *const names[] = {"a;b", "x\ty", "p,q", "'", "@data", "%"};
    enum { N_STATES = sizeof states / sizeof *states };
    variable v[6] = {0};
    dataset *data = NULL;
    error_info err = {0};
    for (size_t c = 0; c < n_columns; c++) {
        if (c % 3 == 2)
            assert_ok(variable_init_continuous(&v[c], names[c], &err), &err);
        else
            assert_ok(variable_init_discrete(&v[c], names[c], states, N_STATES, &err), &err);
    }
    assert_ok(dataset_create(v, n_columns, N_STATES, &data, &err), &err);
    for (size_t row = 0; row < N_STATES; row++) {
        for (size_t c = 0; c < n_columns; c++) {
            if (dataset_reals(data, c))
                dataset_build_reals(data, c)[row] = (double)row / 3 - 1;
            else
                dataset_set_state(data, row, c, (row + c) % N_STATES);
        }
    }
    for (size_t c = 0; c < n_columns; c++)
        variable_clear(&v[c]);
    return data;
}

static void every_form_reads_what_it_writes(void **state) {
    (void)state;
    static const char *const names[] = {"d.csv",     "d.tsv",    "d.arff",     "d.bnd",
                                        "d.csv.zst", "d.tsv.gz", "d.arff.zst", "d.bnd.zst"};
    for (size_t n_columns = 1; n_columns <= 6; n_columns++) {
        dataset *data = odd_data(n_columns);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const char *path = in_folder(scratch_folder(), names[i]);
            char print[DATASET_FINGERPRINT_SIZE], print_again[DATASET_FINGERPRINT_SIZE];
            dataset *again = NULL;
            error_info err = {0};
            assert_ok(dataset_write(data, path, &err), &err);
            assert_ok(dataset_read(path, NULL, &again, NULL, &err), &err);
            assert_ok(dataset_fingerprint(data, print, &err), &err);
            assert_ok(dataset_fingerprint(again, print_again, &err), &err);
            assert_string_equal(print_again, print);
            dataset_destroy(again);
        }
        dataset_destroy(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_tells_what_separates),
        cmocka_unit_test(the_ending_tsv_says_tabs),
        cmocka_unit_test(what_is_ambiguous_or_broken_is_said),
        cmocka_unit_test(a_decimal_comma_is_no_state),
        cmocka_unit_test(other_separators_are_read_as_commas_are),
        cmocka_unit_test(arff_of_weka_is_read),
        cmocka_unit_test(arff_that_is_not_read_says_why),
        cmocka_unit_test(given_states_are_those_of_an_arff_file),
        cmocka_unit_test(every_form_reads_what_it_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
