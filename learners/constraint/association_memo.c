/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "learners/constraint/association_memo_internal.h"

#include "core/counting/tuple_cache.h"

#include <stdint.h>
#include <stdlib.h>

struct association_memo {
    tuple_cache *cache; /* key: x, z...; value: log p and statistic; a dependent pair has a log p below 0 */
    uint32_t *key;      /* n_variables + 1 */
};

status association_memo_create(size_t n_variables, association_memo **out, error_info *err) {
    status st = STATUS_OK;
    association_memo *memo = calloc(1, sizeof *memo);
    TRY_ALLOC(memo);
    memo->key = calloc(n_variables + 1, sizeof *memo->key);
    TRY_ALLOC(memo->key);
    TRY(association_memo_forget(memo, err));
    *out = memo;
    memo = NULL;
cleanup:
    association_memo_destroy(memo);
    return st;
}

void association_memo_destroy(association_memo *memo) {
    if (!memo)
        return;
    tuple_cache_destroy(memo->cache);
    free(memo->key);
    free(memo);
}

status association_memo_forget(association_memo *memo, error_info *err) {
    tuple_cache *fresh = NULL;
    CHECK(tuple_cache_create(SIZE_MAX, &fresh, err));
    tuple_cache_destroy(memo->cache);
    memo->cache = fresh;
    return STATUS_OK;
}

static void fill_key(association_memo *memo, size_t x, const size_t *z, size_t n_z) {
    memo->key[0] = (uint32_t)x;
    for (size_t i = 0; i < n_z; i++)
        memo->key[i + 1] = (uint32_t)z[i];
}

bool association_memo_find(association_memo *memo, size_t x, const size_t *z, size_t n_z, association *out) {
    const tuple_value *value;
    fill_key(memo, x, z, n_z);
    value = tuple_cache_find(memo->cache, memo->key, n_z + 1);
    if (value)
        *out = (association){.is_zero = !(value->a < 0), .log_p = value->a, .statistic = value->b};
    return value != NULL;
}

void association_memo_add(association_memo *memo, size_t x, const size_t *z, size_t n_z, const association *known) {
    tuple_value value = {known->is_zero ? 0 : known->log_p, known->is_zero ? 0 : known->statistic};
    fill_key(memo, x, z, n_z);
    tuple_cache_add(memo->cache, memo->key, n_z + 1, value);
}
