/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the kinds of plots share. */
#ifndef BNB_PARTS_PLOTS_PLOT_INTERNAL_H
#define BNB_PARTS_PLOTS_PLOT_INTERNAL_H

#include "parts/base/part_output.h"
#include "parts/figures/aggregate.h"
#include "parts/plots/points.h"

typedef enum { BARS_WHERE_CLEAR, BARS_ALWAYS, BARS_NEVER } bars_choice;

/** How a plot of points is drawn. */
typedef struct {
    bars_choice bars;
    double marker;       /* the size of every mark, which lines join */
    bool has_front;      /* Pareto fronts are marked */
    const char *caption; /* NULL: what the points are medians or means of */
} point_manner;

typedef struct plot_method {
    point_manner manner;
    void (*append_csv)(const plot *p, text_buffer *out);
    void (*append_script)(const plot *p, const char *file_name, text_buffer *out);
} plot_method;

/**
 * Computes a scatter or line plot. Figures are those of a table of the metric with the same learners, baseline and
 * aggregate and no other keys (group_compare): over networks, and what else a point rests on, of the means over their
 * data sets or the ratios of these to the baseline's. A point that rests on one network alone is its mean, with one
 * standard error, for either aggregate.
 *
 * The axis of a time is logarithmic, and so is that of sample sizes which lie far apart; others where the spec asks for
 * it. A value that is not positive makes an axis linear, with a note.
 * As CSV: learner,samples,n,of,x,x_q1,x_q3,y,y_q1,y_q3 (scatter plots: and on_front; by noise level: sigma for
 * samples).
 * @return STATUS_INVALID: the baseline is no learner of the experiment, or "samples" or "sigma" stands on the y axis.
 * STATUS_MEMORY.
 */
BNB_MUST_CHECK status points_compute(const experiment_outputs *outputs, const points_spec *spec,
                                     const plot_method *method, const job_record *records, size_t n_records, plot *out,
                                     error_info *err);
void points_append_csv(const plot *p, text_buffer *out);

/** The median and the quartiles; sorts the values, n > 0. */
plot_spread plot_spread_of(double *values, size_t n);

/** For qsort: by learner, then by samples and place on the x axis. */
int plot_compare_points(const void *a, const void *b);

/** The script of any plot of points. */
void points_append_script(const plot *p, const char *file_name, text_buffer *out);

/** The `make` of every kind that can `plot`. */
BNB_MUST_CHECK status plot_make(const part_context *c, const declared_part *p, part_output *out, error_info *err);

/** "set xtics (...)" of a logarithmic axis: 1-2-5 steps over a few decades, powers of ten over many. */
void plot_append_log_tics(char axis, double low, double high, text_buffer *out);

enum { PLOT_ROWS_SIZE = 32 };

/** "500 rows", "all rows"; returns the buffer. */
const char *plot_rows(size_t samples, char buffer[PLOT_ROWS_SIZE]);

/** The position of a sample size, of the largest where it is 0 or not there. */
size_t plot_choose_size(const experiment_outputs *outputs, size_t samples);

/** The only sample size where none is declared. STATUS_INVALID: there are several. */
BNB_MUST_CHECK status plot_settle_size(const experiment_outputs *outputs, size_t *samples, const char **key,
                                       error_info *err);

BNB_MUST_CHECK status plot_name_axis(plot_axis *axis, const char *metric, const char *normalise_by, error_info *err);

/** What an axis shows, in its label's unit. */
typedef struct {
    double low, high;
} points_range;
points_range points_find_range(const plot *p, bool on_x); /* n_points > 0 */

/** " x_low x_high y_low y_high", NaN for an end that a point does not have: gnuplot then draws no bar. */
void points_append_bar(plot_spread x, plot_spread y, text_buffer *out);

/** A point in the axis's unit, the ends of its bar where a logarithmic axis has them. */
plot_spread points_drawn(const plot *p, size_t i, bool on_x);
bool points_have_bars(const plot *p);

