/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plot as a gnuplot script. The data stand inside, as numbers alone, so that no name from outside is ever a file name
 * or a command; labels go through gnuplot_append_text.
 */
#include "document/display.h"
#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"
#include "parts/figures/figure_style.h"
#include "parts/plots/plot_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_WITH_BARS = 45, CAPTION_COLUMN = 7 };
static const double margin = 0.06, margin_with_names = 0.1, tic_distance = 1.12;

static plot_spread scaled(plot_spread s, double scale) {
    return (plot_spread){.middle = s.middle * scale, .low = s.low * scale, .high = s.high * scale};
}

static plot_spread spread_on(const plot *p, size_t i, bool on_x) {
    return on_x ? scaled(p->points[i].x, p->x.scale) : scaled(p->points[i].y, p->y.scale);
}

/*
 * Bars on many points of a scatter plot would hide the points, and those of a median show how the networks differ, not
 * how sure a point is.
 */
bool points_have_bars(const plot *p) {
    const point_manner *m = &p->method->manner;
    bool has_bar = false;
    for (size_t i = 0; i < p->n_points; i++)
        has_bar = has_bar || !isnan(p->points[i].x.low + p->points[i].y.low);
    if (!has_bar)
        return false;
    return m->bars == BARS_ALWAYS || (m->bars == BARS_WHERE_CLEAR && p->has_means && p->n_points <= MOST_WITH_BARS);
}

/* An end of a bar that has no logarithm is not looked at. */
static void widen(points_range *range, double value, const plot_axis *axis) {
    if (axis->is_log && value <= 0)
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* From the least drawn to the largest, with a ratio's 1 inside, then a margin. */
static points_range range_of_figures(const plot *p, bool on_x) {
    const plot_axis *axis = on_x ? &p->x : &p->y;
    double first = axis->is_ratio ? 1 : spread_on(p, 0, on_x).middle, pad;
    double share = p->method->manner.has_front ? margin_with_names : margin;
    points_range range = {first, first};
    for (size_t i = 0; i < p->n_points; i++) {
        plot_spread s = spread_on(p, i, on_x);
        widen(&range, s.middle, axis);
        widen(&range, points_have_bars(p) ? s.low : s.middle, axis);
        widen(&range, points_have_bars(p) ? s.high : s.middle, axis);
    }
    if (axis->is_log) {
        pad = fmax(pow(range.high / range.low, share), 1.15);
        return (points_range){range.low / pad, range.high * pad};
    }
    pad = share * (range.high - range.low);
    pad = pad > 0 ? pad : fmax(fabs(range.high), 1) * share;
    return (points_range){range.low >= 0 && range.low - pad < 0 ? 0 : range.low - pad, range.high + pad};
}

/* A declared end that leaves no room to the other one, or has no logarithm, does not count. */
points_range points_find_range(const plot *p, bool on_x) {
    const plot_axis *axis = on_x ? &p->x : &p->y;
    points_range figures = range_of_figures(p, on_x), wanted = figures;
    if (axis->range && !isnan(axis->range->from) && !(axis->is_log && axis->range->from <= 0))
        wanted.low = axis->range->from;
    if (axis->range && !isnan(axis->range->to))
        wanted.high = axis->range->to;
    return wanted.low < wanted.high ? wanted : figures;
}

bool points_are_inside(const plot *p, size_t i) {
    points_range x = points_find_range(p, true), y = points_find_range(p, false);
    double at_x = spread_on(p, i, true).middle, at_y = spread_on(p, i, false).middle;
    return at_x >= x.low && at_x <= x.high && at_y >= y.low && at_y <= y.high;
}

plot_spread points_drawn(const plot *p, size_t i, bool on_x) {
    plot_spread s = spread_on(p, i, on_x);
    if ((on_x ? p->x : p->y).is_log && s.low <= 0)
        s.low = points_find_range(p, on_x).low;
    return s;
}

void points_append_bar(plot_spread x, plot_spread y, text_buffer *out) {
    const double ends[] = {x.low, x.high, y.low, y.high};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (isnan(ends[i]))
            text_append(out, " NaN");
        else
            text_append_format(out, " %.10g", ends[i]);
    }
}

