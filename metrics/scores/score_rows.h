/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The scores of a node with a family and each further column, by blocks of columns: what score_node_fresh gives for
 * each, bit for bit. For searches that look at every column as the next parent; by as many threads as like.
 */
#ifndef BNB_METRICS_SCORES_SCORE_ROWS_H
#define BNB_METRICS_SCORES_SCORE_ROWS_H

#include "core/counting/column_blocks.h"
#include "metrics/scores/score.h"

/** What all threads read. */
typedef struct score_columns score_columns;

/** Of the columns of this score's data; its options do not matter. */
BNB_MUST_CHECK status score_columns_create(const score *s, score_columns **out, error_info *err);
void score_columns_destroy(score_columns *c); /* NULL is fine */
AUTO_PTR_OF(score_columns, score_columns_destroy)

/** What one thread needs. Zero-initialise; `scorer` and `columns` are borrowed, and of the same data. */
typedef struct {
    score *scorer;
    const score_columns *columns;
    column_base base;
    uint32_t *counts;
    size_t *ends; /* of the strata of the base, in its cells */
    size_t capacity, ends_capacity;
} score_rows;

void score_rows_clear(score_rows *r);

/**
 * out[i]: the score of x with the parents and column COLUMN_BLOCK * block + i, NAN where that is x or a parent. `out`
 * has room for a block. Not counted in the tally. Consecutive calls should share x and parents.
 */
BNB_MUST_CHECK status score_rows_block(score_rows *r, size_t block, size_t x, const size_t *parents, size_t n_parents,
                                       double *out, error_info *err);

#endif
