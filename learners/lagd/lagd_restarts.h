/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * LAGD over several orders of the variables, the best kept: Vandel, Mangin, de Givry 2012, section 4.1 ("we randomly
 * permute the input variables at each run"). The order decides which of equally good moves is made.
 */
#ifndef BNB_LEARNERS_LAGD_LAGD_RESTARTS_H
#define BNB_LEARNERS_LAGD_LAGD_RESTARTS_H

#include "learners/lagd/lagd_search.h"

/**
 * `n_searches` searches, at least 1, each in a random order from ctx->random, the nodes of `out` as the plan has them.
 * ctx->trace gets the series "best_score". The plan watches nothing.
 */
BNB_MUST_CHECK status lagd_search_in_orders(const lagd_plan *plan, size_t n_searches, run_context *ctx,
                                            lagd_result *out, error_info *err);

#endif
