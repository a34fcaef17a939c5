/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Which tests a source will not perform, as far as that is known without asking: those on too many cells. */
#ifndef BNB_LEARNERS_BASE_TABLE_LIMIT_H
#define BNB_LEARNERS_BASE_TABLE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

/** A test is performed only if n_rows >= min_rows * the states of both variables and of the set, multiplied. */
typedef struct {
    const size_t *n_states; /* by column; borrowed */
    double n_rows, min_rows;
} table_limit;

/** The states of a column; 1 without a limit. */
static inline double table_limit_states(const table_limit *limit, size_t column) {
    return limit ? (double)limit->n_states[column] : 1;
}

/** True if a table of so many cells can be tested; a NULL limit lets everything pass. */
static inline bool table_limit_allows(const table_limit *limit, double cells) {
    return !limit || limit->n_rows >= limit->min_rows * cells;
}

#endif
