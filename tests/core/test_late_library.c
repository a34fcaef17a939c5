/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/late_library.h"
#include "tests/support/support.h"

#include <string.h>

/* It is in the process already: no library is looked for. */
static void a_function_of_the_process_is_found_there(void **state) {
    size_t (*length)(const char *) = NULL;
    const late_symbol symbols[] = {{"strlen", &length}};
    error_info err = {0};
    (void)state;
    assert_ok(late_library_find("libnothing.so.1", symbols, 1, &err), &err);
    assert_int_equal(length("four"), 4);
}

static void a_library_is_loaded_for_what_the_process_lacks(void **state) {
    const char *(*version)(void) = NULL;
    size_t (*length)(const char *) = NULL;
    const late_symbol symbols[] = {{"curl_version", &version}, {"strlen", &length}};
    error_info err = {0};
    (void)state;
    assert_ok(late_library_find(BNB_CURL, symbols, 2, &err), &err);
    assert_int_equal(strncmp(version(), "libcurl/", 8), 0);
    assert_int_equal(length("four"), 4);
}

static void what_is_missing_is_told(void **state) {
    void (*nothing)(void) = NULL;
    const late_symbol none[] = {{"no_function_has_this_name", &nothing}};
    const late_symbol second[] = {{"curl_version", &nothing}, {"no_function_has_this_name", &nothing}};
    error_info err = {0};
    (void)state;
    assert_int_equal(late_library_find("libnothing.so.1", none, 1, &err), STATUS_MISSING);
    assert_non_null(strstr(err.message, "a library cannot be loaded: libnothing.so.1"));
    assert_int_equal(late_library_find(BNB_CURL, second, 2, &err), STATUS_MISSING);
    assert_string_equal(err.message, BNB_CURL " has no no_function_has_this_name");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_of_the_process_is_found_there),
        cmocka_unit_test(a_library_is_loaded_for_what_the_process_lacks),
        cmocka_unit_test(what_is_missing_is_told),
    };
    return cmocka_run_group_tests_name("late library", tests, NULL, NULL);
}
