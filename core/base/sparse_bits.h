/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A set of numbers below a bound that takes little memory where it is nearly empty or nearly full: the words of a bit
 * vector that differ from all the others, which are zeros or ones. Where many words have few numbers each, a set that
 * was united keeps the distances between its numbers instead of words, most often a byte each.
 */
#ifndef BNB_CORE_BASE_SPARSE_BITS_H
#define BNB_CORE_BASE_SPARSE_BITS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    size_t index;
    uint64_t bits;
} sparse_word;

/** Zero-initialise: empty. */
typedef struct {
    uint64_t others; /* every word that is not listed: no ones, or ones alone */
    size_t n, capacity;
    sparse_word *words; /* by ascending index, where there are no gaps */
    uint8_t *gaps; /* in place of them: the distance from 0 to the first number and from each to the next, seven bits a
                      byte, the low ones first, the high bit set where more follow; NULL: there are none */
    size_t n_gap_bytes;
} sparse_bits;

/** From so many listed words on a set may have gaps. */
enum { SPARSE_BITS_GAPS = 32 };

void sparse_bits_clear(sparse_bits *s);

/** Exactly the n numbers of `items`, which ascend. */
BNB_MUST_CHECK status sparse_bits_set_only(sparse_bits *s, const size_t *items, size_t n, error_info *err);

/** All numbers below `bound` but the n of `items`, which ascend and lie below it. */
BNB_MUST_CHECK status sparse_bits_set_all_but(sparse_bits *s, size_t bound, const size_t *items, size_t n,
                                              error_info *err);

/** O(log words), or O(numbers) where there are gaps. */
bool sparse_bits_has(const sparse_bits *s, size_t item);

/** Takes one number out. */
BNB_MUST_CHECK status sparse_bits_remove(sparse_bits *s, size_t item, error_info *err);

/** Takes the numbers of `less` out, or puts those of `more` in. O(what both sets hold). */
BNB_MUST_CHECK status sparse_bits_subtract(sparse_bits *s, const sparse_bits *less, error_info *err);
BNB_MUST_CHECK status sparse_bits_unite(sparse_bits *s, const sparse_bits *more, error_info *err);

/** Takes out each number that `goes`, of a set without gaps in which the words that are not listed have no ones. */
typedef bool sparse_bits_rule(const void *context, size_t item);
void sparse_bits_remove_if(sparse_bits *s, sparse_bits_rule *goes, const void *context);

/** How many numbers below `bound` are in the set. O(what it holds). */
size_t sparse_bits_count(const sparse_bits *s, size_t bound);

#endif
