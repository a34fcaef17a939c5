/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * All sets of at most so many of n candidates, by rows: a set and each candidate behind its last one make the sets of a
 * row. A row comes before those of its sets, so that the counting of a set serves all that begin with it.
 */
#ifndef BNB_LEARNERS_GREEDY_SUBSET_WALK_INTERNAL_H
#define BNB_LEARNERS_GREEDY_SUBSET_WALK_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

enum { SUBSET_WALK_MOST = 20 };

/** The present row: its set as places among the candidates, ascending. */
typedef struct {
    size_t n_candidates, most; /* at most SUBSET_WALK_MOST members, at least 1 */
    size_t places[SUBSET_WALK_MOST], n;
} subset_walk;

/** At the row of the empty set. */
static inline subset_walk subset_walk_begin(size_t n_candidates, size_t most) {
    return (subset_walk){.n_candidates = n_candidates, .most = most};
}

/** The place of the first candidate that the row adds; the others follow. */
static inline size_t subset_walk_first(const subset_walk *w) {
    return w->n > 0 ? w->places[w->n - 1] + 1 : 0;
}

/** To the next row; only the last place of its set is another than before, if it is no shorter. False: there is none.
 */
static inline bool subset_walk_next(subset_walk *w) {
    size_t next = subset_walk_first(w);
    if (w->n + 1 < w->most && next + 1 < w->n_candidates) {
        w->places[w->n++] = next;
        return true;
    }
    for (; w->n > 0; w->n--) {
        next = subset_walk_first(w);
        if (next + 1 < w->n_candidates) {
            w->places[w->n - 1] = next;
            return true;
        }
    }
    return false;
}

#endif
