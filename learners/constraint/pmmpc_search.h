/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Polynomial max-min parents and children: Brown, Tsamardinos, Aliferis 2005 (AAAI), Algorithm 1. As MMPC, but the
 * minimum over all subsets gives way to a greedy one, so that the number of tests is polynomial.
 */
#ifndef BNB_LEARNERS_CONSTRAINT_PMMPC_SEARCH_H
#define BNB_LEARNERS_CONSTRAINT_PMMPC_SEARCH_H

#include "core/graph/pdag.h"
#include "core/run/run_context.h"
#include "learners/base/neighbour_lists.h"
#include "learners/base/table_limit.h"
#include "learners/constraint/mmpc_search.h"
#include "metrics/tests/association.h"

typedef struct {
    int symmetry;             /* symmetry_rule of the skeleton */
    const table_limit *limit; /* spares the search the sets that the source would refuse; NULL: ask for all. Borrowed */
    /* The source, where it offers `may_depend` and keeps no answers given sets; with what it counts. The search knows
       then what earlier targets have asked, and counts tests as if the source did. NULL: the source is asked again.
       Borrowed, both */
    const decision_source *quick;
    statistics_count *tally;
    mmpc_helpers helpers; /* of pmmpc_skeleton, with `quick` */
} pmmpc_rules;

/** The search for one target after another, with its workspace: O(n_variables + tests of one target) memory. */
typedef struct pmmpc_search pmmpc_search;

/**
 * Reliability must be monotone: where a test given z is not performed, neither is one given more. `ctx` is asked for
 * the deadline alone; both borrowed.
 */
BNB_MUST_CHECK status pmmpc_search_create(const association_source *source, size_t n_variables,
                                          const pmmpc_rules *rules, const run_context *ctx, pmmpc_search **out,
                                          error_info *err);
void pmmpc_search_destroy(pmmpc_search *s); /* NULL is fine */
AUTO_PTR_OF(pmmpc_search, pmmpc_search_destroy)

/**
 * PMMPC of one target: no symmetry correction. `*members` is valid until the next call; in order of entry.
 *
 * No association is asked for twice. Departures from the printed text: members are no candidates; the recursion
 * leaves out what the conditioning set holds already; a member is not conditioned on itself. Ties go to the lower
 * index.
 */
BNB_MUST_CHECK status pmmpc_search_target(pmmpc_search *s, size_t target, const size_t **members, size_t *n_members,
                                          error_info *err);

/** The deadline came before the last target was done. */
bool pmmpc_search_is_cut_short(const pmmpc_search *s);

/**
 * GreedyMinAssoc(x, target, z): adds to the conditioning set, one at a time, the element of z that lowers the
 * association most, until none does. Elements whose test is not performed are passed over.
 * @param z n_z distinct variables, ascending
 */
BNB_MUST_CHECK status pmmpc_greedy_minimum(pmmpc_search *s, size_t x, size_t target, const size_t *z, size_t n_z,
                                           association *out, error_info *err);

/**
 * PMMPC of every variable as a skeleton (the paper's PMMS). At the deadline: what the targets done by then say, and
 * `*is_cut_short`. With helpers, where the rest is worth their start, by several threads, each with targets of its own:
 * neither the skeleton nor the sum of the counters depends on their number.
 */
BNB_MUST_CHECK status pmmpc_skeleton(const association_source *source, size_t n_variables, const pmmpc_rules *rules,
                                     const run_context *ctx, pdag **out, bool *is_cut_short, error_info *err);

#endif
