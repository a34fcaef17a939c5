/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scatter plot as a gnuplot script: a panel a sample size, all with the same axes; names beside the points, the
 * Pareto front as one line, which has every other point on its worse side. The data stand inside, as in
 * points_script.c.
 */
#include "document/display.h"
#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"
#include "parts/plots/labels.h"
#include "parts/plots/plot_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In pixels of the default size. */
enum {
    LEFT = 96, /* of the first panel: tics and label */
    RIGHT = 14,
    TOP = 44,
    PANEL_TITLE = 28,
    TICS = 40,
    FOOT = 56, /* label and caption */
    GAP = 22,  /* between panels */
    LONE_HEIGHT = 420,
    PANEL_HEIGHT = 250,
    HEIGHT_OF_NAME = 12, /* a panel is as much higher for each point */
    MOST_IN_THREE = 6,   /* points a panel */
    MOST_IN_TWO = 10
};
static const double name_points = 10, em_of_point = 1.34, names_across = 2.6;

typedef struct {
    const plot *p;
    size_t n_panels, n_columns, n_rows;
    size_t *sizes;        /* n_panels */
    size_t most;          /* points of a panel */
    double width, height; /* of the picture */
    double across, down;  /* of a panel's inside */
    points_range x, y;
} panels;

static size_t count_at(const plot *p, size_t size) {
    size_t n = 0;
    for (size_t i = 0; i < p->n_points; i++)
        n += p->points[i].size == size;
    return n;
}

/* In rising order of the sample sizes, however they are declared. */
static void choose_sizes(panels *a) {
    const size_t *sizes = a->p->outputs->sizes;
    for (size_t size = 0; size < a->p->outputs->n_sizes; size++) {
        size_t n = count_at(a->p, size), at = a->n_panels;
        if (n == 0)
            continue;
        a->most = n > a->most ? n : a->most;
        for (; at > 0 && sizes[a->sizes[at - 1]] > sizes[size]; at--)
            a->sizes[at] = a->sizes[at - 1];
        a->sizes[at] = size;
        a->n_panels++;
    }
}

static double name_em(const plot *p) {
    return em_of_point * name_points * (p->style.font_size > 0 ? p->style.font_size / 12 : 1);
}

static double name_width(const plot *p, size_t i) {
    AUTO_FREE char *name = display_copy_plain(p->outputs->learners[p->points[i].learner], LOOK_MOST_NAME);
    return name ? label_width(name, name_em(p)) : 0;
}

static double width_in(const panels *a, size_t n_columns) {
    return (a->width - LEFT - RIGHT - (double)(n_columns - 1) * GAP) / (double)n_columns;
}

/* As many panels beside each other as leave room for the names. */
static void choose_columns(panels *a) {
    size_t most = a->most <= MOST_IN_THREE ? 3 : a->most <= MOST_IN_TWO ? 2 : 1;
    double longest = 0;
    for (size_t i = 0; i < a->p->n_points; i++)
        longest = fmax(longest, name_width(a->p, i));
    most = a->n_panels < most ? a->n_panels : most;
    a->n_columns = 1;
    while (a->n_columns < most && width_in(a, a->n_columns + 1) >= names_across * longest)
        a->n_columns++;
    a->n_rows = (a->n_panels + a->n_columns - 1) / a->n_columns;
    a->across = width_in(a, a->n_columns);
}

static void choose_heights(panels *a) {
    double least = a->n_panels == 1 ? LONE_HEIGHT : PANEL_HEIGHT, rows = (double)a->n_rows;
    double around = TOP + FOOT + rows * (PANEL_TITLE + TICS);
    a->down = fmax(least, least / 2 + HEIGHT_OF_NAME * (double)a->most);
    a->height = around + rows * a->down;
    if (a->p->style.height == 0)
        return;
    a->height = (double)a->p->style.height;
    a->down = fmax((a->height - around) / rows, a->height / 4 / rows);
}

