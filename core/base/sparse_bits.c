/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/sparse_bits.h"

#include "core/base/array.h"
#include "core/base/bits.h"

#include <stdlib.h>

void sparse_bits_clear(sparse_bits *s) {
    free(s->words);
    free(s->stretch);
    *s = (sparse_bits){0};
}

/* --- listed or side by side --- */

static size_t index_at(const sparse_bits *s, size_t i) {
    return s->stretch ? s->first + i : s->words[i].index;
}

static uint64_t *bits_at(const sparse_bits *s, size_t i) {
    return s->stretch ? &s->stretch[i] : &s->words[i].bits;
}

/* Words that are listed, most of them side by side, become a stretch, which takes half as much; without memory they
 * stay. */
static void join(sparse_bits *s) {
    size_t first, n;
    uint64_t *stretch;
    if (!s->words || s->n < SPARSE_BITS_STRETCH)
        return;
    first = s->words[0].index;
    n = s->words[s->n - 1].index - first + 1;
    if (n / 2 >= s->n)
        return;
    stretch = malloc(n * sizeof *stretch);
    if (!stretch)
        return;
    for (size_t i = 0; i < n; i++)
        stretch[i] = s->others;
    for (size_t i = 0; i < s->n; i++)
        stretch[s->words[i].index - first] = s->words[i].bits;
    free(s->words);
    *s = (sparse_bits){.others = s->others, .n = n, .stretch = stretch, .first = first};
}

static void begin(sparse_bits *s, uint64_t others) {
    if (s->stretch)
        sparse_bits_clear(s);
    s->n = 0;
    s->others = others;
}

/* --- sets --- */

/* Inverts the bits of the items, which ascend, in a set without listed words. */
static status invert(sparse_bits *s, const size_t *items, size_t n, error_info *err) {
    for (size_t i = 0; i < n; i++) {
        size_t index = items[i] / 64;
        if (s->n == 0 || s->words[s->n - 1].index != index)
            CHECK(ARRAY_PUSH(s->words, s->n, s->capacity, err, (sparse_word){index, s->others}));
        s->words[s->n - 1].bits ^= bit_of(items[i]);
    }
    return STATUS_OK;
}

status sparse_bits_set_only(sparse_bits *s, const size_t *items, size_t n, error_info *err) {
    begin(s, 0);
    return invert(s, items, n, err);
}

status sparse_bits_set_all_but(sparse_bits *s, size_t bound, const size_t *items, size_t n, error_info *err) {
    begin(s, UINT64_MAX);
    CHECK(invert(s, items, n, err));
    if (bound % 64 == 0)
        return STATUS_OK;
    if (s->n == 0 || s->words[s->n - 1].index != bound / 64)
        CHECK(ARRAY_PUSH(s->words, s->n, s->capacity, err, (sparse_word){bound / 64, UINT64_MAX}));
    s->words[s->n - 1].bits &= bit_of(bound) - 1;
    return STATUS_OK;
}

/* The place of the word, or where it would be. */
static size_t place_of(const sparse_bits *s, size_t index) {
    size_t at;
    if (s->stretch)
        return index < s->first ? 0 : index - s->first < s->n ? index - s->first : s->n;
    ARRAY_FIND_PLACE(at, s->n, s->words[at].index < index);
    return at;
}

bool sparse_bits_has(const sparse_bits *s, size_t item) {
    size_t at = place_of(s, item / 64);
    uint64_t bits = at < s->n && index_at(s, at) == item / 64 ? *bits_at(s, at) : s->others;
    return (bits & bit_of(item)) != 0;
}

typedef uint64_t (*word_rule)(uint64_t a, uint64_t b);

static uint64_t minus(uint64_t a, uint64_t b) {
    return a & ~b;
}

static uint64_t either(uint64_t a, uint64_t b) {
    return a | b;
}

/* The word of that index where the reader has come to it; steps past it. */
static uint64_t take_word(const sparse_bits *s, size_t *at, size_t index) {
    return *at < s->n && index_at(s, *at) == index ? *bits_at(s, (*at)++) : s->others;
}

/* Do all words that `other` has lie in the stretch, and do the others change nothing? */
static bool is_in_stretch(const sparse_bits *s, const sparse_bits *other) {
    if (!s->stretch || other->others)
        return false;
    return other->n == 0 || (index_at(other, 0) >= s->first && index_at(other, other->n - 1) - s->first < s->n);
}

static void change_stretch(sparse_bits *s, const sparse_bits *other, word_rule rule) {
    for (size_t i = 0; i < other->n; i++) {
        uint64_t *bits = &s->stretch[index_at(other, i) - s->first];
        *bits = rule(*bits, *bits_at(other, i));
    }
}

static status combine(sparse_bits *s, const sparse_bits *other, word_rule rule, error_info *err) {
    sparse_bits out = {.others = rule(s->others, other->others)};
    size_t i = 0, j = 0;
    if (is_in_stretch(s, other)) {
        change_stretch(s, other, rule);
        return STATUS_OK;
    }
    if (s->n + other->n > 0)
        CHECK(ARRAY_RESERVE(out.words, out.capacity, s->n + other->n, err));
    while (i < s->n || j < other->n) {
        bool mine = i < s->n && (j == other->n || index_at(s, i) <= index_at(other, j));
        size_t index = mine ? index_at(s, i) : index_at(other, j);
        uint64_t a = take_word(s, &i, index), b = take_word(other, &j, index), bits = rule(a, b);
        if (out.words && bits != out.others)
            out.words[out.n++] = (sparse_word){index, bits};
    }
    join(&out);
    sparse_bits_clear(s);
    *s = out;
    return STATUS_OK;
}

status sparse_bits_remove(sparse_bits *s, size_t item, error_info *err) {
    sparse_word word = {item / 64, bit_of(item)};
    return sparse_bits_subtract(s, &(sparse_bits){.n = 1, .words = &word}, err);
}

status sparse_bits_subtract(sparse_bits *s, const sparse_bits *less, error_info *err) {
    return combine(s, less, minus, err);
}

status sparse_bits_unite(sparse_bits *s, const sparse_bits *more, error_info *err) {
    return combine(s, more, either, err);
}

void sparse_bits_remove_if(sparse_bits *s, sparse_bits_rule *goes, const void *context) {
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        uint64_t *bits = bits_at(s, i);
        for (uint64_t rest = *bits; rest; rest &= rest - 1) {
            size_t item = 64 * index_at(s, i) + (size_t)__builtin_ctzll(rest);
            if (goes(context, item))
                *bits ^= bit_of(item);
        }
        if (!s->stretch && *bits)
            s->words[n++] = s->words[i];
    }
    s->n = s->stretch ? s->n : n;
}

size_t sparse_bits_count(const sparse_bits *s, size_t bound) {
    size_t n_words = (bound + 63) / 64, count = 0;
    for (size_t i = 0; i < s->n; i++)
        count += (size_t)__builtin_popcountll(*bits_at(s, i));
    return s->others ? count + (n_words - s->n) * 64 : count;
}
