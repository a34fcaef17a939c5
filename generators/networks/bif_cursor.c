/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/bif_cursor_internal.h"

#include "core/base/decimal.h"
#include "core/base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- messages ---- */

static void find_place(const char *text, const char *at, size_t *line, size_t *column) {
    *line = 1;
    *column = 1;
    for (; text < at; text++) {
        if (*text == '\n') {
            ++*line;
            *column = 1;
        } else if (!utf8_is_inner(*text)) {
            ++*column;
        }
    }
}

status bif_error(const bif_cursor *c, const char *at, error_info *err, const char *format, ...) {
    char message[700];
    size_t line, column;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    find_place(c->text, at, &line, &column);
    return error_set(err, STATUS_PARSE, "%zu:%zu: %s", line, column, message);
}

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_delimiter(char c) {
    return c == '{' || c == '}' || c == '(' || c == ')' || c == '[' || c == ']' || c == ',' || c == ';' || c == '|';
}

static size_t word_length(const char *at, const char *end) {
    const char *behind = at;
    while (behind < end && !is_space(*behind) && !is_delimiter(*behind))
        behind++;
    return (size_t)(behind - at);
}

status bif_expected(const bif_cursor *c, const char *at, const char *what, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    size_t length = word_length(at, c->end);
    size_t line, column;
    if (at < c->end)
        return bif_error(c, at, err, "expected %s, found '%s'", what, text_show(at, length ? length : 1, shown));
    if (!c->open_comment)
        return bif_error(c, at, err, "expected %s, found the end of the file", what);
    find_place(c->text, c->open_comment, &line, &column);
    return bif_error(c, at, err, "expected %s, found the end of the file inside the comment that begins at %zu:%zu",
                     what, line, column);
}

/* ---- words ---- */

static void skip_blanks(bif_cursor *c) {
    while (c->at < c->end && is_space(*c->at))
        c->at++;
}

static void skip_comment(bif_cursor *c, const char *ending) {
    const char *close = memmem(c->at + 2, (size_t)(c->end - c->at) - 2, ending, strlen(ending));
    if (close) {
        c->at = close + strlen(ending);
        return;
    }
    if (*ending == '*')
        c->open_comment = c->at;
    c->at = c->end;
}

/* Past white space and comments. A comment that is not closed takes the rest of the text. */
static void skip_space(bif_cursor *c) {
    for (;;) {
        skip_blanks(c);
        if (c->end - c->at < 2 || c->at[0] != '/')
            return;
        if (c->at[1] == '/')
            skip_comment(c, "\n");
        else if (c->at[1] == '*')
            skip_comment(c, "*/");
        else
            return;
    }
}

char bif_peek(bif_cursor *c) {
    skip_space(c);
    return *(c->at < c->end ? c->at : "");
}

static status read_quoted(bif_cursor *c, bif_word *out, error_info *err) {
    const char *first = c->at + 1, *behind = first;
    while (behind < c->end && *behind != '"' && *behind != '\n')
        behind++;
    if (behind == c->end || *behind != '"')
        return bif_error(c, c->at, err, "expected a closing quote on the same line");
    *out = (bif_word){first, (size_t)(behind - first), c->at};
    c->at = behind + 1;
    return STATUS_OK;
}

status bif_read_word(bif_cursor *c, const char *what, bif_word *out, error_info *err) {
    size_t length;
    skip_space(c);
    if (c->at < c->end && *c->at == '"')
        return read_quoted(c, out, err);
    length = word_length(c->at, c->end);
    if (length == 0)
        return bif_expected(c, c->at, what, err);
    *out = (bif_word){c->at, length, c->at};
    c->at += length;
    return STATUS_OK;
}

status bif_read_state(bif_cursor *c, bif_word *out, error_info *err) {
    const char *behind;
    skip_blanks(c);
    if (c->at < c->end && *c->at == '"')
        return read_quoted(c, out, err);
    behind = c->at;
    while (behind < c->end && !is_delimiter(*behind) && *behind != '\n')
        behind++;
    while (behind > c->at && is_space(behind[-1]))
        behind--;
    if (behind == c->at)
        return bif_expected(c, c->at, "a state", err);
    *out = (bif_word){c->at, (size_t)(behind - c->at), c->at};
    c->at = behind;
    return STATUS_OK;
}

status bif_read_probability(bif_cursor *c, double *out, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    const char *behind;
    double value;
    skip_space(c);
    behind = decimal_read(c->at, c->end, &value);
    if (!behind || (behind < c->end && !is_space(*behind) && !is_delimiter(*behind) && *behind != '/'))
        return bif_expected(c, c->at, "a number", err);
    if (value < 0 || !isfinite(value))
        return bif_error(c, c->at, err, "a probability of %s; it must lie between 0 and 1",
                         text_show(c->at, (size_t)(behind - c->at), shown));
    *out = fabs(value); /* -0 */
    c->at = behind;
    return STATUS_OK;
}

status bif_expect(bif_cursor *c, char wanted, const char *after, error_info *err) {
    char what[160];
    skip_space(c);
    if (c->at < c->end && *c->at == wanted) {
        c->at++;
        return STATUS_OK;
    }
    (void)snprintf(what, sizeof what, "'%c' after %s", wanted, after);
    return bif_expected(c, c->at, what, err);
}

/* A quoted text in a property may hold a semicolon. */
status bif_skip_property(bif_cursor *c, error_info *err) {
    while (c->at < c->end && *c->at != ';') {
        bif_word quoted;
        if (*c->at == '"')
            CHECK(read_quoted(c, &quoted, err));
        else
            c->at++;
    }
    return bif_expect(c, ';', "a property", err);
}

bool bif_word_is(const bif_word *word, const char *text) {
    return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}
