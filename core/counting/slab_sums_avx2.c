/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/slab_sums_avx2_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINED static inline __attribute__((always_inline))

enum { L = SLAB_LANES };

/* For sums of values, the lanes are in an order of their own, which takes few instructions: numbers come in pairs of
 * vectors, of which, as bytes, byte 8 j + i of the first is of lane 8 i + j, and of the second of lane 8 i + j + 4. */
typedef struct {
    __m256i first, second;
} vector_pair;

AVX2 INLINED __m256i with_ones(__m256i sum, const uint64_t *bits) {
    __m256i all = _mm256_srlv_epi64(_mm256_set1_epi64x((int64_t)*bits), _mm256_setr_epi64x(0, 1, 2, 3));
    return _mm256_or_si256(_mm256_add_epi8(sum, sum), _mm256_and_si256(all, _mm256_set1_epi8(0x11)));
}

/* Of at most four bits: of a pair, both in one, half a byte each. */
AVX2 INLINED __m256i spread_nibbles(const uint64_t *bits, size_t n_bits) {
    __m256i sum = _mm256_setzero_si256();
    switch (n_bits) {
    case 4:
        sum = with_ones(sum, bits + 3 * SLAB_WORDS);
        /* fall through */
    case 3:
        sum = with_ones(sum, bits + 2 * SLAB_WORDS);
        /* fall through */
    case 2:
        sum = with_ones(sum, bits + SLAB_WORDS);
        /* fall through */
    default:
        return with_ones(sum, bits);
    }
}

AVX2 INLINED vector_pair nibbles_of(__m256i both) {
    __m256i mask = _mm256_set1_epi8(0xF);
    return (vector_pair){_mm256_and_si256(both, mask), _mm256_and_si256(_mm256_srli_epi16(both, 4), mask)};
}

/* Of at most eight bits. */
AVX2 INLINED vector_pair spread_bytes(const uint64_t *bits, size_t n_bits) {
    vector_pair low = nibbles_of(spread_nibbles(bits, n_bits < 4 ? n_bits : 4));
    if (n_bits > 4) {
        __m256i mask = _mm256_set1_epi8((char)0xF0), high = spread_nibbles(bits + 4 * SLAB_WORDS, n_bits - 4);
        low.first = _mm256_or_si256(low.first, _mm256_and_si256(_mm256_slli_epi16(high, 4), mask));
        low.second = _mm256_or_si256(low.second, _mm256_and_si256(high, mask));
    }
    return low;
}

/* Two vectors of 16 bits from the bytes of one. */
AVX2 INLINED vector_pair words_of(__m256i low, __m256i high) {
    return (vector_pair){_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)};
}

AVX2 INLINED __m256i entries_16(const uint8_t *bytes, size_t i) {
    return _mm256_broadcastsi128_si256(_mm_load_si128((const void *)(bytes + i * 16)));
}

/* Numbers below 16, 32, or 64 as indices, which bits 4 and 5 split. */
typedef struct {
    __m256i index, fours, fives;
    size_t limit;
} byte_index;

AVX2 INLINED byte_index index_of(__m256i numbers, size_t limit) {
    return (byte_index){numbers, _mm256_slli_epi16(numbers, 3), _mm256_slli_epi16(numbers, 2), limit};
}

AVX2 INLINED __m256i look_bytes_up(const uint8_t *bytes, const byte_index *at) {
    __m256i low = _mm256_shuffle_epi8(entries_16(bytes, 0), at->index), high;
    if (at->limit > 16)
        low = _mm256_blendv_epi8(low, _mm256_shuffle_epi8(entries_16(bytes, 1), at->index), at->fours);
    if (at->limit <= 32)
        return low;
    high = _mm256_blendv_epi8(_mm256_shuffle_epi8(entries_16(bytes, 2), at->index),
                              _mm256_shuffle_epi8(entries_16(bytes, 3), at->index), at->fours);
    return _mm256_blendv_epi8(low, high, at->fives);
}

AVX2 INLINED vector_pair look_words_up(const slab_bytes *from, const byte_index *at) {
    return words_of(look_bytes_up(from->low, at), look_bytes_up(from->high, at));
}

typedef struct {
    __m256i narrow[4]; /* of small strata: words */
    size_t n_terms;    /* of each */
    __m256i wide[8];   /* what went before, and those of larger strata: of even words and of odd ones in turn */
} sums;

