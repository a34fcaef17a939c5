/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All columns of a dataset in lanes, by blocks of equal numbers of states (core/counting/pair_block.h): where the
 * tables of one configuration after the other are wanted with every column. Read by any number of threads.
 */
#ifndef BNB_CORE_COUNTING_LANE_COLUMNS_H
#define BNB_CORE_COUNTING_LANE_COLUMNS_H

#include "core/counting/pair_block.h"

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

/** The columns that are in no block, ascending: those of one state, or of too many. */
const size_t *lane_columns_loose(const lane_columns *c, size_t *n);

#endif
