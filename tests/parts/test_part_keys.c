/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of parts as people read them: `bnbench info` and the manual. */
#include "core/base/file.h"
#include "parts/keys.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* Where this fails, `bnbench info --kind part tables` (tests, plots) prints what the page should hold. */
static void the_manual_has_the_keys_of_every_kind(void **state) {
    char *page = NULL;
    size_t length;
    error_info err = {0};
    (void)state;
    assert_ok(file_read(source_path("docs/experiment-file.md"), FILE_READ_MOST, &page, &length, &err), &err);
    for (part_group g = PART_TABLE; g < PART_GROUP_COUNT; g++) {
        text_buffer keys = {0};
        assert_ok(part_append_keys(g, &keys, &err), &err);
        if (!strstr(page, keys.data))
            fail_msg("docs/experiment-file.md has other keys of %s than these:\n%s", part_group_at(g)->key, keys.data);
        text_buffer_clear(&keys);
    }
    free(page);
}

static void assert_tells(part_group group, const char *kind, const char *key, const char *value, const char *usual) {
    const option_spec *spec = options_find(part_find(group, kind)->options, key);
    text_buffer text = {0};
    part_key_append_value(spec, &text);
    assert_string_equal(text.data, value);
    text.length = 0;
    part_key_append_usual(spec, &text);
    assert_string_equal(text.data, usual);
    text_buffer_clear(&text);
}

static void a_key_tells_its_values_and_what_holds_without_it(void **state) {
    (void)state;
    assert_tells(PART_TABLE, "metric", "columns", "samples|network|learner|sigma", "learner");
    assert_tells(PART_TABLE, "metric", "metric", "a metric", "required");
    assert_tells(PART_TABLE, "metric", "decimals", "0 to 10", "by the values");
    assert_tells(PART_TEST, "friedman", "alpha", "0 to 1", "0.05");
    assert_tells(PART_TEST, "wilcoxon", "reference", "the id of a learner", "all pairs");
    assert_tells(PART_PLOT, "scatter", "log_x", "true|false", "false");
    assert_tells(PART_PLOT, "trace", "level", "a metric", "none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_manual_has_the_keys_of_every_kind),
        cmocka_unit_test(a_key_tells_its_values_and_what_holds_without_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
