/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The scores of rows, by several threads: of those that the search waits for, and meanwhile of those that it will
 * presumably ask for next. What a row holds depends on its family alone, so it makes no difference when it is filled.
 */
#ifndef BNB_LEARNERS_GES_GES_FILLING_INTERNAL_H
#define BNB_LEARNERS_GES_GES_FILLING_INTERNAL_H

#include "core/run/run_context.h"
#include "learners/ges/ges_gains_internal.h"
#include "learners/ges/ges_question_internal.h"
#include "metrics/scores/high_scores.h"
#include "metrics/scores/score.h"

#include <stdbool.h>

typedef struct ges_filling ges_filling;

/** `scorers`: one a thread, of the same data, of n_columns columns, and options; borrowed, as `ctx` is. */
BNB_MUST_CHECK status ges_filling_create(score *const *scorers, size_t n_scorers, size_t n_columns,
                                         const run_context *ctx, ges_filling **out, error_info *err);

/** Waits for the threads. NULL is fine. */
void ges_filling_destroy(ges_filling *f);
AUTO_PTR_OF(ges_filling, ges_filling_destroy)

/** The threads, the search's own among them. */
size_t ges_filling_threads(const ges_filling *f);

/** The other threads begin to answer the questions, which stay where they are until ges_filling_answer. */
BNB_MUST_CHECK status ges_filling_ask(ges_filling *f, const ges_questions *asked, error_info *err);

/**
 * Answers the questions, by all threads, as far as they are not answered yet; before the other threads join one that is
 * begun they begin those that are foreseen, as by ges_filling_foresee.
 * @param[out] is_expired set to true where the deadline came first, and there is nothing to be read
 */
BNB_MUST_CHECK status ges_filling_answer(ges_filling *f, const ges_questions *asked, const ges_questions *foreseen,
                                         bool *is_expired, error_info *err);

/** The scores of question i, NAN for y and the family; until the next ges_filling_foresee, _ask or _answer. NULL where
 * it is of all nodes, and these are so many that only the high scores are found. */
const double *ges_filling_scores(const ges_filling *f, size_t i);

/** These, likewise: how many into `*n`. */
const high_score *ges_filling_high(const ges_filling *f, size_t i, size_t *n);

/** The score of y and the family alone, likewise; of a question of at least one node. */
double ges_filling_without(const ges_filling *f, size_t i);

/** The gains over it that question i keeps (ges_sift_out), in a heap, likewise; what none of the others passes, or 0,
 * into `*rest`; of a question of at least one node. NULL where scores are asked for alone. */
const ges_gain *ges_filling_gains(const ges_filling *f, size_t i, size_t *n, double *rest);

/** Questions that are presumably asked next, the likeliest first, in the place of those that were foreseen before;
 * what is begun of these is kept. Beyond GES_MOST_FORESEEN they are left out. */
void ges_filling_foresee(ges_filling *f, const ges_questions *foreseen);

/** Likewise, but those that were foreseen before follow. */
void ges_filling_foresee_first(ges_filling *f, const ges_questions *foreseen);

/** Work beside the questions, by a thread with its scorer; false: nothing is left of it. */
typedef bool ges_side_work(void *self, size_t thread, score *scorer);

/** Has the other threads, numbered from 1 on, do it again and again while no question waits, until nothing is left. */
void ges_filling_begin_side(ges_filling *f, ges_side_work *work, void *self);

/** Waits until no thread is at it. It is begun no more. */
void ges_filling_end_side(ges_filling *f);

#endif
