/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void a_number_is_the_whole_text_or_none(void **state) {
    static const char *const bad[] = {"", " 1", "1 ", "1x", "nan", "inf", "1e999", "--1", "0x"};
    double real;
    int64_t whole;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(text_to_double(bad[i], &real));
    assert_true(text_to_double("-1.5e3", &real));
    assert_that(real, ==, -1500);
    assert_true(text_to_int("-9223372036854775808", &whole));
    assert_int_equal(whole, INT64_MIN);
    assert_false(text_to_int("9223372036854775808", &whole));
    assert_false(text_to_int("1.0", &whole));
}

static void sizes_and_durations_take_units(void **state) {
    uint64_t bytes;
    double seconds;
    (void)state;
    assert_true(text_to_bytes("4GiB", &bytes));
    assert_int_equal(bytes, (uint64_t)4 << 30);
    assert_true(text_to_bytes("1.5kB", &bytes));
    assert_int_equal(bytes, 1500);
    assert_false(text_to_bytes("-1GiB", &bytes));
    assert_false(text_to_bytes("4 G", &bytes));
    assert_true(text_to_seconds("1h", &seconds));
    assert_that(seconds, ==, 3600);
    assert_true(text_to_seconds("20s", &seconds));
    assert_that(seconds, ==, 20);
    assert_false(text_to_seconds("soon", &seconds));
}

static void the_shortest_decimal_reads_back_as_the_same_double(void **state) {
    random_stream random;
    char buffer[32];
    (void)state;
    random_stream_init(&random, random_key_of(10));
    assert_string_equal(text_from_double(0.1, buffer), "0.1");
    assert_string_equal(text_from_double(5, buffer), "5");
    for (int i = 0; i < 10000; i++) {
        uint64_t bits = random_next(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_true(strtod(text_from_double(value, buffer), NULL) == value);
    }
}

static void a_typo_finds_its_neighbour_and_noise_finds_none(void **state) {
    static const char *const names[] = {"mmhc", "pmmhc", "samples", "hailfinder"};
    (void)state;
    assert_string_equal(text_nearest("mhmc", names, 4), "mmhc");
    assert_string_equal(text_nearest("Sample", names, 4), "samples");
    assert_string_equal(text_nearest("halfinder", names, 4), "hailfinder");
    assert_null(text_nearest("zzzzzzzz", names, 4));
    assert_null(text_nearest("", names, 4));
}

static void a_csv_field_is_quoted_where_it_must_be(void **state) {
    text_buffer b = {0};
    (void)state;
    text_append_csv(&b, "plain");
    text_append(&b, ",");
    text_append_csv(&b, "a \"b\", c");
    assert_string_equal(b.data, "plain,\"a \"\"b\"\", c\"");
    text_buffer_clear(&b);
}

static void a_label_that_looks_like_a_formula_has_an_apostrophe_in_front(void **state) {
    static const char *const labels[][2] = {
        {"=1+1", "'=1+1"}, {"+a", "'+a"},        {"-b,c", "\"'-b,c\""}, {"@x", "'@x"}, {"\ta", "'\ta"},
        {"-5", "-5"},      {"+1.5e3", "+1.5e3"}, {"a=b", "a=b"},        {"", ""},      {"=\"x\"", "\"'=\"\"x\"\"\""}};
    (void)state;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        text_buffer b = {0};
        text_append(&b, "");
        text_append_csv_label(&b, labels[i][0]);
        assert_string_equal(b.data ? b.data : "", labels[i][1]);
        text_buffer_clear(&b);
    }
}

static void a_context_stands_in_front_of_the_message(void **state) {
    error_info err = {0};
    (void)state;
    assert_int_equal(error_set(&err, STATUS_PARSE, "found '%s'", "x"), STATUS_PARSE);
    error_context(&err, "line %d", 3);
    assert_string_equal(err.message, "line 3: found 'x'");
    for (int i = 0; i < 200; i++)
        error_context(&err, "far too long a context");
    assert_true(strlen(err.message) < sizeof err.message);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_the_whole_text_or_none),
        cmocka_unit_test(sizes_and_durations_take_units),
        cmocka_unit_test(the_shortest_decimal_reads_back_as_the_same_double),
        cmocka_unit_test(a_typo_finds_its_neighbour_and_noise_finds_none),
        cmocka_unit_test(a_csv_field_is_quoted_where_it_must_be),
        cmocka_unit_test(a_context_stands_in_front_of_the_message),
        cmocka_unit_test(a_label_that_looks_like_a_formula_has_an_apostrophe_in_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
