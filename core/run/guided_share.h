/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Work in a row that threads take in shares, the fewer the less is left, so that they end together. */
#ifndef BNB_CORE_RUN_GUIDED_SHARE_H
#define BNB_CORE_RUN_GUIDED_SHARE_H

#include <stdatomic.h>
#include <stddef.h>

/** Takes a quarter of what is left of n, and `most` at most: the first of `*taken` things, or n where none is left. */
static inline size_t guided_share_take(atomic_size_t *next, size_t n, size_t most, size_t *taken) {
    enum { SHARES = 4 };
    size_t first = atomic_load(next);
    do {
        size_t share = first < n ? (n - first) / SHARES + 1 : 0;
        *taken = share < most ? share : most;
    } while (!atomic_compare_exchange_weak(next, &first, first + *taken));
    return first;
}

#endif
