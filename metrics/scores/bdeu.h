/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The score BDeu, for those who need it and no other. */
#ifndef BNB_METRICS_SCORES_BDEU_H
#define BNB_METRICS_SCORES_BDEU_H

#include "metrics/scores/score.h"

/** Structure prior: none, or log(1 / (ess + 1)) an arc (Heckerman, Geiger, Chickering 1995, kappa = 1 / (ess + 1)). */
enum score_prior { SCORE_PRIOR_UNIFORM, SCORE_PRIOR_KAPPA };

typedef struct {
    double ess; /* equivalent sample size, > 0 */
    int prior;  /* enum score_prior */
} bdeu_options;

/** The rows of an options table for the members of the struct `type` that hold them. */
#define BDEU_OPTION_ROWS(type, ess_member, prior_member, initial)                                                      \
    {OPT_REAL, "ess", offsetof(type, ess_member), initial, 1e-16, 1e12, "equivalent sample size of BDeu", NULL}, {     \
        OPT_CHOICE, "prior", offsetof(type, prior_member), SCORE_PRIOR_UNIFORM, 0, 0,                                  \
            "structure prior; kappa: log(1/(ess+1)) an arc", "uniform|kappa"                                           \
    }

extern const score_kind score_bdeu;

#endif
