/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How every plot looks: one palette, one set of markers, one frame. The colours are Okabe and Ito's (Color Universal
 * Design, 2008), which the colour-blind tell apart; each series has a marker of its own as well.
 */
#ifndef BNB_DOCUMENT_DRAWING_LOOK_H
#define BNB_DOCUMENT_DRAWING_LOOK_H

#include "core/base/text.h"

#include <stdbool.h>

enum { LOOK_WIDTH = 960, LOOK_LEAST_HEIGHT = 560, LOOK_MOST_TITLE = 90, LOOK_MOST_LABEL = 60, LOOK_MOST_NAME = 24 };

typedef enum { PLOT_KEY_OUTSIDE, PLOT_KEY_INSIDE, PLOT_KEY_NONE, PLOT_KEY_POINTS } plot_key;
#define PLOT_KEY_CHOICES "outside|inside|none|points"

/** How a plot is to look; 0 is the default of each. */
typedef struct {
    size_t width, height; /* pixels */
    double font_size;     /* points */
    plot_key key;
    bool has_margins; /* the plot sets them: the letters of its SVG are as large as elsewhere, which gnuplot by itself
                         would give too little room */
} plot_style;

/** "#0072B2", ...: the colour of the i-th series; after seven they come again. Static text. */
const char *look_colour(size_t i);

/** gnuplot's point type of the i-th series: filled, then open. */
int look_marker(size_t i);

/** A height that holds a key of that many series. */
size_t look_height(size_t n_series);

/** Appends title, key, border, grid and, at the foot, a caption (NULL for none), as gnuplot commands. */
void look_append_frame(const char *title, const char *caption, text_buffer *out);

/** Appends "set xlabel TEXT" for axis 'x', 'y', ... */
void look_append_label(char axis, const char *text, text_buffer *out);

/**
 * Appends the commands that write `file_name`.svg, .pdf and .png in a declared style: `draw` (a plot command with its
 * line end) for the first, `again` for the others: LOOK_REPLOT, or the same where that would not do.
 */
void look_append_pictures(const char *file_name, const plot_style *style, size_t default_height, const char *draw,
                          const char *again, text_buffer *out);
#define LOOK_REPLOT "replot\n"

/** The first of them alone. */
void look_append_svg(const char *file_name, const plot_style *style, size_t default_height, const char *draw,
                     text_buffer *out);

/** Where the style wants the key, to stand behind the frame. */
void look_append_key(const plot_style *style, text_buffer *out);

#endif
