/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/statistics/friedman.h"

#include "metrics/numerics/log_tail.h"
#include "metrics/tests/ci_test.h"

#include <math.h>
#include <stdlib.h>

static const double rounding = 1e-12; /* of sums that would be whole numbers */

double friedman_rank_error(size_t n_blocks, size_t n_treatments) {
    double k = (double)n_treatments;
    return sqrt(k * (k + 1) / (6 * (double)n_blocks));
}

size_t friedman_best(const double *mean_ranks, size_t n_treatments) {
    size_t best = 0;
    for (size_t i = 1; i < n_treatments; i++) {
        if (mean_ranks[i] < mean_ranks[best])
            best = i;
    }
    return best;
}

void friedman_against(const double *mean_ranks, size_t n_blocks, size_t n_treatments, size_t control, double *z,
                      double *p_values) {
    double error = friedman_rank_error(n_blocks, n_treatments);
    for (size_t i = 0; i < n_treatments; i++) {
        z[i] = (mean_ranks[i] - mean_ranks[control]) / error;
        p_values[i] = i == control ? 1 : fmin(1, 2 * exp(normal_log_tail(fabs(z[i]))));
    }
}

/* F = (N - 1) chi2 / (N (k - 1) - chi2), whose denominator is 0 for perfect agreement. */
static void test_iman_davenport(friedman_result *r) {
    double N = (double)r->n_blocks, most = N * r->df, rest = most - r->chi2;
    r->df1 = r->df;
    r->df2 = r->df * (N - 1);
    if (r->n_blocks < 2) { /* one block agrees with itself, which says nothing */
        r->F = r->F_p_value = r->F_log_p = NAN;
        return;
    }
    r->F = rest <= rounding * most ? INFINITY : (N - 1) * r->chi2 / rest;
    r->F_log_p = f_log_tail(r->F, r->df1, r->df2);
    r->F_p_value = exp(r->F_log_p);
}

status friedman_from_mean_ranks(const double *mean_ranks, size_t n_blocks, size_t n_treatments, double tie_sum,
                                friedman_result *out, error_info *err) {
    friedman_result r = {.n_blocks = n_blocks, .n_treatments = n_treatments};
    double N = (double)n_blocks, k = (double)n_treatments, sum = 0, correction;
    if (n_blocks == 0)
        return error_set(err, STATUS_INVALID, "there is no block; Friedman's test needs at least one");
    if (n_treatments < 2)
        return error_set(err, STATUS_INVALID, "there is %zu treatment; Friedman's test compares at least two",
                         n_treatments);
    for (size_t i = 0; i < n_treatments; i++)
        sum += mean_ranks[i] * mean_ranks[i];
    r.df = k - 1;
    r.chi2_uncorrected = fmax(0, 12 * N / (k * (k + 1)) * (sum - k * (k + 1) * (k + 1) / 4));
    correction = 1 - tie_sum / (N * k * (k * k - 1));
    r.chi2 = correction <= rounding ? 0 : r.chi2_uncorrected / correction;
    r.log_p = chi_square_log_tail(r.chi2, r.df);
    r.p_value = exp(r.log_p);
    test_iman_davenport(&r);
    *out = r;
    return STATUS_OK;
}

status friedman_test(const double *values, size_t n_blocks, size_t n_treatments, const rank_rule *rule,
                     double *mean_ranks, friedman_result *out, error_info *err) {
    AUTO_FREE double *sums = calloc(n_treatments + 1, sizeof *sums), *ranks = calloc(n_treatments + 1, sizeof *ranks);
    double tie_sum = 0;
    friedman_result result;
    CHECK_ALLOC(sums);
    CHECK_ALLOC(ranks);
    for (size_t b = 0; b < n_blocks; b++) {
        double ties = 0;
        CHECK(rank_values(values + b * n_treatments, n_treatments, rule, ranks, &ties, err));
        tie_sum += ties;
        for (size_t i = 0; i < n_treatments; i++)
            sums[i] += ranks[i];
    }
    for (size_t i = 0; i < n_treatments; i++)
        sums[i] /= n_blocks ? (double)n_blocks : 1;
    CHECK(friedman_from_mean_ranks(sums, n_blocks, n_treatments, tie_sum, &result, err));
    for (size_t i = 0; i < n_treatments; i++)
        mean_ranks[i] = sums[i];
    *out = result;
    return STATUS_OK;
}
