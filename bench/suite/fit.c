/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/fit.h"

#include "core/base/array.h"

#include <math.h>

typedef struct {
    size_t n;
    double x, y, xx, xy, yy; /* sums; with means taken off where it says so */
} sums;

static sums add_up(const double *x, const double *y, size_t n, double mean_x, double mean_y) {
    sums s = {0};
    for (size_t i = 0; i < n; i++) {
        double u = log(x[i]) - mean_x, v = log(y[i]) - mean_y;
        if (!isfinite(u) || !isfinite(v))
            continue;
        s.n++;
        s.x += u;
        s.y += v;
        s.xx += u * u;
        s.xy += u * v;
        s.yy += v * v;
    }
    return s;
}

fit fit_power(const double *x, const double *y, size_t n) {
    sums raw = add_up(x, y, n, 0, 0), s;
    fit f = {raw.n, NAN, NAN};
    double left;
    if (raw.n < 2)
        return f;
    s = add_up(x, y, n, raw.x / (double)raw.n, raw.y / (double)raw.n);
    if (!(s.xx > 0))
        return f;
    f.exponent = s.xy / s.xx;
    left = s.yy - f.exponent * s.xy;
    if (s.n > 2)
        f.error = sqrt((left > 0 ? left : 0) / (double)(s.n - 2) / s.xx);
    return f;
}

spread spread_of(double *values, size_t n) {
    if (n == 0)
        return (spread){NAN, NAN, NAN};
    array_sort_reals(values, n);
    return (spread){(values[(n - 1) / 2] + values[n / 2]) / 2, values[0], values[n - 1]};
}
