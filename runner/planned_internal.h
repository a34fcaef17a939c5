/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The last run of a store: its declaration, its cells by key, and every record of the store. */
#ifndef BNB_RUNNER_PLANNED_INTERNAL_H
#define BNB_RUNNER_PLANNED_INTERNAL_H

#include "runner/plan/cells_internal.h"
#include "runner/plan/plan_internal.h"

/** The plan serves for the labels of its cells: no network is read. Zero-initialise; owns all. */
typedef struct {
    experiment e;
    plan *plan;
    char (*keys)[PLAN_KEY_SIZE];
    size_t n_keys;
    record_index records;
} last_run;

/** STATUS_MISSING where no run was started. On failure `r` holds what was read until then; last_run_clear frees it. */
BNB_MUST_CHECK status last_run_read(store *s, bool with_graphs, last_run *r, error_info *err);
void last_run_clear(last_run *r);

#endif
