/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One job done twice: what is the same, what is not. */
#ifndef BNB_REPORT_DIFFERENCE_REPETITION_H
#define BNB_REPORT_DIFFERENCE_REPETITION_H

#include "core/base/status.h"
#include "store/store.h"

#include <stdbool.h>

/** A metric of both; NAN where one has none. */
typedef struct {
    const char *name; /* borrowed from the records */
    double before, after;
    bool is_same;
} repeated_metric;

/** Zero-initialise. */
typedef struct {
    bool is_same; /* all of it, but for what a clock or a scale measures */
    bool same_state, same_data, same_graph, same_counts;
    size_t n_metrics; /* those that are not measured by a clock or a scale */
    repeated_metric *metrics;
    double time_ratio; /* CPU time after / before; NAN without */
} repetition;

void repetition_clear(repetition *r);

BNB_MUST_CHECK status repetition_compare(const job_record *before, const job_record *after, repetition *out,
                                         error_info *err);

#endif
