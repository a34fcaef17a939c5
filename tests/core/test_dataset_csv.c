/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/file.h"
#include "core/data/dataset_file.h"
#include "core/run/run_context.h"
#include "generators/networks/bif.h"
#include "generators/sampling/sampling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dataset *parse_well(const char *text) {
    dataset *data = NULL;
    schema_origin origin = SCHEMA_GIVEN;
    error_info err = {0};
    assert_ok(dataset_parse_csv(text, strlen(text), NULL, &data, &origin, &err), &err);
    assert_int_equal(origin, SCHEMA_INFERRED);
    return data;
}

static void assert_refused_given(const char *text, const variable *given, size_t n_given, const char *message) {
    dataset *data = NULL;
    error_info err = {0};
    status st =
        dataset_parse_csv(text, strlen(text), &(data_reading){.given = given, .n_given = n_given}, &data, NULL, &err);
    if (st != STATUS_PARSE || !strstr(err.message, message))
        fail_msg("expected a refusal with '%s', found %s '%s' for\n%s", message, status_name(st), err.message, text);
    assert_null(data);
}

static void assert_refused(const char *text, const char *message) {
    assert_refused_given(text, NULL, 0, message);
}

static void assert_states(const dataset *data, size_t column, const char *joined) {
    const variable *v = dataset_variable(data, column);
    text_buffer found = {0};
    assert_int_equal(v->kind, VARIABLE_DISCRETE);
    for (size_t k = 0; k < v->n_states; k++)
        text_append_format(&found, "%s%s", k ? "|" : "", v->states[k]);
    assert_string_equal(found.data, joined);
    text_buffer_clear(&found);
}

static void make_given(variable v[3]) {
    static const char *const yes_no[] = {"yes", "no"}, *const sizes[] = {"small", "NA", "large"};
    error_info err = {0};
    memset(v, 0, 3 * sizeof *v);
    assert_ok(variable_init_discrete(&v[0], "a", yes_no, 2, &err), &err);
    assert_ok(variable_init_discrete(&v[1], "b", sizes, 3, &err), &err);
    assert_ok(variable_init_continuous(&v[2], "c", &err), &err);
}

static void clear_given(variable v[3]) {
    for (size_t i = 0; i < 3; i++)
        variable_clear(&v[i]);
}

static char *write_text(const char *folder, const char *name, const char *text) {
    char *path = path_join(folder, name);
    error_info err = {0};
    assert_ok(file_write(path, text, strlen(text), &err), &err);
    return path;
}

static void assert_same_data(const dataset *a, const dataset *b) {
    char print_a[DATASET_FINGERPRINT_SIZE], print_b[DATASET_FINGERPRINT_SIZE];
    error_info err = {0};
    assert_ok(dataset_fingerprint(a, print_a, &err), &err);
    assert_ok(dataset_fingerprint(b, print_b, &err), &err);
    assert_string_equal(print_a, print_b);
}

/* ---- what is read ---- */

static void state_spaces_are_inferred_from_the_values(void **state) {
    dataset *data = parse_well("word,whole,real,mixed,exponent\nb,10,1.5,1,1e0\na,9,2,x,2e0\nb,-1,3,2,1e0\n");
    (void)state;
    assert_int_equal(dataset_row_count(data), 3);
    assert_states(data, 0, "a|b");
    assert_states(data, 1, "-1|9|10"); /* in numeric order */
    assert_int_equal(dataset_variable(data, 2)->kind, VARIABLE_CONTINUOUS);
    assert_close(dataset_reals(data, 2)[0], 1.5, 0);
    assert_states(data, 3, "1|2|x");
    assert_states(data, 4, "1e0|2e0");
    assert_int_equal(dataset_state(data, 0, 0), 1);
    assert_int_equal(dataset_state(data, 0, 1), 2);
    assert_int_equal(dataset_state(data, 2, 1), 0);
    dataset_destroy(data);
}

static void more_than_64_whole_numbers_are_continuous(void **state) {
    (void)state;
    for (int n = 64; n <= 65; n++) {
        text_buffer text = {0};
        dataset *data;
        text_append(&text, "x\n");
        for (int i = 0; i < n; i++)
            text_append_format(&text, "%d\n", i);
        data = parse_well(text.data);
        assert_int_equal(dataset_variable(data, 0)->kind, n == 64 ? VARIABLE_DISCRETE : VARIABLE_CONTINUOUS);
        dataset_destroy(data);
        text_buffer_clear(&text);
    }
}

