/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One job of the last run of a store: found, exported as files, and done once more. */
#ifndef BNB_RUNNER_STORED_JOB_H
#define BNB_RUNNER_STORED_JOB_H

#include "runner/stored_run.h"

enum { STORED_JOB_NAME_SIZE = 512 };

/** A cell of a run that was read with its texts. Borrows from the run. */
typedef struct {
    stored_run *run;
    size_t cell;
    char name[STORED_JOB_NAME_SIZE]; /* "child/500/1/pmmhc" */
    const job_record *record;        /* NULL: it has no result */
} stored_job;

/**
 * The cell of that name: NETWORK/ROWS/REPLICATE/LEARNER, "all" for all rows, the noise level before the replicate where
 * there is one, replicates from 1; or as `status --why` names it: "child, 500 rows, replicate 1, pmmhc".
 * @return STATUS_MISSING with a suggestion.
 */
BNB_MUST_CHECK status stored_job_find(stored_run *r, const char *word, stored_job *out, error_info *err);

/** The last cell of the run: the only one, or the one whose budget is the other's time. */
void stored_job_last(stored_run *r, stored_job *out);

/** What was written, and the command that does the job by hand with it, the words of which need quoting for a shell.
 * Zero-initialise. */
typedef struct {
    size_t n_files;
    char **files;
    size_t n_words;
    char **words;
    char *folder; /* in which the command is to be run: of an external learner; else NULL */
} job_files;

void job_files_clear(job_files *f);

/**
 * Writes into the folder, made where it is not there: data.csv with its schema, as the learner had it (its order of
 * columns, discrete where a discretizer made it so before); truth.csv and network.bif or network.json where they are
 * known; learned.csv where there is a graph. The command writes again.csv there.
 * @return STATUS_IO; what making the data returns.
 */
BNB_MUST_CHECK status stored_job_export(const stored_job *j, const char *folder, job_files *out, error_info *err);

/**
 * Does the job again in a process of its own, under the limits of the run; the store is not changed.
 * @param[out] interrupted by a signal; then there is no record
 * @return STATUS_MISSING: the learner whose time is its budget has no result.
 */
BNB_MUST_CHECK status stored_job_repeat(const stored_job *j, job_record *out, bool *interrupted, error_info *err);

/** Appends a sentence where this program, or what it reads, is not what the stored result is of; else nothing. */
BNB_MUST_CHECK status stored_job_append_version(const stored_job *j, text_buffer *out, error_info *err);

#endif