static bool lay_out(panels *a) {
    a->sizes = calloc(a->p->outputs->n_sizes + 1, sizeof *a->sizes);
    if (!a->sizes)
        return false;
    a->width = (double)(a->p->style.width ? a->p->style.width : LOOK_WIDTH);
    a->x = points_find_range(a->p, true);
    a->y = points_find_range(a->p, false);
    choose_sizes(a);
    choose_columns(a);
    choose_heights(a);
    return true;
}

static double share_of(double value, const points_range *range, bool is_log) {
    return is_log ? log(value / range->low) / log(range->high / range->low)
                  : (value - range->low) / (range->high - range->low);
}

static double pixel_x(const panels *a, double value) {
    return share_of(value, &a->x, a->p->x.is_log) * a->across;
}

static double pixel_y(const panels *a, double value) {
    return share_of(value, &a->y, a->p->y.is_log) * a->down;
}

/* The next point on the front to the right of `last`; n_points where there is none. */
static size_t next_on_front(const plot *p, size_t size, double last) {
    size_t next = p->n_points;
    for (size_t i = 0; i < p->n_points; i++) {
        const plot_point *point = &p->points[i];
        bool is_later = point->size == size && point->is_on_front && point->x.middle > last;
        if (is_later && (next == p->n_points || point->x.middle < p->points[next].x.middle))
            next = i;
    }
    return next;
}

/* The corners of the front's points in the order of x, from one edge of the panel to another. */
static void append_front(const panels *a, size_t panel, text_buffer *out) {
    const plot *p = a->p;
    bool is_less_x = p->x.sense < 0;
    double worst_y = p->y.sense < 0 ? a->y.high : a->y.low, last = -INFINITY, x = 0, y = 0;
    text_append_format(out, "$front%zu << END_OF_DATA\n", panel);
    for (;;) {
        size_t i = next_on_front(p, a->sizes[panel], last);
        if (i == p->n_points)
            break;
        bool is_first = isinf(last);
        last = p->points[i].x.middle;
        x = points_drawn(p, i, true).middle;
        y = points_drawn(p, i, false).middle;
        if (is_first)
            text_append_format(out, "%.10g %.10g\n", is_less_x ? x : a->x.low, is_less_x ? worst_y : y);
        text_append_format(out, "%.10g %.10g\n", x, y);
    }
    text_append_format(out, "%.10g %.10g\nEND_OF_DATA\n", is_less_x ? a->x.high : x, is_less_x ? y : worst_y);
}

/* x y x_low x_high y_low y_high, the colour, and of the bars */
static void append_points(const panels *a, size_t panel, bool on_front, text_buffer *out) {
    const plot *p = a->p;
    text_append_format(out, "$%s%zu << END_OF_DATA\n", on_front ? "best" : "beaten", panel);
    for (size_t i = 0; i < p->n_points; i++) {
        const plot_point *point = &p->points[i];
        plot_spread x = points_drawn(p, i, true), y = points_drawn(p, i, false);
        if (point->size != a->sizes[panel] || (point->is_on_front || !p->has_front) != on_front)
            continue;
        text_append_format(out, "%.10g %.10g", x.middle, y.middle);
        points_append_bar(x, y, out);
        text_append_format(out, " 0x%s 0x90%s\n", look_colour(point->learner) + 1, look_colour(point->learner) + 1);
    }
    text_append(out, "END_OF_DATA\n");
}

static bool has_on_front(const panels *a, size_t panel, bool on_front) {
    for (size_t i = 0; i < a->p->n_points; i++) {
        const plot_point *point = &a->p->points[i];
        if (point->size == a->sizes[panel] && (point->is_on_front || !a->p->has_front) == on_front)
            return true;
    }
    return false;
}

static void append_data(const panels *a, text_buffer *out) {
    for (size_t panel = 0; panel < a->n_panels; panel++) {
        append_points(a, panel, true, out);
        append_points(a, panel, false, out);
        if (a->p->has_front)
            append_front(a, panel, out);
    }
}

