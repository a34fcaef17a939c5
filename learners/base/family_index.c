/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/base/family_index.h"

#include "core/base/array.h"
#include "core/counting/tuple_cache.h"

#include <stdlib.h>

struct family_index {
    void (*destroy)(void *row);
    tuple_cache *numbers; /* y and its parents, ascending, to the row's number */
    void **rows;
    size_t count, capacity;
    uint32_t *key; /* of the family last looked for */
    size_t n_key;
};

static void drop_rows(family_index *index) {
    for (size_t i = 0; i < index->count; i++)
        index->destroy(index->rows[i]);
    index->count = 0;
    tuple_cache_destroy(index->numbers);
    index->numbers = NULL;
}

void family_index_destroy(family_index *index) {
    if (!index)
        return;
    drop_rows(index);
    free(index->rows);
    free(index->key);
    free(index);
}

status family_index_create(size_t n_nodes, void (*destroy)(void *row), family_index **out, error_info *err) {
    AUTO_PTR(family_index_destroy) family_index *index = NULL;
    CHECK_ALLOC(index = calloc(1, sizeof *index));
    index->destroy = destroy;
    CHECK_ALLOC(index->key = calloc(n_nodes + 2, sizeof *index->key));
    CHECK(tuple_cache_create(SIZE_MAX, &index->numbers, err));
    *out = TAKE(index);
    return STATUS_OK;
}

status family_index_forget(family_index *index, error_info *err) {
    drop_rows(index);
    return tuple_cache_create(SIZE_MAX, &index->numbers, err);
}

void *family_index_find(family_index *index, size_t y, const size_t *parents, size_t n) {
    const tuple_value *number;
    uint32_t *key = index->key;
    index->n_key = n + 1;
    key[0] = (uint32_t)y;
    for (size_t i = 0; i < n; i++) {
        size_t at = i + 1;
        for (; at > 1 && key[at - 1] > parents[i]; at--)
            key[at] = key[at - 1];
        key[at] = (uint32_t)parents[i];
    }
    number = tuple_cache_find(index->numbers, key, n + 1);
    return number ? index->rows[(size_t)number->a] : NULL;
}

status family_index_add(family_index *index, void *row, error_info *err) {
    CHECK(ARRAY_PUSH(index->rows, index->count, index->capacity, err, row));
    tuple_cache_add(index->numbers, index->key, index->n_key, (tuple_value){(double)(index->count - 1), 0});
    return STATUS_OK;
}
