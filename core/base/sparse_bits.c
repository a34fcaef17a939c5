/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/sparse_bits.h"

#include "core/base/array.h"
#include "core/base/bits.h"

#include <assert.h>
#include <stdlib.h>

void sparse_bits_clear(sparse_bits *s) {
    free(s->words);
    free(s->gaps);
    *s = (sparse_bits){0};
}

static void begin(sparse_bits *s, uint64_t others) {
    if (s->gaps)
        sparse_bits_clear(s);
    s->n = 0;
    s->others = others;
}

/* --- gaps --- */

static size_t read_gap(const uint8_t *bytes, size_t *at) {
    size_t gap = 0, shift = 0;
    uint8_t byte;
    do {
        byte = bytes[(*at)++];
        gap |= (size_t)(byte & 0x7F) << shift;
        shift += 7;
    } while (byte & 0x80);
    return gap;
}

static void write_gap(uint8_t *bytes, size_t *at, size_t gap) {
    for (; gap > 0x7F; gap >>= 7)
        bytes[(*at)++] = (uint8_t)(gap | 0x80);
    bytes[(*at)++] = (uint8_t)gap;
}

static size_t gap_bytes(size_t gap) {
    size_t n = 1;
    for (; gap > 0x7F; gap >>= 7)
        n++;
    return n;
}

/* --- word by word --- */

/* The words of a set that differ from the others, in their order. */
typedef struct {
    const sparse_bits *of;
    size_t at;   /* behind what was read */
    size_t item; /* of gaps: the next number, where there is one */
    bool has_item;
    bool is_over; /* all words were read; else the present one is: */
    size_t index;
    uint64_t bits;
} word_reader;

static void read_item(word_reader *r) {
    r->has_item = r->at < r->of->n_gap_bytes;
    if (r->has_item)
        r->item += read_gap(r->of->gaps, &r->at);
}

static void read_word(word_reader *r) {
    r->is_over = r->of->gaps ? !r->has_item : r->at == r->of->n;
    if (r->is_over)
        return;
    if (!r->of->gaps) {
        r->index = r->of->words[r->at].index;
        r->bits = r->of->words[r->at++].bits;
        return;
    }
    r->index = r->item / 64;
    for (r->bits = 0; r->has_item && r->item / 64 == r->index; read_item(r))
        r->bits |= bit_of(r->item);
}

static word_reader first_word(const sparse_bits *s) {
    word_reader r = {.of = s};
    if (s->gaps)
        read_item(&r);
    read_word(&r);
    return r;
}

