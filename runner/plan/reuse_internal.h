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
    size_t n_cells, n_found, n_taken, n_new; /* found: there is a result of its key */
    /* run again: a version is another one, or the declaration, data or a program; failed; a limit is higher now; the
     * learner whose time is the budget runs */
    size_t n_older, n_otherwise, n_failed, n_cut, n_budget;
    size_t n_learners;
    reuse_learner *learners;
    bool *is_unknown; /* by cell: it runs, and there is no result of its key */
} reuse;

BNB_MUST_CHECK status reuse_begin(const plan *p, reuse *out, error_info *err);

void reuse_clear(reuse *r);

/** Counts a cell by what the store has of its key; NULL: nothing. */
void reuse_add(reuse *r, const plan *p, size_t i, const job_record *record, bool is_due);

/** Looks whether the store has other results of the cells that it has none of by their keys; NULL: there is no store.
 */
BNB_MUST_CHECK status reuse_look_for_relatives(reuse *r, plan *p, store *s, error_info *err);

/** How many cells run that the store had a result of. */
size_t reuse_again(const reuse *r);

/** "12 of 18 results are taken over from the store; 6 run again (...)." and a line end; nothing where the store is of
 * no use. */
void reuse_append_sentence(const reuse *r, const plan *p, text_buffer *out);

/** A result of the same cell as it may have been declared before; NULL where there is none. */
const job_record *reuse_find_relative(const plan *p, size_t i, const record_index *records);

#endif
