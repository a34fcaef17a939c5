/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Nemenyi's test: mean ranks further apart than the critical difference differ (Demsar 2006, section 3.2.2). */
#ifndef BNB_METRICS_STATISTICS_NEMENYI_H
#define BNB_METRICS_STATISTICS_NEMENYI_H

#include "core/base/status.h"

enum { NEMENYI_MOST = 1000 };

/** P(the range of k standard normal values exceeds q), to 1e-9 relative; 2 <= k <= NEMENYI_MOST, q >= 0. */
double studentized_range_tail(double q, size_t k);

/** The q with studentized_range_tail(q, k) = alpha; alpha in (0, 1). */
double studentized_range_quantile(double alpha, size_t k);

/** q_alpha sqrt(k (k+1) / (6 N)) with q_alpha = studentized_range_quantile / sqrt 2. */
double nemenyi_critical_difference(double alpha, size_t n_blocks, size_t n_treatments);

/** The p-value of two treatments whose mean ranks differ by that much. */
double nemenyi_p_value(double difference, size_t n_blocks, size_t n_treatments);

/** Treatments `first` .. `last` of those in order of mean rank. */
typedef struct {
    size_t first, last;
} rank_group;

/**
 * The largest groups of two or more treatments that lie within the critical difference, from the best on; none lies in
 * another.
 * @param sorted mean ranks, ascending
 * @param[out] groups room for n_treatments
 */
size_t nemenyi_groups(const double *sorted, size_t n_treatments, double critical_difference, rank_group *groups);

#endif
