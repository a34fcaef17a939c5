/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Counting by sorting codes: for state spaces far larger than the data. O(rows), whatever the space. */
#ifndef BNB_CORE_COUNTS_SPARSE_INTERNAL_H
#define BNB_CORE_COUNTS_SPARSE_INTERNAL_H

#include "core/dataset.h"
#include "core/status.h"

#include <stdint.h>

/** Zero-initialise. */
typedef struct {
    size_t capacity; /* rows */
    uint64_t *codes, *spare;
    uint32_t *rows, *spare_rows;
    uint32_t *tallies;
} sparse_scratch;

void sparse_scratch_clear(sparse_scratch *s);

/** rank[i] = the rank of row i's configuration of `columns` among the observed ones, the first column varying fastest.
 */
BNB_MUST_CHECK status sparse_rank_strata(sparse_scratch *s, const dataset *data, const size_t *columns,
                                         size_t n_columns, uint32_t *rank, size_t *n_ranks, error_info *err);

/**
 * The positive cells of (stratum, extra, first), ascending by code (stratum * r_extra + extra) * r_first + first;
 * index[i] is stratum * r_first + first of row i. `codes` and `tallies` point into the scratch space.
 */
BNB_MUST_CHECK status sparse_count(sparse_scratch *s, const dataset *data, const uint32_t *index, size_t first,
                                   size_t r_first, size_t extra, size_t r_extra, size_t n_strata,
                                   const uint64_t **codes, const uint32_t **tallies, size_t *n_cells, error_info *err);

#endif
