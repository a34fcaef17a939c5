/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names beside the points of a scatter plot, instead of a key. Each takes, of a few places around its point, the one
 * that covers least of the other names and points; a few rounds over all of them settle that (a local search, as in
 * Christensen, Marks, Shieber 1995, ACM Trans. Graphics 14(3)). A name that has to stand further off gets a line.
 */
#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"
#include "parts/plots/plot_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_RINGS = 3, N_DIRECTIONS = 8, N_CANDIDATES = N_RINGS * N_DIRECTIONS, N_ROUNDS = 6 };

/* In pixels, as far as they can be known: what gnuplot's margins and letters come to. */
static const double margin_left = 80, margin_right = 30, margin_top = 45, margin_bottom = 95, letter = 8.2, line = 16,
                    mark = 7;
static const double rings[N_RINGS] = {12, 30, 52};
/* What one place is worse than another, in square pixels of text that it would cover. */
static const double ring_cost = 40, mark_cost = 3, outside_cost = 20, on_bar_cost = 15;

typedef struct {
    double left, right, low, high;
} box;

typedef struct {
    double x, y; /* of the point, pixels from the left and from below of the plot's inside */
    double width;
    size_t candidate;
    box place;
} name_tag;

static box box_of(const name_tag *t, size_t candidate) {
    double angle = (double)(candidate % N_DIRECTIONS) * acos(-1) / 4, reach = rings[candidate / N_DIRECTIONS];
    double dx = cos(angle), dy = sin(angle);
    double centre = t->x + reach * dx + (fabs(dx) < 0.1 ? 0 : copysign(t->width / 2, dx)), middle = t->y + reach * dy;
    return (box){centre - t->width / 2, centre + t->width / 2, middle - line / 2, middle + line / 2};
}

static double overlap(const box *a, const box *b) {
    double width = fmin(a->right, b->right) - fmax(a->left, b->left);
    double height = fmin(a->high, b->high) - fmax(a->low, b->low);
    return width > 0 && height > 0 ? width * height : 0;
}

static double outside(const box *b, double width, double height) {
    return fmax(0, -b->left) + fmax(0, b->right - width) + fmax(0, -b->low) + fmax(0, b->high - height);
}

static double cost_of(const name_tag *tags, size_t n, size_t at, size_t candidate, double width, double height) {
    box place = box_of(&tags[at], candidate);
    bool is_on_bar = candidate % 2 == 0; /* right, above, left and below are where bars of spread go */
    size_t ring = candidate / N_DIRECTIONS;
    double cost =
        ring_cost * (double)ring + outside_cost * outside(&place, width, height) + (is_on_bar ? on_bar_cost : 0);
    for (size_t i = 0; i < n; i++) {
        box point = {tags[i].x - mark, tags[i].x + mark, tags[i].y - mark, tags[i].y + mark};
        cost += mark_cost * overlap(&place, &point);
        if (i != at)
            cost += overlap(&place, &tags[i].place);
    }
    return cost;
}

static void place_tags(name_tag *tags, size_t n, double width, double height) {
    for (int round = 0; round < N_ROUNDS; round++) {
        for (size_t i = 0; i < n; i++) {
            double best = cost_of(tags, n, i, tags[i].candidate, width, height);
            for (size_t c = 0; c < N_CANDIDATES; c++) {
                double cost = cost_of(tags, n, i, c, width, height);
                if (cost < best) {
                    best = cost;
                    tags[i].candidate = c;
                }
            }
            tags[i].place = box_of(&tags[i], tags[i].candidate);
        }
    }
}

static double share_of(double value, const points_range *range, bool is_log) {
    return is_log ? log(value / range->low) / log(range->high / range->low)
                  : (value - range->low) / (range->high - range->low);
}

static void append_tag(const plot *p, const name_tag *t, size_t i, double width, double height, text_buffer *out) {
    double x = (t->place.left + t->place.right) / 2 / width, y = (t->place.low + t->place.high) / 2 / height;
    const char *colour = look_colour(p->points[i].learner);
    text_append_format(out, "set label %zu ", i + 2); /* 1 is the caption */
    gnuplot_append_text(out, p->outputs->learners[p->points[i].learner], LOOK_MOST_NAME);
    text_append_format(out, " at graph %.5f, graph %.5f center noenhanced tc rgb '%s' front\n", x, y, colour);
    if (t->candidate >= N_DIRECTIONS)
        text_append_format(
            out, "set arrow from graph %.5f, graph %.5f to graph %.5f, graph %.5f nohead lw 0.7 lc rgb '%s'\n",
            t->x / width, t->y / height, fmin(fmax(t->x, t->place.left), t->place.right) / width,
            (t->y > t->place.high  ? t->place.high - 3
             : t->y < t->place.low ? t->place.low + 3
                                   : t->y) /
                height,
            colour);
}

void points_append_labels(const plot *p, const points_range *x, const points_range *y, size_t default_height,
                          text_buffer *out) {
    AUTO_FREE name_tag *tags = calloc(p->n_points + 1, sizeof *tags);
    double width = (double)(p->style.width ? p->style.width : LOOK_WIDTH) - margin_left - margin_right;
    double height = (double)(p->style.height ? p->style.height : default_height) - margin_top - margin_bottom;
    if (!tags) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < p->n_points; i++) {
        size_t n = strlen(p->outputs->learners[p->points[i].learner]);
        tags[i].x = share_of(p->points[i].x.middle * p->x.scale, x, p->x.is_log) * width;
        tags[i].y = share_of(p->points[i].y.middle * p->y.scale, y, p->y.is_log) * height;
        tags[i].width = letter * (double)(n < LOOK_MOST_NAME ? n : LOOK_MOST_NAME);
        tags[i].place = box_of(&tags[i], 0);
    }
    place_tags(tags, p->n_points, width, height);
    for (size_t i = 0; i < p->n_points; i++)
        append_tag(p, &tags[i], i, width, height, out);
}
