/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Max-min Bayesian network, its edges: Tsamardinos, Aliferis, Statnikov, Brown 2003, Scaling-Up Bayesian Network
 * Learning to Thousands of Variables Using Local Learning Techniques (Vanderbilt University). No search knows of
 * another: there is no symmetry correction, and the optimisations 4 and 5 of MMPC, which share results between targets,
 * are not used.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_MMBN_SEARCH_H
#define BNB_LEARNERS_CONSTRAINT_MMBN_SEARCH_H

#include "core/data/dataset.h"
#include "learners/constraint/mmpc_search.h"
#include "learners/constraint/test_source_internal.h"

/**
 * MMPCbar of every column (mmpc_search_target): Figure 1 of the paper. The same lists on any number of threads.
 *
 * The associations of a target with all other columns come from one pass over pairs (metrics/tests/pair_screen.h): a
 * block of targets stays in the first caches while the other columns go by, and only what is dependent is kept. A pair
 * is so counted twice, once from either end: at level alpha a part alpha of all pairs seems dependent, and a list of
 * those takes more memory than there is, or more time. Memory is O(data + threads x columns), whatever the level of the
 * tests. Tests that are not of tables (zf, rcit, ...) are asked pair by pair, on one thread where there are no twins.
 *
 * ctx->n_threads, deadline_s; ctx->tests counts a pair without condition once, and every other test of every search;
 * ctx->tell. With ctx->checkpoint, blocks of targets that the file has are not searched, and each other one is written
 * there when it is done: lists and counts are those of a run that nothing ended.
 *
 * @param key  what the checkpoint is of, as list_checkpoint_open takes it; without one NULL
 * @param[out] is_cut_short  the deadline came first: the lists of targets whose search was not done are empty
 */
BNB_MUST_CHECK status mmbn_lists(const dataset *data, const skeleton_test_options *test, int max_k, const char *key,
                                 run_context *ctx, neighbour_lists **out, bool *is_cut_short, error_info *err);

/**
 * Breadth first from `target`: MMPCbar of every variable that is reached in fewer than `depth` steps, each once; an
 * edge to each member that it has. The variables at `depth` are reached and not searched, so two of them have no edge.
 * What either end found counts: section 2 of the paper. rules->symmetry is not used.
 *
 * @param target  below n_variables
 * @param[out] out           all undirected
 * @param[out] is_cut_short  the deadline came first: what the searches done by then found
 */
BNB_MUST_CHECK status mmbn_region(const association_source *source, size_t n_variables, const mmpc_rules *rules,
                                  size_t target, size_t depth, const run_context *ctx, pdag **out, bool *is_cut_short,
                                  error_info *err);

#endif
