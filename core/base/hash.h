/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Hash tables: an index from hashes to the numbers of things that lie with the caller, 0, 1, 2, ... Open addressing; at
 * most half of the slots are used. The caller knows which of the numbers under a hash is the one it looks for:
 *
 *     size_t at = (size_t)hash, number;
 *     while ((number = hash_next(&table, hash, &at)) != HASH_NONE && !is_same(things[number], wanted))
 *         ;
 */
#ifndef BNB_CORE_BASE_HASH_H
#define BNB_CORE_BASE_HASH_H

#include "core/base/status.h"

#include <stdint.h>

#define HASH_NONE ((size_t)-1)

typedef struct {
    uint64_t hash;
    size_t place; /* the number, and one; 0 is free */
} hash_slot;

/** Zero-initialise. */
typedef struct {
    hash_slot *slots;
    size_t n_slots, n; /* n_slots is a power of two, or 0 */
} hash_table;

void hash_table_clear(hash_table *table);

/** Forgets the numbers and keeps the room. */
void hash_table_empty(hash_table *table);

/** Room for n numbers in all. */
BNB_MUST_CHECK status hash_table_reserve(hash_table *table, size_t n, error_info *err);

/** Adds a number, whether or not others stand under that hash. */
BNB_MUST_CHECK status hash_table_add(hash_table *table, uint64_t hash, size_t number, error_info *err);

/** The next number under that hash, or HASH_NONE; `*at` is where to go on, at first the hash itself. */
static inline size_t hash_next(const hash_table *table, uint64_t hash, size_t *at) {
    if (table->n_slots == 0)
        return HASH_NONE;
    for (size_t i = *at & (table->n_slots - 1);; i = (i + 1) & (table->n_slots - 1)) {
        const hash_slot *slot = &table->slots[i];
        if (slot->place == 0 || slot->hash == hash) {
            *at = i + 1;
            return slot->place - 1;
        }
    }
}

/** The first number under that hash, or HASH_NONE: the number of the thing where hashes tell things apart. */
static inline size_t hash_find(const hash_table *table, uint64_t hash) {
    size_t at = (size_t)hash;
    return hash_next(table, hash, &at);
}

/** Of bytes: FNV-1a with 64 bits, its upper half folded into the lower. */
static inline uint64_t hash_bytes(const char *bytes, size_t n) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)bytes[i]) * 1099511628211u;
    return h ^ h >> 32;
}

/** Of a number: Fibonacci hashing, the upper half folded into the lower. Different numbers have different hashes, so
 * that a table of numbers needs no comparison. */
static inline uint64_t hash_number(uint64_t number) {
    uint64_t h = number * 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

/** Of a real number by its bits: likewise; 0 and -0 differ. */
uint64_t hash_real(double value);

#endif