/* The word comes after the column has long looked continuous. */
static void a_late_word_makes_a_column_of_numbers_discrete(void **state) {
    text_buffer text = {0};
    dataset *data;
    (void)state;
    text_append(&text, "x,y\n");
    for (int i = 0; i < 300; i++)
        text_append_format(&text, "%d,%d.5\n", i, i);
    text_append(&text, "word,0.5\n7,0.5\n");
    data = parse_well(text.data);
    assert_int_equal(dataset_state_count(data, 0), 301);
    assert_int_equal(dataset_variable(data, 1)->kind, VARIABLE_CONTINUOUS);
    assert_string_equal(dataset_variable(data, 0)->states[dataset_state(data, 300, 0)], "word");
    assert_string_equal(dataset_variable(data, 0)->states[dataset_state(data, 301, 0)], "7");
    assert_string_equal(dataset_variable(data, 0)->states[dataset_state(data, 299, 0)], "299");
    dataset_destroy(data);
    text_buffer_clear(&text);
}

static void quotes_line_ends_and_a_byte_order_mark_are_read(void **state) {
    dataset *data = parse_well("\xEF\xBB\xBF\"a,1\",\"say \"\"x\"\"\",\xC3\xA9t\xC3\xA9\r\n"
                               "\"two\nlines\",\"\"\"\",\xC3\xB6\r\n"
                               "a\"b,\"p,q\", blank \n"
                               "x,y,\"z\"\n\r\n\n");
    (void)state;
    assert_int_equal(dataset_row_count(data), 3);
    assert_string_equal(dataset_variable(data, 0)->name, "a,1");
    assert_string_equal(dataset_variable(data, 1)->name, "say \"x\"");
    assert_string_equal(dataset_variable(data, 2)->name, "\xC3\xA9t\xC3\xA9");
    assert_states(data, 0, "a\"b|two\nlines|x");
    assert_states(data, 1, "\"|p,q|y");
    assert_states(data, 2, " blank |z|\xC3\xB6");
    dataset_destroy(data);
}

static void given_state_spaces_are_matched_by_name(void **state) {
    static const char text[] = "c,b\n1e2,NA\n-.5,large";
    variable given[3];
    dataset *data = NULL;
    schema_origin origin = SCHEMA_INFERRED;
    error_info err = {0};
    (void)state;
    make_given(given);
    assert_ok(
        dataset_parse_csv(text, strlen(text), &(data_reading){.given = given, .n_given = 3}, &data, &origin, &err),
        &err);
    assert_int_equal(origin, SCHEMA_GIVEN);
    assert_int_equal(dataset_column_count(data), 2);
    assert_states(data, 1, "small|NA|large"); /* NA is a state here */
    assert_int_equal(dataset_state(data, 0, 1), 1);
    assert_int_equal(dataset_state(data, 1, 1), 2);
    assert_close(dataset_reals(data, 0)[0], 100, 0);
    assert_close(dataset_reals(data, 0)[1], -0.5, 0);
    dataset_destroy(data);
    clear_given(given);
}

static void more_than_256_states_take_two_bytes(void **state) {
    text_buffer text = {0};
    dataset *data;
    (void)state;
    text_append(&text, "x\n");
    for (int i = 0; i < 1000; i++)
        text_append_format(&text, "w%03d\n", i % 400);
    data = parse_well(text.data);
    assert_null(dataset_bytes(data, 0));
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(dataset_words(data, 0)[i], i % 400);
    dataset_destroy(data);
    text_buffer_clear(&text);
}

/* ---- what is refused ---- */

static void bad_rows_are_refused_with_line_and_column(void **state) {
    (void)state;
    assert_refused("", "line 1, column 1: expected a header");
    assert_refused("\n\n", "line 1, column 1: expected a header");
    assert_refused("a,b\n", "expected rows below the header");
    assert_refused("a,b,a\n1,2,3\n", "line 1, column 3: a second column named 'a'");
    assert_refused("a,,c\n1,2,3\n", "line 1, column 2: expected the name of a column");
    assert_refused("a,b,c\n1,2,3\n4,5\n", "line 3, column 2: expected 3 fields as in the header, found 2");
    assert_refused("a,b,c\n1,2,3\n4,5,6,7\n", "line 3, column 3: expected 3 fields as in the header, found more");
    assert_refused("a,b\n1,2\n\n3,4\n", "line 3, column 1: expected 2 fields as in the header, found 1");
    assert_refused("a,b\n\"x\ny\",2\n3\n", "line 4, column 1: expected 2 fields"); /* a quoted line end counts */
    assert_refused("a,b\n1,\"2\n3,4\n", "line 2, column 2: expected a closing quote");
    assert_refused("a,b\n1,\"2\"x\n", "line 2, column 2: expected ',' or the end of the line");
}

