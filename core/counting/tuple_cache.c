/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/tuple_cache.h"

#include "core/base/cache_line.h"
#include "core/base/huge_pages.h"
#include "core/run/spin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A key and its value, which never move. */
typedef struct {
    tuple_value value;
    uint32_t n;
    uint32_t key[];
} record;

/* What stands for the hash, which is odd, of an entry without a record. */
enum {
    FREE = 0,
    CLOSED = 2 /* free for ever: another table replaces this one */
};

typedef struct {
    atomic_uint_least64_t hash;
    record *_Atomic record; /* for a moment NULL: whoever has written the hash is about to write this */
} entry;

/* Entries lie on large pages: with the record they are two misses of the cache a look-up, and one where there is no
 * such key. */
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

/* Records one after the other, from words of eight bytes on. */
typedef struct record_block {
    struct record_block *before;
    size_t n_words;
    uint64_t words[];
} record_block;

/* Of a table in one piece the growth to the last of its sizes took 0.2 s, in which no deadline is looked at. The parts
 * grow one by one. */
enum { PART_BITS = 4, N_PARTS = 1 << PART_BITS, FIRST_SLOTS = 64, FIRST_BLOCK = 2048 };
enum { N_SIZES = 32 }; /* of tables: memory ends first */

typedef struct {
    _Alignas(CACHE_LINE) pthread_mutex_t lock; /* of the growth of its table */
    atomic_size_t n_granted;                   /* entries that are added, or that a writer may add */
} part;

/* What changes with every entry that is added, but for the entry itself. */
struct tuple_writer {
    _Alignas(CACHE_LINE) record_block *blocks; /* the newest */
    uint64_t *free;                            /* its words that no record has, the last of it, and: */
    size_t n_free;
    uint32_t n_left[N_PARTS]; /* entries that it may add without asking the part */
    atomic_size_t count;      /* that it has added */
    tuple_writer *next;
};

