/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The best cut of a sorted column into k classes: least sum of squares within, exact, with bounds on the classes. */
#ifndef BNB_DISCRETIZERS_BASE_PARTITION_H
#define BNB_DISCRETIZERS_BASE_PARTITION_H

#include "discretizers/base/sorted_column.h"

/** Bounds on the sizes of classes, in values. */
typedef struct {
    size_t least;        /* of every class; at least 1 */
    size_t most_extreme; /* of the lowest and of the highest class */
} class_bounds;

/**
 * Cuts into k >= 1 classes; cuts lie between values that differ alone.
 * @param[out] below  k - 1 entries: how many values lie below each cut, rising
 * @param[out] found  false where no cut keeps the bounds; `below` is then untouched
 *
 * Dynamic programming over the cuts, O(k u log u) for u distinct values: the best last cut moves one way only, so each
 * row is solved by halving. Wang and Song 2011, The R Journal 3(2); Grønlund et al. 2017, arXiv 1701.07204.
 */
BNB_MUST_CHECK status partition_best(const sorted_column *s, size_t k, class_bounds bounds, size_t *below, bool *found,
                                     error_info *err);

/**
 * The same under shares of the values (each class at least `least_share`, the extreme ones at most `most_extreme_share`
 * where k >= 3): where ties leave no such cut, first the second bound falls, then the first, and then k.
 * @param[out] n_cuts  k - 1, or fewer where there are fewer than k distinct values
 */
BNB_MUST_CHECK status partition_by_shares(const sorted_column *s, size_t k, double least_share,
                                          double most_extreme_share, size_t *below, size_t *n_cuts, error_info *err);

#endif
