/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The score BDeu, for those who need it and no other. */
#ifndef BNB_METRICS_SCORES_BDEU_H
#define BNB_METRICS_SCORES_BDEU_H

#include "metrics/scores/score.h"

/**
 * Structure priors by which an arc costs the same wherever it is, up to a constant of all graphs on these variables:
 * none; log(1 / (ess + 1)) an arc (Heckerman, Geiger, Chickering 1995, kappa = 1 / (ess + 1)); or each of the n - 1
 * others is a parent with probability p = prior_parents / (n - 1), so that k parents have k log p + (n - 1 - k)
 * log(1 - p), as in the BDeu score of later versions of Tetrad.
 */
enum score_prior { SCORE_PRIOR_UNIFORM, SCORE_PRIOR_KAPPA, SCORE_PRIOR_BINOMIAL };

typedef struct {
    double ess;             /* equivalent sample size, > 0 */
    int prior;              /* enum score_prior */
    double prior_parents;   /* of SCORE_PRIOR_BINOMIAL */
    double parameter_prior; /* a structure prior beside `prior`: this to the power of the free parameters; 0: none */
} bdeu_options;

/** What the structure prior takes off for an arc between n_columns variables. STATUS_INVALID: p is no probability. */
BNB_MUST_CHECK status score_prior_penalty(int prior, double ess, double prior_parents, size_t n_columns, double *nats,
                                          error_info *err);

/* One row a line. */
/* clang-format off */

/** The rows of an options table for the members of the struct `type` that hold them. */
#define BDEU_OPTION_ROWS(type, ess_member, prior_member, parents_member, initial)                                      \
    {OPT_REAL, "ess", offsetof(type, ess_member), initial, 1e-16, 1e12, "equivalent sample size of BDeu", NULL},       \
    {OPT_CHOICE, "prior", offsetof(type, prior_member), SCORE_PRIOR_UNIFORM, 0, 0,                                     \
     "structure prior; kappa: log(1/(ess+1)) an arc; binomial: each other variable is a parent with equal probability",\
     "uniform|kappa|binomial"},                                                                                        \
    {OPT_REAL, "prior_parents", offsetof(type, parents_member), 1, 1e-12, 1e6,                                         \
     "of the binomial prior: parents that it expects of a node", .is_later = true}

/* clang-format on */

extern const score_kind score_bdeu;

#endif
