/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A declared plot: one point a learner and sample size, the median over data sets with its quartiles. */
#ifndef BNB_PLOTS_PLOT_H
#define BNB_PLOTS_PLOT_H

#include "core/text.h"
#include "results/outputs.h"
#include "results/store.h"

/** A median and the quartiles around it. */
typedef struct {
    double middle, low, high;
} plot_spread;

typedef struct {
    size_t learner, size; /* as the experiment numbers them */
    size_t samples;
    size_t n, of;     /* data sets that entered, of those declared */
    plot_spread x, y; /* x.low == x.middle == x.high for "samples" */
    bool is_on_front; /* of a scatter plot: no other learner is better in both at that sample size */
} plot_point;

typedef struct {
    char *title, *label;
    bool is_log;
    bool is_samples, is_ratio;
    double scale; /* from the metric's unit to the label's */
} plot_axis;

/** One value of a box plot (a data set) or a heat map (the mean over `n` of `of` data sets). */
typedef struct {
    size_t learner, network, replicate, n, of;
    double value;
} plot_value;

/** Owns its strings and arrays; borrows the outputs. Zero-initialise. */
typedef struct {
    const experiment_outputs *outputs;
    plot_kind kind;
    char *title;
    plot_axis x, y;
    size_t n_points;
    plot_point *points; /* by learner, then by samples */
    size_t n_values;
    plot_value *values; /* of a box plot or heat map, by learner; these have no points */
    size_t samples;     /* the sample size of these and of a growth */
    plot_style style;
    bool has_front;
    size_t n_notes;
    char **notes;
} plot;

/** Whether there is anything to draw. */
bool plot_has_data(const plot *p);

void plot_clear(plot *p);

/**
 * Computes a plot. Only data sets count for which every learner that takes part has both values (as
 * FAILURES_DROP_DATASET); a ratio is taken on each data set, against the baseline learner's value on the same data.
 *
 * The axis of a time is logarithmic, and so is that of sample sizes which lie far apart; others where the spec asks for
 * it. A value that is not positive makes an axis linear, with a note.
 * @return STATUS_INVALID: the baseline is no learner of the experiment, or "samples" stands on the y axis.
 * STATUS_MEMORY.
 */
BNB_MUST_CHECK status plot_compute(const experiment_outputs *outputs, const plot_spec *spec, const job_record *records,
                                   size_t n_records, plot *out, error_info *err);

/**
 * learner,samples,n,of,x,x_q1,x_q3,y,y_q1,y_q3 (scatter plots: and on_front); numbers in full, in the metrics' own
 * units. Other kinds: the values that are drawn, with the names of what they belong to.
 */
void plot_append_csv(const plot *p, text_buffer *out);

/**
 * A gnuplot script with the data inside, which writes `file_name`.svg and `file_name`.png into the folder it runs in.
 * @param file_name a plain name, as display_file_name makes it
 */
void plot_append_script(const plot *p, const char *file_name, text_buffer *out);

#endif
