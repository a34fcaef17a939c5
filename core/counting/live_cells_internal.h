/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The cells of a table that have rows, each with its rows as a bit vector, and the bit vectors of the states of columns
 * by which they are split. Vectors have n_words words, a multiple of KERNEL_WORDS, on lines of 64 bytes.
 */
#ifndef BNB_CORE_COUNTING_LIVE_CELLS_INTERNAL_H
#define BNB_CORE_COUNTING_LIVE_CELLS_INTERNAL_H

#include "core/base/status.h"
#include "core/counting/count_kernels_internal.h"
#include "core/data/dataset.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The states of the columns, made when a column is first used. Threads that count the same data share them. */
typedef struct {
    const dataset *data;
    const count_kernels *kernels;
    size_t n_words;
    uint64_t *_Atomic *columns; /* by column: states x n_words, or NULL */
    bool are_shared;            /* they are another's, who frees them */
} state_bits;

/** @return STATUS_MEMORY. `data` outlives it; state_bits_clear() ends it, after a failure too. */
BNB_MUST_CHECK status state_bits_init(state_bits *s, const dataset *data, error_info *err);

/** Those of `of`, which outlives them. */
void state_bits_share(state_bits *s, const state_bits *of);

void state_bits_clear(state_bits *s);

enum { STATE_BITS_MOST = 32 };

/** Does the column have few enough states, STATE_BITS_MOST, to be kept as bit vectors? */
bool state_bits_suit(const state_bits *s, size_t column);

/** Makes the vectors of a column that suits, unless a thread has. STATUS_MEMORY. */
BNB_MUST_CHECK status state_bits_make(state_bits *s, size_t column, error_info *err);

/** Vectors that were made: state k begins at k * n_words. */
static inline const uint64_t *state_bits_of(const state_bits *s, size_t column) {
    return atomic_load_explicit(&s->columns[column], memory_order_acquire);
}

enum { LIVE_CELLS_MOST = 256 };

/** Starts as zeros. */
typedef struct {
    size_t n;
    uint32_t *cell, *tally; /* LIVE_CELLS_MOST each: numbers, ascending but after a split, and rows */
    uint64_t *bits;         /* n x n_words */
    size_t capacity;        /* vectors in bits */
    uint8_t *places;        /* by row of the data, where cells were found of rows */
} live_cells;

void live_cells_clear(live_cells *cells);

/** Can so many cells be kept? They are few, and their vectors take little memory. */
bool live_cells_fit(size_t n, size_t n_words);

/** The states of one column; the cell's number is the state. STATUS_MEMORY. */
BNB_MUST_CHECK status live_cells_start(live_cells *cells, state_bits *s, size_t column, error_info *err);

/**
 * The cells of `above`, each split by the states of one more column, those of state k numbered `scale` * k higher.
 * @return STATUS_MEMORY
 */
BNB_MUST_CHECK status live_cells_split(const live_cells *above, state_bits *s, size_t column, uint32_t scale,
                                       live_cells *out, error_info *err);

/**
 * Those of a table of which each row's cell is known; n = 0 where they do not fit.
 * @param cell_of_row of each row of the data of `s`
 * @param tallies rows by cell, n_cells
 * @param place   n_cells entries of scratch, by cell its place in `cells` afterwards, where it has rows
 * @return STATUS_MEMORY
 */
BNB_MUST_CHECK status live_cells_of_rows(live_cells *cells, const state_bits *s, const uint32_t *cell_of_row,
                                         const uint32_t *tallies, size_t n_cells, uint32_t *place, error_info *err);

#endif
