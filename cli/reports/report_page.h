/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the HTML report tells of an experiment, gathered from the layers that the report itself may not know. */
#ifndef BNB_CLI_REPORTS_REPORT_PAGE_H
#define BNB_CLI_REPORTS_REPORT_PAGE_H

#include "report/html.h"
#include "runner/declare/experiment.h"

/** Owns its documents, to which `facts` points; zero-initialise. */
typedef struct {
    html_facts facts;
    document learners, settings;
} report_page;

/** Borrows the experiment and the facts of its run; what memory lacks for, the writer of the documents says. */
void report_page_create(const experiment *e, const store_run_facts *run, size_t n_planned, report_page *out);
void report_page_clear(report_page *p);

/**
 * Adds plots that the experiment does not declare: for the first few small networks of the catalogue, each learner's
 * graph at the largest sample size against the true one. The records need their graphs.
 */
BNB_MUST_CHECK status report_page_add_drawings(experiment *e, const job_record *records, size_t n_records,
                                               error_info *err);

#endif
