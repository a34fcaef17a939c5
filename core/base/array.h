/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Arrays that grow: a pointer, a count and a capacity that the caller holds, all zero at first. The caller frees the
 * pointer. Arguments of the macros may be evaluated more than once.
 */
#ifndef BNB_CORE_BASE_ARRAY_H
#define BNB_CORE_BASE_ARRAY_H

#include "core/base/status.h"

#include <stdbool.h>

/**
 * Room for `wanted` items of `size` bytes each. An empty array gets just that, another one doubles at least, so that
 * many small steps take linear time.
 * @param array   the address of the array's pointer
 * @return STATUS_MEMORY, also where the bytes overflow a size_t: pointer and capacity are unchanged.
 */
BNB_MUST_CHECK status array_reserve(void *array, size_t *capacity, size_t wanted, size_t size, error_info *err);

#define ARRAY_RESERVE(items, capacity, wanted, err)                                                                    \
    array_reserve(&(items), &(capacity), (wanted), sizeof *(items), (err))

/** Room for one item behind the `n` that there are: for 16 at first, then for twice as many. A status. */
#define ARRAY_ROOM(items, n, capacity, err)                                                                            \
    ((n) < (capacity) ? (status)STATUS_OK : array_grow(&(items), &(capacity), sizeof *(items), (err)))

/** Puts a value, the last argument, behind the `n` items that there are, and counts it. A status. */
#define ARRAY_PUSH(items, n, capacity, err, ...)                                                                       \
    (ARRAY_ROOM(items, n, capacity, err) == STATUS_OK ? ((items)[(n)++] = __VA_ARGS__, (status)STATUS_OK)              \
                                                      : (status)STATUS_MEMORY)

/** The same for a short array that has no capacity beside it: every value moves it. */
#define ARRAY_APPEND(items, n, err, ...)                                                                               \
    (array_resize(&(items), (n) + 1, sizeof *(items), (err)) == STATUS_OK                                              \
         ? ((items)[(n)++] = __VA_ARGS__, (status)STATUS_OK)                                                           \
         : (status)STATUS_MEMORY)

/** Room for at least one item more: 16 at first, then twice as many. */
BNB_MUST_CHECK status array_grow(void *array, size_t *capacity, size_t size, error_info *err);

/** Room for `n` items, no more and no less; n > 0. STATUS_MEMORY: the array is unchanged. */
BNB_MUST_CHECK status array_resize(void *array, size_t n, size_t size, error_info *err);

bool array_has_size(const size_t *items, size_t n, size_t item);

/**
 * Finds the place of an item in an ordered list, or where it would be: how many items come before it. O(log n).
 * @param at          a size_t of the caller: the place, at the end
 * @param n_items     how many the list has
 * @param comes_first an expression of `at`: does the list's item `at` come before?
 */
#define ARRAY_FIND_PLACE(at, n_items, comes_first)                                                                     \
    do {                                                                                                               \
        size_t low_ = 0, high_ = (n_items);                                                                            \
        while (low_ < high_) {                                                                                         \
            (at) = low_ + (high_ - low_) / 2;                                                                          \
            if (comes_first)                                                                                           \
                low_ = (at) + 1;                                                                                       \
            else                                                                                                       \
                high_ = (at);                                                                                          \
        }                                                                                                              \
        (at) = low_;                                                                                                   \
    } while (0)

/** How many of the items, ascending, are below `item`. */
static inline size_t array_count_below(const size_t *items, size_t n, size_t item) {
    size_t at;
    ARRAY_FIND_PLACE(at, n, items[at] < item);
    return at;
}

/** Ascending order; no NAN among the reals. */
void array_sort_sizes(size_t *items, size_t n);
void array_sort_reals(double *items, size_t n);

#endif