static void append_panel_plot(const panels *a, size_t panel, text_buffer *out) {
    const char *separator = "plot ";
    if (a->p->has_front) {
        text_append_format(out, "plot $front%zu using 1:2 with %s lw 1.5 lc rgb '#8A8A8A' notitle", panel,
                           a->p->x.sense < 0 ? "steps" : "fsteps");
        separator = ", \\\n     ";
    }
    for (int on_front = 0; on_front < 2; on_front++) {
        const char *name = on_front ? "best" : "beaten";
        if (!has_on_front(a, panel, on_front))
            continue;
        if (points_have_bars(a->p)) {
            text_append_format(out, "%s$%s%zu using 1:2:3:4:5:6:8 with xyerrorbars pt 0 lw 1 lc rgb variable notitle",
                               separator, name, panel);
            separator = ", \\\n     ";
        }
        text_append_format(out, "%s$%s%zu using 1:2:7 with points pt %d ps 1.1 lw 1.6 lc rgb variable notitle",
                           separator, name, panel, on_front ? 7 : 6);
        separator = ", \\\n     ";
    }
    text_append(out, "\n");
}

/* What names should leave free: the front's steps and the bars. Returns how many. */
static size_t collect_lines(const panels *a, size_t panel, label_box *lines) {
    const plot *p = a->p;
    size_t n = 0;
    for (size_t i = 0; i < p->n_points; i++) {
        plot_spread x = points_drawn(p, i, true), y = points_drawn(p, i, false);
        double px = pixel_x(a, x.middle), py = pixel_y(a, y.middle);
        if (p->points[i].size != a->sizes[panel])
            continue;
        if (points_have_bars(p) && !isnan(x.low + y.low)) {
            lines[n++] = (label_box){pixel_x(a, x.low), pixel_x(a, x.high), py - 1, py + 1};
            lines[n++] = (label_box){px - 1, px + 1, pixel_y(a, y.low), pixel_y(a, y.high)};
        }
        if (!p->points[i].is_on_front)
            continue;
        size_t next = next_on_front(p, a->sizes[panel], p->points[i].x.middle);
        double to_x = next < p->n_points ? pixel_x(a, points_drawn(p, next, true).middle) : a->across;
        double to_y = next < p->n_points ? pixel_y(a, points_drawn(p, next, false).middle) : py;
        double level = p->x.sense < 0 ? py : to_y, upright = p->x.sense < 0 ? to_x : px;
        lines[n++] = (label_box){px, to_x, level - 2, level + 2};
        lines[n++] = (label_box){upright - 2, upright + 2, fmin(py, to_y), fmax(py, to_y)};
    }
    return n;
}

static void append_tag(const panels *a, const label_tag *t, size_t i, size_t number, text_buffer *out) {
    double x = (t->place.left + t->place.right) / 2, y = (t->place.low + t->place.high) / 2;
    text_append_format(out, "set label %zu ", number);
    gnuplot_append_text(out, a->p->outputs->learners[a->p->points[i].learner], LOOK_MOST_NAME);
    text_append_format(out, " at graph %.5f, graph %.5f center noenhanced font ',%g' tc rgb '#222222' front\n",
                       x / a->across, y / a->down,
                       name_points * (a->p->style.font_size > 0 ? a->p->style.font_size / 12 : 1));
    if (t->has_line)
        text_append_format(out,
                           "set arrow %zu from graph %.5f, graph %.5f to graph %.5f, graph %.5f nohead lw 0.8 lc rgb "
                           "'%s'\n",
                           number, t->x / a->across, t->y / a->down, t->line_x / a->across, t->line_y / a->down,
                           look_colour(a->p->points[i].learner));
}

