/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/greedy/delta_best_internal.h"

void delta_look_again(delta_table *t, size_t part, size_t y) {
    t->best[part][y].gain = (double)NAN;
    t->is_stale[part][y / DELTA_HEADS] = true;
}

void delta_look_at_few(delta_table *t, size_t half, size_t y) {
    t->is_nearly_known[half][y] = t->is_nearly_known[half][y] || delta_is_known(t, half, y);
    delta_look_again(t, half, y);
}

/* --- groups --- */

double delta_find_top(const delta_table *t, size_t part, size_t group) {
    double top = -INFINITY;
    for (size_t y = group * DELTA_HEADS; y < delta_first_behind(t, group); y++)
        top = t->best[part][y].gain > top ? t->best[part][y].gain : top;
    return top;
}

double delta_top_of(const delta_table *t, size_t part, size_t group) {
    return t->is_stale[part][group] ? delta_find_top(t, part, group) : t->top[part][group];
}
