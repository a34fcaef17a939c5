/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Columns sorted into groups of equally many states, whose tables are counted and summed side by side. */
#ifndef BNB_METRICS_TESTS_LANE_GROUPS_INTERNAL_H
#define BNB_METRICS_TESTS_LANE_GROUPS_INTERNAL_H

#include "core/counting/pair_block.h"

#include <stdbool.h>

typedef struct {
    pair_block block;
    size_t columns[PAIR_BLOCK_COLUMNS], n;
    float *sums; /* PAIR_BLOCK_COLUMNS of either, on 64 bytes, for whoever sums the block */
    uint32_t *adjusted;
} lane_group;

/** Zero but for the tables, which are borrowed. */
typedef struct {
    const pair_tables *tables;
    lane_group *items;
    size_t n, capacity;
    size_t last[PAIR_MOST_STATES + 1]; /* by number of states: the last group's number and one; 0: there is none */
} lane_groups;

void lane_groups_clear(lane_groups *g);

/** There are no groups any more; their memory stays. */
void lane_groups_empty(lane_groups *g);

/** Puts a column that has bit vectors into a group; `*place`: the group's number times PAIR_BLOCK_COLUMNS, and the
 * lane. False without memory. */
bool lane_groups_put(lane_groups *g, size_t column, uint32_t *place);

/** Turns the blocks to the columns that were put; false without memory. */
bool lane_groups_fill(lane_groups *g);

#endif