/* The word of that index, which the reader has not passed; it steps past it. */
static uint64_t take_word(word_reader *r, size_t index) {
    uint64_t bits = r->bits;
    if (r->is_over || r->index != index)
        return r->of->others;
    read_word(r);
    return bits;
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

static bool has_among_gaps(const sparse_bits *s, size_t item) {
    size_t at = 0, found = 0;
    do
        found += read_gap(s->gaps, &at);
    while (found < item && at < s->n_gap_bytes);
    return found == item;
}

bool sparse_bits_has(const sparse_bits *s, size_t item) {
    size_t at;
    uint64_t bits;
    if (s->gaps)
        return has_among_gaps(s, item);
    ARRAY_FIND_PLACE(at, s->n, s->words[at].index < item / 64);
    bits = at < s->n && s->words[at].index == item / 64 ? s->words[at].bits : s->others;
    return (bits & bit_of(item)) != 0;
}

typedef uint64_t (*word_rule)(uint64_t a, uint64_t b);

static uint64_t minus(uint64_t a, uint64_t b) {
    return a & ~b;
}

static uint64_t either(uint64_t a, uint64_t b) {
    return a | b;
}

/* --- two sets --- */

/* The words of what comes of two sets that differ from its others, in their order. */
typedef struct {
    word_reader a, b;
    word_rule rule;
    uint64_t others;
    size_t index; /* of the present word */
    uint64_t bits;
} word_merger;

static word_merger merge(const sparse_bits *a, const sparse_bits *b, word_rule rule) {
    return (word_merger){first_word(a), first_word(b), rule, rule(a->others, b->others), 0, 0};
}

static bool merge_word(word_merger *m) {
    word_reader *a = &m->a, *b = &m->b;
    while (!a->is_over || !b->is_over) {
        uint64_t mine;
        m->index = a->is_over || (!b->is_over && b->index < a->index) ? b->index : a->index;
        mine = take_word(a, m->index);
        m->bits = m->rule(mine, take_word(b, m->index));
        if (m->bits != m->others)
            return true;
    }
    return false;
}

/* What a set takes, by words and by gaps. */
typedef struct {
    size_t n_words, n_gap_bytes;
} set_size;

/* By gaps where the others are zeros: so each word has a number, and within it a gap takes one byte. */
static set_size measure(word_merger m) {
    set_size size = {0, 0};
    size_t last = 0;
    while (merge_word(&m)) {
        size.n_words++;
        if (m.others)
            continue;
        size.n_gap_bytes += gap_bytes(64 * m.index + (size_t)__builtin_ctzll(m.bits) - last);
        size.n_gap_bytes += (size_t)__builtin_popcountll(m.bits) - 1;
        last = 64 * m.index + 63 - (size_t)__builtin_clzll(m.bits);
    }
    return size;
}

static bool suits_gaps(const word_merger *m, const set_size *size) {
    return !m->others && size->n_words >= SPARSE_BITS_GAPS &&
           2 * size->n_gap_bytes <= size->n_words * sizeof(sparse_word);
}

static status make_words(word_merger m, const set_size *size, sparse_bits *out, error_info *err) {
    out->others = m.others;
    if (size->n_words > 0)
        CHECK(ARRAY_RESERVE(out->words, out->capacity, size->n_words, err));
    while (out->words && merge_word(&m))
        out->words[out->n++] = (sparse_word){m.index, m.bits};
    return STATUS_OK;
}

static status make_gaps(word_merger m, const set_size *size, sparse_bits *out, error_info *err) {
    size_t last = 0;
    CHECK_ALLOC(out->gaps = malloc(size->n_gap_bytes));
    while (merge_word(&m)) {
        for (uint64_t rest = m.bits; rest; rest &= rest - 1) {
            size_t item = 64 * m.index + (size_t)__builtin_ctzll(rest);
            write_gap(out->gaps, &out->n_gap_bytes, item - last);
            last = item;
        }
    }
    return STATUS_OK;
}

/* At least as many as the set's words. */
static size_t room_of(const sparse_bits *s) {
    return s->n + s->n_gap_bytes;
}

/* What is kept, unless it is small, takes just what it needs: room that is given back later leaves holes in the memory
 * of many sets. */
static status combine(sparse_bits *s, const sparse_bits *other, word_rule rule, bool is_kept, error_info *err) {
    sparse_bits out = {0};
    word_merger m = merge(s, other, rule);
    size_t room = room_of(s) + room_of(other);
    bool is_measured = is_kept && room >= SPARSE_BITS_GAPS;
    set_size size = is_measured ? measure(m) : (set_size){room, 0};
    CHECK(is_measured && suits_gaps(&m, &size) ? make_gaps(m, &size, &out, err) : make_words(m, &size, &out, err));
    sparse_bits_clear(s);
    *s = out;
    return STATUS_OK;
}

status sparse_bits_remove(sparse_bits *s, size_t item, error_info *err) {
    sparse_word word = {item / 64, bit_of(item)};
    return sparse_bits_subtract(s, &(sparse_bits){.n = 1, .words = &word}, err);
}

status sparse_bits_subtract(sparse_bits *s, const sparse_bits *less, error_info *err) {
    return combine(s, less, minus, false, err);
}

status sparse_bits_unite(sparse_bits *s, const sparse_bits *more, error_info *err) {
    return combine(s, more, either, true, err);
}

static uint64_t remove_of_word(sparse_word word, sparse_bits_rule *goes, const void *context) {
    uint64_t bits = word.bits;
    for (uint64_t rest = bits; rest; rest &= rest - 1) {
        size_t item = 64 * word.index + (size_t)__builtin_ctzll(rest);
        if (goes(context, item))
            bits ^= bit_of(item);
    }
    return bits;
}

void sparse_bits_remove_if(sparse_bits *s, sparse_bits_rule *goes, const void *context) {
    size_t n = 0;
    assert(!s->gaps);
    for (size_t i = 0; i < s->n; i++) {
        sparse_word word = {s->words[i].index, remove_of_word(s->words[i], goes, context)};
        if (word.bits)
            s->words[n++] = word;
    }
    s->n = n;
}

size_t sparse_bits_count(const sparse_bits *s, size_t bound) {
    size_t n_words = (bound + 63) / 64, count = 0;
    for (size_t i = 0; i < s->n; i++)
        count += (size_t)__builtin_popcountll(s->words[i].bits);
    for (size_t i = 0; i < s->n_gap_bytes; i++)
        count += s->gaps[i] < 0x80 ? 1 : 0;
    return s->others ? count + (n_words - s->n) * 64 : count;
}
