/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See the header. What one place is worse than another is told in pixels that the name stands further off. */
#include "parts/plots/labels.h"

#include <math.h>
#include <string.h>

enum { N_DIRECTIONS = 16, MOST_ROUNDS = 40 };
static const double nearest = 11, ring_step = 8, first_line = 16; /* the name's distance to the point */
static const double gap = 2;                                      /* between a name and what it does not cover */
static const double cover_cost = 10000, outside_cost = 10000, line_cost = 12, crossing_cost = 60, doubtful_cost = 25,
                    off_cost = 14;

typedef struct {
    label_tag *tags;
    size_t n;
    const label_box *lines;
    size_t n_lines;
    double width, height;
} label_work;

static double letter_width(char c) {
    if (strchr("mwMW@%", c))
        return 1;
    if (strchr("fijlrtI-.,:;'|()[]! ", c))
        return 0.42;
    return c >= 'A' && c <= 'Z' ? 0.74 : 0.65;
}

double label_width(const char *text, double em) {
    double ems = 0;
    for (const char *c = text; *c; c++) {
        if (((unsigned char)*c & 0xC0) != 0x80) /* of UTF-8 the first byte of each letter */
            ems += (unsigned char)*c < 0x80 ? letter_width(*c) : 1;
    }
    return ems * em;
}

static double clamp(double value, double low, double high) {
    return fmin(fmax(value, low), high);
}

/* Sets the place of a name in a direction, its edge `reach` from the point. */
static void put(label_tag *t, size_t direction, double reach) {
    double angle = (double)direction * 2 * acos(-1) / N_DIRECTIONS, dx = cos(angle), dy = sin(angle);
    double middle_x = t->x + dx * reach + (fabs(dx) < 0.1 ? 0 : copysign(t->width / 2, dx));
    double middle_y = t->y + dy * (reach + t->height / 2);
    t->reach = reach;
    t->place = (label_box){middle_x - t->width / 2, middle_x + t->width / 2, middle_y - t->height / 2,
                           middle_y + t->height / 2};
    t->line_x = clamp(t->x, t->place.left, t->place.right);
    t->line_y = clamp(t->y, t->place.low, t->place.high);
    t->has_line = hypot(t->line_x - t->x, t->line_y - t->y) > first_line;
}

static bool covers(const label_box *a, const label_box *b) {
    return a->left < b->right + gap && b->left < a->right + gap && a->low < b->high && b->low < a->high;
}

static double overlap(const label_box *a, const label_box *b) {
    return fmax(0, fmin(a->right, b->right) - fmax(a->left, b->left)) *
           fmax(0, fmin(a->high, b->high) - fmax(a->low, b->low));
}

/* Twice the area of a triangle, by its sense of rotation. */
static double turn(double ax, double ay, double bx, double by, double cx, double cy) {
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

static bool do_cross(double ax, double ay, double bx, double by, double cx, double cy, double dx, double dy) {
    return turn(ax, ay, bx, by, cx, cy) * turn(ax, ay, bx, by, dx, dy) < 0 &&
           turn(cx, cy, dx, dy, ax, ay) * turn(cx, cy, dx, dy, bx, by) < 0;
}

static bool line_meets_box(const label_tag *t, const label_box *b) {
    return t->has_line && (do_cross(t->x, t->y, t->line_x, t->line_y, b->left, b->low, b->right, b->high) ||
                           do_cross(t->x, t->y, t->line_x, t->line_y, b->left, b->high, b->right, b->low));
}

static label_box mark_of(const label_tag *t) {
    return (label_box){t->x - LABEL_MARK, t->x + LABEL_MARK, t->y - LABEL_MARK, t->y + LABEL_MARK};
}

static double distance(const label_box *b, double x, double y) {
    return hypot(clamp(x, b->left, b->right) - x, clamp(y, b->low, b->high) - y);
}

/* A name that stands nearer to another's point reads as the other's. */
static bool is_doubtful(const label_tag *t, const label_tag *other) {
    return !t->has_line && distance(&t->place, other->x, other->y) < distance(&t->place, t->x, t->y) + gap;
}

static double cost_of_pair(const label_tag *a, const label_tag *b) {
    label_box mark_a = mark_of(a), mark_b = mark_of(b);
    double cost = covers(&a->place, &b->place) ? cover_cost + overlap(&a->place, &b->place) : 0;
    cost += covers(&a->place, &mark_b) ? cover_cost : 0;
    cost += covers(&b->place, &mark_a) ? cover_cost : 0;
    cost += is_doubtful(a, b) || is_doubtful(b, a) ? doubtful_cost : 0;
    cost += line_meets_box(a, &b->place) || line_meets_box(b, &a->place) ? crossing_cost : 0;
    cost += line_meets_box(a, &mark_b) || line_meets_box(b, &mark_a) ? crossing_cost : 0;
    cost += a->has_line && b->has_line && do_cross(a->x, a->y, a->line_x, a->line_y, b->x, b->y, b->line_x, b->line_y)
                ? crossing_cost
                : 0;
    return cost;
}

static double cost_of(const label_work *w, size_t at) {
    const label_tag *t = &w->tags[at];
    const label_box *b = &t->place;
    double cost = t->reach + (t->has_line ? line_cost : 0);
    cost += outside_cost *
            (fmax(0, -b->left) + fmax(0, b->right - w->width) + fmax(0, -b->low) + fmax(0, b->high - w->height));
    for (size_t i = 0; i < w->n; i++)
        cost += i == at ? 0 : cost_of_pair(t, &w->tags[i]);
    for (size_t i = 0; i < w->n_lines; i++)
        cost += covers(b, &w->lines[i]) ? off_cost : 0;
    return cost;
}

/* Moves a name to its best place; false where it stands there already. */
static bool move(const label_work *w, size_t at) {
    label_tag *t = &w->tags[at], best = *t;
    double least = cost_of(w, at), most = hypot(w->width, w->height);
    bool is_moved = false;
    for (size_t ring = 0; nearest + ring_step * (double)ring < fmin(most, least); ring++) {
        double reach = nearest + ring_step * (double)ring;
        for (size_t direction = 0; direction < N_DIRECTIONS; direction++) {
            double cost;
            put(t, direction, reach);
            cost = cost_of(w, at);
            if (cost < least - 1e-9) {
                least = cost;
                best = *t;
                is_moved = true;
            }
        }
    }
    *t = best;
    return is_moved;
}

void labels_place(label_tag *tags, size_t n, const label_box *lines, size_t n_lines, double width, double height) {
    label_work w = {tags, n, lines, n_lines, width, height};
    bool is_moved = n > 0;
    for (size_t i = 0; i < n; i++)
        put(&tags[i], 0, nearest);
    for (int round = 0; is_moved && round < MOST_ROUNDS; round++) {
        is_moved = false;
        for (size_t i = 0; i < n; i++)
            is_moved |= move(&w, i);
    }
}
