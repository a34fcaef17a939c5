/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the store knows of each cell, and whether it is to run. */
#ifndef BNB_RUNNER_PLAN_CELLS_INTERNAL_H
#define BNB_RUNNER_PLAN_CELLS_INTERNAL_H

#include "runner/declare/experiment.h"
#include "runner/plan/run_counts.h"
#include "store/store.h"

/** The records of a store, found by key. Zero-initialise; owns them. */
typedef struct {
    job_record *records;
    size_t n;
    const job_record **by_key; /* ascending */
} record_index;

/** As store_read_keys: an index of these alone. */
BNB_MUST_CHECK status record_index_create_alone(store *s, const job_keys *of, bool with_graphs, record_index *out,
                                                error_info *err);

/** As store_read_of. */
BNB_MUST_CHECK status record_index_create(store *s, const job_keys *of, bool with_graphs, record_index *out,
                                          error_info *err);
void record_index_clear(record_index *index);

/** NULL where there is none. */
const job_record *record_index_find(const record_index *index, const char *key);

/** True if the cell is to run: no result, or one that a limit cut which is higher now, or a failure that is to be tried
 * again. */
bool cell_is_due(const job_record *record, const experiment *e, bool retry_failed);

/** Adds a cell to the counts by the state of its record; NULL counts as left. */
void cell_count(const job_record *record, run_counts *counts);

#endif
