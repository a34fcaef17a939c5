/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a run takes over from the store, what it runs again, and why. */
#ifndef BNB_RUNNER_PLAN_REUSE_INTERNAL_H
#define BNB_RUNNER_PLAN_REUSE_INTERNAL_H

#include "core/base/text.h"
#include "runner/plan/cells_internal.h"
#include "runner/plan/plan_internal.h"

/** The cells of one learner. */
typedef struct {
    size_t n_cells, n_taken; /* taken over: its result stays */
    size_t n_older;          /* run again: the store has a result of an earlier version of the learner, the last: */
    int older;
} reuse_learner;

/** Zero-initialise. */
typedef struct {
    size_t n_cells, n_taken, n_new;
    /* run again: a version is another one, or the declaration, data or a program; failed; a limit is higher now; the
     * learner whose time is the budget runs */
    size_t n_older, n_otherwise, n_failed, n_cut, n_budget;
    size_t n_learners;
    reuse_learner *learners;
} reuse;

void reuse_clear(reuse *r);

/** @param is_due by cell: it runs */
BNB_MUST_CHECK status reuse_count(plan *p, const char (*keys)[PLAN_KEY_SIZE], const record_index *records,
                                  const bool *is_due, reuse *out, error_info *err);

/** How many cells run that the store had a result of. */
size_t reuse_again(const reuse *r);

/** "12 of 18 results are taken over from the store; 6 run again (...)." and a line end; nothing where the store is of
 * no use. */
void reuse_append_sentence(const reuse *r, const plan *p, text_buffer *out);

/** A result of the same cell as it may have been declared before; NULL where there is none. */
const job_record *reuse_find_relative(const plan *p, size_t i, const record_index *records);

#endif
