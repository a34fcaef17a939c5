/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/text.h"

#include "core/base/array.h"
#include "core/base/utf8.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void text_buffer_clear(text_buffer *b) {
    free(b->data);
    *b = (text_buffer){0};
}

enum { LEAST = 256 };

static bool reserve(text_buffer *b, size_t more) {
    size_t wanted = b->length + more + 1;
    if (b->failed || more > SIZE_MAX / 4 - b->length)
        return !(b->failed = true);
    b->failed = ARRAY_RESERVE(b->data, b->capacity, wanted < LEAST ? LEAST : wanted, NULL) != STATUS_OK;
    return !b->failed;
}

void text_append_bytes(text_buffer *b, const char *bytes, size_t n) {
    if (!reserve(b, n))
        return;
    memcpy(b->data + b->length, bytes, n);
    b->length += n;
    b->data[b->length] = '\0';
}

void text_append(text_buffer *b, const char *s) {
    text_append_bytes(b, s, strlen(s));
}

void text_append_format(text_buffer *b, const char *format, ...) {
    va_list args, again;
    int needed;
    va_start(args, format);
    va_copy(again, args);
    needed = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (needed < 0)
        b->failed = true;
    else if (reserve(b, (size_t)needed))
        b->length += (size_t)vsnprintf(b->data + b->length, (size_t)needed + 1, format, again);
    va_end(again);
}

static bool needs_quotes(const char *field) {
    size_t n = strlen(field);
    return n > 0 && (strpbrk(field, ",\"\r\n") || isspace((unsigned char)field[0]) ||
                     isspace((unsigned char)field[n - 1]) || field[0] == '#');
}

void text_append_csv(text_buffer *b, const char *field) {
    if (needs_quotes(field))
        text_append_csv_quoted(b, field);
    else
        text_append(b, field);
}