AVX2 INLINED void add_wide(__m256i wide[4], vector_pair words, int sign) {
    __m256i even = _mm256_set1_epi32(sign & 0xFFFF), odd = _mm256_slli_epi32(even, 16);
    wide[0] = _mm256_add_epi32(wide[0], _mm256_madd_epi16(words.first, even));
    wide[1] = _mm256_add_epi32(wide[1], _mm256_madd_epi16(words.first, odd));
    wide[2] = _mm256_add_epi32(wide[2], _mm256_madd_epi16(words.second, even));
    wide[3] = _mm256_add_epi32(wide[3], _mm256_madd_epi16(words.second, odd));
}

AVX2 INLINED void add_narrow(__m256i narrow[2], vector_pair words, int sign) {
    narrow[0] = sign > 0 ? _mm256_add_epi16(narrow[0], words.first) : _mm256_sub_epi16(narrow[0], words.first);
    narrow[1] = sign > 0 ? _mm256_add_epi16(narrow[1], words.second) : _mm256_sub_epi16(narrow[1], words.second);
}

AVX2 INLINED void widen(sums *s) {
    for (size_t i = 0; i < 2; i++)
        add_wide(s->wide + 4 * i, (vector_pair){s->narrow[2 * i], s->narrow[2 * i + 1]}, 1);
    memset(s->narrow, 0, sizeof s->narrow);
    s->n_terms = 0;
}

AVX2 INLINED void make_room(sums *s, size_t n_terms) {
    if (s->n_terms + n_terms > SLAB_MOST_TERMS)
        widen(s);
    s->n_terms += n_terms;
}

/* Of counts below `limit`. */
AVX2 INLINED void add_small(sums *s, const slab_bytes *from, vector_pair counts, size_t limit, int sign) {
    byte_index first = index_of(counts.first, limit), second = index_of(counts.second, limit);
    add_narrow(s->narrow, look_words_up(from, &first), sign);
    add_narrow(s->narrow + 2, look_words_up(from, &second), sign);
}

/* Of fewer than sixteen rows. */
AVX2 INLINED const uint64_t *add_few(sums *s, const slab_values *v, const uint64_t *bits, const uint32_t *tallies,
                                     size_t n_cells, size_t r) {
    __m256i margins[SLAB_MOST_STATES];
    for (size_t k = 0; k < r; k++)
        margins[k] = _mm256_setzero_si256();
    for (size_t i = 0; i < n_cells; i++) {
        size_t n_bits = slab_bits_of(tallies[i]);
        __m256i rest = _mm256_set1_epi8((char)(tallies[i] * 0x11));
        make_room(s, r);
        for (size_t k = 0; k + 1 < r; k++) {
            __m256i counts = spread_nibbles(bits, n_bits);
            bits += n_bits * SLAB_WORDS;
            margins[k] = _mm256_add_epi8(margins[k], counts);
            rest = _mm256_sub_epi8(rest, counts);
            add_small(s, &v->cell.small_bytes, nibbles_of(counts), 16, 1);
        }
        margins[r - 1] = _mm256_add_epi8(margins[r - 1], rest);
        add_small(s, &v->cell.small_bytes, nibbles_of(rest), 16, 1);
    }
    make_room(s, r);
    for (size_t k = 0; k < r; k++)
        add_small(s, &v->row.small_bytes, nibbles_of(margins[k]), 16, -1);
    return bits;
}

AVX2 INLINED vector_pair add_bytes(vector_pair a, vector_pair b) {
    return (vector_pair){_mm256_add_epi8(a.first, b.first), _mm256_add_epi8(a.second, b.second)};
}

AVX2 INLINED vector_pair subtract_bytes(vector_pair a, vector_pair b) {
    return (vector_pair){_mm256_sub_epi8(a.first, b.first), _mm256_sub_epi8(a.second, b.second)};
}

/* Of at most `limit` - 1 rows. */
AVX2 INLINED void add_small_cell(sums *s, const slab_values *v, const uint64_t *bits, uint32_t tally, size_t r,
                                 vector_pair *margins, size_t limit) {
    size_t n_bits = slab_bits_of(tally);
    __m256i all = _mm256_set1_epi8((char)tally);
    vector_pair rest = {all, all};
    for (size_t k = 0; k + 1 < r; k++) {
        vector_pair counts = spread_bytes(bits + k * n_bits * SLAB_WORDS, n_bits);
        margins[k] = add_bytes(margins[k], counts);
        rest = subtract_bytes(rest, counts);
        add_small(s, &v->cell.small_bytes, counts, limit, 1);
    }
    margins[r - 1] = add_bytes(margins[r - 1], rest);
    add_small(s, &v->cell.small_bytes, rest, limit, 1);
}

