/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The candidate parents of Sparse Candidate: of each node its parents, and the others that promise most. */
#ifndef BNB_LEARNERS_HYBRID_SC_CANDIDATES_INTERNAL_H
#define BNB_LEARNERS_HYBRID_SC_CANDIDATES_INTERNAL_H

#include "core/data/dataset.h"
#include "core/graph/dag.h"
#include "core/run/run_context.h"
#include "metrics/scores/score.h"

/** At most k candidates of each node, and the tools to choose them. */
typedef struct sc_candidates sc_candidates;

/** `data` and `ctx` are borrowed. */
BNB_MUST_CHECK status sc_candidates_create(const dataset *data, size_t k, run_context *ctx, sc_candidates **out,
                                           error_info *err);
void sc_candidates_destroy(sc_candidates *c); /* NULL is fine */
AUTO_PTR_OF(sc_candidates, sc_candidates_destroy)

/** By node, ascending; they stay where they are, and change with each choice. */
const size_t *const *sc_candidates_rows(const sc_candidates *c);
const size_t *sc_candidates_counts(const sc_candidates *c);

/**
 * Chooses for every node its parents in g, and of the others those of the most information about it given the parents,
 * or those that raise its score most by `scorer`, unless that is NULL: one by one the first within SCORE_TOLERANCE of
 * the largest. By information as many threads take part as there are, where it is worth it, and ctx->tests counts a
 * test of a pair given a set as computed once, whichever end it comes from.
 * @param[out] is_changed some node has other candidates than before
 * @param[out] is_expired the deadline came first: the candidates are of no use
 */
BNB_MUST_CHECK status sc_candidates_choose(sc_candidates *c, const dag *g, score *scorer, bool *is_changed,
                                           bool *is_expired, error_info *err);

#endif
