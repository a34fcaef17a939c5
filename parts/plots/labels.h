/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Names beside points, so that none covers another; one that has to stand further off gets a line. */
#ifndef BNB_PARTS_PLOTS_LABELS_H
#define BNB_PARTS_PLOTS_LABELS_H

#include <stdbool.h>
#include <stddef.h>

/** A rectangle in pixels; y grows upwards. */
typedef struct {
    double left, right, low, high;
} label_box;

typedef struct {
    double x, y;          /* the point */
    double width, height; /* of the name */
    label_box place;      /* where the name stands */
    double reach;         /* how far from the point */
    bool has_line;        /* from (line_x, line_y), the nearest of the name, to the point */
    double line_x, line_y;
} label_tag;

/** Half the width of the square that a mark covers. */
#define LABEL_MARK 5.0

/** A width in which the text fits, of a sans-serif font with this many pixels an em. */
double label_width(const char *text, double em);

/**
 * Places n names inside a frame from (0, 0) to (width, height). No name covers another or a mark, nor leaves the frame,
 * as long as there is room for all; of the places that are left a name takes a near one, where its line crosses nothing
 * and it covers the least of `lines`. The same input has the same answer.
 *
 * A local search over places around each point (Christensen, Marks, Shieber 1995, ACM Trans. Graphics 14(3)), which
 * reach across the frame.
 *
 * @param[in,out] tags n, with points and sizes set
 * @param lines n_lines rectangles, which names should leave free
 */
void labels_place(label_tag *tags, size_t n, const label_box *lines, size_t n_lines, double width, double height);

#endif
