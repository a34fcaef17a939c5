/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Close upper bounds for the scores of one column with one more parent, where many parents are tried: the bit vectors
 * of all columns go by those of the configurations of the column and its present parents.
 */
#ifndef BNB_METRICS_SCORES_ROW_BOUNDS_H
#define BNB_METRICS_SCORES_ROW_BOUNDS_H

#include "core/counting/lane_columns.h"
#include "metrics/scores/score.h"

typedef struct row_bounds row_bounds;
struct column_blocks;
struct row_cells;

/** Of `s`, of one thread; `tables` are those of score_make_tables and borrowed, as `s` is, and `lanes`, made of them,
 * and `blocks` of the same data (NULL: there are none). */
BNB_MUST_CHECK status row_bounds_create(score *s, const pair_tables *tables, const lane_columns *lanes,
                                        const struct column_blocks *blocks, row_bounds **out, error_info *err);
void row_bounds_destroy(row_bounds *b); /* NULL is fine */
AUTO_PTR_OF(row_bounds, row_bounds_destroy)

/** Turns to x and these parents. False into `*is_of_use` where other ways to score cost less. */
BNB_MUST_CHECK status row_bounds_set(row_bounds *b, size_t x, const size_t *parents, size_t n_parents, bool *is_of_use,
                                     error_info *err);

/** Likewise, to cells that another one made, which stay as they are until the next turn; if they are not of use,
 * nothing may be asked before it. */
void row_bounds_turn(row_bounds *b, const struct row_cells *base);

/**
 * An upper bound of score_node_with for `extra`, hardly above it where there are few configurations; INFINITY where
 * nothing is known. Not counted in the tally. `extra` is neither x nor a parent, nor constant.
 */
BNB_MUST_CHECK status row_bounds_with(row_bounds *b, size_t extra, double *out, error_info *err);

/**
 * out[i]: a bound for column i of a block of the lanes, of which it has room for all; not for x and the parents. Many
 * times as fast, column by column, where a block is full; and above the other bound by its roundings, which are up to
 * 1 / 64 a cell, or half a unit for a cell of 64 rows or more.
 */
BNB_MUST_CHECK status row_bounds_block(row_bounds *b, size_t block, double *out, error_info *err);

#endif
