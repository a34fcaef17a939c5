/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scores that a delta table will presumably ask for soon, found by several threads side by side. The table asks as it
 * does alone, row by row: what it asks for is counted then, and what was found in vain leaves no trace.
 */
#ifndef BNB_LEARNERS_GREEDY_DELTA_AHEAD_INTERNAL_H
#define BNB_LEARNERS_GREEDY_DELTA_AHEAD_INTERNAL_H

#include "core/run/run_context.h"
#include "metrics/scores/score.h"
#include "metrics/scores/scored_extras.h"

typedef struct delta_ahead delta_ahead;

/** Whether a row of all columns is so much work that it pays. */
bool delta_ahead_pays(const pair_tables *tables);

/** Of `s`, which has twins, `own` of it and `tables`; all borrowed, and used by the calling thread. Threads are started
 * when there is work for them. */
BNB_MUST_CHECK status delta_ahead_create(score *s, const pair_tables *tables, scored_extras *own, size_t n_threads,
                                         delta_ahead **out, error_info *err);
void delta_ahead_destroy(delta_ahead *a); /* NULL is fine */

/** Forgets all; threads that are at work stop. */
BNB_MUST_CHECK status delta_ahead_forget(delta_ahead *a, error_info *err);

/** After delta_ahead_forget: y with these parents and each of n columns, at least one, ascending. Both
 * lists are copied. */
BNB_MUST_CHECK status delta_ahead_add(delta_ahead *a, size_t y, const size_t *parents, size_t n_parents,
                                      const size_t *columns, size_t n, error_info *err);

/** Columns that were added. */
size_t delta_ahead_size(const delta_ahead *a);

/** Has the threads begin, unless there is too little to do: then all is forgotten. */
BNB_MUST_CHECK status delta_ahead_begin(delta_ahead *a, error_info *err);

/**
 * The score of y with these parents and each of n columns, at least one, ascending: score_node_fresh, bit for bit.
 * Waits, and takes part in the work meanwhile.
 * @param[out] is_known false: some were not added, or another way to score costs less
 */
BNB_MUST_CHECK status delta_ahead_take(delta_ahead *a, size_t y, const size_t *parents, size_t n_parents,
                                       const size_t *columns, size_t n, double *out, bool *is_known, error_info *err);

#endif
