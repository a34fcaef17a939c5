/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The scores of a node with sets of candidates in the order of a walk, found some thousands at a time by several
 * threads side by side. What the search then asks for is counted and kept as if it alone had found it.
 */
#ifndef BNB_LEARNERS_GREEDY_SET_SCORES_INTERNAL_H
#define BNB_LEARNERS_GREEDY_SET_SCORES_INTERNAL_H

#include "core/run/run_context.h"
#include "learners/greedy/subset_walk_internal.h"
#include "metrics/scores/score.h"

typedef struct set_scores set_scores;

/** A score: score_node_told takes it, but for one that the search's score has kept, which is counted as a request. */
typedef struct {
    double value;
    bool is_kept;
} found_score;

/** By ctx->n_threads threads, which are started when there is work for them; `s` and `ctx` are borrowed. */
BNB_MUST_CHECK status set_scores_create(score *s, const run_context *ctx, set_scores **out, error_info *err);
void set_scores_destroy(set_scores *a); /* NULL is fine */

/** Another walk begins, of `target` and these candidates (borrowed, until the next one begins). */
void set_scores_begin(set_scores *a, size_t target, const size_t *candidates);

/**
 * The scores of the present row, one for each candidate that it adds. Rows are asked for in the order of the walk.
 * @param[out] out as score_node_with would give them now; valid until the next call. NULL: the caller asks one by one,
 *                 for there is one thread, or little to do, or the time is over.
 */
BNB_MUST_CHECK status set_scores_row(set_scores *a, const subset_walk *at, const found_score **out, error_info *err);

/** Asks `s` for the score that was found, of x with parents and `extra`. */
double set_scores_take(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra,
                       const found_score *found);

#endif
