/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * n log n as whole numbers of a small unit: sums of them do not depend on the order, and what cancels cancels exactly,
 * so a statistic is the same whether it is summed cell by cell or taken from sums that are known already.
 */
#ifndef BNB_METRICS_NUMERICS_WHOLE_TERMS_INTERNAL_H
#define BNB_METRICS_NUMERICS_WHOLE_TERMS_INTERNAL_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t *at; /* n log n / unit, rounded, n = 0 .. max_count */
    double unit; /* a power of 2, so small that the largest term is some 2^60 */
} whole_terms;

/** Every count of a table of at most max_count rows. O(max_count) time and memory. */
BNB_MUST_CHECK status whole_terms_init(whole_terms *t, size_t max_count, error_info *err);
void whole_terms_clear(whole_terms *t);

/** The number that a sum or a difference of terms stands for. */
static inline double whole_terms_value(const whole_terms *t, int64_t sum) {
    return t->unit * (double)sum;
}

#endif