static void missing_values_are_refused_with_line_and_column(void **state) {
    static const char *const words[] = {"", "NA", "NaN", "?", "null"};
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "a,b\n1,2\n3,%s\n", words[i]);
        assert_refused(text, "line 3, column 2: a missing value");
        (void)snprintf(text, sizeof text, "a,b\n1,2.5\n3,%s\n", words[i]);
        assert_refused(text, "line 3, column 2: a missing value");
        (void)snprintf(text, sizeof text, "a,b\n1,x\n3,\"%s\"\n", words[i]);
        assert_refused(text, "of 'b'; every cell needs one");
    }
    assert_refused("a\n1\n\n2\n", "line 3, column 1: a missing value of 'a'");
}

static void values_outside_the_given_state_space_are_refused(void **state) {
    variable given[3];
    (void)state;
    make_given(given);
    assert_refused_given("a\nyes\nmaybe\n", given, 3,
                         "line 3, column 1: 'maybe' is not a state of 'a'; expected one of 2: yes, no");
    assert_refused_given("a\nyes\n?\n", given, 3, "line 3, column 1: a missing value ('?') of 'a'");
    assert_refused_given("c\n1\none\n", given, 3, "line 3, column 1: expected a number for 'c', found 'one'");
    assert_refused_given("c\n1\n0x10\n", given, 3, "expected a number");
    assert_refused_given("c\n1\nNaN\n", given, 3, "line 3, column 1: a missing value");
    assert_refused_given("aa\n1\n", given, 3, "the column 'aa' is not among the 3 variables given; did you mean 'a'?");
    assert_refused_given("zebra\n1\n", given, 3, "the column 'zebra' is not among the 3 variables given");
    clear_given(given);
}

static void too_many_states_are_refused(void **state) {
    text_buffer text = {0};
    (void)state;
    text_append(&text, "x\n");
    for (int i = 0; i <= 65536; i++)
        text_append_format(&text, "w%d\n", i);
    assert_refused(text.data, "line 65538, column 1: 'x' has more than 65536 different values");
    text_buffer_clear(&text);
}

static void a_nul_byte_is_refused(void **state) {
    static const char text[] = "a,b\n1,x\0y\n";
    dataset *data = NULL;
    error_info err = {0};
    (void)state;
    assert_int_equal(dataset_parse_csv(text, sizeof text - 1, NULL, &data, NULL, &err), STATUS_PARSE);
    assert_message_has(&err, "line 2, column 2: expected text, found a NUL byte");
}

static void garbage_is_answered_quickly(void **state) {
    enum { CASES = 2000, LENGTH = 3000 };
    static const char alphabet[] = ",,,,\n\n\"\"01.5eab\r\xC3\xA9?NA";
    random_stream random;
    char *text = calloc(1, LENGTH + 1);
    (void)state;
    random_stream_init(&random, random_key_of(8));
    for (size_t i = 0; i < CASES; i++) {
        size_t n = (size_t)random_below(&random, LENGTH);
        double before = run_cpu_s();
        dataset *data = NULL;
        error_info err = {0};
        for (size_t c = 0; c < n; c++)
            text[c] = alphabet[random_below(&random, sizeof alphabet - 1)];
        if (dataset_parse_csv(text, n, NULL, &data, NULL, &err) != STATUS_OK)
            assert_message_has(&err, "line ");
        dataset_destroy(data);
        assert_between(run_cpu_s() - before, 0, 10);
    }
    free(text);
}

/* ---- files ---- */