static void append_names(const panels *a, size_t panel, text_buffer *out) {
    const plot *p = a->p;
    AUTO_FREE label_tag *tags = calloc(p->n_points + 1, sizeof *tags);
    AUTO_FREE size_t *points = calloc(p->n_points + 1, sizeof *points);
    AUTO_FREE label_box *lines = calloc(4 * p->n_points + 1, sizeof *lines);
    size_t n = 0, n_lines;
    if (!tags || !points || !lines) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < p->n_points; i++) {
        if (p->points[i].size != a->sizes[panel] || !points_are_inside(p, i))
            continue;
        points[n] = i;
        tags[n++] = (label_tag){.x = pixel_x(a, points_drawn(p, i, true).middle),
                                .y = pixel_y(a, points_drawn(p, i, false).middle),
                                .width = name_width(p, i),
                                .height = 1.1 * name_em(p)};
    }
    n_lines = collect_lines(a, panel, lines);
    labels_place(tags, n, lines, n_lines, a->across, a->down);
    for (size_t i = 0; i < n; i++)
        append_tag(a, &tags[i], points[i], 10 + i, out);
}

static void append_place(const panels *a, size_t panel, text_buffer *out) {
    size_t column = panel % a->n_columns, row = panel / a->n_columns;
    double left = LEFT + (double)column * (a->across + GAP);
    double top = TOP + (double)row * (PANEL_TITLE + a->down + TICS) + PANEL_TITLE;
    text_append_format(
        out,
        "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset tmargin at screen %.5f\nset bmargin "
        "at screen %.5f\n",
        left / a->width, (left + a->across) / a->width, 1 - top / a->height, 1 - (top + a->down) / a->height);
}

static void append_panel(const panels *a, size_t panel, text_buffer *out) {
    size_t size = a->sizes[panel];
    bool is_lowest = panel + a->n_columns >= a->n_panels;
    char rows[PLOT_ROWS_SIZE];
    append_place(a, panel, out);
    if (a->n_panels > 1)
        text_append_format(out, "set title '%s' offset 0,-0.4 font ',12'\n",
                           plot_rows(a->p->outputs->sizes[size], rows));
    else
        text_append(out, "unset title\n");
    points_append_axis(a->p, true, out);
    points_append_axis(a->p, false, out);
    if (!is_lowest)
        text_append(out, "unset xlabel\n");
    if (panel % a->n_columns > 0)
        text_append(out, "unset ylabel\nset format y ''\n");
    else
        text_append(out, "set format y\n");
    if (a->p->style.key != PLOT_KEY_NONE)
        append_names(a, panel, out);
    append_panel_plot(a, panel, out);
    text_append(out, "unset label\nunset arrow\n");
}

static void append_heading(const panels *a, text_buffer *out) {
    text_append(out, "set label 2 ");
    gnuplot_append_text(out, a->p->title, LOOK_MOST_TITLE);
    text_append_format(out, " at screen 0.5, %.5f center noenhanced font ',14'\n", 1 - 24 / a->height);
}

void scatter_append_script(const plot *p, const char *file_name, text_buffer *out) {
    AUTO(text_buffer_clear) text_buffer caption = {0}, draw = {0};
    panels a = {.p = p};
    plot_style style = p->style;
    if (!lay_out(&a)) {
        out->failed = true;
        return;
    }
    points_append_caption(p, &caption);
    if (p->has_front)
        text_append(&caption, "; filled, and the line: the Pareto front");
    points_cut_caption(p, &caption);
    append_data(&a, out);
    text_append(&draw, "set multiplot\n");
    look_append_frame("", caption.data ? caption.data : "", &draw);
    append_heading(&a, &draw);
    text_append(&draw, "unset key\n");
    for (size_t panel = 0; panel < a.n_panels; panel++)
        append_panel(&a, panel, &draw);
    text_append(&draw, "unset multiplot\n");
    style.height = (size_t)a.height;
    style.has_margins = true;
    look_append_pictures(file_name, &style, 0, draw.data ? draw.data : "", draw.data ? draw.data : "", out);
    out->failed |= caption.failed || draw.failed;
    free(a.sizes);
}
