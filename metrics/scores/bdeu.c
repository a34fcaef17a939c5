/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BDeu: the probability of the data under Dirichlet priors of ess / (q r) a cell, so that every network gets as much
 * prior weight: Heckerman, Geiger, Chickering, Machine Learning 20 (1995) 197-243, with the uniform prior of Buntine,
 * UAI 1991. Every declared state counts, seen in the data or not. Markov equivalent DAGs score alike, with any of the
 * structure priors too. Chickering, Journal of Machine Learning Research 3 (2002) 507-554, has 0.001^f for a graph of f
 * free parameters; so has Tetrad as of 2010 (its "structure prior"), which later versions replaced by the binomial
 * prior.
 */
#include "metrics/scores/bdeu.h"

#include "metrics/scores/score_internal.h"

#include <math.h>

static const option_spec options[] = {
    BDEU_OPTION_ROWS(bdeu_options, ess, prior, prior_parents, 1),
    {OPT_REAL, "parameter_prior", offsetof(bdeu_options, parameter_prior), 0, 0, 1,
     "a further structure prior: this to the power of the free parameters (0.001 in Chickering 2002); 0: none"},
    {0},
};

static status check(const void *opts, error_info *err) {
    const bdeu_options *o = opts;
    return o->ess > 0 ? STATUS_OK : error_set(err, STATUS_INVALID, "ess is %g; it must be positive", o->ess);
}

status score_prior_penalty(int prior, double ess, double prior_parents, size_t n_columns, double *nats,
                           error_info *err) {
    double others = (double)n_columns - 1;
    *nats = prior == SCORE_PRIOR_KAPPA ? log(ess + 1) : 0;
    if (prior != SCORE_PRIOR_BINOMIAL || n_columns < 2)
        return STATUS_OK;
    if (!(prior_parents > 0 && prior_parents < others))
        return error_set(err, STATUS_INVALID, "prior_parents is %g; it must lie between 0 and %g, the other variables",
                         prior_parents, others);
    *nats = log((others - prior_parents) / prior_parents);
    return STATUS_OK;
}

static status arc_penalty(const void *opts, size_t n_columns, double *nats, error_info *err) {
    const bdeu_options *o = opts;
    return score_prior_penalty(o->prior, o->ess, o->prior_parents, n_columns, nats, err);
}

static status choose(const count_terms *from, const void *opts, double r, double q, family_terms *out,
                     error_info *err) {
    const bdeu_options *o = opts;
    if (o->parameter_prior > 0)
        out->penalty = -q * (r - 1) * log(o->parameter_prior);
    CHECK(term_tables_gamma(from->tables, o->ess / (q * r), &out->cell, err));
    return term_tables_gamma(from->tables, o->ess / q, &out->row, err);
}

const score_kind score_bdeu = {
    .name = "bdeu",
    .aliases = (const char *const[]){"bde", NULL},
    .summary = "Bayesian Dirichlet, equivalent, uniform",
    .citation = "Heckerman, Geiger, Chickering 1995, Machine Learning 20; Buntine 1991",
    .is_equivalent = true,
    .accepts = DATA_DISCRETE,
    .options = options,
    .options_size = sizeof(bdeu_options),
    .arc_penalty = arc_penalty,
    .of_tables = &(const table_score){check, choose},
};