static void what_is_written_reads_back(void **state) {
    static const char *const odd[] = {"",      "NA",  "a|b",    "back\\slash", "tail\\",
                                      "\"q\"", "x,y", " blank", "two\nlines",  "\xC3\xBC"};
    static const char *const names[] = {"plain.csv", "packed.csv.gz", "no ending", "sp ace '\xC3\xA4'.csv"};
    const char *folder = scratch_folder();
    variable v[3] = {0};
    dataset *data = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(variable_init_discrete(&v[0], "odd, \"name\"", odd, 10, &err), &err);
    assert_ok(variable_init_continuous(&v[1], "real", &err), &err);
    assert_ok(variable_init_discrete(&v[2], "unseen", odd + 2, 8, &err), &err);
    assert_ok(dataset_create(v, 3, 10, &data, &err), &err);
    for (size_t i = 0; i < 10; i++) {
        dataset_set_state(data, i, 0, i);
        dataset_build_reals(data, 1)[i] = (double)i / 7 - 0.3;
    }
    for (size_t i = 0; i < 4; i++) {
        char *path = path_join(folder, names[i]), *schema = dataset_schema_path(path);
        dataset *again = NULL;
        schema_origin origin = SCHEMA_INFERRED;
        assert_ok(dataset_write_csv(data, path, &err), &err);
        assert_true(file_exists(schema));
        assert_ok(dataset_read(path, NULL, &again, &origin, &err), &err);
        assert_int_equal(origin, SCHEMA_SIDECAR);
        assert_same_data(data, again);
        dataset_destroy(again);
        again = NULL;
        assert_ok(dataset_read(path, &(data_reading){.given = v, .n_given = 3}, &again, &origin, &err), &err);
        assert_same_data(data, again);
        dataset_destroy(again);
        free(path);
        free(schema);
    }
    dataset_destroy(data);
    for (size_t i = 0; i < 3; i++)
        variable_clear(&v[i]);
}

static void one_column_of_an_empty_state_reads_back(void **state) {
    static const char *const states[] = {"", "x"};
    variable v = {0};
    dataset *data = NULL, *again = NULL;
    char *path = path_join(scratch_folder(), "x.csv");
    error_info err = {0};
    (void)state;
    assert_ok(variable_init_discrete(&v, "v", states, 2, &err), &err);
    assert_ok(dataset_create(&v, 1, 3, &data, &err), &err);
    dataset_set_state(data, 1, 0, 1);
    assert_ok(dataset_write_csv(data, path, &err), &err);
    assert_ok(dataset_read(path, NULL, &again, NULL, &err), &err);
    assert_same_data(data, again);
    dataset_destroy(data);
    dataset_destroy(again);
    variable_clear(&v);
    free(path);
}

static void the_sidecar_lies_beside_the_file(void **state) {
    static const char *const cases[][2] = {{"x/NAME.csv", "x/NAME.schema.csv"},
                                           {"x/NAME.csv.gz", "x/NAME.schema.csv"},
                                           {"NAME", "NAME.schema.csv"},
                                           {"a.csv/NAME.txt.gz", "a.csv/NAME.txt.schema.csv"}};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char *path = dataset_schema_path(cases[i][0]);
        assert_string_equal(path, cases[i][1]);
        free(path);
    }
}

static dataset *read_beside(const char *csv, const char *schema, error_info *err) {
    const char *folder = scratch_folder();
    char *path = write_text(folder, "x.csv", csv), *side = write_text(folder, "x.schema.csv", schema);
    dataset *data = NULL;
    schema_origin origin = SCHEMA_INFERRED;
    status st = dataset_read(path, NULL, &data, &origin, err);
    assert_int_equal(st == STATUS_OK, data != NULL);
    if (data)
        assert_int_equal(origin, SCHEMA_SIDECAR);
    else
        assert_int_equal(st, STATUS_PARSE);
    free(path);
    free(side);
    return data;
}

static void a_sidecar_without_states_takes_them_from_the_values(void **state) {
    error_info err = {0};
    dataset *data = read_beside("n,w,zero,one,c\n1,b,0,3,1\n2,a,2,2,2\n",
                                "column,type,cardinality\nn,discrete,2\nw,discrete,2\nzero,discrete,3\none,discrete,3\n"
                                "c,continuous,2\nmore,discrete,7\n",
                                &err);
    (void)state;
    assert_non_null(data);
    assert_states(data, 0, "1|2");
    assert_states(data, 1, "a|b");
    assert_states(data, 2, "0|1|2");
    assert_states(data, 3, "1|2|3");
    assert_int_equal(dataset_state(data, 0, 3), 2);
    assert_int_equal(dataset_variable(data, 4)->kind, VARIABLE_CONTINUOUS);
    dataset_destroy(data);
}

