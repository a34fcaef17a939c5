/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/display.h"

#include "core/base/utf8.h"
#include "metrics/distances/metric.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double bytes_per_mib = 1048576;

number_style display_style_of(const char *metric) {
    const metric_info *info = metric_find(metric);
    if (!info || !*info->unit)
        return NUMBER_SHARE;
    if (strcmp(info->unit, "s") == 0)
        return NUMBER_SECONDS;
    return strcmp(info->unit, "bytes") == 0 ? NUMBER_BYTES : NUMBER_COUNT;
}

const char *display_unit_of(const char *metric) {
    const metric_info *info = metric_find(metric);
    if (!info || strcmp(info->unit, metric) == 0) /* "tests (tests)" says nothing */
        return "";
    return strcmp(info->unit, "bytes") == 0 ? "MiB" : info->unit;
}

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

/* The bytes of the UTF-8 character at s, 0 where there is none, a control character, or one that means none. */
static size_t character_length(const char *s) {
    uint32_t code = 0;
    size_t n = utf8_read(s, SIZE_MAX, &code);
    bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xFFFE || code == 0xFFFF;
    return is_control ? 0 : n;
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

static const char *entity_of(char c) {
    return c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : NULL;
}

/* An underscore between letters is plain text to every Markdown reader. */
static bool is_inner_underscore(const char *start, const char *at) {
    return *at == '_' && at > start && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]);
}

void display_append_markdown(text_buffer *b, const char *name) {
    const char *start = name, *shown;
    size_t length;
    for (size_t used; *name; name += used) {
        used = next_plain(name, &shown, &length);
        if (used == 1 && entity_of(*shown)) {
            text_append(b, entity_of(*shown));
            continue;
        }
        if (used == 1 && strchr("\\`*_[]|#~!$", *shown) && !is_inner_underscore(start, name))
            text_append(b, "\\");
        text_append_bytes(b, shown, length);
    }
}

void display_append_html(text_buffer *b, const char *name) {
    const char *shown;
    size_t length;
    for (size_t used; *name; name += used) {
        used = next_plain(name, &shown, &length);
        if (used == 1 && entity_of(*shown))
            text_append(b, entity_of(*shown));
        else if (used == 1 && (*shown == '"' || *shown == '\''))
            text_append(b, *shown == '"' ? "&quot;" : "&#39;");
        else
            text_append_bytes(b, shown, length);
    }
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

void display_append_wrapped(text_buffer *out, const char *note, size_t width) {
    text_buffer clean = {0};
    size_t used = 0;
    display_append_plain(&clean, note);
    out->failed |= clean.failed;
    for (const char *at = clean.data ? clean.data : ""; *at;) {
        size_t length = strcspn(at, " "), columns;
        char *word = text_copy_n(at, length);
        if (!word) {
            out->failed = true;
            break;
        }
        columns = text_width(word);
        if (used == 0 || (width > 0 && used + 1 + columns > width)) {
            text_append(out, used ? "\n  " : "  ");
            used = 2;
        } else {
            text_append(out, " ");
            used++;
        }
        text_append(out, word);
        used += columns;
        free(word);
        at += length + strspn(at + length, " ");
    }
    text_append(out, "\n");
    text_buffer_clear(&clean);
}
