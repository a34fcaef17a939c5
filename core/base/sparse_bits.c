/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/sparse_bits.h"

#include "core/base/array.h"
#include "core/base/bits.h"

#include <stdlib.h>

void sparse_bits_clear(sparse_bits *s) {
    free(s->words);
    *s = (sparse_bits){0};
}

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
    s->n = 0;
    s->others = 0;
    return invert(s, items, n, err);
}

status sparse_bits_set_all_but(sparse_bits *s, size_t bound, const size_t *items, size_t n, error_info *err) {
    s->n = 0;
    s->others = UINT64_MAX;
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
    ARRAY_FIND_PLACE(at, s->n, s->words[at].index < index);
    return at;
}

bool sparse_bits_has(const sparse_bits *s, size_t item) {
    size_t at = place_of(s, item / 64);
    uint64_t bits = at < s->n && s->words[at].index == item / 64 ? s->words[at].bits : s->others;
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
    return *at < s->n && s->words[*at].index == index ? s->words[(*at)++].bits : s->others;
}

static status combine(sparse_bits *s, const sparse_bits *other, word_rule rule, error_info *err) {
    sparse_bits out = {.others = rule(s->others, other->others)};
    size_t i = 0, j = 0;
    if (s->n + other->n > 0)
        CHECK(ARRAY_RESERVE(out.words, out.capacity, s->n + other->n, err));
    while (i < s->n || j < other->n) {
        bool mine = i < s->n && (j == other->n || s->words[i].index <= other->words[j].index);
        size_t index = mine ? s->words[i].index : other->words[j].index;
        uint64_t a = take_word(s, &i, index), b = take_word(other, &j, index), bits = rule(a, b);
        if (out.words && bits != out.others)
            out.words[out.n++] = (sparse_word){index, bits};
    }
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
        sparse_word word = s->words[i];
        for (uint64_t rest = word.bits; rest; rest &= rest - 1) {
            size_t item = 64 * word.index + (size_t)__builtin_ctzll(rest);
            if (goes(context, item))
                word.bits ^= bit_of(item);
        }
        if (word.bits)
            s->words[n++] = word;
    }
    s->n = n;
}

size_t sparse_bits_count(const sparse_bits *s, size_t bound) {
    size_t n_words = (bound + 63) / 64, count = 0;
    for (size_t i = 0; i < s->n; i++)
        count += (size_t)__builtin_popcountll(s->words[i].bits);
    return s->others ? count + (n_words - s->n) * 64 : count;
}
