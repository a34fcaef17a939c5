/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The rows of a few columns, each configuration that occurs once with its number of rows: where the columns depend on
 * each other those are few, and a table of some of them is counted the faster.
 */
#ifndef BNB_CORE_COUNTING_DISTINCT_ROWS_H
#define BNB_CORE_COUNTING_DISTINCT_ROWS_H

#include "core/counting/counts.h"
#include "core/data/dataset.h"

#include <stdbool.h>

typedef struct distinct_rows distinct_rows;

/** `data` (discrete) is borrowed. */
BNB_MUST_CHECK status distinct_rows_create(const dataset *data, distinct_rows **out, error_info *err);
void distinct_rows_destroy(distinct_rows *d); /* NULL is fine */
AUTO_PTR_OF(distinct_rows, distinct_rows_destroy)

/** The columns that the next tables are made of, distinct. Costs nothing until some tables have been asked for. */
void distinct_rows_attend(distinct_rows *d, const size_t *columns, size_t n_columns);

/**
 * As counts_get (core/counting/counts.h), dense. False, and `out` untouched, where a column is not among those attended
 * to, the configurations are too many to be of use, or the table is large: then it is for counts_get.
 */
bool distinct_rows_count(distinct_rows *d, size_t first, const size_t *conditioning, size_t n_conditioning,
                         size_t extra, counts_table *out);

#endif
