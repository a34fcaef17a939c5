/* SPDX-License-Identifier: GPL-3.0-or-later */
/** From a short list of columns (a child and its sorted parents; a pair and a sorted set) to two numbers. */
#ifndef BNB_CORE_COUNTING_TUPLE_CACHE_H
#define BNB_CORE_COUNTING_TUPLE_CACHE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tuple_cache tuple_cache;

typedef struct {
    double a, b;
} tuple_value;

/** `max_entries`: past it nothing more is kept, so that memory stays bounded and what is kept does
 * not depend on luck. */
BNB_MUST_CHECK status tuple_cache_create(size_t max_entries, tuple_cache **out, error_info *err);
void tuple_cache_destroy(tuple_cache *cache);
AUTO_PTR_OF(tuple_cache, tuple_cache_destroy)

/**
 * The value of a key of n numbers, or NULL; valid until the next add.
 * O(n).
 */
const tuple_value *tuple_cache_find(tuple_cache *cache, const uint32_t *key, size_t n);

/** The key will be looked for: what holds its place in the table comes near meanwhile. */
void tuple_cache_expect(const tuple_cache *cache, const uint32_t *key, size_t n);

/** Adds a key that tuple_cache_find did not find. Without memory, or past max_entries, the value is
 * not kept: no error. */
void tuple_cache_add(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value);

/** Adds the key, or gives it another value. */
void tuple_cache_set(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value value);

/** What a thread adds entries with beside other threads. It goes with the cache; any thread may make one at any time.
 * NULL without memory. */
typedef struct tuple_writer tuple_writer;
tuple_writer *tuple_cache_create_writer(tuple_cache *cache);

/**
 * As tuple_cache_find and tuple_cache_add, by any thread at any time, each with its own writer: beside each other and
 * tuple_cache_count, and beside nothing else. A key has one value, whoever writes it: one that is there stays. Who
 * reads waits for nobody. With NULL for a writer the value is not kept.
 * @return whether the key is there; else *out is untouched
 */
bool tuple_cache_read(tuple_cache *cache, const uint32_t *key, size_t n, tuple_value *out);
void tuple_cache_write(tuple_cache *cache, tuple_writer *w, const uint32_t *key, size_t n, tuple_value value);

/** Puts `element` in its place behind the first n_fixed numbers of a key, whose rest ascends;
 * returns the new length. */
size_t tuple_key_insert(uint32_t *key, size_t n_fixed, size_t n, size_t element);

/** The key of an unordered pair and a set: min, max, then z ascending; `key` has room for n_z + 2.
 * Returns its length. */
size_t tuple_key_pair(uint32_t *key, size_t x, size_t y, const size_t *z, size_t n_z);

/** Calls visit(self, key, n, value) for every entry, in no order that means anything. */
void tuple_cache_visit(const tuple_cache *cache,
                       void (*visit)(void *self, const uint32_t *key, size_t n, tuple_value value), void *self);

/** Forgets every entry. O(1) past what the entries took. */
void tuple_cache_empty(tuple_cache *cache);

/** The same, but from now on the cache keeps all memory that it comes to have; it has no writers any more. For a cache
 * that fills again and again: where its blocks come and go, small ones that stay come to lie between them, and the heap
 * grows without end. */
void tuple_cache_clear(tuple_cache *cache);

/** Entries kept. */
size_t tuple_cache_count(const tuple_cache *cache);

#endif
