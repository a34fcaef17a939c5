/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/drawing/look.h"

#include "document/drawing/gnuplot.h"

static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
static const double usual_font = 12;
/* circle, square, triangles, diamond */
static const int markers[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};
enum {
    N_COLOURS = sizeof colours / sizeof *colours,
    N_MARKERS = sizeof markers / sizeof *markers,
    MOST_CAPTION = 150,
    KEY_LINE_HEIGHT = 24,
    KEY_MARGIN = 150
};

const char *look_colour(size_t i) {
    return colours[i % N_COLOURS];
}

int look_marker(size_t i) {
    return markers[i % N_MARKERS];
}

size_t look_height(size_t n_series) {
    size_t wanted = n_series * KEY_LINE_HEIGHT + KEY_MARGIN;
    return wanted > LOOK_LEAST_HEIGHT ? wanted : LOOK_LEAST_HEIGHT;
}

void look_append_frame(const char *title, const char *caption, text_buffer *out) {
    text_append(out, "set encoding utf8\nset title ");
    gnuplot_append_text(out, title, LOOK_MOST_TITLE);
    text_append(out, " noenhanced font ',14'\n"
                     "set key outside right top Left reverse maxcols 1 samplen 1.5 spacing 1.15 width 1 noenhanced\n"
                     "set border 3 lc rgb '#444444'\nset tics nomirror out\n"
                     "set grid lt 1 lc rgb '#E6E6E6' lw 0.7\nset errorbars 0.5\nset bmargin 5.5\n");
    if (!caption)
        return;
    text_append(out, "set label 1 ");
    gnuplot_append_text(out, caption, MOST_CAPTION);
    text_append(out, " at screen 0.012, 0.025 left noenhanced font ',10' tc rgb '#555555'\n");
}

void look_append_label(char axis, const char *text, text_buffer *out) {
    text_append_format(out, "set %clabel ", axis);
    gnuplot_append_text(out, text, LOOK_MOST_LABEL);
    text_append(out, " noenhanced\n");
}

void look_append_key(const plot_style *style, text_buffer *out) {
    if (style->key == PLOT_KEY_INSIDE)
        text_append(out, "set key inside right top opaque box lc rgb '#CCCCCC'\n");
    else if (style->key == PLOT_KEY_NONE || style->key == PLOT_KEY_POINTS)
        text_append(out, "unset key\n");
}

void look_append_svg(const char *file_name, const plot_style *style, size_t default_height, const char *draw,
                     text_buffer *out) {
    size_t width = style->width ? style->width : LOOK_WIDTH, height = style->height ? style->height : default_height;
    text_append_format(out,
                       "set terminal svg noenhanced size %zu,%zu dynamic background rgb 'white' font 'sans,%g'%s\n"
                       "set output './%s.svg'\n%s",
                       width, height, style->font_size > 0 ? style->font_size : usual_font,
                       style->has_margins ? " fontscale 1.333" : "", file_name, draw);
}

void look_append_pictures(const char *file_name, const plot_style *style, size_t default_height, const char *draw,
                          const char *again, text_buffer *out) {
    size_t width = style->width ? style->width : LOOK_WIDTH, height = style->height ? style->height : default_height;
    double font = style->font_size > 0 ? style->font_size : usual_font;
    look_append_svg(file_name, style, default_height, draw, out);
    text_append_format(out,
                       "set terminal pdfcairo noenhanced size %.2f,%.2f background rgb 'white' font 'sans,%g'\n"
                       "set output './%s.pdf'\n%s",
                       (double)width / 96.0, (double)height / 96.0, font, file_name, again);
    text_append_format(out,
                       "set terminal pngcairo noenhanced size %zu,%zu background rgb 'white' font 'sans,%g' fontscale "
                       "1.5 linewidth 1.5 pointscale 1.5\nset output './%s.png'\n%sunset output\n",
                       3 * width / 2, 3 * height / 2, font, file_name, again);
}
