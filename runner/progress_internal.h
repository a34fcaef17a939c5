/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How far a run is: on a terminal a block that is rewritten, else now and then a plain line. On standard error. */
#ifndef BNB_RUNNER_PROGRESS_INTERNAL_H
#define BNB_RUNNER_PROGRESS_INTERNAL_H

#include "runner/plan/plan_internal.h"
#include "runner/runner.h"

/** A job on its way. */
typedef struct {
    size_t cell;
    double began_s; /* on run_clock_s */
} progress_job;

/** The mean of the first table's metric over a learner's jobs of this run. */
typedef struct {
    double sum;
    size_t n;
} progress_mean;

typedef struct {
    const experiment *e;
    const plan *plan;
    bool rewrites, is_quiet;
    double began_s, shown_s;
    size_t n_to_do, n_over; /* of this run */
    size_t n_running;
    progress_job *running; /* as many as may run at once */
    const char *metric;    /* NULL: no table, no best so far */
    progress_mean *means;  /* by learner */
    size_t n_lines;        /* of the block on the screen */
} progress;

BNB_MUST_CHECK status progress_begin(progress *p, const experiment *e, const plan *cells, const run_options *options,
                                     size_t n_to_do, error_info *err);

/** Jobs come and go; `record` is NULL where one was stopped. */
void progress_job_begins(progress *p, size_t cell);
void progress_job_ends(progress *p, size_t cell, const job_record *record);

/** Shows the state where it is time. */
void progress_show(progress *p, const run_counts *counts);

/** Takes the block away and frees. */
void progress_end(progress *p);

/** Seconds left by the pace so far; negative where unknown. */
double progress_seconds_left(const progress *p);

#endif
