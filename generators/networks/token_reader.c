/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "generators/networks/token_reader.h"

#include "core/base/decimal.h"
#include "core/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_sign(char c) {
    return strchr("{}()[],;|=:", c) != NULL && c;
}

/* ---- places ---- */

static text_place place_of(token_reader *r, const char *at) {
    if (at < r->mark || r->mark_place.line == 0) {
        r->mark = r->text;
        r->mark_place = (text_place){1, 1};
    }
    for (; r->mark < at; r->mark++) {
        if (*r->mark == '\n')
            r->mark_place = (text_place){r->mark_place.line + 1, 1};
        else
            r->mark_place.column += !utf8_is_inner(*r->mark);
    }
    return r->mark_place;
}

text_place token_place(token_reader *r, const token *t) {
    return place_of(r, t->at);
}

/* ---- going on ---- */

static bool begins(const token_reader *r, const char *with) {
    size_t n = strlen(with);
    return (size_t)(r->end - r->at) >= n && memcmp(r->at, with, n) == 0;
}

static status skip_block_comment(token_reader *r, error_info *err) {
    const char *close = memmem(r->at + 2, (size_t)(r->end - r->at) - 2, "*/", 2);
    if (!close)
        return text_place_error(place_of(r, r->at), err,
                                "expected '*/' behind this comment, found the end of the file");
    r->at = close + 2;
    return STATUS_OK;
}

static void skip_line(token_reader *r) {
    const char *close = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = close ? close : r->end;
}

static status skip_space(token_reader *r, error_info *err) {
    for (;;) {
        while (r->at < r->end && is_space(*r->at))
            r->at++;
        if (r->comment && begins(r, r->comment))
            skip_line(r);
        else if (r->has_blocks && begins(r, "/*"))
            CHECK(skip_block_comment(r, err));
        else
            return STATUS_OK;
    }
}

static status read_quoted(token_reader *r, error_info *err) {
    const char *from = r->at, *at = from + 1;
    while (at < r->end && *at != '"')
        at += *at == '\\' && r->end - at > 1 ? 2 : 1;
    if (at >= r->end)
        return text_place_error(place_of(r, from), err, "expected a closing quote, found the end of the file");
    r->next = (token){TOKEN_QUOTED, from + 1, (size_t)(at - from) - 1, from};
    r->at = at + 1;
    return STATUS_OK;
}

static bool ends_word(const token_reader *r, const char *at) {
    return at == r->end || is_space(*at) || is_sign(*at) || *at == '"' ||
           (r->comment && *at == *r->comment && (!r->comment[1] || (r->end - at > 1 && at[1] == r->comment[1])));
}

static status read_token(token_reader *r, error_info *err) {
    const char *from;
    CHECK(skip_space(r, err));
    from = r->at;
    if (from == r->end) {
        r->next = (token){TOKEN_END, from, 0, from};
        return STATUS_OK;
    }
    if (*from == '"')
        return read_quoted(r, err);
    if (is_sign(*from)) {
        r->at++;
        r->next = (token){TOKEN_SIGN, from, 1, from};
        return STATUS_OK;
    }
    do
        r->at++;
    while (!ends_word(r, r->at));
    r->next = (token){TOKEN_WORD, from, (size_t)(r->at - from), from};
    return STATUS_OK;
}

status token_reader_init(token_reader *r, const char *text, size_t length, const char *comment, bool has_blocks,
                         error_info *err) {
    size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* a byte order mark */
    const char *nul = memchr(text, '\0', length);
    *r = (token_reader){
        .text = text + mark, .at = text + mark, .end = text + length, .comment = comment, .has_blocks = has_blocks};
    if (nul)
        return text_place_error(place_of(r, nul), err, "expected text, found a NUL byte");
    return read_token(r, err);
}

status token_take(token_reader *r, token *out, error_info *err) {
    if (out)
        *out = r->next;
    return read_token(r, err);
}

/* ---- what is expected ---- */

bool token_is(const token *t, const char *word) {
    return (t->kind == TOKEN_WORD || t->kind == TOKEN_SIGN) && t->length == strlen(word) &&
           memcmp(t->text, word, t->length) == 0;
}

status token_expected(token_reader *r, const char *what, error_info *err) {
    char shown[TEXT_SHOWN_SIZE];
    text_place place = token_place(r, &r->next);
    if (r->next.kind == TOKEN_END)
        return text_place_error(place, err, "expected %s, found the end of the file", what);
    return text_place_error(place, err, "expected %s, found '%s'", what,
                            text_show(r->next.text, r->next.length, shown));
}

status token_expect(token_reader *r, const char *word, const char *what, error_info *err) {
    if (!token_is(&r->next, word))
        return token_expected(r, what, err);
    return token_take(r, NULL, err);
}

status token_skip(token_reader *r, const char *word, bool *was_there, error_info *err) {
    *was_there = token_is(&r->next, word);
    return *was_there ? token_take(r, NULL, err) : STATUS_OK;
}

status token_take_name(token_reader *r, const char *what, token *out, error_info *err) {
    if (r->next.kind != TOKEN_WORD && r->next.kind != TOKEN_QUOTED)
        return token_expected(r, what, err);
    return token_take(r, out, err);
}

status token_take_number(token_reader *r, double *out, error_info *err) {
    if (r->next.kind != TOKEN_WORD || !decimal_is_number(r->next.text, r->next.text + r->next.length, out))
        return token_expected(r, "a number", err);
    return token_take(r, NULL, err);
}

status token_take_count(token_reader *r, const char *what, size_t most, size_t *out, error_info *err) {
    const token *t = &r->next;
    size_t value = 0;
    for (size_t i = 0; i < t->length; i++) {
        bool is_digit = t->text[i] >= '0' && t->text[i] <= '9';
        if (!is_digit || value > most / 10)
            return token_expected(r, what, err);
        value = value * 10 + (size_t)(t->text[i] - '0');
    }
    if (t->kind != TOKEN_WORD || value > most)
        return token_expected(r, what, err);
    *out = value;
    return token_take(r, NULL, err);
}

status token_skip_to(token_reader *r, const char *closing, error_info *err) {
    char what[32];
    size_t depth = 0;
    while (depth > 0 || !token_is(&r->next, closing)) {
        if (r->next.kind == TOKEN_SIGN) {
            bool opens = *r->next.text == '{' || *r->next.text == '(',
                 closes = *r->next.text == '}' || *r->next.text == ')';
            depth = opens ? depth + 1 : closes && depth > 0 ? depth - 1 : depth;
        }
        (void)snprintf(what, sizeof what, "'%s'", closing);
        if (r->next.kind == TOKEN_END)
            return token_expected(r, what, err);
        CHECK(token_take(r, NULL, err));
    }
    return token_take(r, NULL, err);
}

char *token_text(const token *t) {
    char *copy = text_copy_n(t->text, t->length), *to = copy;
    if (!copy || t->kind != TOKEN_QUOTED)
        return copy;
    for (const char *at = copy; *at; at++) {
        at += *at == '\\' && at[1];
        *to++ = *at;
    }
    *to = '\0';
    return copy;
}
