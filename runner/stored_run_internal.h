/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BNB_RUNNER_STORED_RUN_INTERNAL_H
#define BNB_RUNNER_STORED_RUN_INTERNAL_H

#include "runner/plan/cells_internal.h"
#include "runner/plan/plan_internal.h"
#include "runner/stored_run.h"

struct stored_run {
    experiment e;
    plan *plan; /* for the labels of its cells; networks are read to compare versions, and for a job of its own */
    char *folder;
    char (*keys)[PLAN_KEY_SIZE];
    size_t n_keys;
    record_index records;
};

#endif
