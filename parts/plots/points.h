/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Scatter and line plots: one point a learner and sample size (or noise level), the median over data sets with its
 * quartiles.
 */
#ifndef BNB_PARTS_PLOTS_POINTS_H
#define BNB_PARTS_PLOTS_POINTS_H

#include "parts/figures/aggregate.h"
#include "parts/plots/plot.h"

/** Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *x; /* a metric; of a line plot "samples" or "sigma", NULL for the first */
    char *y; /* a metric */
    size_t n_learners;
    char **learners; /* these alone; none: all that are not hidden */
    char *normalise_by;
    bool log_x, log_y;
    table_aggregate aggregate; /* the mean over networks, as a table has it, or the median of all data sets */
    size_t samples;            /* this size alone; 0: all */
    plot_style style;
} points_spec;

/**
 * Computes a scatter or line plot. With `use_means` a point is the mean over networks (and what else it rests on) of
 * the mean over their data sets, or of the ratio of that to the baseline's, as a table has it; its standard error is
 * that of these means, a ratio's by its linear expansion (Cochran 1977, Sampling Techniques, section 2.11). Only data
 * sets count for which every learner that takes part has both values (as FAILURES_DROP_DATASET); a ratio is taken on
 * each data set, against the baseline learner's value on the same data.
 *
 * The axis of a time is logarithmic, and so is that of sample sizes which lie far apart; others where the spec asks for
 * it. A value that is not positive makes an axis linear, with a note.
 * As CSV: learner,samples,n,of,x,x_q1,x_q3,y,y_q1,y_q3 (scatter plots: and on_front; by noise level: sigma for
 * samples).
 * @return STATUS_INVALID: the baseline is no learner of the experiment, or "samples" or "sigma" stands on the y axis.
 * STATUS_MEMORY.
 */
BNB_MUST_CHECK status scatter_compute(const experiment_outputs *outputs, const points_spec *spec,
                                      const job_record *records, size_t n_records, plot *out, error_info *err);
BNB_MUST_CHECK status line_compute(const experiment_outputs *outputs, const points_spec *spec,
                                   const job_record *records, size_t n_records, plot *out, error_info *err);

#endif
