/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Plots of a metric at one sample size: boxes, heat maps, growth. */
#ifndef BNB_PARTS_PLOTS_VALUES_H
#define BNB_PARTS_PLOTS_VALUES_H

#include "parts/plots/plot.h"

/** Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *y; /* a metric */
    size_t n_learners;
    char **learners;    /* these alone; none: all that are not hidden */
    char *normalise_by; /* boxes and heat maps alone have such a key */
    bool log_y;
    size_t samples; /* 0: the largest */
    plot_style style;
} values_spec;

#define VALUES_ROWS                                                                                                    \
    PLOT_METRIC_ROW(values_spec, y), PLOT_LEARNERS_ROW(values_spec), PLOT_LOG_ROW(values_spec, log_y),                 \
        PLOT_SIZE_ROW(values_spec, "the largest"), PLOT_STYLE_ROW(values_spec)

#endif
