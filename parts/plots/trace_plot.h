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
    plot_range x_range, y_range;
    plot_style style;
} trace_spec;

#endif