AVX2 INLINED const uint64_t *add_small_stratum(sums *s, const slab_values *v, const uint64_t *bits,
                                               const uint32_t *tallies, size_t n_cells, size_t r) {
    vector_pair margins[SLAB_MOST_STATES];
    memset(margins, 0, r * sizeof *margins);
    for (size_t i = 0; i < n_cells; i++) {
        make_room(s, r);
        if (tallies[i] < 16)
            add_small_cell(s, v, bits, tallies[i], r, margins, 16);
        else if (tallies[i] < 32)
            add_small_cell(s, v, bits, tallies[i], r, margins, 32);
        else
            add_small_cell(s, v, bits, tallies[i], r, margins, 64);
        bits += (r - 1) * slab_bits_of(tallies[i]) * SLAB_WORDS;
    }
    make_room(s, r);
    for (size_t k = 0; k < r; k++)
        add_small(s, &v->row.small_bytes, margins[k], 64, -1);
    return bits;
}

/* A larger stratum: its cells of few rows are bytes, the others are words; all as pairs, of the lanes of each byte. */
typedef struct {
    vector_pair first, second;
} word_pairs;

AVX2 INLINED vector_pair add_words(vector_pair a, vector_pair b) {
    return (vector_pair){_mm256_add_epi16(a.first, b.first), _mm256_add_epi16(a.second, b.second)};
}

AVX2 INLINED vector_pair subtract_words(vector_pair a, vector_pair b) {
    return (vector_pair){_mm256_sub_epi16(a.first, b.first), _mm256_sub_epi16(a.second, b.second)};
}

/* See slab_values_at. */
AVX2 INLINED __m256i value_on_line(const slab_values *v, __m256i counts, __m256i from, __m256i slope) {
    __m128i shift = _mm_cvtsi32_si128(15 - (int)v->shift);
    __m256i rest = _mm256_and_si256(_mm256_sll_epi16(counts, shift), _mm256_set1_epi16(0x7FFF));
    return _mm256_add_epi16(from, _mm256_mulhi_epi16(slope, rest));
}

AVX2 INLINED __m256i choose_exact(__m256i counts, __m256i exact, __m256i line) {
    return _mm256_blendv_epi8(line, exact, _mm256_cmpgt_epi16(_mm256_set1_epi16(SLAB_EXACT), counts));
}

/* `limit`: of the counts' first bits. */
AVX2 INLINED vector_pair large_values(const slab_values *v, const slab_function *f, vector_pair counts, size_t limit) {
    __m128i shift = _mm_cvtsi32_si128((int)v->shift);
    byte_index low = index_of(_mm256_packus_epi16(counts.first, counts.second), SLAB_EXACT);
    byte_index high = index_of(
        _mm256_packus_epi16(_mm256_srl_epi16(counts.first, shift), _mm256_srl_epi16(counts.second, shift)), limit);
    vector_pair exact = look_words_up(&f->exact_bytes, &low), from = look_words_up(&f->from_bytes, &high),
                slope = look_words_up(&f->slope_bytes, &high);
    return (vector_pair){
        choose_exact(counts.first, exact.first, value_on_line(v, counts.first, from.first, slope.first)),
        choose_exact(counts.second, exact.second, value_on_line(v, counts.second, from.second, slope.second))};
}

AVX2 INLINED void add_large(sums *s, const slab_values *v, const slab_function *f, const word_pairs *counts,
                            size_t limit, int sign) {
    add_wide(s->wide, large_values(v, f, counts->first, limit), sign);
    add_wide(s->wide + 4, large_values(v, f, counts->second, limit), sign);
}

AVX2 INLINED word_pairs spread_words(const uint64_t *bits, size_t n_bits) {
    vector_pair low = spread_bytes(bits, n_bits < 8 ? n_bits : 8), high = {_mm256_setzero_si256()};
    if (n_bits > 8)
        high = nibbles_of(spread_nibbles(bits + 8 * SLAB_WORDS, n_bits - 8));
    return (word_pairs){words_of(low.first, high.first), words_of(low.second, high.second)};
}

AVX2 INLINED void add_large_cell(sums *s, const slab_values *v, const uint64_t *bits, uint32_t tally, size_t r,
                                 word_pairs *margins, size_t limit) {
    size_t n_bits = slab_bits_of(tally);
    __m256i all = _mm256_set1_epi16((short)tally);
    word_pairs rest = {{all, all}, {all, all}};
    for (size_t k = 0; k + 1 < r; k++) {
        word_pairs counts = spread_words(bits + k * n_bits * SLAB_WORDS, n_bits);
        margins[k] =
            (word_pairs){add_words(margins[k].first, counts.first), add_words(margins[k].second, counts.second)};
        rest = (word_pairs){subtract_words(rest.first, counts.first), subtract_words(rest.second, counts.second)};
        add_large(s, v, &v->cell, &counts, limit, 1);
    }
    margins[r - 1] =
        (word_pairs){add_words(margins[r - 1].first, rest.first), add_words(margins[r - 1].second, rest.second)};
    add_large(s, v, &v->cell, &rest, limit, 1);
}

