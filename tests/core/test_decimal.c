/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/decimal.h"
#include "core/base/text_set.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_reads_as_strtod(const char *text) {
    double value = 0;
    const char *end = text + strlen(text);
    if (decimal_read(text, end, &value) != end || value != strtod(text, NULL))
        fail_msg("'%s' reads as %.17g, strtod says %.17g", text, value, strtod(text, NULL));
}

/* strtod of the C library is exact; ours must agree to the bit on all paths. */
static void random_decimals_read_as_strtod_reads_them(void **state) {
    random_stream random;
    char text[128];
    (void)state;
    random_stream_init(&random, random_key_of(1));
    for (int i = 0; i < 100000; i++) {
        int whole = (int)random_below(&random, 4), fraction = (int)random_below(&random, 25);
        int exponent = (int)random_below(&random, 60) - 30;
        size_t n = 0;
        for (int d = 0; d < whole; d++)
            text[n++] = (char)('0' + random_below(&random, 10));
        text[n++] = '.';
        for (int d = 0; d < fraction + (whole == 0); d++)
            text[n++] = (char)('0' + random_below(&random, 10));
        text[n] = '\0';
        if (random_below(&random, 3) == 0)
            (void)snprintf(text + n, sizeof text - n, "e%d", exponent);
        assert_reads_as_strtod(text);
    }
}

static void doubles_printed_with_17_digits_read_back(void **state) {
    random_stream random;
    (void)state;
    random_stream_init(&random, random_key_of(2));
    for (int i = 0; i < 50000; i++) {
        char text[40];
        double value = random_uniform(&random) * pow(10, (double)random_below(&random, 40) - 20), back = 0;
        (void)snprintf(text, sizeof text, "%.17g", value);
        assert_non_null(decimal_read(text, text + strlen(text), &back));
        assert_true(back == value);
    }
}

static void hard_cases_read_as_strtod_reads_them(void **state) {
    static const char *const cases[] = {"0",
                                        "-0.0",
                                        "+7",
                                        "1e22",
                                        "1e23",
                                        "9007199254740993",
                                        "9007199254740992e1",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "0.000000000000000000000000000000000000000000000000000000000000001",
                                        "4.9406564584124654e-324",
                                        "2.4703282292062327e-324",
                                        "2.2250738585072011e-308",
                                        "1.7976931348623157e308",
                                        "1e400",
                                        "1e-400",
                                        "0e99999999999999999999",
                                        "1e99999999999999999999",
                                        "1e-99999999999999999999",
                                        "8.98846567431158e307",
                                        "6.02214076e23"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_reads_as_strtod(cases[i]);
}

static void very_long_numbers_are_exact_too(void **state) {
    enum { DIGITS = 5000 };
    char *text = malloc(DIGITS + 3);
    (void)state;
    memcpy(text, "0.", 2);
    memset(text + 2, '3', DIGITS);
    text[DIGITS + 2] = '\0';
    assert_reads_as_strtod(text);
    text[1] = '3'; /* some 1e4999: an infinity */
    assert_reads_as_strtod(text);
    free(text);
}

static void reading_stops_behind_the_number_and_at_the_end(void **state) {
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"1.5,2", 3}, {"1e", 1}, {"1e+", 1}, {"1.e5x", 4}, {".5.5", 2}, {"12 ", 2}, {"0x10", 1}, {"1-2", 1}};
    static const char *const none[] = {"", ".", "-", "+.", "e5", "nan", "inf", "-inf", " 1", ",1"};
    static const char large[] = "1e400";
    double value = 7;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        assert_ptr_equal(decimal_read(text, text + strlen(text), &value), text + cases[i].length);
        assert_false(decimal_is_number(text, text + strlen(text), &value));
    }
    value = 7;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(decimal_read(none[i], none[i] + strlen(none[i]), &value));
    assert_false(decimal_is_number(large, large + strlen(large), &value));
    assert_true(value == 7);
}

/* A locale with a decimal comma, where there is one, changes nothing. */
static void the_locale_does_not_matter(void **state) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    const char *text = "0.12345678901234567890123";
    double plain = 0, value = 0;
    bool found = false;
    (void)state;
    assert_non_null(decimal_read(text, text + strlen(text), &plain));
    for (size_t i = 0; i < 3 && !found; i++)
        found = setlocale(LC_ALL, names[i]) != NULL;
    assert_non_null(decimal_read(text, text + strlen(text), &value));
    (void)setlocale(LC_ALL, "C");
    assert_that(value, ==, plain);
    assert_that(plain, >, 0.12);
    assert_that(plain, <, 0.13);
    if (!found)
        skip();
}

static void a_set_of_texts_numbers_them_as_they_come(void **state) {
    text_set set = {0};
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < 3000; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, i % 3 ? "%zu" : "a rather long name of number %zu", i);
        assert_true(text_set_find(&set, text, strlen(text)) == NAME_NONE);
        assert_ok(text_set_add(&set, text, strlen(text), &err), &err);
        for (size_t k = i < 20 ? 0 : i; k <= i; k++) { /* small sets are searched in another way */
            assert_int_equal(text_set_find(&set, set.texts[k], set.lengths[k]), k);
        }
    }
    assert_int_equal(text_set_find(&set, "17xyz", 2), 17); /* the length counts */
    assert_true(text_set_find(&set, "", 0) == NAME_NONE);
    text_set_clear(&set);
    assert_true(text_set_find(&set, "17", 2) == NAME_NONE);
}

static void texts_that_differ_in_length_or_zeros_alone_are_different(void **state) {
    text_set set = {0};
    error_info err = {0};
    (void)state;
    assert_ok(text_set_add(&set, "\0", 1, &err), &err);
    assert_ok(text_set_add(&set, "\0\0", 2, &err), &err);
    assert_ok(text_set_add(&set, "1234567", 7, &err), &err);
    assert_ok(text_set_add(&set, "12345678", 8, &err), &err);
    assert_ok(text_set_add(&set, "", 0, &err), &err);
    assert_int_equal(text_set_find(&set, "\0\0", 2), 1);
    assert_int_equal(text_set_find(&set, "12345678", 7), 2);
    assert_int_equal(text_set_find(&set, "12345678", 8), 3);
    assert_int_equal(text_set_find(&set, "x", 0), 4);
    text_set_clear(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_decimals_read_as_strtod_reads_them),
        cmocka_unit_test(doubles_printed_with_17_digits_read_back),
        cmocka_unit_test(hard_cases_read_as_strtod_reads_them),
        cmocka_unit_test(very_long_numbers_are_exact_too),
        cmocka_unit_test(reading_stops_behind_the_number_and_at_the_end),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(a_set_of_texts_numbers_them_as_they_come),
        cmocka_unit_test(texts_that_differ_in_length_or_zeros_alone_are_different),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
