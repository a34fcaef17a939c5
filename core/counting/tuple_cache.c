/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/tuple_cache.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
    uint64_t hash; /* 0: free */
    size_t key;    /* where the key starts in `keys`; its length stands there first */
    tuple_value value;
} entry;

/* Entries lie in the slots themselves, on large pages: one miss of the cache a look-up, where
 * core/base/hash has two. */
struct tuple_cache {
    entry *entries;
    size_t n_slots, used, max_entries; /* n_slots is a power of two, at most half of it used */
    uint32_t *keys;
    size_t keys_length, keys_capacity;
};

status tuple_cache_create(size_t max_entries, tuple_cache **out, error_info *err) {
    AUTO_PTR(tuple_cache_destroy) tuple_cache *cache = calloc(1, sizeof *cache);
    CHECK_ALLOC(cache);
    CHECK_ALLOC(cache->entries = calloc(1024, sizeof *cache->entries));
    cache->n_slots = 1024;
    cache->max_entries = max_entries;
    *out = TAKE(cache);
    return STATUS_OK;
}

void tuple_cache_destroy(tuple_cache *cache) {
    if (!cache)
        return;
    free(cache->entries);
    free(cache->keys);
    free(cache);
}

size_t tuple_cache_count(const tuple_cache *cache) {
    return cache->used;
}

static uint64_t hash_key(const uint32_t *key, size_t n) {
    uint64_t h = 0x9E3779B97F4A7C15u + n;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ key[i]) * 0xBF58476D1CE4E5B9u;
        h ^= h >> 32;
    }
    return h | 1;
}

static bool is_key(const tuple_cache *cache, const entry *e, const uint32_t *key, size_t n) {
    const uint32_t *kept = cache->keys + e->key;
    return kept[0] == n && memcmp(kept + 1, key, n * sizeof *key) == 0;
}

static entry *locate(tuple_cache *cache, const uint32_t *key, size_t n, uint64_t hash) {
    size_t i = (size_t)(hash >> 1) & (cache->n_slots - 1);
    while (cache->entries[i].hash != 0 &&
           (cache->entries[i].hash != hash || !is_key(cache, &cache->entries[i], key, n)))
        i = (i + 1) & (cache->n_slots - 1);
    return &cache->entries[i];
}

const tuple_value *tuple_cache_find(tuple_cache *cache, const uint32_t *key, size_t n) {
    const entry *e = locate(cache, key, n, hash_key(key, n));
    return e->hash ? &e->value : NULL;
}

/* Zeros. A large table is met at random, in large pages with fewer misses where the system has them. */
static entry *allocate_slots(size_t n) {
    enum { PAGE = 2 << 20 };
    size_t bytes = n * sizeof(entry); /* n doubles from a small number: memory ends first */
    entry *entries;
    if (bytes < 2 * PAGE)
        return calloc(n, sizeof *entries);
    entries = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
    if (!entries)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(entries, bytes, MADV_HUGEPAGE); /* a hint */
#endif
    memset(entries, 0, bytes);
    return entries;
}

static bool grow_slots(tuple_cache *cache) {
    size_t n_slots = cache->n_slots * 2;
    entry *entries = allocate_slots(n_slots);
    if (!entries)
        return false;
    for (size_t i = 0; i < cache->n_slots; i++) {
        const entry *e = &cache->entries[i];
        size_t to = (size_t)(e->hash >> 1) & (n_slots - 1);
        if (e->hash == 0)
            continue;
        while (entries[to].hash != 0)
            to = (to + 1) & (n_slots - 1);
        entries[to] = *e;
    }
    free(cache->entries);
    cache->entries = entries;
    cache->n_slots = n_slots;
    return true;
}

void tuple_cache_add(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    uint64_t hash = hash_key(key, n);
    if (cache->used >= cache->max_entries || (cache->used * 2 >= cache->n_slots && !grow_slots(cache)) ||
        ARRAY_RESERVE(cache->keys, cache->keys_capacity, cache->keys_length + n + 1, NULL) != STATUS_OK)
        return;
    *locate(cache, key, n, hash) = (entry){hash, cache->keys_length, value};
    cache->keys[cache->keys_length] = (uint32_t)n;
    memcpy(cache->keys + cache->keys_length + 1, key, n * sizeof *key);
    cache->keys_length += n + 1;
    cache->used++;
}

void tuple_cache_set(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    entry *e = locate(cache, key, n, hash_key(key, n));
    if (e->hash)
        e->value = value;
    else
        tuple_cache_add(cache, key, n, value);
}

size_t tuple_key_insert(uint32_t *key, size_t n_fixed, size_t n, size_t element) {
    size_t at = n;
    for (; at > n_fixed && key[at - 1] > element; at--)
        key[at] = key[at - 1];
    key[at] = (uint32_t)element;
    return n + 1;
}

size_t tuple_key_pair(uint32_t *key, size_t x, size_t y, const size_t *z, size_t n_z) {
    size_t n = 2;
    key[0] = (uint32_t)(x < y ? x : y);
    key[1] = (uint32_t)(x < y ? y : x);
    for (size_t i = 0; i < n_z; i++)
        n = tuple_key_insert(key, 2, n, z[i]);
    return n;
}
