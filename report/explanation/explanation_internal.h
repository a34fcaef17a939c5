/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources of an explanation share. */
#ifndef BNB_REPORT_EXPLANATION_EXPLANATION_INTERNAL_H
#define BNB_REPORT_EXPLANATION_EXPLANATION_INTERNAL_H

#include "report/explanation/explanation.h"

/** Zero-initialise. */
typedef struct {
    size_t n_metrics, n;
    const char **metrics; /* borrowed from the declaration */
    explained_job *jobs;
} explained_jobs;

void explained_jobs_clear(explained_jobs *j);

/** The jobs behind a cell of a table of a metric. */
BNB_MUST_CHECK status explained_jobs_find(const part_context *c, const metric_table_spec *spec, const table *t,
                                          size_t group, size_t learner, explained_jobs *out, error_info *err);

#endif
