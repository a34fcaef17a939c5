/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The kinds of plots that have a source of their own. */
#ifndef BNB_PLOTS_PLOT_INTERNAL_H
#define BNB_PLOTS_PLOT_INTERNAL_H

#include "plots/plot.h"

/** PLOT_TRACE: a point is a learner and a step, which stands in `samples` and on the x axis; y is the mean. */
BNB_MUST_CHECK status plot_compute_trace(const experiment_outputs *outputs, const plot_spec *spec,
                                         const job_record *records, size_t n_records, plot *out, error_info *err);

/** learner,step,n,of,mean */
void plot_append_trace_csv(const plot *p, text_buffer *out);

#endif
