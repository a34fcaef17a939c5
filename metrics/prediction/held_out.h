/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How good a learned DAG is on data that it was not learned from. */
#ifndef BNB_METRICS_PREDICTION_HELD_OUT_H
#define BNB_METRICS_PREDICTION_HELD_OUT_H

#include "core/base/status.h"
#include "core/data/dataset.h"
#include "core/graph/dag.h"

/**
 * The BDeu score of the DAG on the test data alone, in nats (Brown et al. 2005; Tsamardinos et al. 2006, sec. 9.1.4).
 * Node i of the DAG is column i.
 */
BNB_MUST_CHECK status held_out_bdeu(const dag *g, const dataset *test, double ess, double *out, error_info *err);

/** How a table is estimated from the training data. */
typedef enum { ESTIMATE_BDEU, ESTIMATE_LAPLACE } table_estimate;

/**
 * The log-likelihood of the test rows, in nats, with tables estimated from the training data (Gamez et al. 2013,
 * sec. 5.3): theta = (N_ijk + ess / (q r)) / (N_ij + ess / q), or (N_ijk + 1) / (N_ij + r). Both datasets have the same
 * columns and state spaces in the same order. STATUS_INVALID otherwise.
 */
BNB_MUST_CHECK status held_out_loglik(const dag *g, const dataset *train, const dataset *test, table_estimate estimate,
                                      double ess, double *out, error_info *err);

/** The same of continuous data: the Gaussian BIC (bic-g) of the DAG on the data alone, in nats. */
BNB_MUST_CHECK status held_out_gaussian_bic(const dag *g, const dataset *test, double *out, error_info *err);

/**
 * The log-likelihood of the test rows, in nats, under the linear-Gaussian network that fit_gaussian
 * (metrics/prediction/network_fit.h, unbiased variances) makes of the training data. Not finite where a column had no
 * variance left there. STATUS_INVALID: other columns, or too few training rows.
 */
BNB_MUST_CHECK status held_out_gaussian_loglik(const dag *g, const dataset *train, const dataset *test, double *out,
                                               error_info *err);

#endif