/* One for each noise level. */
static void append_sigma_tics(const plot *p, text_buffer *out) {
    char digits[32];
    text_append(out, "set xtics (");
    for (size_t i = 0; i < p->outputs->n_sigmas; i++)
        text_append_format(out, "%s%s", i ? ", " : "", text_from_double(p->outputs->sigmas[i], digits));
    text_append(out, ")\n");
}

static void append_sample_tics(const plot *p, text_buffer *out) {
    text_append(out, "set xtics (");
    for (size_t i = 0; i < p->outputs->n_sizes; i++)
        text_append_format(out, "%s%zu", i ? ", " : "", p->outputs->sizes[i]);
    text_append(out, ")\n");
}

/* One for each number of variables that lies far enough from those that have one. */
static void append_variable_tics(const plot *p, text_buffer *out) {
    double last = 0;
    text_append(out, "set xtics (");
    for (;;) {
        double next = INFINITY;
        for (size_t i = 0; i < p->n_points; i++)
            next = p->points[i].x.middle > last * tic_distance ? fmin(next, p->points[i].x.middle) : next;
        if (isinf(next))
            break;
        text_append_format(out, "%s%.10g", last > 0 ? ", " : "", next);
        last = next;
    }
    text_append(out, ")\n");
}

void points_append_axis(const plot *p, bool on_x, text_buffer *out) {
    const plot_axis *axis = on_x ? &p->x : &p->y;
    points_range range = points_find_range(p, on_x);
    char letter = on_x ? 'x' : 'y';
    look_append_label(letter, axis->label, out);
    text_append_format(out, "set %crange [%.10g:%.10g]\n", letter, range.low, range.high);
    if (axis->is_log)
        text_append_format(out, "set logscale %c 10\n", letter);
    if (axis->is_samples)
        append_sample_tics(p, out);
    else if (axis->is_sigma && p->outputs->n_sigmas)
        append_sigma_tics(p, out);
    else if (axis->is_variables)
        append_variable_tics(p, out);
    else if (axis->is_log)
        plot_append_log_tics(letter, range.low, range.high, out);
    if (axis->is_ratio && on_x)
        text_append(out, "set arrow 1 from 1, graph 0 to 1, graph 1 nohead lc rgb '#999999' dt 2 back\n");
    else if (axis->is_ratio)
        text_append(out, "set arrow 2 from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#999999' dt 2 back\n");
}

/* Lines beside each other, not on top, where their sample sizes are the same: `rank` of `n` series. */
static double shift_of(const plot *p, size_t rank, size_t n) {
    double step = ((double)rank - (double)(n - 1) / 2) / (double)n;
    if (!p->x.is_samples && !p->x.is_sigma)
        return 1;
    if (p->x.is_sigma)
        return 1 + 0.012 * step;
    return p->x.is_log ? exp(0.12 * step) : 1 + 0.03 * step;
}

static void append_data(const plot *p, size_t first, size_t n, double shift, text_buffer *out) {
    text_append_format(out, "$learner%zu << END_OF_DATA\n", p->points[first].learner);
    for (size_t i = first; i < first + n; i++) {
        plot_spread x = points_drawn(p, i, true), y = points_drawn(p, i, false);
        text_append_format(out, "%.10g %.10g", x.middle * shift, y.middle);
        points_append_bar(scaled(x, shift), y, out);
        text_append(out, "\n");
    }
    text_append(out, "END_OF_DATA\n");
}

static void append_series(const plot *p, size_t learner, text_buffer *out) {
    const char *colour = look_colour(learner);
    if (points_have_bars(p))
        text_append_format(
            out, "$learner%zu using %s pt 0 lw 1 lc rgb '#90%s' notitle, \\\n     ", learner,
            p->x.is_samples || p->x.is_sigma ? "1:2:5:6 with yerrorbars" : "1:2:3:4:5:6 with xyerrorbars", colour + 1);
    text_append_format(out,
                       "$learner%zu using 1:2 with lines lw 1.8 lc rgb '%s' notitle, \\\n     "
                       "$learner%zu using 1:2 with points pt %d ps %g lw 1.6 lc rgb '%s' title ",
                       learner, colour, learner, look_marker(learner), p->method->manner.marker, colour);
    gnuplot_append_text(out, p->outputs->learners[learner], LOOK_MOST_NAME);
    text_append(out, " noenhanced");
}

