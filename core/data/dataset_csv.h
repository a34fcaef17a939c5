/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data as CSV, or with tabs or semicolons for its commas, with a `.schema.csv` sidecar. */
#ifndef BNB_CORE_DATA_DATASET_CSV_H
#define BNB_CORE_DATA_DATASET_CSV_H

#include "core/base/text.h"
#include "core/data/dataset.h"

/** Where the state spaces of a file came from. */
typedef enum { SCHEMA_GIVEN, SCHEMA_SIDECAR, SCHEMA_INFERRED, SCHEMA_OWN } schema_origin; /* own: in the file itself */

/** How data are read; all zero, or NULL in its place, is the usual way. */
typedef struct {
    const variable *given; /* the state spaces, n_given of them, matched by name, in any order; NULL: see below */
    size_t n_given;        /* more than the file has is fine */
    size_t n_threads;      /* at most; 0: one. The outcome is the same with any number */
    size_t block_bytes;    /* what a thread takes at a time; 0: 1 MiB */
} data_reading;

/**
 * Parses CSV (RFC 4180 quoting, LF or CRLF, UTF-8, a byte order mark is skipped). Tabs separate the fields of a file
 * NAME.tsv; else commas, tabs or semicolons do, as csv_find_separator says.
 *
 * State spaces: those given; else the sidecar NAME.schema.csv beside the file NAME.csv, NAME.csv.gz, ... if it is
 * there; else inferred: a column is continuous if every value is a number and some are not whole numbers or there are
 * more than 64 of them; else discrete, its states the values seen, whole numbers in numeric order, others sorted
 * bytewise. A column of numbers in which some are infinite or "nan" is an error.
 *
 * The sidecar is CSV with the columns `column`, `type` (discrete or continuous), `cardinality` and optionally `states`,
 * separated by '|' (a '|' within a state is written \|, a backslash in front of one or of another is doubled). Without
 * `states`, those of a discrete column are the values seen, which must then be `cardinality` many; where fewer are
 * seen and all are whole numbers within 0 .. cardinality-1 or 1 .. cardinality, these are the states. The cardinality
 * of a continuous column is not looked at.
 *
 * Line ends at the end of the text are left out. Line and column count from 1, the column being the number of the
 * field.
 * @param path  of the file that the text is of, for its sidecar; NULL or "-": there is none
 * @return STATUS_PARSE, the message "line L, column C: ...", the first that is wrong: ragged row, missing value (empty,
 * or one of NA, NaN, ?, null where it is not a declared state), unknown state, two columns of one name, no rows, no
 * columns, a column of more than 65536 states. STATUS_MEMORY; STATUS_IO for the sidecar. On an error nothing is written
 * to the outputs.
 */
BNB_MUST_CHECK status dataset_parse_csv_of(const char *path, const char *text, size_t length, const data_reading *how,
                                           dataset **out, schema_origin *origin, error_info *err);

/**
 * The same of a file's text that is read by pieces, each by the thread that needs it, so that no more of it is in
 * memory than that; for file_read_at, `length` bytes. Of plain text alone: STATUS_PARSE, or another failure, where
 * there are quotes, or anything is wrong, which dataset_parse_csv_of of the whole text tells.
 */
BNB_MUST_CHECK status dataset_parse_csv_file(const char *path, int fd, size_t length, const data_reading *how,
                                             dataset **out, schema_origin *origin, error_info *err);

/** The same of text alone. */
BNB_MUST_CHECK status dataset_parse_csv(const char *text, size_t length, const data_reading *how, dataset **out,
                                        schema_origin *origin, error_info *err);

/** Appends header and rows, with commas or with another separator of a byte. */
void dataset_append_separated(const dataset *data, char separator, text_buffer *out);
void dataset_append_csv(const dataset *data, text_buffer *out);

/** Writes the file, tabs in place of commas where it ends in .tsv, and its sidecar beside it where `path` is a regular
 * file (not "-", not a device). */
BNB_MUST_CHECK status dataset_write_csv(const dataset *data, const char *path, error_info *err);

/** The sidecar's path: "x/NAME.schema.csv" for "x/NAME.csv", "x/NAME.tsv.gz" and others of data_form; on the heap, NULL
 * without memory. */
char *dataset_schema_path(const char *csv_path);

#endif
