/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/weighted_chi_square.h"

#include "metrics/tests/ci_test.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_poly.h>

enum { MOST_PARTS = 4, SIDE = MOST_PARTS + 1, MOMENTS = 2 * MOST_PARTS };

static double power_sum(const double *weights, size_t n, int power) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow(weights[i], power);
    return sum;
}

static double satterthwaite_welch(const double *weights, size_t n, double x) {
    double sum = power_sum(weights, n, 1), squares = power_sum(weights, n, 2);
    return chi_square_log_tail(x * sum / squares, sum * sum / squares);
}

/* A chi-square on `df`, scaled and shifted: x at so many standard deviations from the mean. */
static double hall_buckley_eagleson(const double *weights, size_t n, double x) {
    double mean = power_sum(weights, n, 1), variance = 2 * power_sum(weights, n, 2),
           third = 8 * power_sum(weights, n, 3);
    double df = 8 * variance * variance * variance / (third * third);
    return chi_square_log_tail(df + (x - mean) * sqrt(2 * df / variance), df);
}

/* --- Lindsay, Pilla, Basak --- */

/* m[r], r = 0 .. 8, about 0, of the sum divided by its mean; by its cumulants 2^(r-1) (r-1)! sum of weights^r. */
static void find_moments(const double *weights, size_t n, double m[MOMENTS + 1]) {
    double mean = power_sum(weights, n, 1), cumulants[MOMENTS + 1], factor = 1;
    for (int r = 1; r <= MOMENTS; r++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += pow(weights[i] / mean, r);
        cumulants[r] = factor * sum;
        factor *= 2 * r;
    }
    m[0] = 1;
    for (int r = 1; r <= MOMENTS; r++) {
        double binomial = 1; /* r-1 over k */
        m[r] = 0;
        for (int k = 0; k < r; k++) {
            m[r] += binomial * cumulants[r - k] * m[k];
            binomial = binomial * (r - 1 - k) / (k + 1);
        }
    }
}

/*
 * A gamma of shape 1/s and mean u has the moments u^r (1 + s)(1 + 2s)...(1 + (r-1)s). So a mixture of gammas of that
 * shape has the moments m if their means, as a distribution, have m[r] divided by that product.
 */
static void find_moments_of_means(const double m[MOMENTS + 1], double s, double out[MOMENTS + 1]) {
    double product = 1;
    out[0] = 1;
    for (int r = 1; r <= MOMENTS; r++) {
        out[r] = m[r] / product;
        product *= 1 + r * s;
    }
}

/* [m(i + j)], i, j = 0 .. parts, as L D L' with L of unit diagonal. False, and the last of D unset, unless the others
 * are positive. */
static bool factor_moments(const double m[MOMENTS + 1], int parts, double l[SIDE][SIDE], double d[SIDE]) {
    for (int i = 0; i <= parts; i++) {
        for (int j = 0; j <= i; j++) {
            double rest = m[i + j];
            for (int k = 0; k < j; k++)
                rest -= l[i][k] * d[k] * l[j][k];
            if (j < i)
                l[i][j] = rest / d[j];
            else
                d[i] = rest;
        }
        if (i < parts && !(d[i] > 0))
            return false;
    }
    return true;
}

static bool is_positive_definite(const double m[MOMENTS + 1], int parts, double s) {
    double of_means[MOMENTS + 1], l[SIDE][SIDE], d[SIDE];
    find_moments_of_means(m, s, of_means);
    return factor_moments(of_means, parts, l, d) && d[parts] > 0;
}

