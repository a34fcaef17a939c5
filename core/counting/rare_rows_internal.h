/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The rows of a column by state, without those of its most common one: these are what the others leave of a margin. */
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

/** cells[index[row]] becomes one more for each of n rows, in KERNEL_COPIES copies `stride` apart, so that equal
 * neighbours do not wait for each other's store. */
void rare_rows_add(const uint16_t *rows, size_t n, const uint32_t *index, uint32_t *cells, size_t stride);

#endif
