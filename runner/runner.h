/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Runs what an experiment declares: plan, isolated jobs, store. */
#ifndef BNB_RUNNER_RUNNER_H
#define BNB_RUNNER_RUNNER_H

#include "core/base/status.h"
#include "core/base/text.h"
#include "parts/base/part_scope.h"
#include "runner/declare/experiment.h"
#include "runner/plan/run_counts.h"
#include "store/store.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    const char *store_folder;
    const char *file, *profile; /* for the record of the run; may be NULL */
    size_t n_jobs;              /* at once; 0: as many as there are processors for, each with its threads */
    bool quiet;
    bool show_progress;     /* a line that is rewritten, on stderr (a terminal) */
    bool retry_failed;      /* run failed cells again; else a failed cell is a result that stays */
    const part_scope *only; /* of these networks, sizes and learners, and the learners whose time is their budget, cells
                               run and are counted; NULL: all. The rest stays to be run, as after an interruption */
} run_options;

/**
 * Whether the external learners that run can be started: their program is there and executable, the script of an
 * interpreter is there, and the command says {graph}.
 * @return STATUS_MISSING, STATUS_INVALID: the message names the learner
 */
BNB_MUST_CHECK status runner_check_programs(const experiment *e, error_info *err);

/** A run that has not begun. Zero-initialise. */
typedef struct {
    text_buffer summary; /* how many cells, how many of them the store has, learner by learner */
    bool wants_cells;    /* given: whether `cells` is filled, some hundred bytes a cell */
    text_buffer cells;   /* a line a cell with its state */
    run_counts counts;
    size_t n_new; /* cells to run that no earlier plan runs */
} planned_run;

/** The first 128 bits of a key. */
typedef struct {
    uint64_t high, low;
} planned_key;

/** Keys of cells that are to run, in order, each once. Zero-initialise. */
typedef struct {
    size_t n, capacity;
    planned_key *keys;
} planned_keys;

void planned_keys_clear(planned_keys *k);

void planned_run_clear(planned_run *r);

/**
 * What runner_run with these options would do. Reads the networks; runs nothing.
 * @param earlier what earlier plans of the same run compute; this one's cells are added. NULL: there are none
 */
BNB_MUST_CHECK status runner_describe_plan(const experiment *e, const char *store_folder, bool retry_failed,
                                           size_t n_jobs, planned_keys *earlier, planned_run *out, error_info *err);

/**
 * Runs every cell that the store has no result for. A failed job is a result, not an error of the run.
 * @param[out] interrupted SIGINT or SIGTERM stopped it: jobs in flight were stopped and will run again
 */
BNB_MUST_CHECK status runner_run(const experiment *e, const run_options *options, run_counts *counts, bool *interrupted,
                                 error_info *err);

/**
 * Reads the networks of which a table, a drawing or a rule of `failed_in_paper` says something, and puts what they are
 * into `e->outputs.facts`, `true_graphs` and `probabilities`, and the cells that those rules mean into
 * `paper_failures`; a network that cannot be read stays unknown.
 */
BNB_MUST_CHECK status runner_read_network_facts(experiment *e, error_info *err);

typedef struct {
    const char *
        store_folder; /* cells with a result there that stays are left out; NULL: none, nor has one that is not there */
    bool retry_failed; /* failed cells run again; else a failed cell is a result that stays */
    double lease_s;    /* a worker that gave no sign of life for so long is taken for dead; > 0 */
    size_t retries;    /* how many workers may be lost with a job before one more loss gives it up */
} plan_options;

enum { PLAN_USUAL_RETRIES = 3 };

/** The jobs of a plan folder: those that nobody has, those that a worker has, and those that cost too many workers. */
typedef struct {
    size_t total, queued, claimed, given_up;
    size_t n_damaged; /* of runner_write_plan: results that were damaged, and removed from the store */
} plan_jobs;

/**
 * What engines call, on a folder that all workers share. `runner_write_plan` lays a plan out in it: a job for each cell
 * that has no result, neither there nor in the store. To be called again for what results were lost, broken, failed or
 * cut by a limit that is higher now; workers may be at work. Damaged results of these cells are removed from the store.
 * @return STATUS_INVALID: another plan lies there. What experiment_read and store_open return.
 */
BNB_MUST_CHECK status runner_write_plan(const experiment *e, const char *folder, const plan_options *options,
                                        plan_jobs *jobs, error_info *err);

typedef struct {
    bool quiet;
    double for_s; /* takes no more jobs after that time; 0: as long as there are jobs */
} work_options;

typedef struct {
    size_t n_worked;
    bool interrupted; /* by SIGINT, SIGTERM or SIGHUP; its job went back */
    plan_jobs left;
} work_outcome;

/**
 * Takes jobs of the plan until none is left that it may begin, and writes a result file for each; also those of workers
 * that died. It ends when every worker that still has a job has given a sign of life, and no job is left that waits for
 * the time of one that another worker has.
 */
BNB_MUST_CHECK status runner_work(const char *folder, const work_options *options, work_outcome *out, error_info *err);

/** Zero-initialise. */
typedef struct {
    size_t n_added, n_refused;
    size_t n_damaged;    /* results of these cells that were damaged, and removed from the store first */
    text_buffer refused; /* a line for each file that was refused: which, and why */
    plan_jobs left;
} collect_outcome;

void collect_outcome_clear(collect_outcome *o);

/**
 * Imports the results into the store, each once. A file that is no whole result of its cell is refused: it goes to
 * aside/, and its job is to be done again.
 */
BNB_MUST_CHECK status runner_collect(const char *folder, const char *store_folder, collect_outcome *out,
                                     error_info *err);

/** A job that a worker has. Owns its texts. */
typedef struct {
    char *cell, *worker; /* "asia, 200 rows, replicate 2, hc"; HOST.PID-XXXXXX */
    double since_s;      /* when it took the job, in seconds since 1970 by the clock of the folder's file system */
    double silent_s;     /* since its last sign of life */
    bool is_lost;        /* for longer than a lease, or its place is gone */
} plan_claim;

/** Zero-initialise. */
typedef struct {
    plan_jobs jobs;
    size_t n_done, n_failed, n_limited; /* cells with a result, of which one failed, or met a limit of time or memory */
    size_t n_refused;                   /* results that are none */
    text_buffer refused;                /* a line for each: which, and why */
    size_t n_losses;                    /* how often a worker was lost with a job */
    size_t n_claims;
    plan_claim *claims;
} plan_look;

void plan_look_clear(plan_look *l);

/** Whether the folder is one that runner_write_plan made. */
BNB_MUST_CHECK status runner_is_plan(const char *folder, bool *out, error_info *err);

/** How the jobs of a plan stand, and what runner_collect would take or refuse. Changes nothing. */
BNB_MUST_CHECK status runner_look_at_plan(const char *folder, plan_look *out, error_info *err);

#endif
