/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How the values of a metric are shown. */
#ifndef BNB_PARTS_FIGURES_FIGURE_STYLE_H
#define BNB_PARTS_FIGURES_FIGURE_STYLE_H

#include "document/display.h"

/** The style of a metric's plain values, by its unit; a metric that is not known is shown as a share. */
number_style figure_style_of(const char *metric);

/** The unit that the style shows for that metric: "s", "MiB", "edges", ... or "". Static text. */
const char *figure_unit_of(const char *metric);

/** Whether the metric is a time. */
bool figure_is_time(const char *metric);

#endif
