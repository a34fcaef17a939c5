/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Contingency tables of pairs of columns where every pair is wanted: the bit vectors of all columns are made once, and
 * then read by as many threads as like. core/counting/counts.h is for tables with conditions.
 */
#ifndef BNB_CORE_COUNTING_PAIR_TABLES_H
#define BNB_CORE_COUNTING_PAIR_TABLES_H

#include "core/base/status.h"
#include "core/counting/octet_columns.h"
#include "core/data/dataset.h"
#include "core/run/crew.h"

#include <stdbool.h>

/** A column with more states is not kept as bit vectors: 32 x 32 of a thousand rows cost more than the rows do. */
enum { PAIR_MOST_STATES = 32 };

typedef struct pair_tables pair_tables;

/** `data` must be discrete and outlive it. O(rows x states / 8) bytes, of all states of a column but its last. Up to
 * n_threads share the work where it is long. */
BNB_MUST_CHECK status pair_tables_create(const dataset *data, size_t n_threads, pair_tables **out, error_info *err);

/** The same by threads that are there, with the caller; NULL: by n_threads of its own. */
BNB_MUST_CHECK status pair_tables_create_by(const dataset *data, size_t n_threads, crew *threads, pair_tables **out,
                                            error_info *err);
void pair_tables_destroy(pair_tables *t); /* NULL is fine */
AUTO_PTR_OF(pair_tables, pair_tables_destroy)

const dataset *pair_tables_data(const pair_tables *t);

/** A column as tables see it, half a line of the caches. What is pointed to lives as long as the tables. */
typedef struct {
    const uint64_t *bits;   /* a vector a state but for the last, which is what the others leave: bit i is row i; NULL:
                               the column has too many states */
    const uint32_t *margin; /* rows by state */
    const uint16_t *rows;   /* of each state but `most`, one after the other, each filled up with PAIR_MOST_LISTED_ROWS
                               to a multiple of PAIR_ROWS_AT_ONCE; NULL: they were not listed */
    uint32_t n_states;
    uint32_t most; /* the state that has the most rows, where they were */
} pair_column;

enum {
    PAIR_ROWS_AT_ONCE = 32,
    PAIR_MOST_LISTED_ROWS = 8192, /* of more the bits leave the second cache; it is the row that no column has */
    PAIR_FEWEST_LISTED_ROWS = 512 /* of fewer the vectors are as fast */
};

/** Lists the rows of all columns that have bits, where they are neither too many nor too few, and the processor's level
 * counts them: for those who count many pairs by blocks. Before other threads read the tables; later calls find all of
 * it done. Two bytes a row, for the rows of all states of a column but its most frequent one. */
BNB_MUST_CHECK status pair_tables_list_rows(pair_tables *t, size_t n_threads, error_info *err);

/** The same by threads that are there, with the caller; NULL: by n_threads of its own. */
BNB_MUST_CHECK status pair_tables_list_rows_by(pair_tables *t, size_t n_threads, crew *threads, error_info *err);

/** Lays the vectors of all columns side by side too, where the processor's level counts them so, by up to n_threads:
 * for core/counting/base_tables.h. Once, and before other threads read the tables. */
BNB_MUST_CHECK status pair_tables_lay_octets(pair_tables *t, size_t n_threads, error_info *err);

/** NULL: they are not laid. */
const octet_columns *pair_tables_octets(const pair_tables *t);

/** The number there of the first vector of a column that has bits. */
size_t pair_tables_first_vector(const pair_tables *t, size_t column);

/** Entries of a list of n rows. */
static inline size_t pair_rows_room(uint32_t n) {
    return ((size_t)n + PAIR_ROWS_AT_ONCE - 1) / PAIR_ROWS_AT_ONCE * PAIR_ROWS_AT_ONCE;
}

/** By column. */
const pair_column *pair_tables_columns(const pair_tables *t);

/** 64-bit words of every vector, a multiple of eight. */
size_t pair_tables_word_count(const pair_tables *t);

/** Ones in a AND b, vectors of so many words on 64 bytes; in store_joint the vector goes to `out`. */
uint32_t pair_tables_count_joint(const pair_tables *t, const uint64_t *a, const uint64_t *b);
uint32_t pair_tables_store_joint(const pair_tables *t, const uint64_t *a, const uint64_t *b, uint64_t *out);

/** out[i] = ones in a AND vector i of n, one after the other. */
void pair_tables_count_joints(const pair_tables *t, const uint64_t *a, const uint64_t *vectors, size_t n,
                              uint32_t *out);

/** The most states of a column that has bit vectors; 0: there is none. */
size_t pair_tables_most_states(const pair_tables *t);

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
 * A caller with many pairs counts them by blocks: core/counting/pair_block.h.
 */
void pair_tables_count(const pair_tables *t, size_t x, size_t y, uint32_t *cells);

/** The same where what the vectors of x and of y share is known: counts[i * vectors of y + j]. */
void pair_tables_complete(const pair_tables *t, size_t x, size_t y, const uint32_t *counts, uint32_t *cells);

#endif
