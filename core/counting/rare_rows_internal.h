/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Tables of a base (a first column and strata) and one more column, counted by the rows of that column's rarer states
 * alone: those of its most common one are what the others leave of the base.
 */
#ifndef BNB_CORE_COUNTING_RARE_ROWS_INTERNAL_H
#define BNB_CORE_COUNTING_RARE_ROWS_INTERNAL_H

#include "core/counting/live_cells_internal.h"

enum { RARE_ROWS_MOST = 1 << 16 }; /* rows of the data: numbers of 16 bits */

/** Starts as zeros. Rows of the k-th of the other states: from starts[k] on, before starts[k + 1]. */
typedef struct {
    size_t common;
    uint16_t *rows; /* NULL: not made */
    uint32_t starts[STATE_BITS_MOST];
} rare_rows;

/** Of a column of n_states states whose bit vectors are made. STATUS_MEMORY. */
BNB_MUST_CHECK status rare_rows_make(rare_rows *r, const state_bits *s, size_t column, size_t n_states,
                                     error_info *err);
void rare_rows_clear(rare_rows *r);

/** Cells of a table that is counted so, at most. */
enum { RARE_MOST_CELLS = 2048 };

/** Of a table by stratum, state of the extra column, and state of the first, which varies fastest. */
typedef struct {
    size_t n_strata, r_extra, r_first;
} table_shape;

/** The cells of a base that have rows: stratum * r_first + state of the first column. */
typedef struct {
    size_t n;
    uint32_t cell[RARE_MOST_CELLS], stratum[RARE_MOST_CELLS], tally[RARE_MOST_CELLS];
} base_margin;

/** Of live cells, whose strata are given. */
void base_margin_take(base_margin *m, const live_cells *live, const uint32_t *strata);

/** Of a table of the base and one more column. */
void base_margin_add_up(base_margin *m, const uint32_t *cells, table_shape shape);

/**
 * The table of the base and the column of r.
 * @param index  the base's cell by row
 * @param copies scratch, KERNEL_COPIES x RARE_MOST_CELLS
 */
void rare_rows_count(const rare_rows *r, const base_margin *m, const uint32_t *index, table_shape shape,
                     uint32_t *copies, uint32_t *cells);

#endif
