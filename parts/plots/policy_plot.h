/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Histograms of variables with the thresholds of one or several discretizers: a panel a variable,
 * a lane each below. */
#ifndef BNB_PARTS_PLOTS_POLICY_PLOT_H
#define BNB_PARTS_PLOTS_POLICY_PLOT_H

#include "core/base/text.h"
#include "document/drawing/look.h"
#include "parts/figures/policy_text.h"

/** Thresholds to be drawn; all borrowed. */
typedef struct {
    const char *label;           /* the lane's name: a learner, a discretizer */
    const policy_column *column; /* NULL where it has none for this variable: its lane stays empty */
} policy_lane;

typedef struct {
    const policy_column *histogram; /* its thresholds are not drawn */
    const policy_lane *lanes;       /* n_lanes of the plot */
} policy_panel;

enum { POLICY_MOST_PANELS = 24, POLICY_MOST_LANES = 24 };

typedef struct {
    const char *title, *caption;
    size_t n_panels, n_lanes;
    const policy_panel *panels; /* at most POLICY_MOST_PANELS are drawn, the first ones */
    plot_style style;           /* of its height, all panels' together */
} policy_plot;

/** A gnuplot script that writes `file_name`.svg, .pdf and .png. */
void policy_plot_append_script(const policy_plot *p, const char *file_name, text_buffer *out);

/** The same that writes one file, an SVG. */
void policy_plot_append_svg_script(const policy_plot *p, const char *file_name, text_buffer *out);

/** kind,variable,learner,from,to,count: a line for each bin of a histogram and one for each threshold (in `from`). */
void policy_plot_append_csv(const policy_plot *p, text_buffer *out);

#endif
