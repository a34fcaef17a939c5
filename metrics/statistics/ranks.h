/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Ranks within a block: 1 is the best, ties get the mean of their ranks, failures come last. */
#ifndef BNB_METRICS_STATISTICS_RANKS_H
#define BNB_METRICS_STATISTICS_RANKS_H

#include "core/base/status.h"

#include <stdbool.h>

typedef struct {
    bool more_is_better; /* rank 1 is the largest value; else the smallest */
    double relative_tie; /* values a, b with |a - b| <= relative_tie max(|a|, |b|) are alike; 0: equal ones alone */
} rank_rule;

/** Scores that differ by rounding alone must not get different ranks. */
#define RANK_TIE 1e-9

/**
 * Ranks n values. A NAN is a failure: worse than every value, and all failures tie. Values tie with the best of their
 * group, so that a chain of near ones does not become one group.
 *
 * @param[out] ranks    n; their sum is n (n + 1) / 2; multiples of a half
 * @param[out] tie_term sum of t^3 - t over the groups of t ties; may be NULL
 * @return STATUS_MEMORY. O(n log n).
 */
BNB_MUST_CHECK status rank_values(const double *values, size_t n, const rank_rule *rule, double *ranks,
                                  double *tie_term, error_info *err);

#endif
