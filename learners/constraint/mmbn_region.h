/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The part of a network around one variable: Tsamardinos, Aliferis, Statnikov, Brown 2003, Scaling-Up Bayesian Network
 * Learning to Thousands of Variables Using Local Learning Techniques (Vanderbilt University), section 2.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_MMBN_REGION_H
#define BNB_LEARNERS_CONSTRAINT_MMBN_REGION_H

#include "learners/constraint/mmpc_search.h"

/**
 * Breadth first from `target`: MMPCbar of every variable that is reached in fewer than `depth` steps, each once; an
 * edge to each member that it has. The variables at `depth` are reached and not searched, so two of them have no edge.
 * No symmetry correction: what either end found counts. rules->symmetry and the optimisations 4 and 5, which share
 * results between targets, are not used.
 *
 * @param target  below n_variables
 * @param[out] out           all undirected
 * @param[out] is_cut_short  the deadline came first: what the searches done by then found
 */
BNB_MUST_CHECK status mmbn_region(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                                  size_t target, size_t depth, const run_context *ctx, pdag **out, bool *is_cut_short,
                                  error_info *err);

#endif
