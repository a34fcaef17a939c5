/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/answer_cache_internal.h"

#include "core/base/bits.h"

#include <stdlib.h>

/* Entries of some 60 bytes: past a quarter of a gigabyte, computing again is the smaller evil. */
enum { MOST_ANSWERS = 1 << 22 };

/* 128 KiB of bits: the second-level cache holds them, and lasting pairs are few. */
enum { FILTER_BITS = 20 };

status answer_cache_init(answer_cache *a, error_info *err) {
    CHECK_ALLOC(a->has_lasting = calloc((size_t)1 << (FILTER_BITS - 6), sizeof *a->has_lasting));
    CHECK(tuple_cache_create(MOST_ANSWERS, &a->recent, err));
    return tuple_cache_create(MOST_ANSWERS, &a->lasting, err);
}

void answer_cache_clear(answer_cache *a) {
    tuple_cache_destroy(a->recent);
    tuple_cache_destroy(a->lasting);
    free(a->has_lasting);
    *a = (answer_cache){0};
}

static uint64_t *filter_word(const answer_cache *a, const uint32_t *key, uint64_t *bit) {
    uint64_t pair = (uint64_t)key[0] << 32 | key[1], place = (pair * 0x9E3779B97F4A7C15u) >> (64 - FILTER_BITS);
    *bit = bit_of(place);
    return &a->has_lasting[place / 64];
}

static const tuple_value *find_lasting(const answer_cache *a, const uint32_t *key, size_t n) {
    uint64_t bit;
    return *filter_word(a, key, &bit) & bit ? tuple_cache_find(a->lasting, key, n) : NULL;
}

const tuple_value *answer_cache_find(const answer_cache *a, const uint32_t *key, size_t n) {
    const tuple_value *known = tuple_cache_find(a->recent, key, n);
    return known ? known : find_lasting(a, key, n);
}

void answer_cache_set(answer_cache *a, const uint32_t *key, size_t n, tuple_value value) {
    tuple_cache_set(find_lasting(a, key, n) ? a->lasting : a->recent, key, n, value);
}

typedef struct {
    const answer_cache *into;
    const later_tests *later;
} release;

static void keep_if_wanted(void *self, const uint32_t *key, size_t n, tuple_value value) {
    const release *r = self;
    uint64_t bit, *word = filter_word(r->into, key, &bit);
    if (!r->later->may_come(r->later->self, key[0], key[1], key + 2, n - 2))
        return;
    *word |= bit;
    tuple_cache_set(r->into->lasting, key, n, value);
}

void answer_cache_release(answer_cache *a, const later_tests *later) {
    release r = {a, later};
    tuple_cache_visit(a->recent, keep_if_wanted, &r);
    tuple_cache_empty(a->recent);
}
