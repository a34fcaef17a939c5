/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The tail of a sum of independent chi-squares on one degree of freedom, each with a weight, by its moments. */
#ifndef BNB_METRICS_TESTS_WEIGHTED_CHI_SQUARE_H
#define BNB_METRICS_TESTS_WEIGHTED_CHI_SQUARE_H

#include <stddef.h>

/**
 * A mixture of up to four gamma distributions that has the first eight moments (Lindsay, Pilla, Basak 2000, Annals of
 * the Institute of Statistical Mathematics 52:215-230); a shifted gamma that has three (Hall 1983, Buckley, Eagleson
 * 1988, Australian Journal of Statistics 30A:150-159); or a gamma that has two (Satterthwaite 1946, Welch 1938). Which
 * is how good: Bodenham, Adams 2016, Statistics and Computing 26:917-928.
 */
typedef enum {
    TAIL_LINDSAY_PILLA_BASAK,
    TAIL_HALL_BUCKLEY_EAGLESON,
    TAIL_SATTERTHWAITE_WELCH
} weighted_chi_square_tail;

/**
 * log P(sum of weights[i] X_i > x), X_i of the chi-square distribution; it does not underflow.
 *
 * @param weights  n of them, >= 0; those of 0 count for nothing
 * @return in [-inf, 0]; 0 for x <= 0 and where all weights are 0. Of one weight, or of equal ones, exact by any method.
 *         Where weights are so alike that four gammas cannot be told apart, the mixture has fewer of them.
 */
double weighted_chi_square_log_tail(const double *weights, size_t n, double x, weighted_chi_square_tail method);

#endif
