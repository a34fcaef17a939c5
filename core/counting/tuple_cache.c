/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/tuple_cache.h"

#include "core/base/cache_line.h"
#include "core/base/huge_pages.h"
#include "core/run/spin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    atomic_uint_least64_t hash; /* 0: free. Written last: who finds it finds the rest */
    const uint32_t *key;        /* its length stands first */
    tuple_value value;
} entry;

/* Entries lie in the slots themselves, on large pages: one miss of the cache a look-up, where
 * core/base/hash has two. */
typedef struct table {
    entry *entries;
    size_t n_slots;        /* a power of two, at most half of it used */
    size_t size;           /* the same as a number: FIRST_SLOTS << size */
    struct table *smaller; /* the one before it, where threads may still be looking */
} table;

/* The slots of all parts' tables of one size, one part after the other. The parts come to a size at about the same
 * time, and together they fill large pages: of small ones the system would have to be asked for each. */
typedef struct {
    entry *entries;  /* NULL: nobody has one */
    size_t n_tables; /* that are in use */
} slot_block;

/* Keys one after the other. They never move, and have a new block where there is no room left. */
typedef struct key_block {
    struct key_block *before;
    size_t capacity;
    uint32_t numbers[];
} key_block;

/* What changes with every entry that is added: one line of the processor's cache. */
typedef struct {
    _Alignas(CACHE_LINE) pthread_mutex_t lock; /* of what is added, where several threads do */
    atomic_uint_least32_t used;                /* entries */
    uint32_t n_free;                           /* numbers of the newest block that no key has: the last of it */
    uint32_t *free;
    key_block *keys; /* the newest */
} part;

/* Of a table in one piece the growth to the last of its sizes took 0.2 s, in which no deadline is looked at. The parts
 * grow one by one. */
enum { PART_BITS = 4, N_PARTS = 1 << PART_BITS, FIRST_SLOTS = 64, FIRST_NUMBERS = 256, MOST_NUMBERS = 1 << 30 };
enum { N_SIZES = 32 }; /* of tables: memory ends first */

struct tuple_cache {
    table *_Atomic tables[N_PARTS]; /* by the first bits of the hash: what a look-up needs, which seldom changes */
    atomic_size_t room;             /* entries that the tables hold before one of them grows */
    size_t max_entries;
    part parts[N_PARTS];
    pthread_mutex_t lock;       /* of what follows */
    slot_block blocks[N_SIZES]; /* by size */
};

/* --- tables --- */

/* A large table is met at random, in large pages with fewer misses where the system has them. */
static entry *allocate_slots(size_t n) {
    size_t bytes = n * sizeof(entry);
    bool is_large = bytes >= HUGE_PAGE;
    entry *entries = aligned_alloc(is_large ? HUGE_PAGE : CACHE_LINE, bytes);
    if (entries && is_large)
        huge_pages_ask(entries, bytes);
    return entries;
}

/* Of a part's table of that size; NULL without memory. */
static entry *take_slots(tuple_cache *cache, size_t number, size_t size) {
    slot_block *b = &cache->blocks[size];
    size_t n = (size_t)FIRST_SLOTS << size;
    entry *entries = NULL;
    spin_lock(&cache->lock);
    if (!b->entries)
        b->entries = allocate_slots(n * N_PARTS);
    if (b->entries) {
        entries = b->entries + number * n;
        b->n_tables++;
    }
    (void)pthread_mutex_unlock(&cache->lock);
    return entries;
}

static void give_slots_back(tuple_cache *cache, size_t size) {
    slot_block *b = &cache->blocks[size];
    spin_lock(&cache->lock);
    if (--b->n_tables == 0) {
        free(b->entries);
        b->entries = NULL;
    }
    (void)pthread_mutex_unlock(&cache->lock);
}

/* An empty one. Pages of calloc would be read before they are written: two faults each, and the second one interrupts
 * the other threads. */
static table *create_table(tuple_cache *cache, size_t number, size_t size) {
    table *t = size < N_SIZES ? malloc(sizeof *t) : NULL;
    if (!t)
        return NULL;
    *t = (table){take_slots(cache, number, size), (size_t)FIRST_SLOTS << size, size, NULL};
    if (!t->entries) {
        free(t);
        return NULL;
    }
    memset(t->entries, 0, t->n_slots * sizeof *t->entries);
    return t;
}

/* With those before it. */
static void destroy_tables(tuple_cache *cache, table *t) {
    while (t) {
        table *smaller = t->smaller;
        give_slots_back(cache, t->size);
        free(t);
        t = smaller;
    }
}

static table *table_of(const tuple_cache *cache, size_t number) {
    return atomic_load_explicit(&cache->tables[number], memory_order_acquire);
}

