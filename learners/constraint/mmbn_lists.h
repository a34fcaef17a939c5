/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Max-min parents and children of every variable of a data set, each for itself, on several threads. */
#ifndef BNB_LEARNERS_CONSTRAINT_MMBN_LISTS_H
#define BNB_LEARNERS_CONSTRAINT_MMBN_LISTS_H

#include "core/data/dataset.h"
#include "core/run/run_context.h"
#include "learners/base/neighbour_lists.h"
#include "learners/constraint/skeleton_phase_internal.h"

/**
 * MMPCbar of every column (mmpc_search_target without the optimisations 4 and 5), the same lists on any number of
 * threads, for no search knows of another.
 *
 * The associations of a target with all other columns come from one pass over pairs (core/counting/pair_tables.h): a
 * block of targets stays in the second-level cache while the other columns go by, and only what is dependent is kept. A
 * pair is so counted twice, once from either end, which costs less than to keep a list of all dependent pairs: memory
 * is O(data + threads x columns), whatever the level of the tests. Tests that are not of tables (zf, rcit, ...) are
 * asked pair by pair, on one thread.
 *
 * ctx->n_threads, deadline_s; ctx->tests counts a pair without condition once, and every other test of every search.
 *
 * @param[out] is_cut_short  the deadline came first: the lists of targets whose search was not done are empty
 */
BNB_MUST_CHECK status mmbn_lists(const dataset *data, const skeleton_test_options *test, int max_k, run_context *ctx,
                                 neighbour_lists **out, bool *is_cut_short, error_info *err);

#endif
