/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/tuple_cache.h"

#include "core/base/array.h"
#include "core/base/huge_pages.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t hash; /* 0: free */
    size_t key;    /* where the key starts among the part's; its length stands there first */
    tuple_value value;
} entry;

/* Entries lie in the slots themselves, on large pages: one miss of the cache a look-up, where
 * core/base/hash has two. */
typedef struct {
    entry *entries;
    size_t n_slots, used; /* n_slots is a power of two, at most half of it used */
    uint32_t *keys;
    size_t keys_length, keys_capacity;
    pthread_mutex_t lock; /* of all this, where several threads meet */
} part;

/* Of a table in one piece the growth to the last of its sizes took 0.2 s, in which no deadline is looked at. The parts
 * grow one by one. */
enum { PART_BITS = 4, N_PARTS = 1 << PART_BITS, FIRST_SLOTS = 64 };

struct tuple_cache {
    part parts[N_PARTS]; /* by the first bits of the hash */
    atomic_size_t used;
    size_t max_entries;
};

status tuple_cache_create(size_t max_entries, tuple_cache **out, error_info *err) {
    AUTO_PTR(tuple_cache_destroy) tuple_cache *cache = calloc(1, sizeof *cache);
    CHECK_ALLOC(cache);
    for (size_t i = 0; i < N_PARTS; i++)
        (void)pthread_mutex_init(&cache->parts[i].lock, NULL);
    for (size_t i = 0; i < N_PARTS; i++) {
        CHECK_ALLOC(cache->parts[i].entries = calloc(FIRST_SLOTS, sizeof(entry)));
        cache->parts[i].n_slots = FIRST_SLOTS;
    }
    cache->max_entries = max_entries;
    *out = TAKE(cache);
    return STATUS_OK;
}

void tuple_cache_destroy(tuple_cache *cache) {
    if (!cache)
        return;
    for (size_t i = 0; i < N_PARTS; i++) {
        free(cache->parts[i].entries);
        free(cache->parts[i].keys);
        (void)pthread_mutex_destroy(&cache->parts[i].lock);
    }
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

static bool is_key(const part *p, const entry *e, const uint32_t *key, size_t n) {
    const uint32_t *kept = p->keys + e->key;
    return kept[0] == n && memcmp(kept + 1, key, n * sizeof *key) == 0;
}

static part *part_of(tuple_cache *cache, uint64_t hash) {
    return &cache->parts[hash >> (64 - PART_BITS)];
}

static entry *locate(const part *p, const uint32_t *key, size_t n, uint64_t hash) {
    size_t i = (size_t)(hash >> 1) & (p->n_slots - 1);
    while (p->entries[i].hash != 0 && (p->entries[i].hash != hash || !is_key(p, &p->entries[i], key, n)))
        i = (i + 1) & (p->n_slots - 1);
    return &p->entries[i];
}

const tuple_value *tuple_cache_find(tuple_cache *cache, const uint32_t *key, size_t n) {
    uint64_t hash = hash_key(key, n);
    const entry *e = locate(part_of(cache, hash), key, n, hash);
    return e->hash ? &e->value : NULL;
}

bool tuple_cache_read(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value *out) {
    uint64_t hash = hash_key(key, n);
    part *p = part_of(cache, hash);
    bool is_there;
    (void)pthread_mutex_lock(&p->lock);
    {
        const entry *e = locate(p, key, n, hash);
        is_there = e->hash != 0;
        if (is_there)
            *out = e->value;
    }
    (void)pthread_mutex_unlock(&p->lock);
    return is_there;
}

/* Zeros. A large table is met at random, in large pages with fewer misses where the system has them. */
static entry *allocate_slots(size_t n) {
    size_t bytes = n * sizeof(entry); /* n doubles from a small number: memory ends first */
    entry *entries;
    if (bytes < HUGE_PAGE)
        return calloc(n, sizeof *entries);
    entries = aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
    if (!entries)
        return NULL;
    huge_pages_ask(entries, bytes);
    memset(entries, 0, bytes);
    return entries;
}

static bool grow(part *p) {
    size_t n_slots = p->n_slots * 2;
    entry *entries = allocate_slots(n_slots);
    if (!entries)
        return false;
    for (size_t i = 0; i < p->n_slots; i++) {
        const entry *e = &p->entries[i];
        size_t to = (size_t)(e->hash >> 1) & (n_slots - 1);
        if (e->hash == 0)
            continue;
        while (entries[to].hash != 0)
            to = (to + 1) & (n_slots - 1);
        entries[to] = *e;
    }
    free(p->entries);
    p->entries = entries;
    p->n_slots = n_slots;
    return true;
}

static void add(tuple_cache *cache, part *p, const uint32_t *key, size_t n, uint64_t hash, tuple_value value) {
    if (cache->used >= cache->max_entries || (p->used * 2 >= p->n_slots && !grow(p)) ||
        ARRAY_RESERVE(p->keys, p->keys_capacity, p->keys_length + n + 1, NULL) != STATUS_OK)
        return;
    *locate(p, key, n, hash) = (entry){hash, p->keys_length, value};
    p->keys[p->keys_length] = (uint32_t)n;
    memcpy(p->keys + p->keys_length + 1, key, n * sizeof *key);
    p->keys_length += n + 1;
    cache->used++;
    p->used++;
}

void tuple_cache_add(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    uint64_t hash = hash_key(key, n);
    add(cache, part_of(cache, hash), key, n, hash, value);
}

static void set(tuple_cache *cache, part *p, const uint32_t *key, size_t n, uint64_t hash, tuple_value value) {
    entry *e = locate(p, key, n, hash);
    if (e->hash)
        e->value = value;
    else
        add(cache, p, key, n, hash, value);
}

void tuple_cache_set(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    uint64_t hash = hash_key(key, n);
    set(cache, part_of(cache, hash), key, n, hash, value);
}

void tuple_cache_write(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    uint64_t hash = hash_key(key, n);
    part *p = part_of(cache, hash);
    (void)pthread_mutex_lock(&p->lock);
    set(cache, p, key, n, hash, value);
    (void)pthread_mutex_unlock(&p->lock);
}

void tuple_cache_visit(const tuple_cache *cache,
                       void (*visit)(void *self, const uint32_t *key, size_t n, tuple_value value), void *self) {
    for (size_t i = 0; i < N_PARTS; i++) {
        const part *p = &cache->parts[i];
        for (size_t k = 0; k < p->n_slots; k++) {
            const uint32_t *key = p->keys + p->entries[k].key;
            if (p->entries[k].hash)
                visit(self, key + 1, key[0], p->entries[k].value);
        }
    }
}

/* A part that has grown far beyond its entries becomes small again. */
static void empty_part(part *p) {
    enum { KEPT_SLOTS = 1 << 10 };
    size_t n_slots = p->n_slots < KEPT_SLOTS ? p->n_slots : KEPT_SLOTS;
    entry *smaller = p->n_slots > KEPT_SLOTS ? calloc(n_slots, sizeof *smaller) : NULL;
    if (smaller) {
        free(p->entries);
        p->entries = smaller;
        p->n_slots = n_slots;
    } else if (p->used > 0) {
        memset(p->entries, 0, p->n_slots * sizeof *p->entries);
    }
    p->used = p->keys_length = 0;
}

void tuple_cache_empty(tuple_cache *cache) {
    if (cache->used == 0)
        return;
    for (size_t i = 0; i < N_PARTS; i++) {
        part *p = &cache->parts[i];
        (void)pthread_mutex_lock(&p->lock);
        cache->used -= p->used;
        empty_part(p);
        (void)pthread_mutex_unlock(&p->lock);
    }
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