/* The s at which so many means carry the moments: where the matrix ceases to be positive definite, below `most`. */
static double find_shape(const double m[MOMENTS + 1], int parts, double most) {
    double low = 0, high = most;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (is_positive_definite(m, parts, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

typedef struct {
    int parts;
    double shape; /* s: each part is a gamma of shape 1/s */
    double mean[MOST_PARTS], share[MOST_PARTS];
} mixture;

/* The means: roots of the polynomial whose coefficients the singular matrix takes to 0. */
static bool find_means(const double m[MOMENTS + 1], mixture *out) {
    double l[SIDE][SIDE], d[SIDE], coefficients[SIDE], roots[2 * MOST_PARTS];
    gsl_poly_complex_workspace *workspace;
    bool found;
    if (!factor_moments(m, out->parts, l, d))
        return false;
    for (int i = out->parts; i >= 0; i--) {
        coefficients[i] = i == out->parts;
        for (int k = i + 1; k <= out->parts; k++)
            coefficients[i] -= l[k][i] * coefficients[k];
    }
    workspace = gsl_poly_complex_workspace_alloc((size_t)out->parts + 1);
    found = workspace && gsl_poly_complex_solve(coefficients, (size_t)out->parts + 1, workspace, roots) == 0;
    for (int i = 0; found && i < out->parts; i++) {
        found = roots[2 * i] > 0 && fabs(roots[2 * i + 1]) < 1e-6 * roots[2 * i];
        out->mean[i] = roots[2 * i];
    }
    if (workspace)
        gsl_poly_complex_workspace_free(workspace);
    return found;
}

/* sum over i of share[i] mean[i]^r = m[r], r < parts: by Lagrange's polynomials, of which each picks one mean. */
static bool find_shares(const double m[MOMENTS + 1], mixture *out) {
    for (int i = 0; i < out->parts; i++) {
        double polynomial[SIDE] = {1}, scale = 1;
        int degree = 0;
        for (int j = 0; j < out->parts; j++) {
            if (j == i)
                continue;
            polynomial[degree + 1] = 0;
            for (int k = ++degree; k >= 0; k--)
                polynomial[k] = (k > 0 ? polynomial[k - 1] : 0) - out->mean[j] * polynomial[k];
            scale *= out->mean[i] - out->mean[j];
        }
        out->share[i] = 0;
        for (int k = 0; k <= degree; k++)
            out->share[i] += polynomial[k] * m[k];
        out->share[i] /= scale;
        if (!(out->share[i] >= 0 && out->share[i] <= 1 + 1e-6))
            return false;
    }
    return true;
}

static bool try_mixture(const double m[MOMENTS + 1], int parts, double shape, mixture *out) {
    mixture tried = {.parts = parts, .shape = shape};
    double of_means[MOMENTS + 1];
    find_moments_of_means(m, shape, of_means);
    if (!find_means(of_means, &tried) || !find_shares(of_means, &tried))
        return false;
    *out = tried;
    return true;
}

/* One part is the gamma of two moments. Each further one needs a shape below the last, clearly. */
static mixture find_mixture(const double m[MOMENTS + 1]) {
    mixture best = {.parts = 1, .shape = m[2] - 1, .mean = {1}, .share = {1}};
    double shape = best.shape;
    for (int parts = 2; parts <= MOST_PARTS; parts++) {
        double next = find_shape(m, parts, shape);
        if (next > shape * (1 - 1e-7) || next <= 0 || !try_mixture(m, parts, next, &best))
            break;
        shape = next;
    }
    return best;
}

static double lindsay_pilla_basak(const double *weights, size_t n, double x) {
    double m[MOMENTS + 1], logs[MOST_PARTS], most = -INFINITY, sum = 0;
    double scaled = x / power_sum(weights, n, 1);
    mixture mix;
    find_moments(weights, n, m);
    mix = find_mixture(m);
    for (int i = 0; i < mix.parts; i++) {
        logs[i] = log(mix.share[i]) + chi_square_log_tail(2 * scaled / (mix.shape * mix.mean[i]), 2 / mix.shape);
        most = fmax(most, logs[i]);
    }
    for (int i = 0; i < mix.parts; i++)
        sum += exp(logs[i] - most);
    return fmin(most + log(sum), 0);
}

double weighted_chi_square_log_tail(const double *weights, size_t n, double x, weighted_chi_square_tail method) {
    double sum = power_sum(weights, n, 1);
    if (!(x > 0) || !(sum > 0))
        return 0;
    switch (method) {
    case TAIL_SATTERTHWAITE_WELCH:
        return satterthwaite_welch(weights, n, x);
    case TAIL_HALL_BUCKLEY_EAGLESON:
        return hall_buckley_eagleson(weights, n, x);
    case TAIL_LINDSAY_PILLA_BASAK:
        break;
    }
    return lindsay_pilla_basak(weights, n, x);
}
