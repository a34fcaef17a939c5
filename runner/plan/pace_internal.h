/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How long the cells that are left may take, from those that are over. A cell is of a learner and of a group: data of
 * one network and sample size.
 */
#ifndef BNB_RUNNER_PLAN_PACE_INTERNAL_H
#define BNB_RUNNER_PLAN_PACE_INTERNAL_H

#include "core/base/status.h"
#include "runner/plan/plan_internal.h"
#include "store/store.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct pace pace;

/** @param sizes by group: how large its data are, in any unit, above 0 */
BNB_MUST_CHECK status pace_create(size_t n_learners, size_t n_groups, const double *sizes, pace **out, error_info *err);
void pace_destroy(pace *p); /* NULL is fine */
AUTO_PTR_OF(pace, pace_destroy)

/** A cell is over and took so long. */
void pace_add(pace *p, size_t variant, size_t group, double seconds);

/** A cell is to be done, or, with -1, has begun. */
void pace_await(pace *p, size_t variant, size_t group, int change);

/**
 * Seconds that a cell may take: the mean of those of its learner and group. Else `*is_guess`: the learner's on the data
 * nearest in size, times what other learners took here for each second there (without others: the ratio of the sizes);
 * of a learner that has not run yet, the mean of the others here. Negative: nothing is over yet.
 */
double pace_expect(const pace *p, size_t variant, size_t group, bool *is_guess);

/** A cell on its way. */
typedef struct {
    size_t variant, group;
    double elapsed_s;
} pace_cell;

/** Seconds until all awaited and running cells are over, `n_jobs` at once; negative where unknown. */
double pace_left(const pace *p, const pace_cell *running, size_t n_running, size_t n_jobs, bool *is_guess);

/** One for the cells of a plan, and the group of a cell. Networks that are not read count by the catalogue. */
BNB_MUST_CHECK status pace_of_plan(const plan *cells, pace **out, error_info *err);
size_t pace_group(const plan *p, const plan_cell *cell);

/** Cell i is over with that record, of which the time of learning is known; NULL: it is awaited. */
void pace_tell(pace *p, const plan *cells, size_t i, const job_record *record);

#endif
