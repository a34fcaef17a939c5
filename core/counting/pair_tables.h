/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Contingency tables of pairs of columns where every pair is wanted: the bit vectors of all columns are made once, and
 * then read by as many threads as like. core/counting/counts.h is for tables with conditions.
 */
#ifndef BNB_CORE_COUNTING_PAIR_TABLES_H
#define BNB_CORE_COUNTING_PAIR_TABLES_H

#include "core/base/status.h"
#include "core/data/dataset.h"

typedef struct pair_tables pair_tables;

/** `data` must be discrete and outlive it. O(rows x states / 8) bytes, of all states of a column but its last. */
BNB_MUST_CHECK status pair_tables_create(const dataset *data, pair_tables **out, error_info *err);
void pair_tables_destroy(pair_tables *t); /* NULL is fine */
AUTO_PTR_OF(pair_tables, pair_tables_destroy)

/** Rows by state of a column; lives as long as the tables. */
const uint32_t *pair_tables_margin(const pair_tables *t, size_t column);

/** 64-bit words of a bit vector, a multiple of eight. */
size_t pair_tables_words(const pair_tables *t);

/** How many bit vectors a column has: one for each state but the last; none where it has too many states, or one. */
size_t pair_tables_vectors(const pair_tables *t, size_t column);

/**
 * Splits a set of rows by the states of a column that has bit vectors, or one state: the bits of each state that has
 * rows go into `out`, one after the other, and their numbers into `tally`, with room for all states. `set` is emptied.
 * @return how many states have rows
 */
size_t pair_tables_split(const pair_tables *t, uint64_t *set, size_t column, uint64_t *out, uint32_t *tally);

/** The rows that bit vector k of the column shares with each of n sets, which lie one after the other. */
void pair_tables_count_sets(const pair_tables *t, size_t column, size_t k, const uint64_t *sets, size_t n,
                            uint32_t *out);

/**
 * The table of two columns: rows with state i of x and j of y at cells[i * r_y + j]; all r_x * r_y cells are written.
 * A caller with many pairs counts them by blocks.
 */
void pair_tables_count(const pair_tables *t, size_t x, size_t y, uint32_t *cells);

/** What one column has in common with each of a block of columns; of one thread. Zero-initialise. */
typedef struct {
    const pair_tables *tables;
    size_t first, end; /* the columns of the block */
    size_t x;          /* the column that was counted last */
    size_t capacity;
    uint32_t *counts;
} pair_block;

/**
 * Turns to the columns first .. end - 1. Blocks whose vectors (states x rows / 8 bytes a column) stay in the first
 * caches are the fastest.
 */
BNB_MUST_CHECK status pair_block_begin(pair_block *b, const pair_tables *t, size_t first, size_t end, error_info *err);
void pair_block_clear(pair_block *b);

/** Counts x with every column of the block, one pass over their vectors for a state of x. */
void pair_block_count(pair_block *b, size_t x);

/** As pair_tables_count(x, y), of the column that was counted and a column y of the block. */
void pair_block_lay(const pair_block *b, size_t y, uint32_t *cells);

#endif
