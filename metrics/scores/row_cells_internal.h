/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The cells of a column and its parents as row_bounds.h reads them: made by one thread, and then read by any number.
 */
#ifndef BNB_METRICS_SCORES_ROW_CELLS_INTERNAL_H
#define BNB_METRICS_SCORES_ROW_CELLS_INTERNAL_H

#include "core/counting/lane_columns.h"
#include "metrics/scores/score_internal.h"

enum {
    ROW_MOST_CELLS = 512, /* that are counted */
    ROW_GROUP = 8,        /* vectors that are counted together */
    ROW_MOST_STATES = 32
};

typedef struct row_cells {
    /* borrowed */
    const pair_tables *tables;
    const lane_columns *lanes; /* NULL: there are none */
    size_t n_words, slab_cells;
    const dataset *seen;
    /* the family */
    size_t x, n_parents;
    double q;
    bool is_of_use; /* else other ways to score cost less, and there is nothing more: */
    size_t n_cells, n_strata;
    uint64_t *bits, *spare;                     /* of the strata while they are made; of the cells. n_words each */
    size_t capacity, spare_capacity;            /* vectors */
    uint32_t tally[ROW_MOST_CELLS + ROW_GROUP]; /* by cell */
    uint32_t starts[ROW_MOST_CELLS + 1];        /* stratum i is cells starts[i] .. starts[i + 1] - 1 */
    uint32_t stratum_rows[ROW_MOST_CELLS];
    uint32_t most;                           /* rows of the largest stratum that is counted */
    uint32_t apart[ROW_MOST_CELLS], n_apart; /* tallies of the cells that are not counted */
    /* for blocks of lanes, where the cells are slab_cells or more */
    uint32_t *listed;                      /* rows, those of one cell after the other */
    row_sets sets;                         /* the cells, and the rows of none */
    size_t sum_starts[ROW_MOST_CELLS + 1]; /* by cell: words, for each state of the columns but the last */
} row_cells;

BNB_MUST_CHECK status row_cells_init(row_cells *c, const pair_tables *tables, const lane_columns *lanes,
                                     error_info *err);
void row_cells_clear(row_cells *c);

/** Turns to x and these parents, of the data of `s`. */
BNB_MUST_CHECK status row_cells_set(row_cells *c, const score *s, size_t x, const size_t *parents, size_t n_parents,
                                    error_info *err);

#endif
