/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ln Gamma(a + n) - ln Gamma(a) against the sum of n logarithms in long double. */
#include "tests/support/support.h"

#include "metrics/numerics/log_tail.h"

#include <float.h>
#include <math.h>

/* log a + log(a + 1) + ... + log(a + n - 1); what each addition loses is kept (Neumaier 1974). */
static long double sum_of_logs(double a, size_t n) {
    long double sum = 0, lost = 0;
    for (size_t i = 0; i < n; i++) {
        long double term = logl((long double)a + (long double)i), next = sum + term;
        lost += fabsl(sum) >= fabsl(term) ? (sum - next) + term : (term - next) + sum;
        sum = next;
    }
    return sum + lost;
}

/* The error in units of DBL_EPSILON times the value. */
static double error_of(double a, size_t n) {
    long double wanted = sum_of_logs(a, n);
    return (double)(fabsl((long double)log_gamma_ratio(a, (double)n) - wanted) / fabsl(wanted)) / DBL_EPSILON;
}

static void assert_ratio(double a, size_t n, double most) {
    double error = error_of(a, n);
    if (!(error < most))
        fail_msg("a %.17g, n %zu: off by %g units", a, n, error);
}

static void the_ratio_of_gammas_is_right_to_a_few_units_of_the_last_digit(void **state) {
    (void)state;
    static const size_t counts[] = {1, 2, 9, 33, 1000, 100000};
    for (int tenth = 20; tenth <= 120; tenth++) { /* of a power of ten */
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            assert_ratio(1.001 * pow(10, tenth / 10.0), counts[i], 3);
    }
    assert_int_equal(LOG_GAMMA_LARGE, 100);                       /* all that is above is seen here */
    for (int half = 20; half <= 2 * (int)LOG_GAMMA_LARGE; half++) /* below it the plain difference */
        assert_ratio(half / 2.0, 9, 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ratio_of_gammas_is_right_to_a_few_units_of_the_last_digit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
