/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "metrics/tests/association.h"

#include <math.h>

static association zero(void) {
    return (association){.is_zero = true};
}

static association dependent(double log_p, double statistic) {
    return (association){.log_p = log_p, .statistic = statistic};
}

static void assert_less(association a, association b) {
    assert_true(association_compare(&a, &b) < 0);
    assert_true(association_compare(&b, &a) > 0);
}

static void assert_equal(association a, association b) {
    assert_int_equal(association_compare(&a, &b), 0);
    assert_int_equal(association_compare(&b, &a), 0);
}

static void zero_is_the_unique_minimum(void **state) {
    (void)state;
    assert_less(zero(), dependent(-3, 3.9));
    assert_less(zero(), dependent(-1e-9, 0));
    assert_equal(zero(), zero());
    assert_equal(zero(), (association){true, -50, 100}); /* what else stands in it does not matter */
}

static void a_smaller_p_value_is_a_stronger_association(void **state) {
    (void)state;
    assert_less(dependent(-3, 99), dependent(-4, 1));
    assert_less(dependent(-1504.229, 3000), dependent(-1504.230, 2000)); /* both p underflow */
    assert_less(dependent(-1504, 3000), dependent(-INFINITY, 2000));
}

static void a_tie_in_p_goes_to_the_larger_statistic(void **state) {
    (void)state;
    assert_less(dependent(-10, 20), dependent(-10, 21));
    assert_less(dependent(-10, 20), dependent(-10 * (1 - 1e-13), 21)); /* a tie within the tolerance */
    assert_less(dependent(-10 * (1 - 1e-11), 21), dependent(-10, 20)); /* past it */
    assert_equal(dependent(-10, 20), dependent(-10 * (1 + 1e-13), 20 * (1 - 1e-13)));
    assert_equal(dependent(-INFINITY, 20), dependent(-INFINITY, 20));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_is_the_unique_minimum),
        cmocka_unit_test(a_smaller_p_value_is_a_stronger_association),
        cmocka_unit_test(a_tie_in_p_goes_to_the_larger_statistic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