/** Range, label, tics and the line of a ratio's 1 (arrows 1 and 2), as gnuplot commands. */
void points_append_axis(const plot *p, bool on_x, text_buffer *out);

/** What the points are, for the foot. */
void points_append_caption(const plot *p, text_buffer *out);

/** A narrow picture has no room for the whole caption, which the notes of the report say too. */
void points_cut_caption(const plot *p, text_buffer *caption);

/** The script of a scatter plot: a panel a sample size, names at the points, the front as a line. */
void scatter_append_script(const plot *p, const char *file_name, text_buffer *out);

/** Marks the points of a scatter plot on its Pareto fronts, where both metrics have a better side. */
void points_mark_front(plot *p, const points_spec *spec, bool x_is_negative, bool y_is_negative);

extern const option_spec plot_style_options[], plot_range_options[];

/** STATUS_INVALID with the key of a range that does not rise. */
BNB_MUST_CHECK status plot_check_ranges(const plot_range *x, const plot_range *y, const char **key, error_info *err);

/** Gives a plot of points the ranges, with a note of what they cannot show. */
BNB_MUST_CHECK status points_set_ranges(plot *p, const plot_range *x, const plot_range *y, error_info *err);

/** Whether the point lies within the ranges of both axes. */
bool points_are_inside(const plot *p, size_t i);

/** Rows of options that kinds of plots share. */
#define PLOT_STYLE_ROW(type)                                                                                           \
    PART_ROW(OPT_GROUP, "style", type, style, .inner = plot_style_options,                                             \
             .help = "how it looks; a critical difference has no key, a drawing of a network is scaled to the size")
#define PLOT_METRIC_ROW(type, axis) PART_ROW(OPT_METRIC, #axis, type, axis, .is_required = true, .help = "a metric")
#define PLOT_LEARNERS_ROW(type)                                                                                        \
    PART_LIST_ROW(OPT_LEARNERS, "learners", type, learners, .usual = PART_ALL_LEARNERS, .help = "these alone")
#define PLOT_BASELINE_ROW(type)                                                                                        \
    PART_ROW(OPT_LEARNER, "normalise_by", type, normalise_by,                                                          \
             .help = "every value is divided by this one's on the same data")
#define PLOT_LOG_ROW(type, axis)                                                                                       \
    PART_ROW(OPT_BOOL, #axis, type, axis,                                                                              \
             .help = "a logarithmic axis; times, and sample sizes that lie far apart, have one anyway")
#define PLOT_RANGE_ROW(type, axis)                                                                                     \
    PART_ROW(OPT_GROUP, #axis, type, axis, .inner = plot_range_options,                                                \
             .help = "where the axis begins and ends, as a paper has it; without an end the figures set it")
#define PLOT_SIZE_ROW(type, without)                                                                                   \
    PART_ROW(OPT_SIZE, "samples", type, samples, .usual = without, .help = "the sample size that is shown")
#define POINTS_ROWS                                                                                                    \
    PLOT_METRIC_ROW(points_spec, y), PLOT_LEARNERS_ROW(points_spec), PLOT_BASELINE_ROW(points_spec),                   \
        PLOT_LOG_ROW(points_spec, log_x), PLOT_LOG_ROW(points_spec, log_y), PLOT_RANGE_ROW(points_spec, x_range),      \
        PLOT_RANGE_ROW(points_spec, y_range),                                                                          \
        PART_ROW(OPT_CHOICE, "aggregate", points_spec, aggregate, .choices = "median|mean",                            \
                 .help =                                                                                               \
                     "over networks, of the means over their data sets or of the ratios of these to the baseline's, "  \
                     "as in a table; bars to the quartiles, of a mean one standard error; of one alone none"),         \
        PLOT_SIZE_ROW(points_spec, "all"), PLOT_STYLE_ROW(points_spec)

#endif
