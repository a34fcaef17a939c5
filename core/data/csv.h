/* SPDX-License-Identifier: GPL-3.0-or-later */
/** CSV, field by field (RFC 4180; LF or CRLF), also with another separator than the comma. */
#ifndef BNB_CORE_DATA_CSV_H
#define BNB_CORE_DATA_CSV_H

#include "core/base/text.h"

/** Where the reading stands. Made by csv_init; csv_clear frees the scratch space. */
typedef struct {
    const char *at, *end;
    char separator;      /* a comma, unless it is set to a tab or a semicolon */
    bool is_done;        /* the last field ended the text */
    bool has_nul;        /* somewhere in the text: fields are searched for it */
    size_t next_line;    /* from 1 */
    size_t line, column; /* of the field read last: the line where it begins, the number of the field from 1 */
    bool row_ended;      /* the field read last was the last of its row */
    text_buffer scratch;
} csv_reader;

/** A field; valid until the next one is read. No NUL behind it. */
typedef struct {
    const char *text;
    size_t length;
} csv_field;

/** A byte order mark at the beginning and line ends at the end are left out; is_done if nothing is left. */
void csv_init(csv_reader *reader, const char *text, size_t length);

/** Whole rows out of the middle of a text, at least one, the first of which begins in that line. */
void csv_init_part(csv_reader *reader, const char *from, const char *end, size_t line);
void csv_clear(csv_reader *reader);

/** STATUS_PARSE: a quoted field that is not closed, text behind a closing quote, a NUL byte. Not to be called when
 * done. */
BNB_MUST_CHECK status csv_read_field(csv_reader *reader, csv_field *out, error_info *err);

/** Field i (from 0) of a row of n: STATUS_PARSE also where the row ends before or goes on behind it. */
BNB_MUST_CHECK status csv_read_cell(csv_reader *reader, size_t i, size_t n, csv_field *out, error_info *err);

/**
 * What separates the fields of a text whose first row is a header: the comma where header and first row then have as
 * many fields, more than one; else a tab or a semicolon of which the same is true, or which both have; else the comma.
 * STATUS_PARSE: both tab and semicolon would do.
 */
BNB_MUST_CHECK status csv_find_separator(const char *text, size_t length, char *out, error_info *err);

bool csv_field_is(const csv_field *field, const char *word);

/** STATUS_PARSE, "line L, column C: ..." for the field read last. */
status csv_error(const csv_reader *reader, error_info *err, const char *format, ...) BNB_PRINTF(3, 4);

#endif
