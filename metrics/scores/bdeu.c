/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BDeu: the probability of the data under Dirichlet priors of ess / (q r) a cell, so that every network gets as much
 * prior weight: Heckerman, Geiger, Chickering, Machine Learning 20 (1995) 197-243, with the uniform prior of Buntine,
 * UAI 1991. Every declared state counts, seen in the data or not. Markov equivalent DAGs score alike.
 */
#include "metrics/scores/bdeu.h"

#include "metrics/scores/score_internal.h"

#include <math.h>

static const option_spec options[] = {BDEU_OPTION_ROWS(bdeu_options, ess, prior, 1), {0}};

static status check(const void *opts, error_info *err) {
    const bdeu_options *o = opts;
    return o->ess > 0 ? STATUS_OK : error_set(err, STATUS_INVALID, "ess is %g; it must be positive", o->ess);
}

static double arc_penalty(const void *opts) {
    const bdeu_options *o = opts;
    return o->prior == SCORE_PRIOR_KAPPA ? log(o->ess + 1) : 0;
}

static status choose(const count_terms *from, const void *opts, double r, double q, family_terms *out,
                     error_info *err) {
    const bdeu_options *o = opts;
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
