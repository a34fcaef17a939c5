/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The kinds of plots that have a source of their own. */
#ifndef BNB_PARTS_PLOTS_PLOT_INTERNAL_H
#define BNB_PARTS_PLOTS_PLOT_INTERNAL_H

#include "parts/figures/aggregate.h"
#include "parts/plots/plot.h"

/** PLOT_TRACE: a point is a learner and a step, which stands in `samples` and on the x axis; y is the mean. */
BNB_MUST_CHECK status plot_compute_trace(const experiment_outputs *outputs, const plot_spec *spec,
                                         const job_record *records, size_t n_records, plot *out, error_info *err);

/** learner,step,n,of,mean */
void plot_append_trace_csv(const plot *p, text_buffer *out);

/** PLOT_BOX and PLOT_HEATMAP: `values` instead of points. */
BNB_MUST_CHECK status plot_compute_values(const experiment_outputs *outputs, const plot_spec *spec,
                                          const job_record *records, size_t n_records, plot *out, error_info *err);
void plot_append_values_csv(const plot *p, text_buffer *out);
void plot_append_box_script(const plot *p, const char *file_name, text_buffer *out);
void plot_append_heatmap_script(const plot *p, const char *file_name, text_buffer *out);

/** PLOT_GROWTH: a point is a learner and a network, whose number of variables stands on the x axis. */
BNB_MUST_CHECK status plot_compute_growth(const experiment_outputs *outputs, const plot_spec *spec,
                                          const job_record *records, size_t n_records, plot *out, error_info *err);
void plot_append_growth_csv(const plot *p, text_buffer *out);

/** "set xtics (...)" of a logarithmic axis: 1-2-5 steps over a few decades, powers of ten over many. */
void plot_append_log_tics(char axis, double low, double high, text_buffer *out);

enum { PLOT_ROWS_SIZE = 32 };

/** "500 rows", "all rows"; returns the buffer. */
const char *plot_rows(size_t samples, char buffer[PLOT_ROWS_SIZE]);

/** What an axis shows, in its label's unit. */
typedef struct {
    double low, high;
} plot_range;

/** "set label" for the name of each point of a scatter plot, where it covers least; the axes have these ranges. */
void plot_append_labels(const plot *p, const plot_range *x, const plot_range *y, size_t default_height,
                        text_buffer *out);

/** Sums over the elements of a point. Zero-initialise. */
typedef struct {
    double mean, variance; /* of the elements' means */
    size_t n;
} plot_mean;

/**
 * Adds the mean of a metric over an element's data sets that are kept (n_replicates), or its ratio to the baseline's;
 * false, and nothing added, where none is kept or that is 0. Its variance is the squared standard error of the mean; a
 * ratio's is that of its linear expansion: of the differences a - R b, divided by the mean of b.
 */
bool plot_mean_add(const metric_values *m, size_t baseline, grid_element at, const bool *kept, size_t learner,
                   plot_mean *sum);
plot_spread plot_mean_spread(const plot_mean *sum); /* sum->n > 0 */

/** Marks the points of a scatter plot on its Pareto fronts, where both metrics have a better side. */
void plot_mark_front(plot *p, const plot_spec *spec, bool x_is_negative, bool y_is_negative);

/** Shared by the kinds: the sample size that the spec means (a position) and the axis of a metric. */
size_t plot_choose_size(const experiment_outputs *outputs, const plot_spec *spec);
BNB_MUST_CHECK status plot_name_axis(plot_axis *axis, const char *metric, const char *normalise_by, error_info *err);

#endif
