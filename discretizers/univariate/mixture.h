/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Mixtures of one to four normal distributions on one variable: maximum likelihood by EM, BIC, modes, classes. */
#ifndef BNB_DISCRETIZERS_UNIVARIATE_MIXTURE_H
#define BNB_DISCRETIZERS_UNIVARIATE_MIXTURE_H

#include "core/base/random.h"
#include "discretizers/base/sorted_column.h"

enum { MIXTURE_MOST = 4 };

/**
 * Components in the order of their means, which stand, as the variances do, for the variable (x - shift) / scale: that
 * one lies within -1 .. 1, so nothing overflows. The log-likelihood is that of x.
 */
typedef struct {
    size_t m;
    double weight[MIXTURE_MOST], mean[MIXTURE_MOST], variance[MIXTURE_MOST];
    double shift, scale, log_likelihood;
} mixture;

/**
 * Fits m components (1 .. MIXTURE_MOST) to a column that is not constant. EM from the best cut into m classes, from
 * equal counts, from the widest gaps, and from `n_random` random starts; a few steps of each, then the best one until
 * its log-likelihood rises by less than 1e-6 a value, or 500 steps. No variance falls below 1/1000 of the column's.
 */
BNB_MUST_CHECK status mixture_fit(const sorted_column *s, size_t m, size_t n_random, random_stream *random,
                                  mixture *out, error_info *err);

/** log-likelihood - (3 m - 1) / 2 log n; more is better. */
double mixture_bic(const mixture *mix, size_t n);

/** Local maxima of the density. */
size_t mixture_mode_count(const mixture *mix);

/**
 * Classes of the sorted values: runs of the most probable component. Of a component with several runs the longest
 * stays, the others join the neighbour with the nearer mean; then so do classes with less than `least_share` of the
 * values, the smallest first, unless that would leave a single class.
 * @param[out] below  at most m - 1 entries: how many values lie below each cut
 */
void mixture_cuts(const mixture *mix, const sorted_column *s, double least_share, size_t *below, size_t *n_cuts);

#endif
