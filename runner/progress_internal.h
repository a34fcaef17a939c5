/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How far a run is: on a terminal a block that is rewritten, else now and then a plain line. On standard error. */
#ifndef BNB_RUNNER_PROGRESS_INTERNAL_H
#define BNB_RUNNER_PROGRESS_INTERNAL_H

#include "runner/plan/cells_internal.h"
#include "runner/plan/pace_internal.h"
#include "runner/plan/plan_internal.h"
#include "runner/repaint_internal.h"
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
    double shown_s;
    size_t n_jobs; /* at once */
    pace *pace;    /* its awaited cells are those that have not begun */
    size_t n_running;
    progress_job *running; /* as many as may run at once */
    pace_cell *rests;      /* room for what the pace is told of them */
    const char *metric;    /* NULL: no table, no best so far */
    progress_mean *means;  /* by learner */
    repaint screen;
} progress;

/**
 * @param n_jobs the most that run at once
 * @param taken  the pace, which is the progress's from then on, also where it fails
 */
BNB_MUST_CHECK status progress_begin(progress *p, const experiment *e, const plan *cells, const run_options *options,
                                     size_t n_jobs, pace *taken, error_info *err);

/** Jobs come and go; `record` is NULL where one was stopped. */
void progress_job_begins(progress *p, size_t cell);
void progress_job_ends(progress *p, size_t cell, const job_record *record);

/** Shows the state where it is time. */
void progress_show(progress *p, const run_counts *counts);

/** Takes the block away and frees; the pace stays until progress_clear. */
void progress_end(progress *p);

void progress_clear(progress *p);

/** Seconds left by the pace so far; negative where unknown. */
double progress_seconds_left(const progress *p, bool *is_guess);

#endif