static void a_bad_sidecar_is_refused_with_its_name_and_place(void **state) {
    static const struct {
        const char *schema, *message;
    } cases[] = {
        {"column,type\na,discrete\n", "x.schema.csv: line 1, column 2: expected the header"},
        {"", "expected the header column,type,cardinality,states"},
        {"column,type,cardinality\na,discreet,2\n",
         "line 2, column 3: expected the type discrete or continuous, found 'discreet'"},
        {"column,type,cardinality\na,discrete,-2\n", "expected a cardinality from 1 to 65536, found '-2'"},
        {"column,type,cardinality\na,discrete,x\n", "found 'x'"},
        {"column,type,cardinality\na,discrete\n", "line 2, column 2: expected 3 fields"},
        {"column,type,cardinality\na,discrete,2\na,discrete,2\n", "line 3, column 3: a second row for 'a'"},
        {"column,type,cardinality\nb,discrete,2\n", "no row for the column 'a'"},
        {"column,type,cardinality,states\na,discrete,3,x|y\n", "the cardinality is 3, but 2 states are listed"},
        {"column,type,cardinality,states\na,discrete,,x|x\n", "a state is listed twice"},
        {"column,type,cardinality,states\na,discrete,,\n", "expected a cardinality or the states"},
        {"column,type,cardinality,states\na,discrete,,y|z\n", "line 2, column 1: 'x' is not a state of 'a'"},
        {"column,type,cardinality\na,discrete,4\n", "declares 4 states of 'a' without listing them, the data hold 2"},
        {"column,type,cardinality\na,discrete,1\n", "declares 1 states of 'a'"},
        {"column,type,cardinality\na,continuous,1\n", "expected a number for 'a', found 'x'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        error_info err = {0};
        assert_null(read_beside("a\nx\ny\n", cases[i].schema, &err));
        assert_message_has(&err, "x.csv");
        assert_message_has(&err, cases[i].message);
    }
}

static void a_device_gets_no_sidecar_and_missing_files_are_missing(void **state) {
    dataset *data = make_eight_rows(), *none = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(dataset_write_csv(data, "/dev/null", &err), &err);
    assert_false(file_exists("/dev/null.schema.csv"));
    assert_int_equal(dataset_read("/nowhere/x.csv", NULL, &none, NULL, &err), STATUS_MISSING);
    assert_message_has(&err, "/nowhere/x.csv");
    assert_null(none);
    dataset_destroy(data);
}

static void a_sample_of_a_network_reads_back_with_its_state_spaces(void **state) {
    bayes_net *net = NULL;
    random_stream random;
    dataset *data = NULL, *again = NULL;
    text_buffer text = {0};
    error_info err = {0};
    (void)state;
    assert_ok(bif_read(source_path("networks/child.bif"), &net, NULL, &err), &err);
    random_stream_init(&random, random_key_of(1));
    assert_ok(sample_network(net, 30, &random, &data, &err), &err);
    dataset_append_csv(data, &text);
    assert_ok(dataset_parse_csv(text.data, text.length,
                                &(data_reading){.given = bayes_net_variables(net), .n_given = 20}, &again, NULL, &err),
              &err);
    assert_same_data(data, again);
    text_buffer_clear(&text);
    dataset_destroy(data);
    dataset_destroy(again);
    bayes_net_destroy(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_spaces_are_inferred_from_the_values),
        cmocka_unit_test(more_than_64_whole_numbers_are_continuous),
        cmocka_unit_test(a_late_word_makes_a_column_of_numbers_discrete),
        cmocka_unit_test(quotes_line_ends_and_a_byte_order_mark_are_read),
        cmocka_unit_test(given_state_spaces_are_matched_by_name),
        cmocka_unit_test(more_than_256_states_take_two_bytes),
        cmocka_unit_test(bad_rows_are_refused_with_line_and_column),
        cmocka_unit_test(missing_values_are_refused_with_line_and_column),
        cmocka_unit_test(values_outside_the_given_state_space_are_refused),
        cmocka_unit_test(too_many_states_are_refused),
        cmocka_unit_test(a_nul_byte_is_refused),
        cmocka_unit_test(garbage_is_answered_quickly),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(one_column_of_an_empty_state_reads_back),
        cmocka_unit_test(the_sidecar_lies_beside_the_file),
        cmocka_unit_test(a_sidecar_without_states_takes_them_from_the_values),
        cmocka_unit_test(a_bad_sidecar_is_refused_with_its_name_and_place),
        cmocka_unit_test(a_device_gets_no_sidecar_and_missing_files_are_missing),
        cmocka_unit_test(a_sample_of_a_network_reads_back_with_its_state_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
