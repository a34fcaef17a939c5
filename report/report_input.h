/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a report is made of: the last run of a store or of a reading in it, its records, and what its networks are. */
#ifndef BNB_REPORT_REPORT_INPUT_H
#define BNB_REPORT_REPORT_INPUT_H

#include "runner/stored_run.h"

/** Owned; zero-initialise. */
typedef struct {
    stored_run *run;
    experiment *e; /* the run's, with facts of networks and the parts that were wished for */
    job_record *records;
    size_t n_records, n_planned; /* planned: cells */
    store_run_facts facts;
} report_input;

/** Parts that are added to the declared ones. */
typedef struct {
    bool policies; /* a table of every discretization policy, where none is declared */
    bool drawings; /* learned graphs against the true ones, of the first few small networks of the catalogue */
} report_wish;

/** The declaration, the records and the networks are read once. `reading` as of stored_run_read. */
BNB_MUST_CHECK status report_input_read(const char *store_folder, const char *reading, report_wish wish,
                                        report_input *out, error_info *err);
void report_input_clear(report_input *in);

#endif
