/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plot as a gnuplot script. The data stand inside, as numbers alone, so that no name from outside is ever a file name
 * or a command; labels go through gnuplot_append_text.
 */
#include "document/display.h"
#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"
#include "parts/plots/plot_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_WITH_BARS = 24, CAPTION_COLUMN = 7 };
static const double margin = 0.06, least_marker = 0.8, most_marker = 1.5, lone_marker = 1.2, ring = 0.9,
                    tic_distance = 1.12;

static plot_spread scaled(plot_spread s, double scale) {
    return (plot_spread){.middle = s.middle * scale, .low = s.low * scale, .high = s.high * scale};
}

static plot_spread spread_on(const plot *p, size_t i, bool on_x) {
    return on_x ? scaled(p->points[i].x, p->x.scale) : scaled(p->points[i].y, p->y.scale);
}

/*
 * Bars on many points of a scatter plot would hide the points, and without a common baseline they would show how the
 * networks differ, not how sure a point is.
 */
static bool has_bars(const plot *p) {
    const point_manner *m = &p->method->manner;
    return m->bars == BARS_ALWAYS || (m->bars == BARS_WHERE_CLEAR && p->n_points <= MOST_WITH_BARS &&
                                      (p->y.is_ratio || p->has_means || p->outputs->n_networks == 1));
}

