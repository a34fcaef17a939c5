/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "core/data/dataset_seen.h"

#include <string.h>

static void continuous_columns_stay_as_they_are(void **state) {
    char *words[] = {(char[]){"low"}, (char[]){"mid"}, (char[]){"high"}};
    const variable variables[] = {{.name = (char[]){"A"}, .kind = VARIABLE_DISCRETE, .states = words, .n_states = 3},
                                  {.name = (char[]){"B"}, .kind = VARIABLE_CONTINUOUS}};
    dataset *data = NULL, *seen = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(dataset_create(variables, 2, 2, &data, &err), &err);
    dataset_set_state(data, 0, 0, 2);
    dataset_set_state(data, 1, 0, 0);
    dataset_build_reals(data, 1)[1] = -2.5;
    assert_ok(dataset_keep_seen_states(data, &seen, &err), &err);
    assert_non_null(seen);
    assert_int_equal(dataset_state_count(seen, 0), 2);
    assert_string_equal(dataset_variable(seen, 0)->states[1], "high");
    assert_int_equal(dataset_state(seen, 0, 0), 1);
    assert_int_equal(dataset_state(seen, 1, 0), 0);
    assert_true(dataset_reals(seen, 1)[1] == -2.5);
    dataset_destroy(seen);
    dataset_destroy(data);
}

static void continuous_data_have_nothing_to_leave_out(void **state) {
    const variable variables[] = {{.name = (char[]){"B"}, .kind = VARIABLE_CONTINUOUS}};
    dataset *data = NULL, *seen = NULL;
    error_info err = {0};
    (void)state;
    assert_ok(dataset_create(variables, 1, 3, &data, &err), &err);
    assert_ok(dataset_keep_seen_states(data, &seen, &err), &err);
    assert_null(seen);
    dataset_destroy(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(continuous_columns_stay_as_they_are),
        cmocka_unit_test(continuous_data_have_nothing_to_leave_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
