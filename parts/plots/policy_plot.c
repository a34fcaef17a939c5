/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/plots/policy_plot.h"

#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"

#include <inttypes.h>
#include <math.h>

enum { PANEL_HEIGHT = 210, LANE_HEIGHT = 20, MARGIN_HEIGHT = 70, MOST_LINES_UP = 4, MOST_TICS = 5 };
/* Of a panel's height, what stands around the histogram; below zero, in lanes, before the first lane. */
static const double pixels_of_axis = 60, gap = 0.35;

static size_t panel_count(const policy_plot *p) {
    return p->n_panels < POLICY_MOST_PANELS ? p->n_panels : POLICY_MOST_PANELS;
}

static size_t lane_count(const policy_plot *p) {
    return p->n_lanes < POLICY_MOST_LANES ? p->n_lanes : POLICY_MOST_LANES;
}

static size_t column_count(const policy_plot *p) {
    size_t n = panel_count(p);
    return n <= 1 ? 1 : n <= 4 ? 2 : 3;
}

static size_t row_count(const policy_plot *p) {
    return (panel_count(p) + column_count(p) - 1) / column_count(p);
}

static double most_in_a_bin(const policy_column *c) {
    uint64_t most = 1;
    for (size_t i = 0; i < c->n_bins; i++)
        most = c->bins[i] > most ? c->bins[i] : most;
    return (double)most;
}

/* In counts: a lane is so high that it takes LANE_HEIGHT pixels of the panel. */
static double lane_height(const policy_column *c) {
    return 1.06 * most_in_a_bin(c) * LANE_HEIGHT / (PANEL_HEIGHT - pixels_of_axis);
}

/* ---- data ---- */

static void append_histogram(const policy_column *c, size_t panel, text_buffer *out) {
    double width = (c->high - c->low) / (double)c->n_bins;
    text_append_format(out, "$bins%zu << END_OF_DATA\n", panel);
    for (size_t i = 0; i < c->n_bins; i++)
        text_append_format(out, "%.10g %" PRIu64 "\n", c->low + ((double)i + 0.5) * width, c->bins[i]);
    text_append(out, "END_OF_DATA\n");
}

/* The last row is missing: it keeps a block without thresholds from being empty, which gnuplot refuses. */
static void append_lane(const policy_plot *p, size_t panel, size_t lane, text_buffer *out) {
    const policy_column *c = p->panels[panel].lanes[lane].column;
    double h = lane_height(p->panels[panel].histogram);
    text_append_format(out, "$cuts%zu_%zu << END_OF_DATA\n", panel, lane);
    for (size_t i = 0; c && i < c->n_thresholds; i++)
        text_append_format(out, "%.10g %.10g %.10g %.10g\n", c->thresholds[i], -h * ((double)lane + gap + 0.88),
                           0.76 * h,
                           h * ((double)lane + gap + 0.88) + 1.06 * most_in_a_bin(p->panels[panel].histogram));
    text_append(out, "NaN NaN NaN NaN\nEND_OF_DATA\n");
}

static void append_data(const policy_plot *p, text_buffer *out) {
    for (size_t i = 0; i < panel_count(p); i++) {
        append_histogram(p->panels[i].histogram, i, out);
        for (size_t l = 0; l < lane_count(p); l++)
            append_lane(p, i, l, out);
    }
}

/* ---- a panel ---- */

/* 1, 2 or 5 times a power of ten, so that a few of them reach `most`. */
static double tic_step(double most) {
    double power = pow(10, floor(log10(most / MOST_TICS) + 1e-9)), times = most / MOST_TICS / power;
    double step = power * (times > 5 ? 10 : times > 2 ? 5 : times > 1 ? 2 : 1);
    return step < 1 ? 1 : step;
}

/* The names of the lanes below zero, counts from zero on. */
static void append_tics(const policy_plot *p, const policy_panel *panel, text_buffer *out) {
    double most = most_in_a_bin(panel->histogram), step = tic_step(most), h = lane_height(panel->histogram);
    size_t n = (size_t)floor(most / step + 1e-9);
    text_append(out, "set ytics (");
    for (size_t i = 0; i <= n; i++)
        text_append_format(out, "%s'%.10g' %.10g", i ? ", " : "", step * (double)i, step * (double)i);
    for (size_t l = 0; l < lane_count(p); l++) {
        text_append(out, ", ");
        gnuplot_append_text(out, panel->lanes[l].label, LOOK_MOST_NAME);
        text_append_format(out, " %.10g", -h * ((double)l + gap + 0.5));
    }
    text_append(out, ") noenhanced\n");
}

static void append_ranges(const policy_plot *p, const policy_panel *panel, text_buffer *out) {
    const policy_column *c = panel->histogram;
    double pad = c->high > c->low ? 0.02 * (c->high - c->low) : fmax(fabs(c->high), 1) * 0.5;
    text_append_format(out, "set xrange [%.10g:%.10g]\n", c->low - pad, c->high + pad);
    text_append_format(out, "set yrange [%.10g:%.10g]\n", -lane_height(c) * ((double)lane_count(p) + gap),
                       1.06 * most_in_a_bin(c));
    text_append_format(out, "set boxwidth %.10g absolute\n",
                       c->high > c->low ? (c->high - c->low) / (double)c->n_bins : 0.1 * pad);
}

