/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The file at a data set's public address made into CSV with a schema. */
#ifndef BNB_GENERATORS_CATALOGUE_DATASET_CONVERT_H
#define BNB_GENERATORS_CATALOGUE_DATASET_CONVERT_H

#include "core/base/text.h"
#include "generators/catalogue/dataset_catalogue.h"

/**
 * Appends CSV: a header of the entry's columns, then the rows of the source in their order, fields as they are written
 * there. Rows in which a column that is taken is missing ("?", or nothing) are left out, as are empty lines.
 * @return STATUS_PARSE, "line L: ...": a row with another number of fields than the entry says, a header that lacks a
 *         column, ARFF without data, a NUL byte. STATUS_MEMORY.
 */
BNB_MUST_CHECK status dataset_convert(const dataset_entry *entry, const char *text, size_t length, text_buffer *csv,
                                      error_info *err);

/** Appends the sidecar (core/data/dataset_csv.h): column,type,cardinality. */
void dataset_append_entry_schema(const dataset_entry *entry, text_buffer *out);

#endif
