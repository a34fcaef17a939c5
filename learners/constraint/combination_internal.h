/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The k-subsets of 0 .. n-1 in lexicographic order, each ascending. */
#ifndef BNB_LEARNERS_CONSTRAINT_COMBINATION_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_COMBINATION_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

static inline void combination_first(size_t *chosen, size_t k) {
    for (size_t i = 0; i < k; i++)
        chosen[i] = i;
}

/** False after the last, of which the empty one is both first and last. */
static inline bool combination_next(size_t *chosen, size_t k, size_t n) {
    size_t i = k;
    while (i > 0 && chosen[i - 1] == n - k + i - 1)
        i--;
    if (i == 0)
        return false;
    chosen[i - 1]++;
    for (; i < k; i++)
        chosen[i] = chosen[i - 1] + 1;
    return true;
}

/** The first after all that begin with the first `length` of those chosen. */
static inline bool combination_skip(size_t *chosen, size_t k, size_t n, size_t length) {
    for (size_t i = length; i < k; i++)
        chosen[i] = n - k + i;
    return combination_next(chosen, k, n);
}

#endif
