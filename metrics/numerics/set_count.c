/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/numerics/set_count.h"

uint64_t set_count_add(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* a b / c, rounded down, where the product may take more than 64 bits; UINT64_MAX where that is no less. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t whole = a / c, rest = a % c; /* a b / c = whole b + rest b / c, rest and b being small */
    if (whole > 0 && b > UINT64_MAX / whole)
        return UINT64_MAX;
    return set_count_add(whole * b, rest * b / c);
}

uint64_t set_count(size_t n, size_t k) {
    uint64_t count = 1;
    if (k > n)
        return 0;
    if (k > n - k)
        k = n - k; /* on the way there are no more than at its end */
    for (size_t i = 1; i <= k && count < UINT64_MAX; i++)
        count = scale(count, n - k + i, i);
    return count;
}
