/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Logs of upper tail probabilities, which do not underflow where the probability itself does: ln P(X > x).
 * The one of the chi-square distribution is chi_square_log_tail (metrics/tests/ci_test.h).
 */
#ifndef BNB_METRICS_NUMERICS_LOG_TAIL_H
#define BNB_METRICS_NUMERICS_LOG_TAIL_H

/** ln |Gamma(x)|; unlike lgamma it writes no global variable. */
double log_gamma(double x);

/** ln Gamma(a + n) - ln Gamma(a), a > 0, n >= 0: right to 3 units of the last digit for a above LOG_GAMMA_LARGE, where
 * the plain difference loses digits, and to 20 below. */
double log_gamma_ratio(double a, double n);
enum { LOG_GAMMA_LARGE = 100 };

/** Of the standard normal distribution; any z. */
double normal_log_tail(double z);

/** Of Student's t; any x, df > 0. */
double t_log_tail(double x, double df);

/** Of the F distribution; 0 for x <= 0; -INFINITY for an infinite x. */
double f_log_tail(double x, double df1, double df2);

#endif
