/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A run on several machines: a plan folder on a shared directory, workers that a scheduler starts, and a follower that
 * takes their results in. What a scheduler says is a hint; a job is done when its result file is there.
 */
#ifndef BNB_RUNNER_ENGINES_SHARED_RUN_H
#define BNB_RUNNER_ENGINES_SHARED_RUN_H

#include "runner/runner.h"

typedef struct {
    const char *folder, *store_folder;
    const char *submit;     /* the command that starts the workers, with places; NULL: Slurm's sbatch */
    const char *slurm_args; /* further words for sbatch; NULL for none */
    size_t n_tasks;         /* workers at most, at least 1 */
    double longest_task_s;  /* the longest time that is asked for a task */
    plan_options plan;      /* its retries are those of a submission without a result as well */
    bool follows;           /* until all jobs are over; else it returns when the workers are submitted */
    bool quiet;
    bool show_progress; /* a line that is rewritten, on stderr (a terminal) */
} shared_options;

/** Zero-initialise. */
typedef struct {
    plan_jobs left;
    bool interrupted;       /* the follower was; the workers go on, but those of a command that still ran */
    bool has_ended_command; /* interrupted, and there was such a command */
    bool is_submitted;      /* workers were, by this call */
    bool is_in_vain;        /* retries + 1 submissions in a row brought no result */
    bool is_over;           /* nothing is left that a worker could do */
    text_buffer said;       /* what the scheduler answered to the last submission */
    text_buffer trouble;    /* a line for each job that was given up: its machines */
} shared_outcome;

void shared_outcome_clear(shared_outcome *o);

/** Whether the words for the scheduler can be made of what is asked. STATUS_INVALID: they cannot. */
BNB_MUST_CHECK status shared_options_check(const experiment *e, const shared_options *options, error_info *err);

/**
 * Lays the plan out in the folder, notes it in the store, takes in the results that are there, and has workers started
 * for the jobs that are left, unless those of an earlier call are still there.
 * @return STATUS_MISSING: the scheduler's program is not there. STATUS_INVALID: a template that cannot be. STATUS_IO:
 *         the scheduler refused. What runner_write_plan and runner_collect return.
 */
BNB_MUST_CHECK status runner_run_shared(const experiment *e, const shared_options *options, shared_outcome *out,
                                        error_info *err);

#endif
