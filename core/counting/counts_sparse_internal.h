/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Counting where the state space is far larger than the data: rows grouped by stratum, then a small sort in each
 * group. */
#ifndef BNB_CORE_COUNTING_COUNTS_SPARSE_INTERNAL_H
#define BNB_CORE_COUNTING_COUNTS_SPARSE_INTERNAL_H

#include "core/base/status.h"
#include "core/data/dataset.h"

#include <stdint.h>

/** Zero-initialise. */
typedef struct {
    size_t capacity; /* rows */
    /* for ranking */
    uint64_t *codes, *spare;
    uint32_t *rows, *spare_rows;
    /* the groups: rows of the g-th stratum that has any are members[start[g]] .. members[start[g + 1] - 1] */
    size_t n_groups;
    uint32_t *members, *start, *stratum;
    uint32_t *offsets; /* scratch, by stratum */
    size_t offsets_capacity;
    /* one group at a time */
    uint32_t *local, *block;
    size_t block_capacity;
    uint32_t *tallies;
} sparse_scratch;

void sparse_scratch_clear(sparse_scratch *s);

/** rank[i] = the rank of row i's configuration of `columns` among the observed ones, the first
 * column varying fastest. */
BNB_MUST_CHECK status sparse_rank_strata(sparse_scratch *s, const dataset *data, const size_t *columns,
                                         size_t n_columns, uint32_t *rank, size_t *n_ranks, error_info *err);

/** Groups the rows by stratum = index[row] / step, ascending. O(rows + strata). */
BNB_MUST_CHECK status sparse_group(sparse_scratch *s, size_t n_rows, const uint32_t *index, size_t step,
                                   size_t n_strata, error_info *err);

/**
 * The positive cells of (stratum, extra, first), ascending by code (stratum * r_extra + extra) * r_first + first, of
 * the groups that were made. `codes` and `tallies` point into the scratch space. O(rows), whatever the space.
 */
BNB_MUST_CHECK status sparse_count(sparse_scratch *s, const dataset *data, size_t first, size_t extra,
                                   const uint64_t **codes, const uint32_t **tallies, size_t *n_cells, error_info *err);

/** Ascending; every value is below `bound` (2^32 at most), `spare` has room for as many. O(n), but n^2 for few. */
void sort_values(uint32_t *values, size_t n, size_t bound, uint32_t *spare);

#endif