struct tuple_cache {
    table *_Atomic tables[N_PARTS]; /* by the first bits of the hash: what a look-up needs, which seldom changes */
    atomic_size_t room;             /* entries that the tables hold before one of them grows */
    size_t max_entries;
    tuple_writer *_Atomic writers; /* of threads */
    part parts[N_PARTS];
    tuple_writer own;           /* adds what no other thread is beside */
    pthread_mutex_t lock;       /* of what follows */
    slot_block blocks[N_SIZES]; /* by size */
    bool keeps_memory;          /* slots that no table has, and: */
    record_block *spare;        /* for any writer */
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
    if (--b->n_tables == 0 && !cache->keeps_memory) {
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
    return atomic_load_explicit(&e->hash, memory_order_relaxed);
}

static record *record_of(const entry *e) {
    return atomic_load_explicit(&e->record, memory_order_acquire);
}

/* Of an entry with a hash. */
static record *wait_for_record(const entry *e) {
    record *r;
    for (spin s = {0}; !(r = record_of(e));)
        spin_wait(&s);
    return r;
}

static void fill(entry *e, uint64_t hash, record *r) {
    atomic_store_explicit(&e->hash, hash, memory_order_relaxed);
    atomic_store_explicit(&e->record, r, memory_order_relaxed);
}

/* The same if the entry is free, beside others who try; else what stands there instead. */
static uint64_t fill_if_free(entry *e, uint64_t hash, record *r) {
    uint64_t found = FREE;
    if (!atomic_compare_exchange_strong_explicit(&e->hash, &found, hash, memory_order_relaxed, memory_order_relaxed))
        return found;
    atomic_store_explicit(&e->record, r, memory_order_release);
    return FREE;
}

/* The hash of an entry, after which nobody fills it if it is free. */
static uint64_t close_entry(entry *e) {
    uint64_t hash = hash_of(e);
    if (hash == FREE)
        (void)atomic_compare_exchange_strong_explicit(&e->hash, &hash, CLOSED, memory_order_relaxed,
                                                      memory_order_relaxed);
    return hash;
}

/* `is_shared`: beside threads that add. */
static void copy_entries(table *from, table *to, bool is_shared) {
    for (size_t i = 0; i < from->n_slots; i++) {
        entry *e = &from->entries[i];
        uint64_t hash = is_shared ? close_entry(e) : hash_of(e);
        size_t at = (size_t)(hash >> 1) & (to->n_slots - 1);
        if (hash == FREE)
            continue;
        while (hash_of(&to->entries[at]) != FREE)
            at = (at + 1) & (to->n_slots - 1);
        fill(&to->entries[at], hash, wait_for_record(e));
    }
}

/* --- records --- */

/* Those before it, too. */
static void destroy_blocks(record_block *b) {
    while (b) {
        record_block *before = b->before;
        free(b);
        b = before;
    }
}

static void begin_block(tuple_writer *w) {
    w->free = w->blocks->words;
    w->n_free = w->blocks->n_words;
}

/* One that was there before the cache was cleared, if it is large enough. */
static record_block *take_spare(tuple_cache *cache, size_t n_words) {
    record_block *b;
    spin_lock(&cache->lock);
    b = cache->spare && cache->spare->n_words >= n_words ? cache->spare : NULL;
    if (b)
        cache->spare = b->before;
    (void)pthread_mutex_unlock(&cache->lock);
    return b;
}

/* Larger from block to block, up to one large page, or as large as a record of so many words. */
static record_block *create_block(const record_block *before, size_t n_words) {
    size_t bytes = before ? 2 * (sizeof *before + before->n_words * sizeof *before->words) : FIRST_BLOCK;
    record_block *b;
    if (bytes > HUGE_PAGE)
        bytes = HUGE_PAGE;
    while (bytes < sizeof *b + n_words * sizeof *b->words)
        bytes *= 2;
    b = aligned_alloc(bytes >= HUGE_PAGE ? HUGE_PAGE : CACHE_LINE, bytes);
    if (!b)
        return NULL;
    huge_pages_ask(b, bytes);
    b->n_words = (bytes - sizeof *b) / sizeof *b->words;
    return b;
}

static bool make_room(tuple_cache *cache, tuple_writer *w, size_t n_words) {
    record_block *b;
    if (w->n_free >= n_words)
        return true;
    b = take_spare(cache, n_words);
    b = b ? b : create_block(w->blocks, n_words);
    if (!b)
        return false;
    b->before = w->blocks;
    w->blocks = b;
    begin_block(w);
    return true;
}

static size_t words_of(size_t n) {
    return (sizeof(record) + n * sizeof(uint32_t) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
}

/* In room that is still free; NULL without memory. */
static record *lay_record(tuple_cache *cache, tuple_writer *w, const uint32_t *key, size_t n, tuple_value value) {
    record *r;
    if (!make_room(cache, w, words_of(n)))
        return NULL;
    r = (record *)w->free;
    r->value = value;
    r->n = (uint32_t)n;
    memcpy(r->key, key, n * sizeof *key);
    return r;
}

/* The record that was laid is there to stay, in an entry of a part. */
static void keep_record(tuple_writer *w, const record *r, size_t number) {
    w->free += words_of(r->n);
    w->n_free -= words_of(r->n);
    w->n_left[number]--;
    atomic_store_explicit(&w->count, atomic_load_explicit(&w->count, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* --- writers --- */

static tuple_writer *first_writer(const tuple_cache *cache) {
    return atomic_load_explicit(&cache->writers, memory_order_acquire);
}

tuple_writer *tuple_cache_create_writer(tuple_cache *cache) {
    tuple_writer *w = cache_lines_create(sizeof *w);
    if (!w)
        return NULL;
    w->next = first_writer(cache);
    while (!atomic_compare_exchange_weak(&cache->writers, &w->next, w)) {
    }
    return w;
}

static void destroy_writers(tuple_writer *w) {
    while (w) {
        tuple_writer *next = w->next;
        destroy_blocks(w->blocks);
        free(w);
        w = next;
    }
}

/* Its blocks are for any other. */
static void give_blocks(tuple_cache *cache, tuple_writer *w) {
    record_block *first = w->blocks;
    if (!w->blocks)
        return;
    while (w->blocks->before)
        w->blocks = w->blocks->before;
    w->blocks->before = cache->spare;
    cache->spare = first;
    w->blocks = NULL;
}

/* The last block is used again. */
static void empty_writer(tuple_writer *w) {
    memset(w->n_left, 0, sizeof w->n_left);
    atomic_store_explicit(&w->count, 0, memory_order_relaxed);
    if (!w->blocks)
        return;
    destroy_blocks(TAKE(w->blocks->before));
    begin_block(w);
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
        (void)pthread_mutex_destroy(&cache->parts[i].lock);
    }
    for (size_t size = 0; size < N_SIZES; size++)
        free(cache->blocks[size].entries);
    destroy_writers(first_writer(cache));
    destroy_blocks(cache->own.blocks);
    destroy_blocks(cache->spare);
    (void)pthread_mutex_destroy(&cache->lock);
    free(cache);
}

size_t tuple_cache_count(const tuple_cache *cache) {
    size_t n = atomic_load_explicit(&cache->own.count, memory_order_relaxed);
    for (const tuple_writer *w = first_writer(cache); w; w = w->next)
        n += atomic_load_explicit(&w->count, memory_order_relaxed);
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

/* A record that is about to be written has most likely the key that has its hash. */
static bool is_key(const record *r, const uint32_t *key, size_t n) {
    return !r || (r->n == n && memcmp(r->key, key, n * sizeof *key) == 0);
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
        *is_there = found == hash && is_key(record_of(e), key, n);
        if (found == FREE || found == CLOSED || *is_there)
            return e;
    }
}

/* NULL where there is none, or none yet. */
static record *find(const tuple_cache *cache, const uint32_t *key, size_t n, uint64_t hash) {
    bool is_there;
    const entry *e = locate(cache, key, n, hash, &is_there);
    return is_there ? record_of(e) : NULL;
}

void tuple_cache_expect(const tuple_cache *cache, const uint32_t *key, size_t n) {
    uint64_t hash = hash_key(key, n);
    const table *t = table_of(cache, part_of(hash));
    __builtin_prefetch(&t->entries[(size_t)(hash >> 1) & (t->n_slots - 1)]);
}

const tuple_value *tuple_cache_find(tuple_cache *cache, const uint32_t *key, size_t n) {
    const record *r = find(cache, key, n, hash_key(key, n));
    return r ? &r->value : NULL;
}

bool tuple_cache_read(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value *out) {
    const tuple_value *value = tuple_cache_find(cache, key, n);
    if (value)
        *out = *value;
    return value;
}

/* `is_shared`: other threads may be looking in the smaller table, and adding to it. */
static bool grow(tuple_cache *cache, size_t number, bool is_shared) {
    table *smaller = table_of(cache, number), *t = create_table(cache, number, smaller->size + 1);
    if (!t)
        return false;
    copy_entries(smaller, t, is_shared);
    if (is_shared)
        t->smaller = smaller;
    set_table(cache, number, t);
    if (!is_shared)
        destroy_tables(cache, smaller);
    return true;
}

static bool has_granted_too_many(const tuple_cache *cache, size_t number) {
    return atomic_load_explicit(&cache->parts[number].n_granted, memory_order_relaxed) >
           most_used(table_of(cache, number));
}

/* Room for all entries that were granted; false without memory. */
static bool make_table_large(tuple_cache *cache, size_t number, bool is_shared) {
    part *p = &cache->parts[number];
    bool is_large = !has_granted_too_many(cache, number);
    if (is_large)
        return true;
    spin_lock(&p->lock);
    is_large = !has_granted_too_many(cache, number) || grow(cache, number, is_shared);
    (void)pthread_mutex_unlock(&p->lock);
    return is_large;
}

/* May the writer add an entry to a part? It asks for some at once, so that threads seldom meet at the part. */
static bool may_add(tuple_cache *cache, tuple_writer *w, size_t number, bool is_shared) {
    part *p = &cache->parts[number];
    size_t n = table_of(cache, number)->n_slots / FIRST_SLOTS;
    if (w->n_left[number] > 0)
        return true;
    atomic_fetch_add_explicit(&p->n_granted, n, memory_order_relaxed);
    if (!make_table_large(cache, number, is_shared)) {
        atomic_fetch_sub_explicit(&p->n_granted, n, memory_order_relaxed);
        return false;
    }
    w->n_left[number] = (uint32_t)n;
    return true;
}

static void wait_for_growth(part *p) {
    spin_lock(&p->lock);
    (void)pthread_mutex_unlock(&p->lock);
}

/* The record in a free entry; false if there is one of its key. */
static bool put(tuple_cache *cache, uint64_t hash, record *r) {
    bool is_there;
    entry *e = locate(cache, r->key, r->n, hash, &is_there);
    if (!is_there)
        fill(e, hash, r);
    return !is_there;
}

/* The same beside other threads. */
static bool put_beside(tuple_cache *cache, uint64_t hash, record *r) {
    for (;;) {
        bool is_there;
        entry *e = locate(cache, r->key, r->n, hash, &is_there);
        uint64_t found;
        if (is_there && is_key(wait_for_record(e), r->key, r->n))
            return false;
        found = is_there ? hash : fill_if_free(e, hash, r);
        if (found == FREE)
            return true;
        if (found == CLOSED)
            wait_for_growth(&cache->parts[part_of(hash)]);
    }
}

/* A key that is there stays as it is. */
static void add(tuple_cache *cache, tuple_writer *w, const uint32_t *key, size_t n, uint64_t hash, tuple_value value,
                bool is_shared) {
    record *r;
    if (has_most(cache) || !may_add(cache, w, part_of(hash), is_shared))
        return;
    r = lay_record(cache, w, key, n, value);
    if (r && (is_shared ? put_beside(cache, hash, r) : put(cache, hash, r)))
        keep_record(w, r, part_of(hash));
}

void tuple_cache_add(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    add(cache, &cache->own, key, n, hash_key(key, n), value, false);
}

void tuple_cache_set(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value) {
    uint64_t hash = hash_key(key, n);
    record *r = find(cache, key, n, hash);
    if (r)
        r->value = value;
    else
        add(cache, &cache->own, key, n, hash, value, false);
}

void tuple_cache_write(tuple_cache *cache, tuple_writer *w, const uint32_t *key, size_t n, tuple_value value) {
    if (w)
        add(cache, w, key, n, hash_key(key, n), value, true);
}

void tuple_cache_visit(const tuple_cache *cache,
                       void (*visit)(void *self, const uint32_t *key, size_t n, tuple_value value), void *self) {
    for (size_t i = 0; i < N_PARTS; i++) {
        const table *t = table_of(cache, i);
        for (size_t k = 0; k < t->n_slots; k++) {
            const record *r = record_of(&t->entries[k]);
            if (r)
                visit(self, r->key, r->n, r->value);
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
    } else if (atomic_load_explicit(&cache->parts[number].n_granted, memory_order_relaxed) > 0) {
        memset(t->entries, 0, t->n_slots * sizeof *t->entries);
    }
}

static void empty_tables(tuple_cache *cache) {
    for (size_t i = 0; i < N_PARTS; i++) {
        empty_table(cache, i);
        atomic_store_explicit(&cache->parts[i].n_granted, 0, memory_order_relaxed);
    }
}

void tuple_cache_empty(tuple_cache *cache) {
    if (tuple_cache_count(cache) == 0)
        return;
    empty_tables(cache);
    empty_writer(&cache->own);
    for (tuple_writer *w = first_writer(cache); w; w = w->next)
        empty_writer(w);
}

void tuple_cache_clear(tuple_cache *cache) {
    tuple_writer *w = first_writer(cache);
    cache->keeps_memory = true;
    empty_tables(cache);
    give_blocks(cache, &cache->own);
    cache->own = (tuple_writer){0};
    for (tuple_writer *each = w; each; each = each->next)
        give_blocks(cache, each);
    destroy_writers(w);
    atomic_store(&cache->writers, NULL);
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
