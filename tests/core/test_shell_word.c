/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/shell_word.h"

#include <string.h>

static void a_line_is_parted_as_sh_parts_it(void **state) {
    static const char *const lines[] = {
        "a b  c",      "  'a b' \"c d\" ",         "a\\ b 'it'\\''s'", "\"say \\\"x\\\"\" 'a\\b'",
        "'' \"\" x''", "-t 1-{tasks} \t {script}", "a;b$(c)`d`|e>f",   ""};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char **words = NULL, *expected = NULL, *errors = NULL;
        size_t n = 0;
        error_info err = {0};
        AUTO(text_buffer_clear) text_buffer got = {0}, script = {0};
        if (strchr(lines[i], ';')) /* for sh these are more than words */
            text_append_format(&script, "printf '<%%s>' '%s'", lines[i]);
        else
            text_append_format(&script, "set -- %s; for w do printf '<%%s>' \"$w\"; done", lines[i]);
        assert_int_equal(run_program((const char *const[]){"sh", "-c", script.data, NULL}, &expected, &errors), 0);
        assert_ok(shell_split_words(lines[i], &words, &n, &err), &err);
        for (size_t w = 0; w < n; w++)
            text_append_format(&got, "<%s>", words[w]);
        assert_string_equal(got.data ? got.data : "", expected);
        texts_destroy(words, n);
        free(expected);
        free(errors);
    }
}

static void what_is_not_closed_is_refused(void **state) {
    static const char *const bad[] = {"a 'b", "\"", "a\\"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char **words = NULL;
        size_t n = 0;
        error_info err = {0};
        assert_int_equal(shell_split_words(bad[i], &words, &n, &err), STATUS_INVALID);
        texts_destroy(words, n);
    }
}

static void a_word_that_is_appended_is_read_back(void **state) {
    static const char *const all[] = {"plain", "a b", "it's", "$(x)`y`;\\", "", "\"q\"", "new\nline"};
    AUTO(text_buffer_clear) text_buffer line = {0};
    char **words = NULL;
    size_t n = 0;
    error_info err = {0};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        text_append(&line, " ");
        shell_append_word(&line, all[i]);
    }
    assert_ok(shell_split_words(line.data, &words, &n, &err), &err);
    assert_int_equal(n, sizeof all / sizeof *all);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(words[i], all[i]);
    texts_destroy(words, n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_parted_as_sh_parts_it),
        cmocka_unit_test(what_is_not_closed_is_refused),
        cmocka_unit_test(a_word_that_is_appended_is_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
