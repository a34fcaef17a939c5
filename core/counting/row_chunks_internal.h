/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Data of many rows some thousand rows at a time, split by columns into bit vectors that stay in the first caches. */
#ifndef BNB_CORE_COUNTING_ROW_CHUNKS_INTERNAL_H
#define BNB_CORE_COUNTING_ROW_CHUNKS_INTERNAL_H

#include "core/base/status.h"
#include "core/counting/count_kernels_internal.h"
#include "core/counting/pair_tables.h"
#include "core/data/dataset.h"

#include <stdbool.h>

enum {
    CHUNK_WORDS = 256, /* vectors of 2 KiB */
    CHUNK_MOST_CELLS = 1024,
    CHUNK_MOST_STATES = 32 /* of a column */
};

/** Cells (configurations of columns) that have rows in the chunk, a vector each, as long as the chunk. */
typedef struct {
    size_t n;
    uint32_t code[CHUNK_MOST_CELLS], tally[CHUNK_MOST_CELLS];
    uint64_t *bits;
} chunk_cells;

/** A column's vectors in the chunk: `stride` words from a state to the next; the last is what the others leave. */
typedef struct {
    size_t n_states, stride;
    const uint64_t *bits;
} chunk_column;

typedef struct {
    const count_kernels *kernels;
    chunk_cells level[2];
} row_chunks;

/** `c` is zero before, or was made so; row_chunks_clear in any case. */
BNB_MUST_CHECK status row_chunks_init(row_chunks *c, error_info *err);
void row_chunks_clear(row_chunks *c);

/** Whether there are so many rows that chunks pay. */
bool row_chunks_suit(size_t n_rows);

/** Splits a chunk of n_rows rows by the columns, of which the first varies fastest in the code of a cell; their
 * configurations are CHUNK_MOST_CELLS at most. Valid until the next call. */
const chunk_cells *row_chunks_split(row_chunks *c, const chunk_column *columns, size_t n_columns, size_t n_words,
                                    size_t n_rows);

/** What is tallied: columns that are kept as bytes, and their bit vectors where somebody has made them. */
typedef struct {
    const dataset *data;
    const pair_tables *tables; /* of the data; NULL: vectors are made of the bytes */
} chunk_source;

/** Adds the rows of all cells of these columns to `tally`, by code. */
BNB_MUST_CHECK status row_chunks_tally(row_chunks *c, const chunk_source *from, const size_t *columns, size_t n_columns,
                                       uint32_t *tally, error_info *err);

#endif
