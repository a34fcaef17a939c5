/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The sets of k nodes of a pool, in lexicographic order of their places; sets too large to test are left out. */
#ifndef BNB_LEARNERS_BASE_SET_WALK_H
#define BNB_LEARNERS_BASE_SET_WALK_H

#include "learners/base/table_limit.h"

/** `for (bool more = set_walk_first(&w); more; more = set_walk_next(&w))`. All is borrowed. */
typedef struct {
    const table_limit *limit; /* NULL: no set is left out */
    double cells;             /* of the smallest table that a set would be added to */
    const size_t *pool;
    size_t n_pool, k; /* k <= n_pool */
    size_t *places;   /* of the set in the pool, ascending; room for k, as in the next */
    size_t *set;
} set_walk;

/** How many sets of k there are in a pool of n; 0 of k > n. */
static inline double set_walk_count(size_t n, size_t k) {
    double count = n >= k;
    for (size_t i = 0; i < k && i < n; i++)
        count = count * (double)(n - i) / (double)(i + 1);
    return count;
}

/** The next k places; false after the last, of which those of the empty set are both first and last. */
static inline bool set_walk_advance(set_walk *w) {
    size_t i = w->k;
    while (i > 0 && w->places[i - 1] == w->n_pool - w->k + i - 1)
        i--;
    if (i == 0)
        return false;
    w->places[i - 1]++;
    for (; i < w->k; i++)
        w->places[i] = w->places[i - 1] + 1;
    return true;
}

/** How many members it takes until the table is past the limit; 0 if it stays within. */
static inline size_t set_walk_excess(const set_walk *w) {
    double cells = w->cells;
    for (size_t i = 0; w->limit && i < w->k; i++) {
        cells *= table_limit_states(w->limit, w->pool[w->places[i]]);
        if (!table_limit_allows(w->limit, cells))
            return i + 1;
    }
    return 0;
}

/** Goes past all sets that begin with members that are too many already, and lays out the set. */
static inline bool set_walk_settle(set_walk *w, bool more) {
    for (size_t excess = 0; more && (excess = set_walk_excess(w)) > 0;) {
        for (size_t i = excess; i < w->k; i++)
            w->places[i] = w->n_pool - w->k + i;
        more = set_walk_advance(w);
    }
    for (size_t i = 0; more && i < w->k; i++)
        w->set[i] = w->pool[w->places[i]];
    return more;
}

/* True if k members of the fewest states that one has are too many. */
static inline bool set_walk_is_hopeless(const set_walk *w) {
    double fewest, cells = w->cells;
    if (!w->limit || w->k == 0)
        return false;
    fewest = table_limit_states(w->limit, w->pool[0]);
    for (size_t i = 1; i < w->n_pool; i++) {
        double states = table_limit_states(w->limit, w->pool[i]);
        fewest = states < fewest ? states : fewest;
    }
    for (size_t i = 0; i < w->k; i++)
        cells *= fewest;
    return !table_limit_allows(w->limit, cells);
}

static inline bool set_walk_first(set_walk *w) {
    if (set_walk_is_hopeless(w))
        return false;
    for (size_t i = 0; i < w->k; i++)
        w->places[i] = i;
    return set_walk_settle(w, true);
}

static inline bool set_walk_next(set_walk *w) {
    return set_walk_settle(w, set_walk_advance(w));
}

#endif
