/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A CSV table of numbers with a header, and perhaps a first column of names: the input of `bnbench stats`. */
#ifndef BNB_STORE_NUMBER_TABLE_H
#define BNB_STORE_NUMBER_TABLE_H

#include "core/base/status.h"

#include <stdbool.h>

/** Owns everything; zero-initialise. Row r, column c at values[r * n_columns + c]. */
typedef struct {
    size_t n_rows, n_columns; /* of numbers: without the names */
    char *label;              /* the header of the names; NULL where there are none */
    char **columns;           /* headers */
    char **rows;              /* names; NULL where there are none */
    double *values;           /* NAN where the field says that there is no value */
    size_t *lines;            /* of each row */
    size_t n_missing;
} number_table;

void number_table_clear(number_table *t);

/**
 * Reads a table from a file, "-" for standard input. The first of several columns holds names where none of its fields
 * is a number, where its header is one of name, label, id, dataset, data_set, network, block, test, comparison, learner
 * and algorithm, or where its header is empty and at most a tenth of its fields are numbers. An empty field, NA, NaN,
 * n/a, -, failed, timeout and memory mean that there is no value.
 * @return STATUS_PARSE, the message "line L, column C: ...": a field that is no number, rows of different length, two
 *         headers alike, a header of numbers alone, a first column of numbers without a header, no rows.
 *         STATUS_IO, STATUS_MISSING, STATUS_MEMORY. The path stands in front of messages.
 */
BNB_MUST_CHECK status number_table_read(const char *path, number_table *out, error_info *err);

/** The column of that name, or n_columns. */
size_t number_table_column(const number_table *t, const char *name);

/** The first missing value of the columns listed; false without any. */
bool number_table_find_missing(const number_table *t, const size_t *columns, size_t n, size_t *row, size_t *column);

#endif
