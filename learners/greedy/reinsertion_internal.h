/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One step of Optimal Reinsertion: a node is cut out of a DAG and put back where it scores most. */
#ifndef BNB_LEARNERS_GREEDY_REINSERTION_INTERNAL_H
#define BNB_LEARNERS_GREEDY_REINSERTION_INTERNAL_H

#include "core/graph/dag.h"
#include "core/run/run_context.h"
#include "metrics/scores/score.h"

typedef struct reinsertion reinsertion;

/** `n_candidates`: the best parents that a node has singly; only they and those that it has are parents to choose. */
BNB_MUST_CHECK status reinsertion_create(size_t n_nodes, size_t n_candidates, score *scorer, const run_context *ctx,
                                         reinsertion **out, error_info *err);
void reinsertion_destroy(reinsertion *r);
AUTO_PTR_OF(reinsertion, reinsertion_destroy)

/**
 * Takes every arc of `target` away and gives it the best parents, at most max_parents of them, and with them the best
 * children whose parents stay within that limit. Nodes of g may have more parents: the set that the target has is among
 * those tried, and a present child is one to choose. Every set of candidates is tried: O(candidates ^ max_parents)
 * scores.
 *
 * @param[in,out] g  replaced where the score rises by more than SCORE_TOLERANCE
 * @param[out] gain  what the score of g rose by, 0 where it stayed
 * @param[out] is_expired the deadline came first: of what was tried until then the best was taken
 */
BNB_MUST_CHECK status reinsertion_step(reinsertion *r, dag **g, size_t target, size_t max_parents, double *gain,
                                       bool *is_expired, error_info *err);

#endif
