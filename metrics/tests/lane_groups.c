/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/lane_groups_internal.h"

#include <stdlib.h>
#include <string.h>

enum { L = PAIR_BLOCK_COLUMNS };

void lane_groups_clear(lane_groups *g) {
    for (size_t i = 0; i < g->capacity; i++) {
        pair_block_clear(&g->items[i].block);
        free(g->items[i].sums);
        free(g->items[i].adjusted);
    }
    free(g->items);
    *g = (lane_groups){.tables = g->tables};
}

void lane_groups_empty(lane_groups *g) {
    g->n = 0;
    memset(g->last, 0, sizeof g->last);
}

static bool make_room(lane_groups *g) {
    size_t capacity = 2 * g->capacity + 8;
    lane_group *more;
    if (g->n < g->capacity)
        return true;
    more = realloc(g->items, capacity * sizeof *more);
    if (!more)
        return false;
    memset(more + g->capacity, 0, (capacity - g->capacity) * sizeof *more);
    g->items = more;
    g->capacity = capacity;
    return true;
}

/* One group more, empty. */
static bool add_group(lane_groups *g) {
    lane_group *added;
    if (!make_room(g))
        return false;
    added = &g->items[g->n];
    if (!added->sums)
        added->sums = aligned_alloc(64, L * sizeof *added->sums);
    if (!added->adjusted)
        added->adjusted = aligned_alloc(64, L * sizeof *added->adjusted);
    if (!added->sums || !added->adjusted)
        return false;
    added->n = 0;
    g->n++;
    return true;
}

bool lane_groups_put(lane_groups *g, size_t column, uint32_t *place) {
    size_t r = pair_tables_columns(g->tables)[column].n_states;
    lane_group *group;
    if (g->last[r] == 0 || g->items[g->last[r] - 1].n == L) {
        if (!add_group(g))
            return false;
        g->last[r] = g->n;
    }
    group = &g->items[g->last[r] - 1];
    *place = (uint32_t)((g->last[r] - 1) * L + group->n);
    group->columns[group->n++] = column;
    return true;
}

bool lane_groups_fill(lane_groups *g) {
    for (size_t i = 0; i < g->n; i++) {
        lane_group *group = &g->items[i];
        if (i + 1 < g->n)
            pair_block_foresee(g->tables, group[1].columns, group[1].n);
        if (pair_block_begin(&group->block, g->tables, group->columns, group->n, NULL) != STATUS_OK)
            return false;
    }
    return true;
}