static size_t most_used(const table *t) {
    return t ? t->n_slots / 2 : 0;
}

static void set_table(tuple_cache *cache, size_t number, table *t) {
    atomic_fetch_add_explicit(&cache->room, most_used(t) - most_used(table_of(cache, number)), memory_order_relaxed);
    atomic_store_explicit(&cache->tables[number], t, memory_order_release);
}

static uint64_t hash_of(const entry *e) {
    return atomic_load_explicit(&e->hash, memory_order_acquire);
}

static void put(entry *e, uint64_t hash, const uint32_t *key, tuple_value value) {
    e->key = key;
    e->value = value;
    atomic_store_explicit(&e->hash, hash, memory_order_release);
}

static void copy_entries(const table *from, table *to) {
    for (size_t i = 0; i < from->n_slots; i++) {
        const entry *e = &from->entries[i];
        uint64_t hash = hash_of(e);
        size_t at = (size_t)(hash >> 1) & (to->n_slots - 1);
        if (hash == 0)
            continue;
        while (hash_of(&to->entries[at]) != 0)
            at = (at + 1) & (to->n_slots - 1);
        put(&to->entries[at], hash, e->key, e->value);
    }
}

/* --- keys --- */

/* Those before it, too. */
static void destroy_keys(key_block *b) {
    while (b) {
        key_block *before = b->before;
        free(b);
        b = before;
    }
}

static void begin_block(part *p) {
    p->free = p->keys->numbers;
    p->n_free = (uint32_t)p->keys->capacity;
}

/* Room for a key of n numbers, and its length. */
static bool make_room(part *p, size_t n) {
    size_t capacity = p->keys ? p->keys->capacity : FIRST_NUMBERS / 2;
    key_block *b;
    if (p->n_free > n)
        return true;
    do
        capacity *= capacity < MOST_NUMBERS ? 2 : 1;
    while (capacity <= n && capacity < MOST_NUMBERS);
    b = capacity > n ? malloc(sizeof *b + capacity * sizeof *b->numbers) : NULL;
    if (!b)
        return false;
    b->before = p->keys;
    b->capacity = capacity;
    p->keys = b;
    begin_block(p);
    return true;
}

static const uint32_t *keep_key(part *p, const uint32_t *key, size_t n) {
    uint32_t *kept = p->free;
    kept[0] = (uint32_t)n;
    memcpy(kept + 1, key, n * sizeof *key);
    p->free += n + 1;
    p->n_free -= (uint32_t)n + 1;
    return kept;
}

/* --- all of it --- */

status tuple_cache_create(size_t max_entries, tuple_cache **out, error_info *err) {
    AUTO_PTR(tuple_cache_destroy) tuple_cache *cache = cache_lines_create(sizeof *cache);
    CHECK_ALLOC(cache);
    (void)pthread_mutex_init(&cache->lock, NULL);
    for (size_t i = 0; i < N_PARTS; i++)
        (void)pthread_mutex_init(&cache->parts[i].lock, NULL);
    for (size_t i = 0; i < N_PARTS; i++) {
        table *first = create_table(cache, i, 0);
        CHECK_ALLOC(first);
        set_table(cache, i, first);
    }
    cache->max_entries = max_entries;
    *out = TAKE(cache);
    return STATUS_OK;
}

void tuple_cache_destroy(tuple_cache *cache) {
    if (!cache)
        return;
    for (size_t i = 0; i < N_PARTS; i++) {
        destroy_tables(cache, table_of(cache, i));
        destroy_keys(cache->parts[i].keys);
        (void)pthread_mutex_destroy(&cache->parts[i].lock);
    }
    (void)pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static size_t used_of(const part *p) {
    return atomic_load_explicit(&p->used, memory_order_relaxed);
}

size_t tuple_cache_count(const tuple_cache *cache) {
    size_t n = 0;
    for (size_t i = 0; i < N_PARTS; i++)
        n += used_of(&cache->parts[i]);
    return n;
}

/* One look while the tables have no room for so many. */
static bool has_most(const tuple_cache *cache) {
    return atomic_load_explicit(&cache->room, memory_order_relaxed) >= cache->max_entries &&
           tuple_cache_count(cache) >= cache->max_entries;
}

static uint64_t hash_key(const uint32_t *key, size_t n) {
    uint64_t h = 0x9E3779B97F4A7C15u + n;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ key[i]) * 0xBF58476D1CE4E5B9u;
        h ^= h >> 32;
    }
    return h | 1;
}

static bool is_key(const entry *e, const uint32_t *key, size_t n) {
    return e->key[0] == n && memcmp(e->key + 1, key, n * sizeof *key) == 0;
}

