/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data as ARFF, Weka's form: nominal attributes are discrete columns, numeric ones continuous. */
#ifndef BNB_CORE_DATA_DATASET_ARFF_H
#define BNB_CORE_DATA_DATASET_ARFF_H

#include "core/base/text.h"
#include "core/data/dataset_csv.h"

/** True if a text begins as ARFF does: "@relation", perhaps below remarks. */
bool arff_may_be(const char *text, size_t length);

/**
 * Parses ARFF: attributes {nominal} and numeric (or real, integer), names and values plain or in quotes of either kind
 * with '\' in front of a quote, a backslash, 'n', 'r' or 't'; '%' begins a remark. State spaces are those of the file,
 * or those that `how` gives.
 * @return STATUS_PARSE, the message "line L, column C: ...", the column being the number of the field: a missing value
 * ('?' and what CSV takes for one), an attribute of another type (string, date, relational), sparse rows, weights of
 * rows, what else dataset_parse_csv_of refuses. STATUS_MEMORY.
 */
BNB_MUST_CHECK status dataset_parse_arff(const char *text, size_t length, const data_reading *how, dataset **out,
                                         schema_origin *origin, error_info *err);

/** Appends it, under that name. */
void dataset_append_arff(const dataset *data, const char *relation, text_buffer *out);

#endif
