/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What is asked of a scheduler: to start workers, and whether it still has some. */
#ifndef BNB_RUNNER_ENGINES_SCHEDULER_INTERNAL_H
#define BNB_RUNNER_ENGINES_SCHEDULER_INTERNAL_H

#include "runner/engines/helper_internal.h"
#include "runner/engines/shared_run.h"

/** What a task may need. */
typedef struct {
    uint64_t memory_mib; /* 0: unknown */
    double time_s;       /* 0: unknown */
    size_t n_threads;
} task_needs;

/** A submission. */
typedef struct {
    const char *folder, *script; /* absolute */
    const char *name;            /* of the tasks; that of no other folder's */
    size_t n_tasks;
    task_needs needs;
    const char *avoid; /* machines that lost workers of the last submission, with commas; empty for none */
    run_signals *signals;
} submission;

/** The tasks that the scheduler has. */
typedef struct {
    size_t n_waiting, n_running;
    char why[TEXT_SHOWN_SIZE]; /* one waits; "" where none does or nothing is said */
} task_counts;

/** The words of the sbatch that submits it. */
BNB_MUST_CHECK status slurm_words(const submission *s, const char *more, char ***words, size_t *n, error_info *err);

/** Asks squeue. STATUS_IO: it gave no answer, which says nothing of the tasks. */
BNB_MUST_CHECK status slurm_look(const char *name, run_signals *signals, task_counts *out, error_info *err);

/** Reads what squeue printed, a line "STATE|REASON" for each task. */
void slurm_count(const char *lines, task_counts *out);

/** Has the tasks removed that still wait; they would find nothing to do. */
BNB_MUST_CHECK status slurm_cancel(const char *name, run_signals *signals, error_info *err);

/**
 * The words of a template, parted as a shell does, with {tasks}, {script}, {folder}, {memory} (MiB), {time} (seconds),
 * {threads} and {name} replaced: a word stays one word, whatever a place holds.
 * @return STATUS_INVALID: no words, an open quote, an unknown place, or one for which the experiment has no limit.
 */
BNB_MUST_CHECK status template_words(const char *line, const submission *s, char ***words, size_t *n, error_info *err);

/** Writes FOLDER/engine/worker.sh, the script of every task; `*script` is its path, on the heap. */
BNB_MUST_CHECK status worker_script_write(const char *folder, double for_s, char **script, error_info *err);

/** How many tasks have begun in the folder, ever. */
BNB_MUST_CHECK status worker_script_count_begun(const char *folder, size_t *n, error_info *err);

#endif
