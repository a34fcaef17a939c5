/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/log_tail.h"

#include <math.h>

static const double log_half = -0.69314718055994530942, log_sqrt_2_pi = 0.91893853320467274178,
                    erfc_most = 25; /* well before erfc underflows, and where the fraction below converges at once */

/* z + 1 / (z + 2 / (z + 3 / ...)), from the inside: Abramowitz and Stegun 26.2.14. */
static double mills_fraction(double z) {
    double f = z;
    for (int i = 40; i > 0; i--)
        f = z + i / f;
    return f;
}

double normal_log_tail(double z) {
    if (z < 0)
        return log1p(-erfc(-z * M_SQRT1_2) / 2);
    if (z <= erfc_most)
        return log(erfc(z * M_SQRT1_2)) + log_half;
    if (isinf(z))
        return -INFINITY;
    return -z * z / 2 - log_sqrt_2_pi - log(mills_fraction(z));
}

double log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

/* What Stirling's formula adds to (z - 1/2) log z - z + log(2 pi) / 2 for z > 100, but for less than 1e-17. */
static double stirling_correction(double z) {
    double y = 1 / (z * z);
    return (1.0 / 12 - (1.0 / 360 - y / 1260) * y) / z;
}

/* Of a large a the difference of Stirling's formulas: what is large in both is in neither term. */
double log_gamma_ratio(double a, double n) {
    if (a <= LOG_GAMMA_LARGE)
        return log_gamma(a + n) - log_gamma(a);
    return n * log(a) + ((a + n - 0.5) * log1p(n / a) - n) + (stirling_correction(a + n) - stirling_correction(a));
}

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) by Lentz's method. */
static double beta_fraction(double a, double b, double x) {
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
    for (int m = 1; m < 100000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), odd, change;
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        h *= d * c;
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        change = d * c;
        h *= change;
        if (fabs(change - 1) < 1e-16)
            break;
    }
    return h;
}

/* ln I_x(a, b) where the fraction converges fast: x below (a + 1) / (a + b + 2). */
static double log_beta_part(double a, double b, double x, double log_x, double log_1_x) {
    double log_beta = log_gamma(a) + log_gamma(b) - log_gamma(a + b);
    return a * log_x + b * log_1_x - log_beta - log(a) + log(beta_fraction(a, b, x));
}

/* ln(1 + exp t). */
static double softplus(double t) {
    return t > 0 ? t + log1p(exp(-t)) : log1p(exp(t));
}

/* The tail of F with df1 F / df2 = exp(log_u): I_y(df2 / 2, df1 / 2) at y = 1 / (1 + u). */
static double log_tail_at(double log_u, double df1, double df2) {
    double a = df2 / 2, b = df1 / 2, log_y = -softplus(log_u), log_1_y = -softplus(-log_u), lower;
    if (exp(log_y) <= (a + 1) / (a + b + 2))
        return log_beta_part(a, b, exp(log_y), log_y, log_1_y);
    lower = exp(log_beta_part(b, a, exp(log_1_y), log_1_y, log_y));
    return log1p(-fmin(lower, 1));
}

double f_log_tail(double x, double df1, double df2) {
    if (!(x > 0))
        return 0;
    if (isinf(x))
        return -INFINITY;
    return log_tail_at(log(df1) + log(x) - log(df2), df1, df2);
}

double t_log_tail(double x, double df) {
    if (x < 0)
        return log1p(-exp(t_log_tail(-x, df)));
    if (x == 0)
        return log_half;
    if (isinf(x))
        return -INFINITY;
    return log_half + log_tail_at(2 * log(x) - log(df), 1, df);
}
