/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How far a run is: a line that is rewritten on a terminal, or now and then a plain line. On standard error. */
#ifndef BNB_RUNNER_PROGRESS_INTERNAL_H
#define BNB_RUNNER_PROGRESS_INTERNAL_H

#include "experiments/runner/runner.h"

typedef struct {
    bool rewrites, is_quiet;
    double began_s, shown_s;
    size_t n_to_do, n_over; /* of this run */
} progress;

void progress_begin(progress *p, const run_options *options, size_t n_to_do);

/** Shows the line where it is time; `n_running` jobs are on their way. */
void progress_show(progress *p, const run_counts *counts, size_t n_running);

/** Takes the line away. */
void progress_end(progress *p);

/** Seconds left by the pace so far; negative where unknown. */
double progress_seconds_left(const progress *p);

#endif
