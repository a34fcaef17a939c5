/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Columns as bit vectors, in blocks of 64 columns: where a base (core/counting/counts.h) is wanted with every column, a
 * block at a time is counted in one pass over its vectors. In a block, columns of one kind lie side by side, so that
 * what is made of their counts can be made for several at once. Read by any number of threads.
 */
#ifndef BNB_CORE_COUNTING_COLUMN_BLOCKS_H
#define BNB_CORE_COUNTING_COLUMN_BLOCKS_H

#include "core/base/status.h"
#include "core/counting/counts.h"
#include "core/data/dataset.h"

enum { COLUMN_BLOCK = 64 };

/** Blocks of so many columns. */
static inline size_t column_block_count(size_t n_columns) {
    return (n_columns + COLUMN_BLOCK - 1) / COLUMN_BLOCK;
}

typedef struct column_blocks column_blocks;

/** Columns of a block with as many states and the same label. */
typedef struct {
    uint32_t label;
    size_t n_states;
    size_t n_members, first_member;
    size_t first_count;  /* the count of state e of member i: first_count + e * n_members + i */
    size_t first_vector; /* of the block's */
} column_group;

typedef struct {
    size_t first, end; /* its columns */
    size_t n_vectors, first_vector, first_set;
    size_t n_groups;
    column_group groups[COLUMN_BLOCK];
    unsigned char members[COLUMN_BLOCK]; /* columns less `first`, by group, ascending */
    size_t n_members;                    /* of all groups: columns with too many states for vectors are in none */
    size_t n_counts;                     /* for each cell of a base */
} column_block;

/**
 * `data` must be discrete. `label`: of each column, what else its group must have in common.
 * O(rows x states / 8) bytes a column, or twice as many where blocks are fast.
 */
BNB_MUST_CHECK status column_blocks_create(const dataset *data, const uint32_t *label, column_blocks **out,
                                           error_info *err);
void column_blocks_destroy(column_blocks *b); /* NULL is fine */
AUTO_PTR_OF(column_blocks, column_blocks_destroy)

/** Whether a block takes a fraction of the time that its columns take one after the other. */
bool column_blocks_are_fast(void);

size_t column_blocks_count(const column_blocks *b);
const column_block *column_blocks_at(const column_blocks *b, size_t block);

/** Where the counts of a column's first and next state are among those of a cell; false if the column is in no group.
 */
bool column_blocks_find(const column_blocks *b, size_t column, size_t *first_count, size_t *step);

/** The cells of a base as they are counted with one block after the other; one thread's. Zero-initialise. */
typedef struct {
    counts_base base;
    size_t largest;         /* cell, which is what the others leave; base.n where they leave more */
    struct row_quad *quads; /* those of the other cells that have rows, by part of the rows and cell ... */
    size_t *ends;           /* ... where they end */
    size_t quads_capacity, ends_capacity;
} column_base;

void column_base_clear(column_base *c);

/** Makes it that base, unless it is already; every base that it is made must be of one counting service. */
BNB_MUST_CHECK status column_base_set(column_base *c, const column_blocks *b, const counts_base *base, error_info *err);

/** The rows that each cell of the base has in common with each state of each member of the block, in `common`: the
 * block's n_counts numbers a cell. */
void column_blocks_cross(const column_blocks *b, size_t block, const column_base *base, uint32_t *common);

#endif
