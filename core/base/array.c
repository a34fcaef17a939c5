/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

/* Pointers of every type are stored alike, so their bytes may be copied to and from one to void. */
status array_resize(void *array, size_t n, size_t size, error_info *err) {
    void *items;
    memcpy(&items, array, sizeof items);
    CHECK_ALLOC(n <= SIZE_MAX / size);
    CHECK_ALLOC(items = realloc(items, n * size));
    memcpy(array, &items, sizeof items);
    return STATUS_OK;
}

status array_reserve(void *array, size_t *capacity, size_t wanted, size_t size, error_info *err) {
    size_t doubled = *capacity > SIZE_MAX / 2 ? SIZE_MAX : *capacity * 2;
    size_t larger = wanted > doubled ? wanted : doubled;
    if (wanted <= *capacity)
        return STATUS_OK;
    CHECK(array_resize(array, larger, size, err));
    *capacity = larger;
    return STATUS_OK;
}

status array_grow(void *array, size_t *capacity, size_t size, error_info *err) {
    return array_reserve(array, capacity, *capacity ? *capacity + 1 : FIRST_CAPACITY, size, err);
}

bool array_has_size(const size_t *items, size_t n, size_t item) {
    size_t i = 0;
    while (i < n && items[i] != item)
        i++;
    return i < n;
}

static int compare_sizes(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

void array_sort_sizes(size_t *items, size_t n) {
    if (n > 1)
        qsort(items, n, sizeof *items, compare_sizes);
}

static int compare_reals(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void array_sort_reals(double *items, size_t n) {
    if (n > 1)
        qsort(items, n, sizeof *items, compare_reals);
}