/* The number of points from `first` on that are of one learner. */
static size_t count_of_learner(const plot *p, size_t first) {
    size_t n = 1;
    while (first + n < p->n_points && p->points[first + n].learner == p->points[first].learner)
        n++;
    return n;
}

static size_t count_series(const plot *p) {
    size_t n = 0;
    for (size_t first = 0; first < p->n_points; first += count_of_learner(p, first))
        n++;
    return n;
}

static void append_all_data(const plot *p, text_buffer *out) {
    size_t n = count_series(p), rank = 0;
    for (size_t first = 0; first < p->n_points; first += count_of_learner(p, first))
        append_data(p, first, count_of_learner(p, first), shift_of(p, rank++, n), out);
}

/* "; n = 12 of 12", "; n = 10 to 12 of 12" */
static void append_n_of_n(const plot *p, text_buffer *out) {
    size_t least = p->points[0].n, most = least;
    for (size_t i = 1; i < p->n_points; i++) {
        least = p->points[i].n < least ? p->points[i].n : least;
        most = p->points[i].n > most ? p->points[i].n : most;
    }
    text_append_format(out, "; n = %zu", least);
    if (most > least)
        text_append_format(out, " to %zu", most);
    text_append_format(out, " of %zu", p->points[0].of);
}

/* Programs are not measured as other learners are. */
static void append_programs(const plot *p, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer names = {0};
    bool has_time = figure_is_time(p->x.title) || figure_is_time(p->y.title);
    if (has_time && outputs_append_programs(p->outputs, &names) > 0)
        text_append_format(out, "; time of the whole process: %s", names.data ? names.data : "");
    out->failed |= names.failed;
}

void points_append_caption(const plot *p, text_buffer *out) {
    const char *over = outputs_place_count(p->outputs) == 1 ? "data sets" : "networks";
    if (p->method->manner.caption)
        text_append(out, p->method->manner.caption);
    else
        text_append_format(out, "%s over %s", p->has_means ? "Mean" : "Median", over);
    if (!p->method->manner.caption && points_have_bars(p))
        text_append(out, p->has_means ? ", bars: one standard error" : ", bars to the quartiles");
    if (p->x.is_variables)
        text_append_format(out, "; %zu rows", p->samples);
    append_n_of_n(p, out);
    append_programs(p, out);
}

static void append_plot_command(const plot *p, text_buffer *out) {
    for (size_t first = 0; first < p->n_points; first += count_of_learner(p, first)) {
        text_append(out, first == 0 ? "plot " : ", \\\n     ");
        append_series(p, p->points[first].learner, out);
    }
    text_append(out, "\n");
}

void points_cut_caption(const plot *p, text_buffer *caption) {
    size_t most = p->style.width ? p->style.width / CAPTION_COLUMN : 0;
    AUTO_FREE char *cut = most && caption->data ? display_copy_plain(caption->data, most) : NULL;
    if (!cut)
        return;
    caption->length = 0;
    text_append(caption, cut);
}

void points_append_script(const plot *p, const char *file_name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer caption = {0}, draw = {0};
    points_append_caption(p, &caption);
    points_cut_caption(p, &caption);
    append_plot_command(p, &draw);
    append_all_data(p, out);
    look_append_frame(p->title, caption.data ? caption.data : "", out);
    look_append_key(&p->style, out);
    points_append_axis(p, true, out);
    points_append_axis(p, false, out);
    look_append_pictures(file_name, &p->style, look_height(count_series(p)), draw.data ? draw.data : "", LOOK_REPLOT,
                         out);
    out->failed |= caption.failed || draw.failed;
}
