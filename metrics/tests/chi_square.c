/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of the upper incomplete gamma function Q(a, x), a = df / 2, x = statistic / 2. GSL's own tail underflows at
 * x of some 700; the continued fraction (Abramowitz and Stegun 6.5.31, by Lentz's method) times its leading factor is
 * kept in logs instead.
 */
#include "metrics/numerics/log_tail.h"
#include "metrics/tests/ci_test.h"

#include <math.h>

/* 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...))), for x > a + 1. */
static double continued_fraction(double a, double x) {
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 100000; i++) {
        double numerator = -i * (i - a), change;
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        change = c * d;
        h *= change;
        if (fabs(change - 1) < 1e-16)
            break;
    }
    return h;
}

/* The lower tail P(a, x) by its series, for x <= a + 1. */
static double lower_tail(double a, double x) {
    double term = 1 / a, sum = term;
    for (int i = 1; i < 100000 && term > sum * 1e-17; i++) {
        term *= x / (a + i);
        sum += term;
    }
    return exp(-x + a * log(x) - log_gamma(a)) * sum;
}

double chi_square_log_tail(double statistic, double df) {
    double a = df / 2, x = statistic / 2;
    if (!(statistic > 0) || !(df > 0))
        return 0;
    if (x > a + 1)
        return -x + a * log(x) - log_gamma(a) + log(continued_fraction(a, x));
    return log1p(-fmin(lower_tail(a, x), 1));
}

/* The least over t of E[exp(t X)] / exp(t statistic), at t = (1 - df / statistic) / 2. */
double chi_square_log_tail_bound(double statistic, double df) {
    return statistic > df ? (df * log(statistic / df) + df - statistic) / 2 : 0;
}

/* The log of the density over the tail: what the log of the tail falls by. */
static double hazard(double x, double df, double log_tail) {
    double a = df / 2;
    return exp((a - 1) * log(x / 2) - x / 2 - log_gamma(a) - log_tail) / 2;
}

/* The normal value with that log of the upper tail, of at most 1/2: Abramowitz and Stegun 26.2.23, to 4.5e-4. */
static double rough_normal_value(double log_p) {
    double t = sqrt(-2 * log_p);
    return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/* Wilson and Hilferty 1931, PNAS 17:684-688: the cube root is nearly normal. */
static double rough_critical_value(double log_p, double df) {
    double variance = 2 / (9 * df), z = log_p < -M_LN2 ? rough_normal_value(log_p) : 0;
    double root = 1 - variance + z * sqrt(variance);
    return root > 0 ? df * root * root * root : df;
}

/* Newton's steps on the log of the tail, which is nearly straight far out; halves of the bracket where they leave it.
   Each step has about the square of the error before. */
double chi_square_critical_value(double log_p, double df) {
    static const double last_step = 1e-8;
    double low = 0, high = INFINITY, x = rough_critical_value(log_p, df);
    for (int i = 0; i < 200; i++) {
        double log_tail = chi_square_log_tail(x, df), next = x + (log_tail - log_p) / hazard(x, df, log_tail);
        if (fabs(next - x) <= last_step * x)
            return next;
        *(log_tail > log_p ? &low : &high) = x;
        if (next > low && next < high)
            x = next;
        else
            x = isinf(high) ? 2 * low : (low + high) / 2;
    }
    return x;
}
