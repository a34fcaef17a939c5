/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/drawing/gnuplot.h"

#include "core/base/file.h"
#include "document/display.h"
#include "document/drawing/drawing_program.h"

#include <stdlib.h>
#include <string.h>

/* gnuplot reads a doubled quote as one inside a string, but as the string's end at its beginning. */
static const char apostrophe[] = "\xE2\x80\x99";

void gnuplot_append_text(text_buffer *b, const char *text, size_t most) {
    AUTO_FREE char *clean = display_copy_plain(text, most);
    if (!clean) {
        b->failed = true;
        return;
    }
    text_append(b, "'");
    for (const char *c = clean; *c; c++)
        text_append_bytes(b, *c == '\'' ? apostrophe : c, *c == '\'' ? strlen(apostrophe) : 1);
    text_append(b, "'");
}

status gnuplot_run(const char *folder, const char *script, double timeout_s, error_info *err) {
    AUTO_FREE char *above = path_join("..", script);
    const char *const arguments[] = {"--default-settings", above, NULL};
    CHECK_ALLOC(above);
    return drawing_program_draw(&drawing_gnuplot, folder, arguments, timeout_s, err);
}
