/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/display.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double bytes_per_mib = 1048576;

/* The decimals that show `digits` significant digits of a value. */
static int decimals_for(double value, int digits) {
    double size = fabs(value);
    int decimals;
    if (size == 0)
        return digits - 1;
    decimals = digits - 1 - (int)floor(log10(size));
    return decimals < 0 ? 0 : decimals > 30 ? 30 : decimals;
}

static int decimals_of_style(double value, number_style style) {
    switch (style) {
    case NUMBER_RATIO:
        return fabs(value) < 0.1 && value != 0 ? decimals_for(value, 2) : 2;
    case NUMBER_SECONDS:
        return decimals_for(value, 3);
    case NUMBER_SHARE:
        return 3;
    default:
        return 1;
    }
}

char *display_number(double value, number_style style, int decimals, char out[DISPLAY_NUMBER_SIZE]) {
    double shown = style == NUMBER_BYTES ? value / bytes_per_mib : value;
    int n = decimals >= 0 ? (decimals > 15 ? 15 : decimals) : decimals_of_style(shown, style);
    if (fabs(shown) >= 1e15)
        (void)snprintf(out, DISPLAY_NUMBER_SIZE, "%.6g", shown);
    else
        (void)snprintf(out, DISPLAY_NUMBER_SIZE, "%.*f", n, shown == 0 ? 0.0 : shown);
    return out;
}

/* The bytes of the well-formed UTF-8 character at s (no control character, no surrogate), or 0. */
static size_t character_length(const char *s) {
    const unsigned char *u = (const unsigned char *)s;
    unsigned long code;
    size_t n = u[0] < 0x80                   ? 1
               : u[0] >= 0xC2 && u[0] < 0xE0 ? 2
               : (u[0] & 0xF0) == 0xE0       ? 3
               : u[0] >= 0xF0 && u[0] < 0xF5 ? 4
                                             : 0;
    static const unsigned char masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    static const unsigned long least[] = {0, 0x20, 0xA0, 0x800, 0x10000}; /* leaves out C0, C1 and overlong forms */
    if (n == 0)
        return 0;
    code = u[0] & masks[n];
    for (size_t i = 1; i < n; i++) {
        if ((u[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (u[i] & 0x3F);
    }
    if (code < least[n] || code == 0x7F || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) || code == 0xFFFE ||
        code == 0xFFFF)
        return 0;
    return n;
}

/* Bytes consumed at s; what to show in their place is *shown of *length bytes. */
static size_t next_plain(const char *s, const char **shown, size_t *length) {
    size_t n = character_length(s);
    *shown = n ? s : (unsigned char)*s < 0x20 ? " " : "?";
    *length = n ? n : 1;
    return *length;
}

void display_append_rows(text_buffer *b, uint64_t n_samples, double sigma) {
    char digits[32];
    text_append_format(b, "%" PRIu64 " rows", n_samples);
    if (sigma > 0)
        text_append_format(b, ", sigma %s", text_from_double(sigma, digits));
}

void display_append_plain(text_buffer *b, const char *name) {
    const char *shown;
    size_t length;
    for (size_t used; *name; name += used) {
        used = next_plain(name, &shown, &length);
        text_append_bytes(b, shown, length);
    }
}

char *display_copy_plain(const char *name, size_t most) {
    text_buffer b = {0};
    size_t width = 0, cut = 0;
    char *copy;
    text_append(&b, "");
    display_append_plain(&b, name);
    if (b.failed) {
        text_buffer_clear(&b);
        return NULL;
    }
    if (text_width(b.data) <= most)
        return b.data;
    while (width + 1 < most) {
        cut += character_length(b.data + cut);
        width++;
    }
    b.length = cut;
    text_append(&b, "\xE2\x80\xA6");
    copy = b.failed ? NULL : text_copy(b.data);
    text_buffer_clear(&b);
    return copy;
}

char *display_file_name(const char *name) {
    enum { MOST_BYTES = 96 };
    text_buffer b = {0};
    const char *shown;
    size_t length;
    for (size_t used; *name && b.length + 4 <= MOST_BYTES; name += used) {
        used = next_plain(name, &shown, &length);
        if (length > 1 || isalnum((unsigned char)*shown) || *shown == '_' || *shown == '-' ||
            (*shown == '.' && b.length > 0))
            text_append_bytes(&b, shown, length);
        else
            text_append(&b, "_");
    }
    if (b.length == 0)
        text_append(&b, "_");
    if (b.failed)
        text_buffer_clear(&b);
    return b.data;
}
