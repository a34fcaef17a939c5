/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Friedman's test that k treatments rank alike over N blocks, and what follows it. */
#ifndef BNB_METRICS_STATISTICS_FRIEDMAN_H
#define BNB_METRICS_STATISTICS_FRIEDMAN_H

#include "metrics/statistics/ranks.h"

typedef struct {
    size_t n_blocks, n_treatments;
    double chi2, df, p_value, log_p; /* corrected for ties; 0 and 1 where everything ties */
    double chi2_uncorrected;         /* as if there were no ties */
    double F, df1, df2;        /* of Iman and Davenport, from the corrected chi2; INFINITY for perfect agreement */
    double F_p_value, F_log_p; /* 0 and -INFINITY for an infinite F; NAN with one block */
} friedman_result;

/**
 * Ranks every block and tests.
 *
 * @param values         n_blocks x n_treatments, row-major; NAN is a failure (metrics/statistics/ranks.h)
 * @param[out] mean_ranks n_treatments
 * @return STATUS_INVALID: no block, or fewer than two treatments. STATUS_MEMORY.
 *
 * Sources: Friedman, JASA 32 (1937) 675-701; Iman and Davenport, Comm. in Statistics A9 (1980) 571-595.
 */
BNB_MUST_CHECK status friedman_test(const double *values, size_t n_blocks, size_t n_treatments, const rank_rule *rule,
                                    double *mean_ranks, friedman_result *out, error_info *err);

/**
 * The same from mean ranks, as papers print them.
 * @param tie_sum sum over the blocks of rank_values' tie terms; 0: no ties
 */
BNB_MUST_CHECK status friedman_from_mean_ranks(const double *mean_ranks, size_t n_blocks, size_t n_treatments,
                                               double tie_sum, friedman_result *out, error_info *err);

/** The standard error of a difference of mean ranks: sqrt(k (k+1) / (6 N)). */
double friedman_rank_error(size_t n_blocks, size_t n_treatments);

/** The treatment with the least mean rank, the first of them where several have it. */
size_t friedman_best(const double *mean_ranks, size_t n_treatments);

/**
 * Compares every treatment with a control: z = (R_j - R_control) / friedman_rank_error, two-sided normal p.
 * @param[out] z, p_values n_treatments each; 0 and 1 at the control. To be adjusted without it
 * (metrics/statistics/p_adjust.h).
 */
void friedman_against(const double *mean_ranks, size_t n_blocks, size_t n_treatments, size_t control, double *z,
                      double *p_values);

#endif
