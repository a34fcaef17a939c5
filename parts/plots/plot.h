/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A declared plot: one point a learner and sample size (or noise level), the median over data sets with its quartiles.
 */
#ifndef BNB_PARTS_PLOTS_PLOT_H
#define BNB_PARTS_PLOTS_PLOT_H

#include "core/base/text.h"
#include "parts/figures/outputs.h"
#include "store/store.h"

/** A median and the quartiles around it; or a mean, and one standard error to each side. */
typedef struct {
    double middle, low, high;
} plot_spread;

typedef struct {
    size_t learner, size; /* as the experiment numbers them; by noise level: size is that of the level */
    size_t samples;       /* by noise level: those of the plot, 0 for all */
    size_t n, of;         /* data sets that entered, of those declared */
    plot_spread x, y;     /* x.low == x.middle == x.high for "samples" */
    bool is_on_front;     /* of a scatter plot: no other learner is better in both at that sample size */
} plot_point;

typedef struct {
    char *title, *label;
    bool is_log;
    bool is_samples, is_sigma, is_ratio;
    double scale; /* from the metric's unit to the label's */
} plot_axis;

/** One value of a box plot (a data set) or a heat map (the mean over `n` of `of` data sets). */
typedef struct {
    size_t learner, network, place, replicate, n, of; /* place: the network at a noise level, of a box plot */
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
    bool has_front, has_means;
    size_t n_notes;
    char **notes;
} plot;

/** Whether there is anything to draw. */
bool plot_has_data(const plot *p);

void plot_clear(plot *p);

/**
 * Computes a plot. With `use_means` a point is the mean over networks (and what else it rests on) of the mean over
 * their data sets, or of the ratio of that to the baseline's, as a table has it; its standard error is that of these
 * means, a ratio's by its linear expansion (Cochran 1977, Sampling Techniques, section 2.11). Only data sets count for
 * which every learner that takes part has both values (as FAILURES_DROP_DATASET); a ratio is taken on each data set,
 * against the baseline learner's value on the same data.
 *
 * The axis of a time is logarithmic, and so is that of sample sizes which lie far apart; others where the spec asks for
 * it. A value that is not positive makes an axis linear, with a note.
 * @return STATUS_INVALID: the baseline is no learner of the experiment, or "samples" or "sigma" stands on the y axis.
 * STATUS_MEMORY.
 */
BNB_MUST_CHECK status plot_compute(const experiment_outputs *outputs, const plot_spec *spec, const job_record *records,
                                   size_t n_records, plot *out, error_info *err);

/**
 * learner,samples,n,of,x,x_q1,x_q3,y,y_q1,y_q3 (scatter plots: and on_front; by noise level: sigma for samples);
 * numbers in full, in the metrics' own units. Other kinds: the values that are drawn, with the names of what they
 * belong to.
 */
void plot_append_csv(const plot *p, text_buffer *out);

/**
 * A gnuplot script with the data inside, which writes `file_name`.svg and `file_name`.png into the folder it runs in.
 * @param file_name a plain name, as display_file_name makes it
 */
void plot_append_script(const plot *p, const char *file_name, text_buffer *out);

#endif
