/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What plots of the results have in common: points or values, axes, notes, the figures as CSV, the gnuplot script. */
#ifndef BNB_PARTS_PLOTS_PLOT_H
#define BNB_PARTS_PLOTS_PLOT_H

#include "core/base/text.h"
#include "document/drawing/look.h"
#include "parts/figures/outputs.h"
#include "store/store.h"

/** A median and the quartiles around it; or a mean, and one standard error to each side. NAN for those where there is
 * no saying (group_figure). */
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

/** Where an axis begins and ends, in its label's unit; NAN: by the figures. */
typedef struct {
    double from, to;
} plot_range;

typedef struct {
    char *title, *label;
    const plot_range *range; /* borrowed of the declaration; NULL: by the figures */
    bool is_log;
    bool is_samples, is_sigma, is_ratio, is_variables;
    double scale; /* from the metric's unit to the label's */
    int sense;    /* 1 where more is better, -1 where less is, 0 where neither; of plots with fronts */
} plot_axis;

/** One value of a box plot (a data set) or a heat map (the mean over `n` of `of` data sets). */
typedef struct {
    size_t learner, network, place, replicate, n, of; /* place: the network at a noise level, of a box plot */
    double value;
} plot_value;

struct plot_method;

/** Owns its strings and arrays; borrows the outputs. Zero-initialise. */
typedef struct plot {
    const experiment_outputs *outputs;
    const struct plot_method *method; /* of its kind */
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

void plot_clear(plot *p);

/** The values that are drawn, with the names of what they belong to; in full, in the metrics' own units. */
void plot_append_csv(const plot *p, text_buffer *out);

/**
 * A gnuplot script with the data inside, which writes `file_name`.svg and `file_name`.png into the folder it runs in.
 * @param file_name a plain name, as display_file_name makes it
 */
void plot_append_script(const plot *p, const char *file_name, text_buffer *out);

#endif
