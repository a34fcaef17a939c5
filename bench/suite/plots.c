/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/plots.h"

#include "core/base/file.h"
#include "document/drawing/gnuplot.h"
#include "document/drawing/look.h"

#include <stdio.h>
#include <unistd.h>

#define TIMEOUT_S 60.0

static void append_data(const series *s, size_t n, text_buffer *out) {
    for (size_t i = 0; i < n; i++) {
        text_append_format(out, "$s%zu << END_OF_DATA\n", i);
        for (size_t k = 0; k < s[i].n; k++)
            text_append_format(out, "%.10g %.10g\n", s[i].x[k], s[i].y[k]);
        text_append(out, "END_OF_DATA\n");
    }
}

static void append_draw(const series *s, size_t n, text_buffer *out) {
    for (size_t i = 0; i < n; i++) {
        text_append_format(out, "%s$s%zu using 1:2 with linespoints lw 1.8 pt %d ps 1.1 lc rgb '%s' title ",
                           i ? ", \\\n     " : "plot ", i, look_marker(i), look_colour(i));
        gnuplot_append_text(out, s[i].learner, LOOK_MOST_NAME);
        text_append(out, " noenhanced");
    }
    text_append(out, "\n");
}

status plot_series(const series *s, size_t n, const plot_words *words, const char *folder, error_info *err) {
    AUTO(text_buffer_clear) text_buffer script = {0}, draw = {0};
    AUTO_FREE char *path = path_join_ending(folder, words->file_name, ".gp");
    char name[80];
    status st;
    CHECK_ALLOC(path);
    (void)snprintf(name, sizeof name, "%s.gp", words->file_name);
    append_draw(s, n, &draw);
    CHECK(text_buffer_check(&draw, err));
    append_data(s, n, &script);
    look_append_frame(words->title, words->caption, &script);
    look_append_label('x', words->x_label, &script);
    look_append_label('y', words->y_label, &script);
    text_append(&script, "set logscale xy\nset format xy '%g'\n");
    look_append_svg(words->file_name, &(plot_style){0}, look_height(n), draw.data, &script);
    CHECK(text_buffer_check(&script, err));
    CHECK(file_write(path, script.data, script.length, err));
    st = gnuplot_run(folder, name, TIMEOUT_S, err);
    (void)unlink(path);
    return st;
}
