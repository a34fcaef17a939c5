/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The report as one HTML page that needs no network and no other file. What only the upper layers know of an experiment
 * (what a learner is, how the run was limited) comes in as documents.
 */
#ifndef BNB_REPORT_HTML_H
#define BNB_REPORT_HTML_H

#include "document/document.h"
#include "store/store.h"

/** Borrowed while the report is made. */
typedef struct {
    const store_run_facts *run;
    size_t n_planned;         /* cells */
    const char *declaration;  /* the experiment as YAML; written beside the page, to repeat a job with */
    const document *learners; /* a section of level 2 each */
    const document *settings; /* facts: seed, limits, column order, ... */
} html_facts;

#endif
