/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The strata of a sparse table (core/counting/counts.h), one after the other, each as large as its rows: states and
 * cells without rows are not there, however many are declared.
 */
#ifndef BNB_CORE_COUNTING_STRATA_H
#define BNB_CORE_COUNTING_STRATA_H

#include "core/counting/counts.h"

/**
 * The stratum that was read last. Cells ascend by the state of the extra column, then by that of the first; states go
 * by their places among those that have rows here, ascending. Zero-initialise.
 */
typedef struct {
    size_t n_rows, n_cells, n_extra, n_first;
    const uint32_t *tallies;               /* by cell: rows, at least 1 */
    uint32_t *extra, *first;               /* by cell: places of its states */
    uint32_t *extra_margin, *first_margin; /* by place: rows */
    /* for reading */
    const counts_table *table;
    size_t at, capacity, n_places;
    uint32_t *seen, *spare, *place; /* place by state of the first column: 0 between strata */
} strata_reader;

void strata_clear(strata_reader *s);

/** Begins with the table, which is borrowed and sparse. */
BNB_MUST_CHECK status strata_start(strata_reader *s, const counts_table *table, error_info *err);

/** Reads the next stratum; false where none is left. O(cells of the stratum). */
bool strata_next(strata_reader *s);

#endif