/* From the least drawn to the largest, with a ratio's 1 inside, then a margin. */
static void find_range(const plot *p, bool on_x, double *low, double *high) {
    const plot_axis *axis = on_x ? &p->x : &p->y;
    double pad;
    *low = *high = axis->is_ratio ? 1 : spread_on(p, 0, on_x).middle;
    for (size_t i = 0; i < p->n_points; i++) {
        plot_spread s = spread_on(p, i, on_x);
        *low = fmin(*low, has_bars(p) ? s.low : s.middle);
        *high = fmax(*high, has_bars(p) ? s.high : s.middle);
    }
    if (axis->is_log) {
        pad = fmax(pow(*high / *low, margin), 1.15);
        *low /= pad;
        *high *= pad;
        return;
    }
    pad = margin * (*high - *low);
    pad = pad > 0 ? pad : fmax(fabs(*high), 1) * margin;
    *low = *low >= 0 && *low - pad < 0 ? 0 : *low - pad;
    *high += pad;
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

static void append_axis(const plot *p, bool on_x, text_buffer *out) {
    const plot_axis *axis = on_x ? &p->x : &p->y;
    char letter = on_x ? 'x' : 'y';
    double low, high;
    find_range(p, on_x, &low, &high);
    look_append_label(letter, axis->label, out);
    text_append_format(out, "set %crange [%.10g:%.10g]\n", letter, low, high);
    if (axis->is_log)
        text_append_format(out, "set logscale %c 10\n", letter);
    if (axis->is_samples)
        append_sample_tics(p, out);
    else if (axis->is_sigma && p->outputs->n_sigmas)
        append_sigma_tics(p, out);
    else if (axis->is_variables)
        append_variable_tics(p, out);
    else if (axis->is_log)
        plot_append_log_tics(letter, low, high, out);
    if (axis->is_ratio && on_x)
        text_append(out, "set arrow from 1, graph 0 to 1, graph 1 nohead lc rgb '#999999' dt 2 back\n");
    else if (axis->is_ratio)
        text_append(out, "set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#999999' dt 2 back\n");
}

static bool has_several_sizes(const plot *p) {
    for (size_t i = 1; i < p->n_points; i++) {
        if (p->points[i].size != p->points[0].size)
            return true;
    }
    return false;
}

static double marker_size(const plot *p, size_t size) {
    size_t rank = 0, n = has_several_sizes(p) ? p->outputs->n_sizes : 1;
    for (size_t i = 0; n > 1 && i < n; i++)
        rank += p->outputs->sizes[i] < p->outputs->sizes[size];
    return n > 1 ? least_marker + (most_marker - least_marker) * (double)rank / (double)(n - 1) : lone_marker;
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
    double marker = p->method->manner.marker;
    text_append_format(out, "$learner%zu << END_OF_DATA\n", p->points[first].learner);
    for (size_t i = first; i < first + n; i++) {
        plot_spread x = spread_on(p, i, true), y = spread_on(p, i, false);
        text_append_format(out, "%.10g %.10g %.10g %.10g %.10g %.10g %.3g\n", x.middle * shift, y.middle, x.low * shift,
                           x.high * shift, y.low, y.high, marker > 0 ? marker : marker_size(p, p->points[i].size));
    }
    text_append(out, "END_OF_DATA\n");
}

static void append_series(const plot *p, size_t learner, text_buffer *out) {
    const char *colour = look_colour(learner);
    bool is_line = p->method->manner.marker > 0;
    if (has_bars(p))
        text_append_format(
            out, "$learner%zu using %s pt 0 lw 1 lc rgb '#90%s' notitle, \\\n     ", learner,
            p->x.is_samples || p->x.is_sigma ? "1:2:5:6 with yerrorbars" : "1:2:3:4:5:6 with xyerrorbars", colour + 1);
    text_append_format(out, "$learner%zu using 1:2 with lines lw %g dt %d lc rgb '%s' notitle, \\\n     ", learner,
                       is_line ? 1.8 : 0.8, is_line ? 1 : 3, colour);
    text_append_format(out, "$learner%zu using 1:2:7 with points pt %d ps variable lw 1.6 lc rgb '%s' title ", learner,
                       look_marker(learner), colour);
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

/* Names beside the points instead of a key, which a line has no need of. */
static bool has_labels(const plot *p) {
    return p->method->manner.has_front && p->style.key == PLOT_KEY_POINTS;
}

static void append_caption(const plot *p, text_buffer *out) {
    if (p->method->manner.caption)
        text_append(out, p->method->manner.caption);
    else if (p->has_means)
        text_append(out, has_bars(p) ? "Mean over networks, bars: one standard error" : "Mean over networks");
    else
        text_append(out, has_bars(p) ? "Median over data sets, bars to the quartiles" : "Median over data sets");
    if (p->x.is_variables)
        text_append_format(out, "; %zu rows", p->samples);
    append_n_of_n(p, out);
    if (p->has_front && has_labels(p))
        text_append(out, "; dashed: the Pareto front");
    if (p->method->manner.marker == 0 && has_several_sizes(p)) {
        text_append(out, "; the larger the mark, the larger the sample: ");
        for (size_t i = 0; i < p->outputs->n_sizes; i++)
            text_append_format(out, "%s%zu", i ? ", " : "", p->outputs->sizes[i]);
    }
}

/* The points on the front of a size, in the order of x, as a line; a ring around each. */
static void append_front_data(const plot *p, text_buffer *out) {
    for (size_t size = 0; size < p->outputs->n_sizes; size++) {
        double last = -INFINITY;
        text_append_format(out, "$front%zu << END_OF_DATA\n", size);
        for (;;) {
            size_t next = p->n_points;
            for (size_t i = 0; i < p->n_points; i++) {
                bool is_later = p->points[i].size == size && p->points[i].is_on_front && p->points[i].x.middle > last;
                if (is_later && (next == p->n_points || p->points[i].x.middle < p->points[next].x.middle))
                    next = i;
            }
            if (next == p->n_points)
                break;
            last = p->points[next].x.middle;
            text_append_format(out, "%.10g %.10g %.3g\n", spread_on(p, next, true).middle,
                               spread_on(p, next, false).middle, marker_size(p, size) + ring);
        }
        text_append(out, "END_OF_DATA\n");
    }
}

static bool has_front_at(const plot *p, size_t size) {
    for (size_t i = 0; i < p->n_points; i++) {
        if (p->points[i].size == size && p->points[i].is_on_front)
            return true;
    }
    return false;
}

static void append_front(const plot *p, text_buffer *out) {
    bool is_first = true;
    for (size_t size = 0; p->has_front && size < p->outputs->n_sizes; size++) {
        if (!has_front_at(p, size))
            continue;
        text_append_format(out,
                           ", \\\n     $front%zu using 1:2 with lines lw 1.4 dt 2 lc rgb '#666666' notitle, \\\n     "
                           "$front%zu using 1:2:3 with points pt 6 ps variable lw 1.2 lc rgb '#333333' %s",
                           size, size, is_first ? "title 'Pareto front'" : "notitle");
        is_first = false;
    }
}

static void append_plot_command(const plot *p, text_buffer *out) {
    for (size_t first = 0; first < p->n_points; first += count_of_learner(p, first)) {
        text_append(out, first == 0 ? "plot " : ", \\\n     ");
        append_series(p, p->points[first].learner, out);
    }
    append_front(p, out);
    text_append(out, "\n");
}

/* A narrow picture has no room for the whole caption, which the notes of the report say too. */
static void cut_caption(const plot *p, text_buffer *caption) {
    size_t most = p->style.width ? p->style.width / CAPTION_COLUMN : 0;
    AUTO_FREE char *cut = most && caption->data ? display_copy_plain(caption->data, most) : NULL;
    if (!cut)
        return;
    caption->length = 0;
    text_append(caption, cut);
}

static size_t height_of(const plot *p) {
    return has_labels(p) ? LOOK_LEAST_HEIGHT : look_height(count_series(p));
}

static void append_labels(const plot *p, text_buffer *out) {
    points_range x, y;
    find_range(p, true, &x.low, &x.high);
    find_range(p, false, &y.low, &y.high);
    points_append_labels(p, &x, &y, height_of(p), out);
}

void points_append_script(const plot *p, const char *file_name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer caption = {0}, draw = {0};
    append_caption(p, &caption);
    cut_caption(p, &caption);
    append_plot_command(p, &draw);
    append_all_data(p, out);
    if (p->has_front)
        append_front_data(p, out);
    look_append_frame(p->title, caption.data ? caption.data : "", out);
    look_append_key(&p->style, out);
    append_axis(p, true, out);
    append_axis(p, false, out);
    if (has_labels(p))
        append_labels(p, out);
    look_append_pictures(file_name, &p->style, height_of(p), draw.data ? draw.data : "", LOOK_REPLOT, out);
    out->failed |= caption.failed || draw.failed;
}
