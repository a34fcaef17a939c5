/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/repaint_internal.h"

#include <stdlib.h>
#include <string.h>

static void move(size_t from, size_t to, text_buffer *out) {
    if (to < from)
        text_append_format(out, "\033[%zuA", from - to);
    else if (to > from)
        text_append_format(out, "\033[%zuB", to - from);
}

/* Makes rows until there are `n`; the cursor, on the last one, stays on the last one. */
static void add_rows(repaint *r, size_t n, text_buffer *out) {
    for (; r->n < n; r->n++) {
        text_append(out, r->n > 0 ? "\n" : "");
        r->lines[r->n] = NULL;
    }
}

/* Writes a line where another stands; the cursor goes from row `at` to it. */
static size_t replace(repaint *r, size_t row, const char *line, size_t at, text_buffer *out) {
    const char *old = r->lines[row] ? r->lines[row] : "";
    char *copy;
    if (strcmp(old, line) == 0)
        return at;
    copy = text_copy(line);
    out->failed |= !copy;
    move(at, row, out);
    text_append_format(out, "\r%s\033[K", line);
    free(r->lines[row]);
    r->lines[row] = copy;
    return row;
}

void repaint_show(repaint *r, const char *const *lines, size_t n, text_buffer *out) {
    size_t at;
    n = n > REPAINT_MOST_LINES ? REPAINT_MOST_LINES : n;
    add_rows(r, n, out);
    at = r->n > 0 ? r->n - 1 : 0;
    for (size_t i = 0; i < r->n; i++)
        at = replace(r, i, i < n ? lines[i] : "", at, out);
    if (r->n > 0)
        move(at, r->n - 1, out);
}

void repaint_remove(repaint *r, text_buffer *out) {
    repaint_show(r, NULL, 0, out);
    if (r->n > 0) {
        move(r->n - 1, 0, out);
        text_append(out, "\r");
    }
    for (size_t i = 0; i < r->n; i++)
        free(r->lines[i]);
    *r = (repaint){0};
}
