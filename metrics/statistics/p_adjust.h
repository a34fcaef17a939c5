/* SPDX-License-Identifier: GPL-3.0-or-later */
/** p-values of several tests, adjusted: a hypothesis is rejected at level alpha where its adjusted p <= alpha. */
#ifndef BNB_METRICS_STATISTICS_P_ADJUST_H
#define BNB_METRICS_STATISTICS_P_ADJUST_H

#include "core/base/status.h"

#include <stdbool.h>

typedef enum { ADJUST_HOLM, ADJUST_BONFERRONI, ADJUST_BH, ADJUST_HOCHBERG, ADJUST_BY, ADJUST_NONE } p_adjustment;
#define P_ADJUSTMENT_CHOICES "holm|bonferroni|bh|hochberg|by|none"

enum { P_ADJUSTMENT_COUNT = ADJUST_NONE + 1 };

const char *p_adjustment_name(p_adjustment kind);    /* "holm" */
const char *p_adjustment_summary(p_adjustment kind); /* "Holm 1979, family-wise error" */

/** False where there is none of that name. */
bool p_adjustment_find(const char *name, p_adjustment *out);

/**
 * @param p        n values in [0, 1]
 * @param n_tests  how many tests the family has, at least n: those that were not run count as never rejected; 0: n
 * @param[out] adjusted n, in the order of p; may be p itself
 * @return STATUS_INVALID: a p outside [0, 1], or n_tests below n. STATUS_MEMORY.
 *
 * Sources: Holm, Scand. J. Statistics 6 (1979) 65-70; Hochberg, Biometrika 75 (1988) 800-802; Benjamini and Hochberg,
 * JRSS B 57 (1995) 289-300; Benjamini and Yekutieli, Annals of Statistics 29 (2001) 1165-1188.
 */
BNB_MUST_CHECK status p_adjust(p_adjustment kind, const double *p, size_t n, size_t n_tests, double *adjusted,
                               error_info *err);

#endif
