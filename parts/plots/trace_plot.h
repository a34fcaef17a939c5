/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A plot of a series that learners tell of. */
#ifndef BNB_PARTS_PLOTS_TRACE_PLOT_H
#define BNB_PARTS_PLOTS_TRACE_PLOT_H

#include "parts/plots/plot.h"

/** Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *y;     /* the series */
    char *level; /* the metric by which learners without the series stand; NULL: they do not */
    size_t n_learners;
    char **learners; /* these alone; none: all that are not hidden */
    bool log_x;
    plot_style style;
} trace_spec;

/** A point is a learner and a step, which stands in `samples` and on the x axis; y is the mean. CSV:
 * learner,step,n,of,mean */
BNB_MUST_CHECK status trace_compute(const experiment_outputs *outputs, const trace_spec *spec,
                                    const job_record *records, size_t n_records, plot *out, error_info *err);

#endif
