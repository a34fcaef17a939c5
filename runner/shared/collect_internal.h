/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A collector that stays: it takes the results of a plan folder into a store as they come, each file once. */
#ifndef BNB_RUNNER_SHARED_COLLECT_INTERNAL_H
#define BNB_RUNNER_SHARED_COLLECT_INTERNAL_H

#include "runner/result_batch_internal.h"
#include "runner/shared/plan_folder_internal.h"

/** Zero-initialise. */
typedef struct {
    const char *folder;      /* borrowed */
    const folder_plan *plan; /* borrowed */
    store *store;
    result_batch stored;
    bool *is_taken; /* by cell: its result was taken */
} collector;

/** Opens the store, made where it is not there, notes the plan as its run, and removes what is damaged of it. */
BNB_MUST_CHECK status collector_open(collector *c, const char *folder, const folder_plan *p, const char *store_folder,
                                     size_t *n_damaged, error_info *err);
void collector_clear(collector *c);

/** Takes what has come since; adds to the counts of `out` and sets `left`. */
BNB_MUST_CHECK status collector_take(collector *c, collect_outcome *out, error_info *err);

#endif
