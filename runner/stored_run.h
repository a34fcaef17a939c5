/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The last run of a store, or of a reading in it: what it declared and planned, and what there is of it. */
#ifndef BNB_RUNNER_STORED_RUN_H
#define BNB_RUNNER_STORED_RUN_H

#include "runner/declare/experiment.h"
#include "runner/plan/run_counts.h"
#include "store/store.h"

typedef struct stored_run stored_run;

/** What is read beside the figures of the run's own cells; flags. */
enum {
    STORED_RUN_TEXTS = 1, /* graphs and thresholds */
    STORED_RUN_OTHERS = 2 /* results that are of other declarations, which stored_run_explain tells of */
};

/**
 * Graphs and thresholds are read where they are asked for or a part of the declaration needs them.
 * @param wish STORED_RUN_..., or 0: figures of its own cells
 * @param reading of which the last run is read; NULL: the experiment as it is declared
 * @return STATUS_MISSING: nothing has run. STATUS_PARSE, STATUS_INVALID: the store is damaged. STATUS_MEMORY
 */
BNB_MUST_CHECK status stored_run_read(store *s, const char *reading, unsigned wish, stored_run **out, error_info *err);
void stored_run_destroy(stored_run *r);
AUTO_PTR_OF(stored_run, stored_run_destroy)

/** Lives as long as the run; whoever reports may add parts and facts of networks. */
experiment *stored_run_experiment(stored_run *r);

/** How far the run has come. */
void stored_run_count(const stored_run *r, run_counts *out);

/** Appends how many results are of earlier versions of their learners, then, for each planned cell without a done
 * result, why: never ran, failed (message), limit hit, ... */
BNB_MUST_CHECK status stored_run_explain(const stored_run *r, text_buffer *out, error_info *err);

/**
 * The planned records, in the order of the cells; cells without a result are left out. A store also keeps results of
 * earlier declarations, which have no place in the tables of this one. They are the caller's, and the run's no more.
 */
BNB_MUST_CHECK status stored_run_take_records(stored_run *r, job_record **out, size_t *n, error_info *err);

#endif
