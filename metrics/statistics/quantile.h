/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Quantiles of a sample, of the nine types of Hyndman and Fan, The American Statistician 50 (1996) 361-365. */
#ifndef BNB_METRICS_STATISTICS_QUANTILE_H
#define BNB_METRICS_STATISTICS_QUANTILE_H

#include <stddef.h>

/** The type that most programs take: linear between the order statistics. */
enum { QUANTILE_LINEAR = 7 };

/** @param sorted ascending, n > 0; @param p in [0, 1]; @param type 1 to 9 */
double quantile(const double *sorted, size_t n, double p, int type);

#endif
