/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How a time grows: y = c x^exponent, by least squares of log y on log x. */
#ifndef BNB_BENCH_SUITE_FIT_H
#define BNB_BENCH_SUITE_FIT_H

#include <stddef.h>

typedef struct {
    size_t n;
    double exponent, error; /* the standard error of the exponent; NAN with fewer than two, or three, points */
} fit;

/** Points of which a coordinate is not positive and finite are left out. */
fit fit_power(const double *x, const double *y, size_t n);

/** The median, the least and the greatest; sorts the values. All NAN for none. */
typedef struct {
    double median, low, high;
} spread;
spread spread_of(double *values, size_t n);

#endif
