/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/association.h"

#include <math.h>

static const double relative_tie = 1e-12;

static bool is_tie(double a, double b) {
    if (a == b) /* two infinities too */
        return true;
    return fabs(a - b) <= relative_tie * fmin(fabs(a), fabs(b));
}

int association_compare(const association *a, const association *b) {
    if (a->is_zero || b->is_zero)
        return (int)b->is_zero - (int)a->is_zero;
    if (!is_tie(a->log_p, b->log_p))
        return a->log_p < b->log_p ? 1 : -1;
    /* Rounding must not decide between equals, or a result would depend on the processor: the same tolerance here. */
    if (!is_tie(a->statistic, b->statistic))
        return a->statistic > b->statistic ? 1 : -1;
    return 0;
}
