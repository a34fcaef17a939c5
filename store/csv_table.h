/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A CSV file with a header as rows of text fields (RFC 4180). For small files: it holds all of it. */
#ifndef BNB_STORE_CSV_TABLE_H
#define BNB_STORE_CSV_TABLE_H

#include "core/base/status.h"

typedef struct csv_table csv_table;

#define CSV_NO_COLUMN ((size_t)-1)
#define CSV_HEADER ((size_t)-1) /* the header's row */

/**
 * Reads text; a byte order mark is skipped, empty lines too.
 * @return STATUS_PARSE, the message "line L, column C: ...": a row of another length than the header, an open quote, a
 *         NUL byte, no header, more than 10,000 columns. STATUS_MEMORY.
 */
BNB_MUST_CHECK status csv_table_parse(const char *text, size_t length, csv_table **out, error_info *err);
void csv_table_destroy(csv_table *t); /* NULL is fine */
AUTO_PTR_OF(csv_table, csv_table_destroy)

/** Takes blanks and tabs off both ends of every field. */
void csv_table_trim(csv_table *t);

size_t csv_table_row_count(const csv_table *t);                /* without the header */
size_t csv_table_column(const csv_table *t, const char *name); /* CSV_NO_COLUMN where there is none */
size_t csv_table_column_count(const csv_table *t);
size_t csv_table_line(const csv_table *t, size_t row); /* of the file, from 1, where the row ends */

/** The field's text, valid as long as the table; "" for CSV_NO_COLUMN. */
const char *csv_table_field(const csv_table *t, size_t row, size_t column);

#endif
