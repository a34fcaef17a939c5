/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Tables of one column with each of a block of columns, all at once: the block's bit vectors lie side by side in lanes
 * and stay in the first caches while other columns go by. Where every pair is
 * wanted and few of them closely.
 */
#ifndef BNB_CORE_COUNTING_PAIR_BLOCK_H
#define BNB_CORE_COUNTING_PAIR_BLOCK_H

#include "core/counting/pair_tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAIR_BLOCK_COLUMNS = 64 };

/** The columns of a dataset in blocks of equal numbers of states, those of each ascending. */
typedef struct {
    size_t *columns;
    size_t *starts; /* block i is columns[starts[i]] .. columns[starts[i + 1] - 1] */
    size_t n_blocks;
} pair_blocks;

BNB_MUST_CHECK status pair_blocks_init(pair_blocks *b, const dataset *data, error_info *err);

/** The columns from `first` up to `end` - 1 in blocks, *n_leading of them, and then those from `end` on; those before
 * are in none. */
BNB_MUST_CHECK status pair_blocks_init_from(pair_blocks *b, const dataset *data, size_t first, size_t end,
                                            size_t *n_leading, error_info *err);
void pair_blocks_clear(pair_blocks *b);

/** One of them, of one thread. Zero-initialise. */
typedef struct {
    const pair_tables *tables;
    const size_t *columns; /* in order of the lanes */
    size_t n_columns, n_states;
    bool has_margins;
    const pair_column *x; /* that was counted last */
    const struct lane_kernels *kernels;
    void *memory;
    size_t capacity; /* of it, in numbers */
    uint32_t *lanes, *margins, *counts;
    float *sums;
    uint64_t *rows; /* the lanes turned, where has_rows */
    size_t rows_capacity;
    bool has_rows;
} pair_block;

/** Turns to at most PAIR_BLOCK_COLUMNS columns of equal numbers of states, which must have bits and stay. */
BNB_MUST_CHECK status pair_block_begin(pair_block *b, const pair_tables *t, const size_t *columns, size_t n_columns,
                                       error_info *err);
void pair_block_clear(pair_block *b);

/** Asks the caches for what pair_block_begin will read of such columns, while something else is done: of many columns,
 * those of a block are far apart. */
void pair_block_foresee(const pair_tables *t, const size_t *columns, size_t n_columns);

/** Says that many columns will be counted: where the tables list their rows and most lanes are in use, most of them
 * take a fraction of the time. Without memory nothing changes. */
void pair_block_turn(pair_block *b);

/** Counts x, which must have bits, with every column of the block. */
void pair_block_count(pair_block *b, size_t x);

/** The table of x and the column of a lane, as pair_tables_count(x, y). */
void pair_block_lay(const pair_block *b, size_t lane, uint32_t *cells);

/**
 * Compares the sums of N log N over the cells of each lane with two limits: bit i of each answer is set if the sum is
 * at least limits[i] + shift, give or take pair_block_error. Limits lie on 64 bytes, one a lane.
 */
void pair_block_compare(pair_block *b, float shift, const float *limits, uint64_t *reached, const float *other_limits,
                        uint64_t *other_reached);

/** Configurations of some columns, those of a stratum side by side. */
typedef struct {
    const uint64_t *bits;             /* a vector a cell, as the tables' own */
    const uint32_t *tallies, *starts; /* rows by cell; stratum i is cells starts[i] .. starts[i + 1] - 1 */
    size_t n_cells, n_strata;
} pair_strata;

enum { PAIR_MOST_STRATA_CELLS = 64, PAIR_STRATA_SCRATCH = 64 * 31 * 64 };

/**
 * By lane, sums over the table of the strata and the lane's column: of N log N over all cells, less that over what each
 * stratum has of each state; and of (states with rows - 1) (cells - 1) over the strata. At most PAIR_MOST_STRATA_CELLS
 * cells. Wrong by twice pair_block_error of all the terms at most. `scratch`: PAIR_STRATA_SCRATCH numbers; all on 64
 * bytes.
 */
void pair_block_sum_strata(const pair_block *b, const pair_strata *s, uint32_t *scratch, float *sums,
                           uint32_t *adjusted);

/** The same of the lanes of one tile, PAIR_BLOCK_TILE lanes from `first` on, a multiple of it: they go to the first of
 * the sums, which have room for all lanes. */
void pair_block_sum_tile(const pair_block *b, const pair_strata *s, size_t first, uint32_t *scratch, float *sums,
                         uint32_t *adjusted);

/** Rows by the states of two columns. */
typedef struct {
    const uint64_t *bits;                       /* a vector a cell that has rows, as the tables' own */
    const uint32_t *tallies, *firsts, *seconds; /* by cell: its rows, and its states. Cells ascend by
                                                   that of the second, then of the first */
    size_t n_cells, r_second;
} pair_cross;

enum { PAIR_BLOCK_TILE = 16, PAIR_MOST_CROSS_CELLS = 64 };

/**
 * Of the two columns given that of each lane of a tile, PAIR_BLOCK_TILE lanes from `first` on, a multiple of it: the
 * sum of N log N over all cells less that over the table of the second column and the lane's; and the sum of
 * (rows - 1) (columns - 1) over the states of the lane's column, of those rows and columns that its table has. The
 * first column is the one that was counted last. At most PAIR_MOST_CROSS_CELLS cells. Wrong by twice pair_block_error
 * of all the terms at most.
 * `scratch`: PAIR_STRATA_SCRATCH numbers; all on 64 bytes.
 */
void pair_block_sum_given(const pair_block *b, const pair_cross *c, size_t first, uint32_t *scratch, float *sums,
                          uint32_t *adjusted);

/** Of the lanes of a tile, bit i: is sums[i] - own[i] above limits[places[i]] + shift? Sums and places on 64 bytes. */
uint32_t pair_block_above(const pair_block *b, const float *sums, const float *own, const float *limits,
                          const uint32_t *places, float shift);

/** By lane, the sum of N log N over the table of the column that was counted and that of the lane; until the next call.
 * Wrong by pair_block_error. */
const float *pair_block_sum_terms(pair_block *b);

/** Of the next two, in numbers, on 64 bytes. */
enum { PAIR_VALUES_SCRATCH = PAIR_STRATA_SCRATCH + 64 * 33 * 64 };

/** Counts the tables of the strata and each lane's column. At most PAIR_MOST_STRATA_CELLS cells; starts[0] may be other
 * than 0, where bits and tallies begin at that cell. */
void pair_block_count_strata(const pair_block *b, const pair_strata *s, uint32_t *scratch);

/** The same where what the cells share with the states of the lanes' columns, but for the last, is in `scratch`: by
 * cell, state, and lane. */
void pair_block_complete_strata(const pair_block *b, const pair_strata *s, uint32_t *scratch);

/**
 * After either: adds, by lane from `first` to `end` - 1, the sum of cell[N] over the cells of the table, less that of
 * row[N] over what each stratum has of each state. `cell` and `row` have the values up to the most rows of a cell and
 * of a stratum.
 */
void pair_block_add_values(const pair_block *b, const pair_strata *s, const uint32_t *scratch, size_t first, size_t end,
                           const double *cell, const double *row, double *sums);

/** Of sums over so many cells and of their limits together; infinite where there are too many rows for such sums. */
double pair_block_error(const pair_tables *t, size_t n_cells);

#endif
