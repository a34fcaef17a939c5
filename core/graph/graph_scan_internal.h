/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The scanner under the reader of graph CSV: lines, columns, and fields by RFC 4180. */
#ifndef BNB_CORE_GRAPH_GRAPH_SCAN_INTERNAL_H
#define BNB_CORE_GRAPH_GRAPH_SCAN_INTERNAL_H

#include "core/base/status.h"

#include <stdbool.h>

enum { GRAPH_LONGEST_FIELD = 4096 }; /* bytes; so a row has a bound too */

/** Both from 1; the column in characters. */
typedef struct {
    size_t line, column;
} scan_place;

/** Where the scanner is, and the field that it read last. */
typedef struct {
    const char *at, *end;
    scan_place here;
    char field[GRAPH_LONGEST_FIELD + 1];
    scan_place where; /* of the field */
} scanner;

/** STATUS_PARSE with "line:column: " in front. */
status scan_complain(scan_place where, error_info *err, const char *format, ...) BNB_PRINTF(3, 4);

/** A field as a message shows it: short, on one line, without half a character at the end. */
typedef struct {
    char text[48];
} scan_shown;
scan_shown scan_show(const char *field);

/** The text must be UTF-8 without NUL bytes. Asked once, first; everything else may then take text for text. */
BNB_MUST_CHECK status scan_check_characters(const char *text, size_t length, error_info *err);

bool scan_is_at_end(const scanner *in);
bool scan_is_at_line_end(const scanner *in); /* LF, CR LF, or the end of the text */
bool scan_is_at_word(const scanner *in, const char *word);
bool scan_is_at_blank_line(const scanner *in);

void scan_step(scanner *in); /* one byte; not at the end */
void scan_skip_blanks(scanner *in);
void scan_skip_line(scanner *in); /* what is left of the line, and its end */

/** Reads a field; stops at the comma or line end behind it. Blanks around it count only inside quotes. */
BNB_MUST_CHECK status scan_field(scanner *in, error_info *err);

/** Steps over the comma, behind which `what` should follow. */
BNB_MUST_CHECK status scan_comma(scanner *in, const char *what, error_info *err);

/** Steps over the line end that must come after the third field. */
BNB_MUST_CHECK status scan_row_end(scanner *in, error_info *err);

#endif
