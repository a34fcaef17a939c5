/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Runs what an experiment declares: plan, isolated jobs, store. */
#ifndef BNB_RUNNER_RUNNER_H
#define BNB_RUNNER_RUNNER_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "runner/declare/experiment.h"
#include "runner/plan/run_counts.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    const char *store_folder;
    const char *file, *profile; /* for the record of the run; may be NULL */
    size_t n_jobs;              /* jobs at once, at least 1 */
    bool quiet;
    bool show_progress; /* a line that is rewritten, on stderr (a terminal) */
    bool retry_failed;  /* run failed cells again; else a failed cell is a result that stays */
} run_options;

/**
 * Whether the external learners that run can be started: their program is there and executable, the script of an
 * interpreter is there, and the command says {graph}.
 * @return STATUS_MISSING, STATUS_INVALID: the message names the learner
 */
BNB_MUST_CHECK status runner_check_programs(const experiment *e, error_info *err);

/** The plan without running it: what --dry-run prints, one line a cell with its state. Reads the networks. */
BNB_MUST_CHECK status runner_describe_plan(const experiment *e, const char *store_folder, text_buffer *out,
                                           run_counts *counts, error_info *err);

/**
 * Runs every cell that the store has no result for. A failed job is a result, not an error of the run.
 * @param[out] interrupted SIGINT or SIGTERM stopped it: jobs in flight were stopped and will run again
 */
BNB_MUST_CHECK status runner_run(const experiment *e, const run_options *options, run_counts *counts, bool *interrupted,
                                 error_info *err);

/**
 * Reads the networks of which a table or a drawing says something, and puts what they are into `e->outputs.facts` and
 * `true_graphs`; one that cannot be read stays unknown.
 */
BNB_MUST_CHECK status runner_read_network_facts(experiment *e, error_info *err);

/**
 * What engines call. `runner_work` takes jobs of the plan in `folder` (plan.json) until none is left, each claimed by
 * an atomic rename, and writes one result file a job and attempt. `runner_collect` imports them into the store, once
 * each.
 */
BNB_MUST_CHECK status runner_write_plan(const experiment *e, const char *folder, error_info *err);
BNB_MUST_CHECK status runner_work(const char *folder, bool quiet, size_t *n_worked, error_info *err);
BNB_MUST_CHECK status runner_collect(const char *folder, const char *store_folder, size_t *n_added, error_info *err);

#endif