void text_append_csv_quoted(text_buffer *b, const char *field) {
    text_append(b, "\"");
    for (const char *c = field; *c; c++)
        text_append_bytes(b, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    text_append(b, "\"");
}

static bool is_formula(const char *label) {
    double number;
    return *label && strchr("=+-@\t\r", *label) && !text_to_double(label, &number);
}

void text_append_csv_label(text_buffer *b, const char *label) {
    text_buffer guarded = {0};
    if (!is_formula(label)) {
        text_append_csv(b, label);
        return;
    }
    text_append(&guarded, "'");
    text_append(&guarded, label);
    text_append_csv(b, guarded.data ? guarded.data : "");
    b->failed |= guarded.failed;
    text_buffer_clear(&guarded);
}

void text_append_last_line(text_buffer *b, const char *lead, const char *text) {
    size_t end = strlen(text), start;
    while (end > 0 && isspace((unsigned char)text[end - 1]))
        end--;
    for (start = end; start > 0 && text[start - 1] != '\n'; start--)
        ;
    if (end > start) {
        text_append(b, lead);
        text_append_bytes(b, text + start, end - start > 300 ? 300 : end - start);
    }
}

status text_buffer_check(const text_buffer *b, error_info *err) {
    return b->failed ? error_out_of_memory(err) : STATUS_OK;
}

char *text_copy_n(const char *s, size_t n) {
    char *copy = malloc(n + 1);
    if (copy) {
        memcpy(copy, s, n);
        copy[n] = '\0';
    }
    return copy;
}

status text_buffer_take(text_buffer *b, char **out, error_info *err) {
    status st = text_buffer_check(b, err);
    if (st == STATUS_OK) {
        *out = b->data;
        *b = (text_buffer){0};
    }
    text_buffer_clear(b);
    return st;
}

status text_list_take(char ***list, size_t *n, text_buffer *b, error_info *err) {
    status st = text_buffer_check(b, err);
    if (st == STATUS_OK && b->length > 0) {
        st = ARRAY_APPEND(*list, *n, err, b->data);
        if (st == STATUS_OK)
            *b = (text_buffer){0};
    }
    text_buffer_clear(b);
    return st;
}

char *text_copy(const char *s) {
    return text_copy_n(s, strlen(s));
}

void texts_destroy(char **texts, size_t n) {
    for (size_t i = 0; texts && i < n; i++)
        free(texts[i]);
    free(texts);
}

status texts_add(char ***texts, size_t *n, const char *text, error_info *err) {
    char *copy = text_copy(text);
    status st = copy ? ARRAY_APPEND(*texts, *n, err, copy) : error_out_of_memory(err);
    if (st != STATUS_OK)
        free(copy);
    return st;
}

int texts_compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool text_to_double(const char *s, double *out) {
    char *end;
    double value;
    if (!*s || isspace((unsigned char)*s))
        return false;
    value = strtod(s, &end);
    if (*end || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool text_to_int(const char *s, int64_t *out) {
    char *end;
    long long value;
    if (!*s || isspace((unsigned char)*s))
        return false;
    errno = 0;
    value = strtoll(s, &end, 10);
    if (*end || errno)
        return false;
    *out = value;
    return true;
}

typedef struct {
    const char *name;
    double factor;
} unit;

static bool read_with_unit(const char *s, const unit *units, double *out) {
    char *end;
    double value;
    if (!isdigit((unsigned char)*s) && *s != '.')
        return false;
    value = strtod(s, &end);
    if (end == s || !isfinite(value))
        return false;
    while (*end == ' ')
        end++;
    for (; units->name; units++) {
        if (strcmp(end, units->name) == 0) {
            *out = value * units->factor;
            return isfinite(*out);
        }
    }
    return false;
}

bool text_to_bytes(const char *s, uint64_t *out) {
    static const unit units[] = {{"", 1},
                                 {"B", 1},
                                 {"kB", 1e3},
                                 {"KB", 1e3},
                                 {"MB", 1e6},
                                 {"GB", 1e9},
                                 {"TB", 1e12},
                                 {"KiB", 1024.0},
                                 {"MiB", 1048576},
                                 {"GiB", 1 << 30},
                                 {"TiB", 1099511627776.0},
                                 {NULL, 0}};
    double value;
    if (!read_with_unit(s, units, &value) || value < 0 || value >= 9e18)
        return false;
    *out = (uint64_t)value;
    return true;
}

bool text_to_seconds(const char *s, double *out) {
    static const unit units[] = {{"", 1},   {"s", 1},    {"ms", 1e-3}, {"min", 60},
                                 {"m", 60}, {"h", 3600}, {"d", 86400}, {NULL, 0}};
    return read_with_unit(s, units, out) && *out >= 0;
}

char *text_from_double(double value, char *buffer) {
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(buffer, 32, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

enum { NEAREST_LENGTH = 64 };

/* Optimal string alignment: insert, delete, replace, or swap two neighbours, each at cost 1. */
static size_t edit_distance(const char *a, const char *b) {
    size_t d[3][NEAREST_LENGTH + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > NEAREST_LENGTH || m > NEAREST_LENGTH)
        return NEAREST_LENGTH;
    for (size_t j = 0; j <= m; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = d[i % 3], *above = d[(i - 1) % 3], *above2 = d[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            size_t best = above[j - 1] + (x != y);
            if (above[j] + 1 < best)
                best = above[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && y == tolower((unsigned char)a[i - 2]) &&
                above2[j - 2] + 1 < best)
                best = above2[j - 2] + 1;
            row[j] = best;
        }
    }
    return d[n % 3][m];
}

const char *text_nearest(const char *typed, const char *const *candidates, size_t n) {
    const char *best = NULL;
    size_t length = strlen(typed);
    size_t best_distance = length < 4 ? 2 : length < 8 ? 3 : 4; /* exclusive */
    for (size_t i = 0; i < n; i++) {
        size_t distance = edit_distance(typed, candidates[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidates[i];
        }
    }
    for (size_t i = 0; !best && length >= 3 && i < n; i++) {
        assert(candidates[i]);
        if (strncasecmp(typed, candidates[i], length) == 0)
            best = candidates[i];
    }
    return best;
}

size_t text_width(const char *s) {
    size_t width = 0;
    for (; *s; s++)
        width += !utf8_is_inner(*s);
    return width;
}

const char *text_show(const char *text, size_t length, char shown[TEXT_SHOWN_SIZE]) {
    size_t n = utf8_cut(text, length, TEXT_SHOWN_SIZE - 4);
    for (size_t i = 0; i < n; i++)
        shown[i] = (char)((unsigned char)text[i] < ' ' || text[i] == 0x7F ? '?' : text[i]);
    (void)snprintf(shown + n, 4, "%s", n < length ? "..." : "");
    return shown;
}
