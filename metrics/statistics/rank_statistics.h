/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The rank statistics with which learners are compared over data sets (Demsar, J. Machine Learning Research 7 (2006)
 * 1-30), each in a header of its own. All work on plain arrays: a block is a data set, a treatment a learner.
 */
#ifndef BNB_METRICS_STATISTICS_RANK_STATISTICS_H
#define BNB_METRICS_STATISTICS_RANK_STATISTICS_H

#include "metrics/numerics/log_tail.h"   /* log tail probabilities of the normal, t and F distributions */
#include "metrics/statistics/friedman.h" /* Friedman's test, Iman and Davenport's F, comparisons with a control */
#include "metrics/statistics/nemenyi.h"  /* the critical difference of mean ranks, and who lies within it */
#include "metrics/statistics/p_adjust.h" /* Holm, Bonferroni, Benjamini-Hochberg and two more */
#include "metrics/statistics/quantile.h" /* quantiles of the nine types of Hyndman and Fan */
#include "metrics/statistics/ranks.h"    /* mid-ranks, failures last */
#include "metrics/statistics/wilcoxon.h" /* Wilcoxon's signed-rank test, verdicts + - ~ and their sum */

#endif
