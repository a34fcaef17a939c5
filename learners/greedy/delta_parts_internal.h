/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the two sources of the delta table share: delta_table.c changes the graph, delta_moves.c looks at its moves. */
#ifndef BNB_LEARNERS_GREEDY_DELTA_PARTS_INTERNAL_H
#define BNB_LEARNERS_GREEDY_DELTA_PARTS_INTERNAL_H

#include "learners/greedy/delta_table_internal.h"

#include <math.h>

static inline uint64_t bit_of(size_t x) {
    return UINT64_C(1) << (x % 64);
}

static inline uint64_t *word_of(const delta_table *t, uint64_t *rows, size_t from, size_t to) {
    return rows + to * t->n_words + from / 64;
}

static inline bool has_arc(const delta_table *t, size_t from, size_t to) {
    return (*word_of(t, t->parents, from, to) & bit_of(from)) != 0;
}

static inline void look_again(delta_table *t, size_t part, size_t y) {
    t->best[part][y].gain = (double)NAN;
}

static inline bool is_known(const delta_table *t, size_t part, size_t y) {
    return !isnan(t->best[part][y].gain);
}

#define NO_BEST_MOVE ((best_move){.gain = -INFINITY})

/** The gain of putting x among the parents of y, or of taking it out. */
BNB_MUST_CHECK status delta_toggle_gain(delta_table *t, size_t x, size_t y, double *gain, error_info *err);

#endif
