/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A CSV file with a header as rows of text fields (RFC 4180). For small files: it holds all of it. */
#ifndef BNB_STORE_CSV_TABLE_H
#define BNB_STORE_CSV_TABLE_H

#include "core/base/status.h"

typedef struct csv_table csv_table;

#define CSV_NO_COLUMN ((size_t)-1)

/**
 * Reads text; a byte order mark is skipped, empty lines too.
 * @return STATUS_PARSE, the message "line L, column C: ...": a row of another length than the header, an open quote, a
 * NUL byte, no header. STATUS_MEMORY.
 */
BNB_MUST_CHECK status csv_table_parse(const char *text, size_t length, csv_table **out, error_info *err);

/** The same without the blanks and tabs around fields. */
BNB_MUST_CHECK status csv_table_parse_trimmed(const char *text, size_t length, csv_table **out, error_info *err);
void csv_table_destroy(csv_table *t); /* NULL is fine */

size_t csv_table_row_count(const csv_table *t); /* without the header */
size_t csv_table_column_count(const csv_table *t);
const char *csv_table_heading(const csv_table *t, size_t column);
size_t csv_table_column(const csv_table *t, const char *name); /* CSV_NO_COLUMN where there is none */
size_t csv_table_header_line(const csv_table *t);
size_t csv_table_line(const csv_table *t, size_t row); /* of the file, from 1 */

/** The field's text, valid as long as the table; "" for CSV_NO_COLUMN. */
const char *csv_table_field(const csv_table *t, size_t row, size_t column);

#endif
