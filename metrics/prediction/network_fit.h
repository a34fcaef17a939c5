/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The parameters of a network whose graph is known, from data. Node i of the graph is column i. */
#ifndef BNB_METRICS_PREDICTION_NETWORK_FIT_H
#define BNB_METRICS_PREDICTION_NETWORK_FIT_H

#include "core/data/dataset.h"
#include "core/models/bayes_net.h"
#include "core/models/gaussian_net.h"
#include "metrics/scores/gaussian_score.h"

/** How the rows of a table come from counts. */
typedef enum { FIT_BDEU, FIT_MLE } fit_estimate;

/**
 * Tables of discrete data: (N_ijk + ess / (q r)) / (N_ij + ess / q), the posterior mean under BDeu's prior (ess > 0);
 * or N_ijk / N_ij, and 1 / r where a configuration does not occur.
 * @return STATUS_INVALID: columns that are not discrete, another number of nodes, ess <= 0. STATUS_MEMORY: a table past
 *         BAYES_NET_MAX_CELLS. O(rows * arcs + cells).
 */
BNB_MUST_CHECK status fit_tables(const dataset *data, const dag *g, const char *name, fit_estimate estimate, double ess,
                                 bayes_net **out, error_info *err);

/**
 * Each column regressed on its parents by least squares, from the sums of squares and products. `sd` is the square root
 * of S / (n - m - 1) or S / n (score_variance), S the residual sum of squares and m the parents. A parent that is a
 * linear function of those before it (within 1e-12 of its sum of squares), or constant, gets the coefficient 0 and
 * counts none; a column that is one of its parents gets the sd 0.
 * @return STATUS_INVALID: columns that are not continuous or not finite, another number of nodes, or fewer rows than a
 *         variance takes: n <= m + 1 (unbiased).
 */
BNB_MUST_CHECK status fit_gaussian(const dataset *data, const dag *g, const char *name, enum score_variance variance,
                                   gaussian_net **out, error_info *err);

#endif