static void append_panel(const policy_plot *p, size_t i, text_buffer *out) {
    const policy_panel *panel = &p->panels[i];
    size_t n_lanes = lane_count(p);
    text_append(out, "set title ");
    gnuplot_append_text(out, panel->histogram->name, LOOK_MOST_LABEL);
    text_append(out, " noenhanced font ',12' offset 0,-0.5\n");
    append_ranges(p, panel, out);
    append_tics(p, panel, out);
    text_append_format(out,
                       "plot $bins%zu using 1:2 with boxes fs solid 1 noborder lc rgb '#BBBBBB' notitle, \\\n     0 "
                       "with lines lw 0.8 lc rgb '#444444' notitle",
                       i);
    for (size_t l = 0; l < n_lanes; l++) {
        if (n_lanes <= MOST_LINES_UP)
            text_append_format(
                out, ", \\\n     $cuts%zu_%zu using 1:2:(0):4 with vectors nohead lw 1 dt 3 lc rgb '%s' notitle", i, l,
                look_colour(l));
        text_append_format(out,
                           ", \\\n     $cuts%zu_%zu using 1:2:(0):3 with vectors nohead lw 2.2 lc rgb '%s' notitle", i,
                           l, look_colour(l));
    }
    text_append(out, "\n");
}

/* ---- the picture ---- */

static void append_picture(const policy_plot *p, text_buffer *out) {
    text_append_format(out, "set multiplot layout %zu,%zu title ", row_count(p), column_count(p));
    gnuplot_append_text(out, p->title, LOOK_MOST_TITLE);
    text_append(out, " noenhanced font ',14'\n");
    if (p->caption) {
        text_append(out, "set label 1 ");
        gnuplot_append_text(out, p->caption, 150);
        text_append(out, " at screen 0.012, screen 0.02 left noenhanced font ',10' tc rgb '#555555'\n");
    }
    for (size_t i = 0; i < panel_count(p); i++) {
        append_panel(p, i, out);
        text_append(out, i == 0 ? "unset label 1\n" : "");
    }
    text_append(out, "unset multiplot\n");
}

static void append_frame(text_buffer *out) {
    text_append(out, "set encoding utf8\nunset key\nset border 3 lc rgb '#444444'\nset tics nomirror out\n"
                     "set grid x lt 1 lc rgb '#E6E6E6' lw 0.7\nset xtics autofreq font ',10' noenhanced\n"
                     "set ytics font ',10'\nset bmargin 3.5\nset datafile missing NaN\n");
}

static size_t usual_height(const policy_plot *p) {
    return row_count(p) * (PANEL_HEIGHT + lane_count(p) * LANE_HEIGHT) + MARGIN_HEIGHT;
}

void policy_plot_append_svg_script(const policy_plot *p, const char *file_name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer draw = {0};
    append_picture(p, &draw);
    append_data(p, out);
    append_frame(out);
    look_append_svg(file_name, &p->style, usual_height(p), draw.data ? draw.data : "", out);
    text_append(out, "unset output\n");
    out->failed |= draw.failed;
}

void policy_plot_append_script(const policy_plot *p, const char *file_name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer draw = {0};
    append_picture(p, &draw);
    append_data(p, out);
    append_frame(out);
    look_append_pictures(file_name, &p->style, usual_height(p), draw.data ? draw.data : "", draw.data ? draw.data : "",
                         out);
    out->failed |= draw.failed;
}

/* ---- CSV ---- */

static void append_bin_lines(const policy_column *c, text_buffer *out) {
    double width = (c->high - c->low) / (double)c->n_bins;
    char from[32], to[32];
    for (size_t i = 0; i < c->n_bins; i++) {
        double high = i + 1 == c->n_bins ? c->high : c->low + (double)(i + 1) * width;
        text_append(out, "bin,");
        text_append_csv_label(out, c->name);
        text_append_format(out, ",,%s,%s,%" PRIu64 "\n", text_from_double(c->low + (double)i * width, from),
                           text_from_double(high, to), c->bins[i]);
    }
}

void policy_plot_append_csv(const policy_plot *p, text_buffer *out) {
    char number[32];
    text_append(out, "kind,variable,learner,from,to,count\n");
    for (size_t i = 0; i < panel_count(p); i++) {
        const policy_panel *panel = &p->panels[i];
        append_bin_lines(panel->histogram, out);
        for (size_t l = 0; l < lane_count(p); l++) {
            const policy_column *c = panel->lanes[l].column;
            for (size_t k = 0; c && k < c->n_thresholds; k++) {
                text_append(out, "threshold,");
                text_append_csv_label(out, c->name);
                text_append(out, ",");
                text_append_csv_label(out, panel->lanes[l].label);
                text_append_format(out, ",%s,,\n", text_from_double(c->thresholds[k], number));
            }
        }
    }
}
