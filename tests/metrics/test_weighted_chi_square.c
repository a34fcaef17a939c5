/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/support.h"

#include "metrics/tests/ci_test.h"
#include "metrics/tests/weighted_chi_square.h"

#include <math.h>

static const weighted_chi_square_tail methods[] = {TAIL_LINDSAY_PILLA_BASAK, TAIL_HALL_BUCKLEY_EAGLESON,
                                                   TAIL_SATTERTHWAITE_WELCH};

/*
 * Weights that come in pairs: a pair is an exponential of mean 2 w, and a sum of exponentials of different means has
 * the tail sum over i of a_i exp(-x / 2 w_i), a_i = product over j != i of w_i / (w_i - w_j).
 */
static double exact_tail(const double *w, size_t n, double x) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double a = 1;
        for (size_t j = 0; j < n; j++)
            a *= j == i ? 1 : w[i] / (w[i] - w[j]);
        sum += a * exp(-x / (2 * w[i]));
    }
    return sum;
}

static double tail_of_pairs(const double *w, size_t n, double x, weighted_chi_square_tail method) {
    double weights[20];
    for (size_t i = 0; i < n; i++)
        weights[2 * i] = weights[2 * i + 1] = w[i];
    return exp(weighted_chi_square_log_tail(weights, 2 * n, x, method));
}

static void tails_are_close_to_the_exact_ones_the_more_moments_the_closer(void **state) {
    static const double sets[][5] = {
        {5, 1, .3, .2, .1}, {3, 2, 1, .5, .25}, {10, 9, 1, .9, .8}, {1, .01, .009, .008, .007}, {1, .9, .8, .7, .6},
    };
    static const double probabilities[] = {.5, .2, .1, .05, .01, .001};
    static const double allowed[3][6] = {
        {.005, .005, .005, .005, .005, .005}, {.02, .02, .03, .03, .02, .15}, {.05, .1, .05, .05, .3, .6}};
    double worst[3][6] = {0};
    (void)state;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        for (size_t k = 0; k < 6; k++) {
            double low = 0, high = 1000;
            for (int i = 0; i < 100; i++) {
                double middle = (low + high) / 2;
                if (exact_tail(sets[s], 5, middle) > probabilities[k])
                    low = middle;
                else
                    high = middle;
            }
            for (size_t m = 0; m < 3; m++) {
                double error = fabs(tail_of_pairs(sets[s], 5, low, methods[m]) / probabilities[k] - 1);
                worst[m][k] = fmax(worst[m][k], error);
            }
        }
    }
    for (size_t m = 0; m < 3; m++) {
        for (size_t k = 0; k < 6; k++) {
            print_message("%s%.5f", k ? " " : "  ", worst[m][k]);
            assert_true(worst[m][k] < allowed[m][k]);
        }
        print_message("\n");
    }
}

static void equal_weights_are_a_chi_square_by_every_method(void **state) {
    double weights[7] = {0};
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        for (size_t n = 1; n <= 7; n++) {
            for (size_t i = 0; i < n; i++)
                weights[i] = .3;
            for (double *x = (double[]){.1, 1, 5, 80, 5000, 0}; *x > 0; x++)
                assert_close(weighted_chi_square_log_tail(weights, n, .3 * *x, methods[m]),
                             chi_square_log_tail(*x, (double)n), 1e-6);
        }
    }
}

static void a_common_factor_and_weights_of_0_make_no_difference(void **state) {
    static const double w[] = {4, 2, 1, .7, 0, .1, 0}, without[] = {4, 2, 1, .7, .1};
    double scaled[7];
    (void)state;
    for (size_t i = 0; i < 7; i++)
        scaled[i] = 1e-7 * w[i];
    for (size_t m = 0; m < 3; m++) {
        double tail = weighted_chi_square_log_tail(w, 7, 20, methods[m]);
        assert_close(weighted_chi_square_log_tail(scaled, 7, 20e-7, methods[m]), tail, 1e-8);
        assert_close(weighted_chi_square_log_tail(without, 5, 20, methods[m]), tail, 1e-8);
    }
}

static void the_ends_are_what_they_must_be(void **state) {
    static const double w[] = {3, 1, .1}, none[] = {0, 0};
    (void)state;
    for (size_t m = 0; m < 3; m++) {
        double far = weighted_chi_square_log_tail(w, 3, 1e5, methods[m]), last = 0;
        assert_true(weighted_chi_square_log_tail(w, 3, 0, methods[m]) == 0);
        assert_true(weighted_chi_square_log_tail(none, 2, 3, methods[m]) == 0);
        assert_true(isfinite(far));
        assert_that(far, <, -1000);
        for (int i = 0; i < 200; i++) { /* never rises */
            double tail = weighted_chi_square_log_tail(w, 3, i * .25, methods[m]);
            assert_true(tail <= last + 1e-12);
            last = tail;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_are_close_to_the_exact_ones_the_more_moments_the_closer),
        cmocka_unit_test(equal_weights_are_a_chi_square_by_every_method),
        cmocka_unit_test(a_common_factor_and_weights_of_0_make_no_difference),
        cmocka_unit_test(the_ends_are_what_they_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
