/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The workers that a scheduler starts for a plan folder: submitted, and whether they are gone. */
#ifndef BNB_RUNNER_ENGINES_TASKS_INTERNAL_H
#define BNB_RUNNER_ENGINES_TASKS_INTERNAL_H

#include "runner/engines/scheduler_internal.h"
#include "runner/shared/lease_internal.h"
#include "runner/shared/plan_folder_internal.h"

typedef struct {
    const shared_options *options;
    const char *folder; /* absolute */
    const folder_plan *plan;
    run_signals *signals; /* for the scheduler's programs */
    char name[40];
    helper command;        /* that of a template, while it runs */
    bool has_command;      /* one was started, and its answer not read yet */
    size_t n_submitted;    /* tasks, of the last submission of this process; 0: there was none */
    size_t n_begun_before; /* tasks that had begun before it */
    double seen_s;         /* on the file system's clock: a worker gave a sign of life, or it was submitted */
    task_counts queue;     /* as the scheduler last said */
    size_t n_living;       /* workers that gave a sign of life within a lease */
    text_buffer machines;  /* theirs, with commas */
} tasks;

/** Gives the tasks their name, which they alone have that work in this folder. */
void tasks_init(tasks *t);
void tasks_clear(tasks *t);

/** Counts the workers that live, but not `own`. */
BNB_MUST_CHECK status tasks_see_living(tasks *t, const lease *own, double now_s, error_info *err);

/** Whether no task is left, neither waiting nor at work. STATUS_IO: the scheduler gave no answer, or refused. */
BNB_MUST_CHECK status tasks_are_gone(tasks *t, double now_s, bool *out, error_info *err);

/**
 * Submits workers for that many jobs, on other machines than those in `avoid` where the scheduler can. What it answers
 * is `said`; the command of a template is started, and tasks_are_gone says how it ended.
 */
BNB_MUST_CHECK status tasks_submit(tasks *t, size_t n_jobs, const char *avoid, double now_s, text_buffer *said,
                                   error_info *err);

/** Removes tasks that wait, all jobs being over; as far as the scheduler lets it. */
void tasks_cancel(tasks *t);

#endif
