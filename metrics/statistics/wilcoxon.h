/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Wilcoxon's signed-rank test for paired values, and verdicts on pairs of learners. */
#ifndef BNB_METRICS_STATISTICS_WILCOXON_H
#define BNB_METRICS_STATISTICS_WILCOXON_H

#include "core/base/status.h"

#include <stdbool.h>

/** What x is claimed to be, against y. */
typedef enum { WILCOXON_TWO_SIDED, WILCOXON_GREATER, WILCOXON_LESS } wilcoxon_side;
#define WILCOXON_SIDE_CHOICES "two-sided|greater|less"

/** Pairs without a difference: left out (Wilcoxon 1945), or ranked and then left out (Pratt 1959). */
typedef enum { WILCOXON_DROP_ZEROS, WILCOXON_PRATT } wilcoxon_zeros;
#define WILCOXON_ZEROS_CHOICES "drop|pratt"

/** AUTO: exact with at most 50 differences, no ties and no zeros; else the normal approximation. */
typedef enum { WILCOXON_AUTO, WILCOXON_EXACT, WILCOXON_NORMAL } wilcoxon_method;
#define WILCOXON_METHOD_CHOICES "auto|exact|normal"

enum { WILCOXON_MOST_AUTO = 50, WILCOXON_MOST_EXACT = 1000 };

typedef struct {
    wilcoxon_side side;
    wilcoxon_zeros zeros;
    wilcoxon_method method;
    bool no_correction; /* leaves the continuity correction of the normal approximation out */
} wilcoxon_options;

typedef struct {
    double w_plus, w_minus; /* sums of the ranks of positive and negative differences x - y */
    size_t n;               /* differences that are not zero */
    size_t n_zero;          /* pairs without a difference */
    bool has_ties;          /* among the sizes of the differences */
    wilcoxon_method method; /* WILCOXON_EXACT or WILCOXON_NORMAL */
    double z;               /* of the normal approximation, corrected; NAN where exact */
    double p_value, log_p;  /* log_p does not underflow; 1 and 0 without a difference */
} wilcoxon_result;

/**
 * Tests whether the differences x - y lie around zero.
 *
 * @param y NULL: x holds the differences
 * @param n any number; with no difference left the answer is p = 1
 * @return STATUS_INVALID: a value is not finite ("pair 3: ..."), or more than WILCOXON_MOST_EXACT differences with
 *         WILCOXON_EXACT. STATUS_MEMORY.
 *
 * |x - y| <= 1e-12 max(|x|, |y|) is no difference; sizes that are alike within 1e-12, or within the rounding of the
 * subtraction, tie. The exact distribution counts the subsets of the ranks by their sum (n^2 of them a rank); with ties
 * it is the permutation distribution of the mid-ranks. The approximation has variance m (m+1) (2m+1) / 24 - sum (t^3 -
 * t) / 48 and, unless left out, a correction of 1/2. Two-sided p = min(1, 2 min(both tails)).
 * Source: Wilcoxon, Biometrics Bulletin 1 (1945) 80-83; Pratt, JASA 54 (1959) 655-667.
 */
BNB_MUST_CHECK status wilcoxon_signed_rank(const double *x, const double *y, size_t n, const wilcoxon_options *options,
                                           wilcoxon_result *out, error_info *err);

/** '+' where greater is accepted at that level, '-' where less is, '~' for neither. */
char wilcoxon_verdict(double p_greater, double p_less, double level);

/** The verdict with the two sides exchanged. */
char wilcoxon_verdict_reversed(char verdict);

#endif
