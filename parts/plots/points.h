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
    plot_range x_range, y_range;
    table_aggregate aggregate; /* the mean over networks, as a table has it, or the median of all data sets */
    size_t samples;            /* this size alone; 0: all */
    plot_style style;
} points_spec;

#endif
