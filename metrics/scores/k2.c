/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * K2: the probability of the data under Dirichlet priors of one a cell: Cooper and Herskovits, Machine Learning 9
 * (1992) 309-347. The prior's weight grows with the number of cells, so Markov equivalent DAGs score differently.
 */
#include "metrics/scores/score_internal.h"

static const option_spec options[] = {{0}};

static status choose(const count_terms *from, const void *opts, double r, double q, family_terms *out,
                     error_info *err) {
    (void)opts;
    (void)q;
    CHECK(term_tables_gamma(from->tables, 1, &out->cell, err));
    return term_tables_gamma(from->tables, r, &out->row, err);
}

const score_kind score_k2 = {
    .name = "k2",
    .summary = "Bayesian Dirichlet with every hyper-parameter one",
    .citation = "Cooper and Herskovits 1992, Machine Learning 9",
    .accepts = DATA_DISCRETE,
    .options = options,
    .of_tables = &(const table_score){NULL, choose},
};
