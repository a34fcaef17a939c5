/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The scores of rows, by several threads: of those that the search waits for, and meanwhile of those that it will
 * presumably ask for next. What a row holds depends on its family alone, so it makes no difference when it is filled.
 */
#ifndef BNB_LEARNERS_GES_GES_FILLING_INTERNAL_H
#define BNB_LEARNERS_GES_GES_FILLING_INTERNAL_H

#include "core/run/run_context.h"
#include "metrics/scores/score.h"

#include <stdbool.h>

typedef struct ges_filling ges_filling;

/** The scores of y with the family and each of the first n_columns nodes. */
typedef struct {
    size_t y, n_family, n_columns;
    const size_t *family; /* its order tells in the last bits */
} ges_question;

/** `scorers`: one a thread, of the same data and options; borrowed, as `ctx` is. */
BNB_MUST_CHECK status ges_filling_create(score *const *scorers, size_t n_scorers, const run_context *ctx,
                                         ges_filling **out, error_info *err);

/** Waits until the threads have ended. NULL is fine. */
void ges_filling_destroy(ges_filling *f);
AUTO_PTR_OF(ges_filling, ges_filling_destroy)

/** The threads, the search's own among them. */
size_t ges_filling_threads(const ges_filling *f);

/**
 * Answers the questions, by all threads, as far as they are not answered yet.
 * @param[out] is_expired set to true where the deadline came first, and there is nothing to be read
 */
BNB_MUST_CHECK status ges_filling_answer(ges_filling *f, const ges_question *questions, size_t n, bool *is_expired,
                                         error_info *err);

/** The scores of question i, NAN for y and the family; until the next ges_filling_foresee or _answer. */
const double *ges_filling_scores(const ges_filling *f, size_t i);

/** Nothing is foreseen any more, though what is begun is kept. */
void ges_filling_forget(ges_filling *f);

/** Work beside the questions, by a thread with its scorer; false: nothing is left of it. */
typedef bool ges_side_work(void *self, size_t thread, score *scorer);

/** Has the other threads, numbered from 1 on, do it again and again while no question waits, until nothing is left. */
void ges_filling_begin_side(ges_filling *f, ges_side_work *work, void *self);

/** Waits until no thread is at it. It is begun no more. */
void ges_filling_end_side(ges_filling *f);

/** A question that is presumably asked next; less likely than those that were foreseen since ges_filling_forget. */
void ges_filling_foresee(ges_filling *f, const ges_question *question);

#endif
