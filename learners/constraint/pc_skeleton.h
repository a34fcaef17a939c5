/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The skeleton of PC: Spirtes, Glymour, Scheines 2000, Causation, Prediction, and Search, section 5.4.2; and of
 * PC-stable: Colombo, Maathuis 2014, J. Mach. Learn. Res. 15:3741-3782.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_PC_SKELETON_H
#define BNB_LEARNERS_CONSTRAINT_PC_SKELETON_H

#include "core/graph/pdag.h"
#include "core/run/crew.h"
#include "core/run/run_context.h"
#include "learners/base/table_limit.h"
#include "learners/constraint/separating_sets.h"
#include "metrics/tests/association.h"

/** A test that the source does not perform: passed over, or taken for one of the answers. The edge stays but for the
 * answer "independent", so the first and the last give the same graph. */
enum { PC_UNRELIABLE_SKIP, PC_UNRELIABLE_INDEPENDENT, PC_UNRELIABLE_DEPENDENT };
#define PC_UNRELIABLE_CHOICES "skip|indep|dep"

/** The same answers as those of the source, for one thread more, with counters of its own. */
typedef struct {
    association_source source;
    const decision_source *quick; /* borrowed, as is: */
    statistics_count *tally;      /* where its tests are counted */
} pc_helper;

typedef struct {
    bool is_stable; /* sets come from the neighbours as they were when their size began, not from the present ones */
    int max_k;      /* largest conditioning set; negative: no limit */
    int unreliable;
    const table_limit *limit; /* spares the search the sets that the source would refuse; NULL: ask for all. Borrowed */
    const decision_source *quick; /* the source, NULL: not used. Borrowed */
    /* the tests of one size are shared with them where the source offers `repeat`: which thread tests what changes
       neither the result nor the sum of the counters. Borrowed, as is where the source counts its tests */
    const pc_helper *helpers;
    statistics_count *tally;
    size_t n_helpers;
    crew *threads; /* the caller and as many as there are helpers; NULL where there are none. Borrowed */
} pc_rules;

/**
 * Starts from the complete graph; takes an edge away when a set of neighbours of one end makes its ends independent.
 * Sets by increasing size, then the ends in ascending order (x, then y), then the sets lexicographically. Where sets do
 * not depend on what was just removed (pairs without condition, and all of PC-stable), one end and the set stay and the
 * other end varies: for every pair the same tests in the same order, but cheaper, see ci_test_associate. A pair that is
 * tested from both ends asks for the sets of common neighbours twice: they are computed once, by the source's `repeat`
 * or its cache.
 *
 * Reliability must be monotone: where a test given z is not performed, neither is one given more. So the search ends
 * after a size of which no test was performed.
 *
 * @param ctx                asked for the deadline alone; borrowed
 * @param[out] out           all undirected
 * @param[out] sets          of the pairs that are not adjacent, those with a common neighbour of the pair among their
 *                           members: v-structures ask for no others
 * @param[out] is_cut_short  the deadline came first: the edges that are left then, and of a pair that was not tested
 *                           yet none
 *
 * Tests: O(n^2 n^k) at worst, k the most neighbours. Memory: O(n) and some 13 bytes for each edge that is left after
 * those without condition, twice that of PC that is not stable.
 */
BNB_MUST_CHECK status pc_skeleton(const association_source *source, size_t n_variables, const pc_rules *rules,
                                  const run_context *ctx, pdag **out, separating_sets **sets, bool *is_cut_short,
                                  error_info *err);

#endif
