/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Some lines at the end of a terminal that change in place. A line feed is written only where there are more lines than
 * ever before, so that nothing but that scrolls, and what has scrolled stays as it was.
 */
#ifndef BNB_RUNNER_REPAINT_INTERNAL_H
#define BNB_RUNNER_REPAINT_INTERNAL_H

#include "core/base/text.h"

enum { REPAINT_MOST_LINES = 16 };

/** What stands there; the cursor is on the last of the lines. Zero-initialise. */
typedef struct {
    size_t n; /* rows that were ever used; those that are not now are empty */
    char *lines[REPAINT_MOST_LINES];
} repaint;

/** Appends what turns the lines there into these; each must be shorter than the terminal is wide. */
void repaint_show(repaint *r, const char *const *lines, size_t n, text_buffer *out);

/** Appends what empties all of them and leaves the cursor where the first began. */
void repaint_remove(repaint *r, text_buffer *out);

#endif
