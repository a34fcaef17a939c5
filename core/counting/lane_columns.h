/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All columns of a dataset in lanes, by blocks of equal numbers of states (core/counting/pair_block.h): where the
 * tables of one configuration after the other are wanted with every column. Read by any number of threads.
 */
#ifndef BNB_CORE_COUNTING_LANE_COLUMNS_H
#define BNB_CORE_COUNTING_LANE_COLUMNS_H

#include "core/counting/pair_block.h"
#include "core/counting/slab_values.h"

typedef struct lane_columns lane_columns;

/**
 * `tables` must outlive it. In a block, columns of equal labels (one a column) lie side by side. O(rows x states / 8)
 * bytes a column. NULL into `*out` where most lanes would be empty.
 */
BNB_MUST_CHECK status lane_columns_create(const pair_tables *tables, const uint32_t *labels, lane_columns **out,
                                          error_info *err);
void lane_columns_destroy(lane_columns *c); /* NULL is fine */
AUTO_PTR_OF(lane_columns, lane_columns_destroy)

/** The blocks: only what does not change them is asked of them. */
size_t lane_columns_count(const lane_columns *c);
const pair_block *lane_columns_at(const lane_columns *c, size_t block);

enum { LANE_SLAB_ROWS = 8192 }; /* more do not stay in the second cache */

/**
 * A slab is up to eight blocks of as many states, their bits row by row: then sets of rows that do not overlap, as
 * those of configurations are, cost together one pass over the rows. SIZE_MAX: the block is in none, as there are more
 * than LANE_SLAB_ROWS rows, or so few columns of these states that counting the block costs less.
 */
size_t lane_columns_slab(const lane_columns *c, size_t block);

/** Sets of rows, one after the other, and how many they are. Each is filled up to a multiple of eight with a row that
 * has no ones (lane_columns_no_row). */
typedef struct {
    const uint32_t *rows, *tallies;
    size_t n;
    size_t rest; /* a set as large as any, of all rows that are in no other: they are not among `rows`. n: each is
                    listed */
} row_sets;

uint32_t lane_columns_no_row(const lane_columns *c);

/** What a set of n rows takes. */
static inline size_t row_sets_room(uint32_t n) {
    return (n + (size_t)7) / 8 * 8;
}

/** 64-bit words that lane_columns_add_rows writes for each state of the slab's columns but the last. */
size_t lane_columns_sum_words(const row_sets *sets);

/** What each set shares with each state of the columns of a slab, into `sums`, which lie on 64 bytes. */
void lane_columns_add_rows(const lane_columns *c, size_t slab, const row_sets *sets, uint64_t *sums);

/** The same for the columns of one of its blocks, as numbers by set, state but the last, and lane; `sums` may begin
 * with a later set, as then `tallies` do. */
void lane_columns_spread(const lane_columns *c, size_t block, const uint64_t *sums, const uint32_t *tallies, size_t n,
                         uint32_t *counts);

/** Sets of rows of a sum, those of a stratum side by side. */
typedef struct {
    const uint32_t *tallies, *starts; /* rows by set; stratum i is sets starts[i] .. starts[i + 1] - 1 */
    const uint32_t *rows;             /* by stratum: at most SLAB_MOST_ROWS */
    size_t n;
} row_strata;

/** True if this processor can do the next. */
bool lane_columns_has_values(const lane_columns *c);

/** By lane of one of the blocks, the sum of values->cell over what all sets share with the column's states, less that
 * of values->row over what the strata do. The columns have SLAB_MOST_STATES states at most. `out` lies on 64 bytes. */
void lane_columns_sum_values(const lane_columns *c, size_t block, const uint64_t *sums, const row_strata *strata,
                             const slab_values *values, int32_t *out);

/** Bit i: values[i] - from > least, of the first n <= PAIR_BLOCK_COLUMNS lanes of a block. */
uint64_t lane_columns_above(const lane_columns *c, const double *values, size_t n, double from, double least);

/** The columns that are in no block, ascending: those of one state, or of too many. */
const size_t *lane_columns_loose(const lane_columns *c, size_t *n);

#endif
