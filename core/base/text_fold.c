/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/text_fold.h"

#include <string.h>

static size_t count_columns(const char *s, size_t n) {
    size_t columns = 0;
    for (size_t i = 0; i < n; i++)
        columns += ((unsigned char)s[i] & 0xC0) != 0x80;
    return columns;
}

/* The column at which a line of n bytes goes on below itself. */
static size_t indent_of(const char *line, size_t n, size_t width) {
    size_t lead = strspn(line, " "), indent = lead + 2;
    for (size_t i = lead; i + 2 < n; i++) {
        if (line[i] == ' ' && line[i + 1] == ' ' && line[i + 2] != ' ' && count_columns(line, i + 2) <= width / 2)
            indent = count_columns(line, i + 2);
    }
    return indent <= width / 2 ? indent : 0;
}

/* The bytes of the next piece: blanks, then a word. */
static size_t piece(const char *at, size_t n) {
    size_t i = 0;
    while (i < n && at[i] == ' ')
        i++;
    while (i < n && at[i] != ' ')
        i++;
    return i;
}

static void fold_line(const char *line, size_t n, size_t width, text_buffer *out) {
    size_t indent = indent_of(line, n, width), used = 0;
    for (size_t at = 0, length; at < n; at += length) {
        size_t columns, blanks;
        length = piece(line + at, n - at);
        columns = count_columns(line + at, length);
        blanks = strspn(line + at, " ") < length ? strspn(line + at, " ") : length;
        if (used > indent && used + columns > width) {
            text_append_format(out, "\n%*s", (int)indent, "");
            text_append_bytes(out, line + at + blanks, length - blanks);
            used = indent + columns - blanks;
        } else {
            text_append_bytes(out, line + at, length);
            used += columns;
        }
    }
}

void text_fold(const char *text, size_t width, text_buffer *out) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (width == 0 || count_columns(text, n) <= width)
            text_append_bytes(out, text, n);
        else
            fold_line(text, n, width, out);
        text_append(out, text[n] ? "\n" : "");
        text += n + (text[n] == '\n');
    }
}