AVX2 INLINED void add_exact(sums *s, const slab_values *v, vector_pair counts, word_pairs *margin, size_t limit) {
    __m256i zero = _mm256_setzero_si256();
    byte_index first = index_of(counts.first, limit), second = index_of(counts.second, limit);
    margin->first = add_words(margin->first, words_of(counts.first, zero));
    margin->second = add_words(margin->second, words_of(counts.second, zero));
    add_wide(s->wide, look_words_up(&v->cell.exact_bytes, &first), 1);
    add_wide(s->wide + 4, look_words_up(&v->cell.exact_bytes, &second), 1);
}

AVX2 INLINED void add_exact_cell(sums *s, const slab_values *v, const uint64_t *bits, uint32_t tally, size_t r,
                                 word_pairs *margins, size_t limit) {
    size_t n_bits = slab_bits_of(tally);
    __m256i all = _mm256_set1_epi8((char)tally);
    vector_pair rest = {all, all};
    for (size_t k = 0; k + 1 < r; k++) {
        vector_pair counts = spread_bytes(bits + k * n_bits * SLAB_WORDS, n_bits);
        rest = subtract_bytes(rest, counts);
        add_exact(s, v, counts, &margins[k], limit);
    }
    add_exact(s, v, rest, &margins[r - 1], limit);
}

AVX2 INLINED const uint64_t *add_large_stratum(sums *s, const slab_values *v, const uint64_t *bits,
                                               const uint32_t *tallies, size_t n_cells, uint32_t rows, size_t r) {
    word_pairs margins[SLAB_MOST_STATES];
    memset(margins, 0, r * sizeof *margins);
    for (size_t i = 0; i < n_cells; i++) {
        if (tallies[i] < 16)
            add_exact_cell(s, v, bits, tallies[i], r, margins, 16);
        else if (tallies[i] < 32)
            add_exact_cell(s, v, bits, tallies[i], r, margins, 32);
        else if (tallies[i] < 64)
            add_exact_cell(s, v, bits, tallies[i], r, margins, 64);
        else if (tallies[i] >> v->shift < 16)
            add_large_cell(s, v, bits, tallies[i], r, margins, 16);
        else
            add_large_cell(s, v, bits, tallies[i], r, margins, 64);
        bits += (r - 1) * slab_bits_of(tallies[i]) * SLAB_WORDS;
    }
    for (size_t k = 0; k < r; k++) {
        if (rows >> v->shift < 16)
            add_large(s, v, &v->row, &margins[k], 16, -1);
        else
            add_large(s, v, &v->row, &margins[k], 64, -1);
    }
    return bits;
}

/* See vector_pair. */
INLINED void store_wide(const int32_t *wide, int32_t *out) {
    for (size_t k = 0; k < L; k++)
        out[k % 4 * 16 + k / 8 % 2 * 8 + k / 32 * 4 + k / 4 % 2 * 2 + k / 16 % 2] = wide[k];
}

AVX2 INLINED void sum_values_of(const slab_strata *t, size_t r, const slab_values *v, int32_t *out) {
    sums s = {0};
    const uint64_t *bits = t->bits;
    for (size_t i = 0; i < t->n_strata; i++) {
        const uint32_t *tallies = t->tallies + (t->starts[i] - t->starts[0]);
        size_t n_cells = t->starts[i + 1] - t->starts[i];
        if (t->rows[i] < 16)
            bits = add_few(&s, v, bits, tallies, n_cells, r);
        else if (t->rows[i] < SLAB_EXACT)
            bits = add_small_stratum(&s, v, bits, tallies, n_cells, r);
        else
            bits = add_large_stratum(&s, v, bits, tallies, n_cells, t->rows[i], r);
    }
    widen(&s);
    store_wide((const int32_t *)s.wide, out);
}

AVX2 void slab_sums_avx2(const slab_strata *t, const slab_values *v, int32_t *out) {
    switch (t->r) {
    case 2:
        sum_values_of(t, 2, v, out);
        break;
    case 3:
        sum_values_of(t, 3, v, out);
        break;
    default:
        sum_values_of(t, t->r, v, out);
    }
}

#endif
