/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How a plot is to look, as far as the experiment says it. */
#ifndef BNB_DOCUMENT_DRAWING_PLOT_STYLE_H
#define BNB_DOCUMENT_DRAWING_PLOT_STYLE_H

#include <stddef.h>

typedef enum { PLOT_KEY_OUTSIDE, PLOT_KEY_INSIDE, PLOT_KEY_NONE, PLOT_KEY_POINTS } plot_key;
#define PLOT_KEY_CHOICES "outside|inside|none|points"

/** 0 is the default of each. */
typedef struct {
    size_t width, height; /* pixels */
    double font_size;     /* points */
    plot_key key;
} plot_style;

#endif
