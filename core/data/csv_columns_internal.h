/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the parts of the CSV reader share: the columns of a file, and what is known of their state spaces. */
#ifndef BNB_CORE_DATA_CSV_COLUMNS_INTERNAL_H
#define BNB_CORE_DATA_CSV_COLUMNS_INTERNAL_H

#include "core/base/text.h"
#include "core/base/text_set.h"
#include "core/data/csv.h"
#include "core/data/csv_blocks_internal.h"
#include "core/data/dataset.h"

typedef struct {
    char *name;
    bool is_known;   /* `variable` is complete */
    size_t n_states; /* of a discrete column whose states were not listed; else 0 */
    variable variable;
    text_set values; /* distinct values seen so far, then the states in order */
    bool all_numbers, has_fraction;
    bool is_cut;  /* `values` is not complete: the column looked continuous */
    bool in_full; /* and then did not: the next walk is to complete it */
} csv_column;

typedef struct {
    csv_text text;
    csv_room head; /* the first rows of a text that is not in memory */
    size_t n_threads, block_bytes;
    char separator; /* 0: the header tells */
    csv_column *columns;
    size_t n_columns, n_rows;
    size_t body, body_end; /* bytes of the text: below the header */
    size_t body_line;
    csv_blocks blocks; /* of the body */
    name_index *index;
    csv_reader reader;
    dataset *data; /* to be filled */
} csv_columns;

typedef status (*csv_visit)(csv_columns *table, size_t row, size_t column, const csv_field *field, error_info *err);

void csv_columns_clear(csv_columns *table);

/**
 * Reads the names of the columns, and cuts what is below into blocks, whose rows it counts; as far as the file is
 * sound. STATUS_PARSE: no row, a name that is empty or there twice.
 */
BNB_MUST_CHECK status csv_columns_read_header(csv_columns *table, error_info *err);

/** Every cell below the header, row by row; checks that each row has as many fields as the header. STATUS_PARSE where
 * the text is not in memory: whoever wants to know what is wrong reads all of it. */
BNB_MUST_CHECK status csv_columns_walk(csv_columns *table, csv_visit visit, error_info *err);

/** The cells of the row where the reader stands. */
BNB_MUST_CHECK status csv_columns_walk_row(csv_columns *table, csv_visit visit, size_t row, error_info *err);

/**
 * The same as csv_columns_walk by the table's threads, with the same outcome, for a visit that either fills the dataset
 * or collects values in the columns; it is not called for a value that it has seen in that column, if it need not be.
 */
BNB_MUST_CHECK status csv_columns_walk_blocks(csv_columns *table, csv_visit visit, bool collects, error_info *err);

/** True for an empty field, NA, NaN, ? and null. */
bool csv_is_missing(const csv_field *field);
status csv_missing_value(const csv_columns *table, size_t column, const csv_field *field, error_info *err);

/** From the values so far: numbers, not all of them whole, or more different ones than a discrete column has. */
bool csv_column_looks_continuous(const csv_column *column);

bool csv_columns_is_known(const csv_columns *table);

/** Completes the variables of columns that are not known from their values. */
BNB_MUST_CHECK status csv_columns_infer(csv_columns *table, error_info *err);

/**
 * STATUS_PARSE, with line and column, where a column that is not known holds numbers and "inf", "nan" or numbers that
 * overflow, and nothing else. After the values of every such column have been collected in full.
 */
BNB_MUST_CHECK status csv_columns_refuse_spoilt(csv_columns *table, error_info *err);

/** Takes types and states from the variables; every column must be among them. */
BNB_MUST_CHECK status csv_columns_use(csv_columns *table, const variable *given, size_t n_given, error_info *err);

/** Takes types and states from a sidecar's text. */
BNB_MUST_CHECK status csv_columns_use_sidecar(csv_columns *table, const char *text, size_t length, error_info *err);

#endif
