/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How far a run is. */
#ifndef BNB_RUNNER_PLAN_RUN_COUNTS_H
#define BNB_RUNNER_PLAN_RUN_COUNTS_H

#include <stdbool.h>
#include <stddef.h>

/** Counts of an experiment's cells; total is the sum of the others. */
typedef struct {
    size_t total, done, failed, timeout, memory, running, left;
    double seconds_left; /* estimated; negative where unknown */
    bool is_guess;       /* for some of the cells left, from cells that are unlike them */
} run_counts;

#endif
