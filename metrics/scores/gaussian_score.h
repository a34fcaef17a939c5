/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The options of the scores of linear-Gaussian networks. */
#ifndef BNB_METRICS_SCORES_GAUSSIAN_SCORE_H
#define BNB_METRICS_SCORES_GAUSSIAN_SCORE_H

#include "metrics/scores/score.h"

/** The residual variance of a node with m parents on n rows, of the residual sum of squares S: S/(n-m-1) or S/n. */
enum score_variance { SCORE_VARIANCE_UNBIASED, SCORE_VARIANCE_MLE };

typedef struct {
    int variance; /* enum score_variance */
} gaussian_score_options;

typedef struct {
    double am; /* weight of the prior's mean, > 0 */
    double aw; /* weight of its covariance, more than columns + 1; 0: columns + 2 */
} bge_options;

extern const score_kind score_loglik_g, score_aic_g, score_bic_g, score_bge;

#endif
