/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/base/text_fold.h"

static void assert_folded(const char *text, size_t width, const char *expected) {
    text_buffer out = {0};
    text_fold(text, width, &out);
    assert_false(out.failed);
    assert_string_equal(out.data ? out.data : "", expected);
    text_buffer_clear(&out);
}

static void lines_are_folded_between_words(void **state) {
    (void)state;
    assert_folded("", 20, "");
    assert_folded("as it is, however long it may be\n\n", 0, "as it is, however long it may be\n\n");
    assert_folded("one two three four five six\nshort\n", 20, "one two three four\n  five six\nshort\n");
    assert_folded("  in as deep as it began so far\n", 20, "  in as deep as it\n    began so far\n");
    assert_folded("name    words in a second column", 20, "name    words in a\n        second\n        column");
    assert_folded("averylongwordwithoutanyblankinit end", 20, "averylongwordwithoutanyblankinit\n  end");
    assert_folded("\xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4\xC3\xB6\xC3\xBC", 11,
                  "\xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4\xC3\xB6\xC3\xBC");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_folded_between_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
