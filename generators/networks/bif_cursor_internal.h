/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A place in the text of a BIF file, and the words from there on. */
#ifndef BNB_GENERATORS_NETWORKS_BIF_CURSOR_INTERNAL_H
#define BNB_GENERATORS_NETWORKS_BIF_CURSOR_INTERNAL_H

#include "core/base/status.h"

#include "core/base/text.h"

#include <stdbool.h>

typedef struct {
    const char *text, *at, *end;
    const char *open_comment; /* where a comment begins that nothing closes */
} bif_cursor;

/** A word points into the text; `at` is where it begins there, its quote included. */
typedef struct {
    const char *text;
    size_t length;
    const char *at;
} bif_word;

/** The character at the cursor once space is skipped; 0 at the end. */
char bif_peek(bif_cursor *c);

/** A name: in double quotes, or up to white space or one of { } ( ) [ ] , ; | */
BNB_MUST_CHECK status bif_read_word(bif_cursor *c, const char *what, bif_word *out, error_info *err);

/** A state: the same, but it may hold blanks within a line; no comment stands in front of it. */
BNB_MUST_CHECK status bif_read_state(bif_cursor *c, bif_word *out, error_info *err);

/** A number from 0 up; anything else is an error. */
BNB_MUST_CHECK status bif_read_probability(bif_cursor *c, double *out, error_info *err);

/** One character; `after` says behind what it was expected. */
BNB_MUST_CHECK status bif_expect(bif_cursor *c, char wanted, const char *after, error_info *err);

/** `property`, once that word is read: any text up to ';'. */
BNB_MUST_CHECK status bif_skip_property(bif_cursor *c, error_info *err);

bool bif_word_is(const bif_word *word, const char *text);

/** STATUS_PARSE, "line:column: ..." for the place `at`; columns count characters, from 1. */
status bif_error(const bif_cursor *c, const char *at, error_info *err, const char *format, ...) BNB_PRINTF(4, 5);

/** "line:column: expected ..., found ...". */
status bif_expected(const bif_cursor *c, const char *at, const char *what, error_info *err);

#endif
