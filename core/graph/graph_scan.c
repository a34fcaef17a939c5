/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beside core/data/csv, for a file that people write by hand: columns count characters, blanks around fields and
 * comments go, and the scanner can look ahead before it takes a field. */
#include "core/graph/graph_scan_internal.h"

#include "core/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 }; /* bytes of a field in a message */

/* ---- messages ---- */

status scan_complain(scan_place where, error_info *err, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return error_set(err, STATUS_PARSE, "%zu:%zu: %s", where.line, where.column, message);
}

scan_shown scan_show(const char *field) {
    scan_shown s = {{0}};
    size_t length = strlen(field), n = utf8_cut(field, length, SHOWN);
    for (size_t i = 0; i < n; i++)
        s.text[i] = (char)((unsigned char)field[i] < ' ' ? ' ' : field[i]);
    if (n < length)
        memcpy(s.text + n, "...", 4);
    return s;
}

/* ---- characters ---- */

static void advance(scan_place *here, const char *at, const char *end) {
    if (*at == '\n') {
        here->line++;
        here->column = 1;
    } else if (at + 1 == end || !utf8_is_inner(at[1])) {
        here->column++;
    }
}

status scan_check_characters(const char *text, size_t length, error_info *err) {
    const char *end = text + length;
    scan_place here = {1, 1};
    while (text < end) {
        size_t n = utf8_read(text, (size_t)(end - text), NULL);
        if (n == 0)
            return scan_complain(here, err, "expected UTF-8 text, found the byte 0x%02X", (unsigned char)*text);
        if (*text == '\0')
            return scan_complain(here, err, "expected text, found a NUL byte");
        text += n;
        advance(&here, text - 1, end);
    }
    return STATUS_OK;
}

bool scan_is_at_end(const scanner *in) {
    return in->at == in->end;
}

static bool is_line_end(const char *at, const char *end) {
    return at == end || *at == '\n' || (*at == '\r' && (at + 1 == end || at[1] == '\n'));
}

bool scan_is_at_line_end(const scanner *in) {
    return is_line_end(in->at, in->end);
}

bool scan_is_at_word(const scanner *in, const char *word) {
    size_t n = strlen(word);
    return (size_t)(in->end - in->at) >= n && memcmp(in->at, word, n) == 0;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

bool scan_is_at_blank_line(const scanner *in) {
    const char *at = in->at;
    while (at < in->end && is_blank(*at))
        at++;
    return is_line_end(at, in->end);
}

void scan_step(scanner *in) {
    advance(&in->here, in->at, in->end);
    in->at++;
}

void scan_skip_blanks(scanner *in) {
    while (!scan_is_at_end(in) && is_blank(*in->at))
        scan_step(in);
}

void scan_skip_line(scanner *in) {
    while (!scan_is_at_end(in) && *in->at != '\n')
        scan_step(in);
    if (!scan_is_at_end(in))
        scan_step(in);
}

/* ---- fields ---- */

static status put(scanner *in, size_t *length, error_info *err) {
    if (*length == GRAPH_LONGEST_FIELD)
        return scan_complain(in->where, err, "expected a field of at most %d bytes, found a longer one",
                             GRAPH_LONGEST_FIELD);
    in->field[(*length)++] = *in->at;
    scan_step(in);
    return STATUS_OK;
}

static status read_quoted(scanner *in, size_t *length, error_info *err) {
    scan_step(in);
    for (;;) {
        if (scan_is_at_end(in))
            return scan_complain(in->where, err, "expected a closing quote, found the end of the file");
        if (*in->at == '"') {
            scan_step(in);
            if (scan_is_at_end(in) || *in->at != '"')
                break;
        }
        CHECK(put(in, length, err));
    }
    scan_skip_blanks(in);
    if (scan_is_at_line_end(in) || *in->at == ',')
        return STATUS_OK;
    return scan_complain(in->here, err, "expected a comma or the end of the line after the closing quote, found more");
}

static status read_plain(scanner *in, size_t *length, error_info *err) {
    while (!scan_is_at_line_end(in) && *in->at != ',') {
        if (*in->at == '"')
            return scan_complain(in->here, err, "expected a comma, found a quote inside a field that is not quoted");
        CHECK(put(in, length, err));
    }
    while (*length > 0 && is_blank(in->field[*length - 1]))
        (*length)--;
    return STATUS_OK;
}

status scan_field(scanner *in, error_info *err) {
    size_t length = 0;
    scan_skip_blanks(in);
    in->where = in->here;
    bool quoted = !scan_is_at_end(in) && *in->at == '"';
    status st = quoted ? read_quoted(in, &length, err) : read_plain(in, &length, err);
    in->field[length] = '\0';
    return st;
}

status scan_comma(scanner *in, const char *what, error_info *err) {
    if (scan_is_at_line_end(in))
        return scan_complain(in->here, err, "expected a comma and %s, found the end of the line", what);
    scan_step(in);
    return STATUS_OK;
}

status scan_row_end(scanner *in, error_info *err) {
    if (!scan_is_at_line_end(in))
        return scan_complain(in->here, err, "expected the end of the line after three fields, found a comma");
    scan_skip_line(in);
    return STATUS_OK;
}