static size_t part_of(uint64_t hash) {
    return (size_t)(hash >> (64 - PART_BITS));
}

/* The entry of the key, or the free one that it would take. Another thread may fill that at any moment, with another
 * key: what was found is told by the look that found it. */
static entry *locate(const tuple_cache *cache, const uint32_t *key, size_t n, uint64_t hash, bool *is_there) {
    const table *t = table_of(cache, part_of(hash));
    size_t i = (size_t)(hash >> 1) & (t->n_slots - 1);
    for (;; i = (i + 1) & (t->n_slots - 1)) {
        entry *e = &t->entries[i];
        uint64_t found = hash_of(e);
        *is_there = found == hash && is_key(e, key, n);
        if (found == 0 || *is_there)
            return e;
    }
}

const tuple_value *tuple_cache_find(tuple_cache *cache, const uint32_t *key, size_t n) {
    bool is_there;
    const entry *e = locate(cache, key, n, hash_key(key, n), &is_there);
    return is_there ? &e->value : NULL;
}

bool tuple_cache_read(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value *out) {
    const tuple_value *value = tuple_cache_find(cache, key, n);
    if (value)
        *out = *value;
    return value;
}

/* `is_shared`: other threads may be looking in the smaller table. */
static bool grow(tuple_cache *cache, size_t number, bool is_shared) {
    table *smaller = table_of(cache, number), *t = create_table(cache, number, smaller->size + 1);
    if (!t)
        return false;
    copy_entries(smaller, t);
    if (is_shared)
        t->smaller = smaller;
    set_table(cache, number, t);
    if (!is_shared)
        destroy_tables(cache, smaller);
    return true;
}

static bool is_full(const tuple_cache *cache, size_t number) {
    return used_of(&cache->parts[number]) >= most_used(table_of(cache, number));
}

/* A key that is there stays as it is. */
static void add(tuple_cache *cache, const uint32_t *key, size_t n, uint64_t hash, tuple_value value, bool is_shared) {
    size_t number = part_of(hash);
    part *p = &cache->parts[number];
    bool is_there;
    entry *e;
    if (has_most(cache) || (is_full(cache, number) && !grow(cache, number, is_shared)) || !make_room(p, n))
        return;
    e = locate(cache, key, n, hash, &is_there);
    if (is_there)
        return;
    put(e, hash, keep_key(p, key, n), value);
    atomic_store_explicit(&p->used, (uint_least32_t)used_of(p) + 1, memory_order_relaxed);
}

void tuple_cache_add(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    add(cache, key, n, hash_key(key, n), value, false);
}

void tuple_cache_set(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    uint64_t hash = hash_key(key, n);
    bool is_there;
    entry *e = locate(cache, key, n, hash, &is_there);
    if (is_there)
        e->value = value;
    else
        add(cache, key, n, hash, value, false);
}

void tuple_cache_write(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    uint64_t hash = hash_key(key, n);
    part *p = &cache->parts[part_of(hash)];
    spin_lock(&p->lock);
    add(cache, key, n, hash, value, true);
    (void)pthread_mutex_unlock(&p->lock);
}

void tuple_cache_visit(const tuple_cache *cache,
                       void (*visit)(void *self, const uint32_t *key, size_t n, tuple_value value), void *self) {
    for (size_t i = 0; i < N_PARTS; i++) {
        const table *t = table_of(cache, i);
        for (size_t k = 0; k < t->n_slots; k++) {
            const entry *e = &t->entries[k];
            if (hash_of(e))
                visit(self, e->key + 1, e->key[0], e->value);
        }
    }
}

/* A part that has grown far beyond its entries becomes small again. */
static void empty_table(tuple_cache *cache, size_t number) {
    enum { KEPT_SIZE = 4 };
    table *t = table_of(cache, number), *smaller;
    destroy_tables(cache, TAKE(t->smaller));
    smaller = t->size > KEPT_SIZE ? create_table(cache, number, KEPT_SIZE) : NULL;
    if (smaller) {
        set_table(cache, number, smaller);
        destroy_tables(cache, t);
    } else if (used_of(&cache->parts[number]) > 0) {
        memset(t->entries, 0, t->n_slots * sizeof *t->entries);
    }
}

/* The last block, the largest, is used again. */
static void empty_keys(part *p) {
    if (!p->keys)
        return;
    destroy_keys(TAKE(p->keys->before));
    begin_block(p);
}

void tuple_cache_empty(tuple_cache *cache) {
    if (tuple_cache_count(cache) == 0)
        return;
    for (size_t i = 0; i < N_PARTS; i++) {
        empty_table(cache, i);
        empty_keys(&cache->parts[i]);
        atomic_store_explicit(&cache->parts[i].used, 0, memory_order_relaxed);
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
