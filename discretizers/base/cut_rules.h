/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The two simple cuts of a sorted column that is not constant, for their discretizers and as a start of others. */
#ifndef BNB_DISCRETIZERS_BASE_CUT_RULES_H
#define BNB_DISCRETIZERS_BASE_CUT_RULES_H

#include "discretizers/base/sorted_column.h"

/** k intervals of equal width: least + m (most - least) / k for m = 1 .. k-1. Returns how many thresholds. */
size_t cut_equal_width(const sorted_column *s, size_t k, double *thresholds);

/** The quantiles of type 7 at m / k (Hyndman and Fan 1996, The American Statistician 50), those above the least value;
 * equal ones may follow each other. */
size_t cut_quantiles(const sorted_column *s, size_t k, double *thresholds);

/** Midpoints at the counts nearest to m n / k (rounded, a half to the even number; of two, the lower); equal ones may
 * follow each other. */
size_t cut_nearest_counts(const sorted_column *s, size_t k, double *thresholds);

/** A midpoint between any two values that differ: n_cuts of them. */
size_t cut_everywhere(const sorted_column *s, double *thresholds);

#endif
