/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a delta_table knows of the best move of each part, by head and by group of heads. */
#ifndef BNB_LEARNERS_GREEDY_DELTA_BEST_INTERNAL_H
#define BNB_LEARNERS_GREEDY_DELTA_BEST_INTERNAL_H

#include "learners/greedy/delta_table.h"

#include <math.h>

/** Of a group. */
enum { DELTA_HEADS = 64 };

#define DELTA_NO_BEST ((best_move){.gain = -INFINITY})

/** It is to be found again. */
void delta_look_again(delta_table *t, size_t part, size_t y);
static inline bool delta_is_known(const delta_table *t, size_t part, size_t y) {
    return !isnan(t->best[part][y].gain);
}

/** The same of a half, among the best of the additions and those that may have become legal: the others that are legal
 * were, and were looked at. */
void delta_look_at_few(delta_table *t, size_t half, size_t y);

/** The node behind the heads of a group. */
static inline size_t delta_first_behind(const delta_table *t, size_t group) {
    size_t end = (group + 1) * DELTA_HEADS;
    return end < t->n ? end : t->n;
}

/** The best gain that is known among them: by a look at all, and as it is kept unless that is out of date. */
double delta_find_top(const delta_table *t, size_t part, size_t group);
double delta_top_of(const delta_table *t, size_t part, size_t group);

#endif
