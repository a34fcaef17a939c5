/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rank tests, short. */
#ifndef BNB_TESTS_METRICS_RANK_SUPPORT_H
#define BNB_TESTS_METRICS_RANK_SUPPORT_H

#include "tests/support/support.h"

#include "metrics/statistics/rank_statistics.h"

enum { MOST = 1024 };

static inline wilcoxon_result test_pairs(const double *x, const double *y, size_t n, wilcoxon_options options) {
    wilcoxon_result r = {0};
    error_info err = {0};
    assert_ok(wilcoxon_signed_rank(x, y, n, &options, &r, &err), &err);
    return r;
}

#endif
