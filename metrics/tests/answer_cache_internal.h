/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What is known of tests that were asked: so that nothing is computed, or counted as computed, twice. */
#ifndef BNB_METRICS_TESTS_ANSWER_CACHE_INTERNAL_H
#define BNB_METRICS_TESTS_ANSWER_CACHE_INTERNAL_H

#include "core/counting/tuple_cache.h"
#include "metrics/tests/association.h"

#include <stdbool.h>

/**
 * Keys are those of tuple_key_pair. A search of thousands of targets asks millions of tests, nearly all of them once:
 * those that will not come again are dropped when the search says so, and the rest stays in the processor's caches.
 */
typedef struct {
    tuple_cache *recent;   /* since the last release */
    tuple_cache *lasting;  /* what a release kept */
    uint64_t *has_lasting; /* a bit by hashed pair: without it nothing of the pair is lasting */
} answer_cache;

/** The caller clears it, after a failure too. */
BNB_MUST_CHECK status answer_cache_init(answer_cache *a, error_info *err);
void answer_cache_clear(answer_cache *a);

/** NULL where nothing is known; valid until the next call. */
const tuple_value *answer_cache_find(const answer_cache *a, const uint32_t *key, size_t n);

/** In place of what is known. Without memory the answer is not kept: no error. */
void answer_cache_set(answer_cache *a, const uint32_t *key, size_t n, tuple_value value);

/** Drops what came since the last release, but for tests that may come again. */
void answer_cache_release(answer_cache *a, const later_tests *later);

#endif
