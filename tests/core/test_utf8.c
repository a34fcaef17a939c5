/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/status.h"
#include "core/base/utf8.h"

#include <string.h>

/* The characters at which the length changes, and their neighbours that are none (Unicode 15, table 3-7). */
static void a_character_is_read_whole_or_not_at_all(void **state) {
    static const struct {
        const char *bytes;
        size_t length;
        uint32_t code;
    } cases[] = {
        {"A", 1, 'A'},
        {"\x7F", 1, 0x7F},
        {"\xC2\x80", 2, 0x80},
        {"\xDF\xBF", 2, 0x7FF},
        {"\xE0\xA0\x80", 3, 0x800},
        {"\xED\x9F\xBF", 3, 0xD7FF},
        {"\xEE\x80\x80", 3, 0xE000},
        {"\xEF\xBF\xBF", 3, 0xFFFF},
        {"\xF0\x90\x80\x80", 4, 0x10000},
        {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
        {"\x80", 0, 0},             /* an inner byte */
        {"\xBF", 0, 0},             /* the last of them */
        {"\xC0\x80", 0, 0},         /* overlong forms of NUL, 0x7F, 0x7FF and 0xFFFF */
        {"\xC1\xBF", 0, 0},         /* */
        {"\xE0\x9F\xBF", 0, 0},     /* */
        {"\xF0\x8F\xBF\xBF", 0, 0}, /* */
        {"\xED\xA0\x80", 0, 0},     /* surrogates, the first and the last */
        {"\xED\xBF\xBF", 0, 0},     /* */
        {"\xF4\x90\x80\x80", 0, 0}, /* past the last code point */
        {"\xF5\x80\x80\x80", 0, 0}, /* bytes that no character begins with */
        {"\xFE", 0, 0},             /* */
        {"\xFF", 0, 0},             /* */
        {"\xC2", 0, 0},             /* not whole, or followed by something else */
        {"\xC2 ", 0, 0},            /* */
        {"\xE2\x82", 0, 0},         /* */
        {"\xF0\x9F\x98", 0, 0},     /* */
        {"\xE2\x82\xC2", 0, 0},     /* */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t code = 0;
        size_t length = utf8_read(cases[i].bytes, SIZE_MAX, &code);
        if (length != cases[i].length || code != cases[i].code)
            fail_msg("case %zu: %zu bytes, U+%04X; expected %zu, U+%04X", i, length, (unsigned)code, cases[i].length,
                     (unsigned)cases[i].code);
        for (size_t n = 1; n < length; n++)
            assert_int_equal(utf8_read(cases[i].bytes, n, NULL), 0);
    }
    assert_int_equal(utf8_read("", SIZE_MAX, NULL), 1);
}

/* Every code point, written by the definition and read back. */
static void every_code_point_is_read_back(void **state) {
    (void)state;
    for (uint32_t code = 1; code <= 0x10FFFF; code++) {
        char s[5] = {0};
        size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        uint32_t found = 0;
        for (size_t i = n; i-- > 1;)
            s[i] = (char)(0x80 | (code >> 6 * (n - 1 - i) & 0x3F));
        s[0] = (char)(n == 1 ? code : (0xF00u >> n & 0xFF) | code >> 6 * (n - 1));
        bool is_surrogate = code >= 0xD800 && code < 0xE000;
        if (utf8_read(s, SIZE_MAX, &found) != (is_surrogate ? 0 : n) || found != (is_surrogate ? 0 : code))
            fail_msg("U+%04X is read as U+%04X", (unsigned)code, (unsigned)found);
    }
}

static bool is_utf8(const char *s) {
    for (size_t n; *s; s += n) {
        if ((n = utf8_read(s, SIZE_MAX, NULL)) == 0)
            return false;
    }
    return true;
}

static const char mixed[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z\xC3\xA9\xE2\x82\xAC"; /* a é € 😀 z é € */

static void a_text_is_never_cut_inside_a_character(void **state) {
    size_t n = strlen(mixed);
    (void)state;
    for (size_t most = 0; most <= n + 2; most++) {
        char copy[sizeof mixed] = "";
        size_t cut = utf8_cut(mixed, n, most);
        memcpy(copy, mixed, cut);
        assert_true(is_utf8(copy));
        assert_in_range(cut, most < 3 ? 0 : most - 3 < n ? most - 3 : n, most < n ? most : n);
        if (most >= n)
            assert_int_equal(cut, n);
    }
}

static void half_a_character_at_the_end_is_dropped(void **state) {
    size_t n = strlen(mixed);
    (void)state;
    for (size_t most = 0; most <= n; most++) {
        char copy[sizeof mixed] = "";
        memcpy(copy, mixed, most);
        utf8_trim(copy);
        assert_true(is_utf8(copy));
        assert_int_equal(strlen(copy), utf8_cut(mixed, n, most));
    }
}

static void bytes_of_no_character_become_question_marks(void **state) {
    char text[] = "\xFF"
                  "a\x01\tb\n\xC3(\xED\xA0\x80\xC3\xA9\x7F\xC2\x9B\xE2\x82";
    (void)state;
    utf8_clean(text);
    assert_string_equal(text, "?a?\tb\n?(???\xC3\xA9?????");
}

/* The buffer of a message is smaller than what goes into it, whatever byte it ends at. */
static void a_long_message_ends_with_a_whole_character(void **state) {
    error_info err = {0};
    char name[2 * sizeof err.message] = "";
    (void)state;
    for (size_t first = 0; first < 4; first++) {
        memset(name, 'x', first);
        for (size_t at = first; at + 4 < sizeof name; at += 4)
            memcpy(name + at, "\xF0\x9F\x98\x80", 5);
        assert_int_equal(error_set(&err, STATUS_INVALID, "%s", name), STATUS_INVALID);
        assert_true(is_utf8(err.message));
        assert_in_range(strlen(err.message), sizeof err.message - 4, sizeof err.message - 1);
        error_context(&err, "%s", "the place");
        assert_true(is_utf8(err.message));
        assert_int_equal(error_set(&err, STATUS_INVALID, "'%.102s'", name), STATUS_INVALID);
        error_context(&err, "%s", name);
        assert_true(is_utf8(err.message));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_character_is_read_whole_or_not_at_all),
        cmocka_unit_test(every_code_point_is_read_back),
        cmocka_unit_test(a_text_is_never_cut_inside_a_character),
        cmocka_unit_test(half_a_character_at_the_end_is_dropped),
        cmocka_unit_test(bytes_of_no_character_become_question_marks),
        cmocka_unit_test(a_long_message_ends_with_a_whole_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
