/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/slab_sums_avx2_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINED static inline __attribute__((always_inline))

enum { L = SLAB_LANES };

/* The lanes are in an order of their own, which takes few instructions: numbers come in pairs of vectors, of which, as
 * bytes, byte 8 j + i of the first is of lane 8 i + j, and of the second that of lane 8 i + j + 4. */
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
    vector_pair sums = nibbles_of(spread_nibbles(bits, n_bits < 4 ? n_bits : 4));
    if (n_bits > 4) {
        __m256i mask = _mm256_set1_epi8((char)0xF0), high = spread_nibbles(bits + 4 * SLAB_WORDS, n_bits - 4);
        sums.first = _mm256_or_si256(sums.first, _mm256_and_si256(_mm256_slli_epi16(high, 4), mask));
        sums.second = _mm256_or_si256(sums.second, _mm256_and_si256(high, mask));
    }
    return sums;
}

/* Two vectors of 16 bits from the bytes of one. */
AVX2 INLINED vector_pair words_of(__m256i low, __m256i high) {
    return (vector_pair){_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)};
}

AVX2 INLINED vector_pair add_bytes(vector_pair a, vector_pair b) {
    return (vector_pair){_mm256_add_epi8(a.first, b.first), _mm256_add_epi8(a.second, b.second)};
}

AVX2 INLINED vector_pair subtract_bytes(vector_pair a, vector_pair b) {
    return (vector_pair){_mm256_sub_epi8(a.first, b.first), _mm256_sub_epi8(a.second, b.second)};
}

AVX2 INLINED vector_pair add_words(vector_pair a, vector_pair b) {
    return (vector_pair){_mm256_add_epi16(a.first, b.first), _mm256_add_epi16(a.second, b.second)};
}

AVX2 INLINED vector_pair subtract_words(vector_pair a, vector_pair b) {
    return (vector_pair){_mm256_sub_epi16(a.first, b.first), _mm256_sub_epi16(a.second, b.second)};
}

/* --- looking up --- */

/* Below 16, 32, or 64, which is `limit`. */
typedef struct {
    __m256i index, fours, fives; /* bits 4 and 5 are the first of these */
    uint32_t limit;
} byte_index;

AVX2 INLINED byte_index index_of(__m256i numbers, uint32_t limit) {
    return (byte_index){numbers, _mm256_slli_epi16(numbers, 3), _mm256_slli_epi16(numbers, 2), limit};
}

AVX2 INLINED __m256i sixteen(const uint8_t *bytes, size_t k, __m256i index) {
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_load_si128((const void *)(bytes + k * 16))), index);
}

AVX2 INLINED __m256i look_bytes_up(const uint8_t *bytes, const byte_index *at) {
    __m256i low = sixteen(bytes, 0, at->index), high;
    if (at->limit > 16)
        low = _mm256_blendv_epi8(low, sixteen(bytes, 1, at->index), at->fours);
    if (at->limit <= 32)
        return low;
    high = _mm256_blendv_epi8(sixteen(bytes, 2, at->index), sixteen(bytes, 3, at->index), at->fours);
    return _mm256_blendv_epi8(low, high, at->fives);
}

AVX2 INLINED vector_pair look_up(const slab_bytes *from, __m256i numbers, uint32_t limit) {
    byte_index at = index_of(numbers, limit);
    return words_of(look_bytes_up(from->low, &at), look_bytes_up(from->high, &at));
}

/* --- sums --- */

typedef struct {
    const slab_values *values;
    size_t r;
    vector_pair narrow[2]; /* of small strata, in 16 bits */
    size_t n_terms;        /* of each */
    __m256i wide[8];       /* of larger strata, and what went before: of even words and of odd ones in turn */
    int32_t of_all;        /* what all lanes have */
} sums;

AVX2 INLINED void add_wide(__m256i wide[4], vector_pair words, int sign) {
    __m256i even = _mm256_set1_epi32(sign & 0xFFFF), odd = _mm256_slli_epi32(even, 16);
    wide[0] = _mm256_add_epi32(wide[0], _mm256_madd_epi16(words.first, even));
    wide[1] = _mm256_add_epi32(wide[1], _mm256_madd_epi16(words.first, odd));
    wide[2] = _mm256_add_epi32(wide[2], _mm256_madd_epi16(words.second, even));
    wide[3] = _mm256_add_epi32(wide[3], _mm256_madd_epi16(words.second, odd));
}

AVX2 INLINED void widen(sums *s) {
    for (size_t i = 0; i < 2; i++) {
        add_wide(s->wide + 4 * i, s->narrow[i], 1);
        s->narrow[i].first = s->narrow[i].second = _mm256_setzero_si256();
    }
    s->n_terms = 0;
}

AVX2 INLINED void make_room(sums *s, size_t n_terms) {
    if (s->n_terms + n_terms > SLAB_MOST_TERMS)
        widen(s);
    s->n_terms += n_terms;
}

AVX2 INLINED void add_small(sums *s, const slab_bytes *from, vector_pair counts, uint32_t limit) {
    s->narrow[0] = add_words(s->narrow[0], look_up(from, counts.first, limit));
    s->narrow[1] = add_words(s->narrow[1], look_up(from, counts.second, limit));
}

AVX2 INLINED void subtract_small(sums *s, const slab_bytes *from, vector_pair counts, uint32_t limit) {
    s->narrow[0] = subtract_words(s->narrow[0], look_up(from, counts.first, limit));
    s->narrow[1] = subtract_words(s->narrow[1], look_up(from, counts.second, limit));
}

/* The cells of a stratum. */
typedef struct {
    const uint64_t *bits;
    const uint32_t *tallies;
    size_t n;
    uint32_t rows;
} stratum;

/* --- of fewer than sixteen rows: counts are half bytes --- */

AVX2 INLINED void add_few(sums *s, const slab_bytes *from, const uint64_t *bits, uint32_t tally, __m256i *margins) {
    size_t n_bits = slab_bits_of(tally);
    __m256i rest = _mm256_set1_epi8((char)(tally * 0x11));
    for (size_t k = 0; k < s->r; k++, bits += n_bits * SLAB_WORDS) {
        __m256i counts = k + 1 < s->r ? spread_nibbles(bits, n_bits) : rest;
        rest = _mm256_sub_epi8(rest, counts);
        margins[k] = _mm256_add_epi8(margins[k], counts);
        add_small(s, from, nibbles_of(counts), 16);
    }
}

/* A row, which gives the same whatever its state is. */
AVX2 INLINED void add_one(sums *s, const uint64_t *bits, __m256i *margins) {
    __m256i rest = _mm256_set1_epi8(0x11);
    for (size_t k = 0; k < s->r; k++, bits += SLAB_WORDS) {
        __m256i counts = k + 1 < s->r ? spread_nibbles(bits, 1) : rest;
        rest = _mm256_sub_epi8(rest, counts);
        margins[k] = _mm256_add_epi8(margins[k], counts);
    }
    s->of_all += s->values->cell.small[1] + (int32_t)(s->r - 1) * s->values->cell.small[0];
}

AVX2 INLINED void add_stratum_of_few(sums *s, const stratum *t) {
    const slab_values *v = s->values;
    const slab_bytes *from = t->n == 1 ? &v->alone_bytes : &v->cell.small_bytes;
    const uint64_t *bits = t->bits;
    __m256i margins[SLAB_MOST_STATES];
    for (size_t k = 0; k < s->r; k++)
        margins[k] = _mm256_setzero_si256();
    for (size_t i = 0; i < t->n; i++) {
        make_room(s, i + 1 < t->n ? s->r : 2 * s->r);
        if (t->n > 1 && t->tallies[i] == 1)
            add_one(s, bits, margins);
        else
            add_few(s, from, bits, t->tallies[i], margins);
        bits += (s->r - 1) * slab_bits_of(t->tallies[i]) * SLAB_WORDS;
    }
    for (size_t k = 0; k < s->r && t->n > 1; k++)
        subtract_small(s, &v->row.small_bytes, nibbles_of(margins[k]), 16);
}

/* --- of fewer than sixty-four: counts are bytes --- */

AVX2 INLINED void add_some(sums *s, const slab_bytes *from, const uint64_t *bits, uint32_t tally, vector_pair *margins,
                           uint32_t limit) {
    size_t n_bits = limit == 16 ? slab_bits_of(tally) : limit == 32 ? 5 : 6;
    __m256i all = _mm256_set1_epi8((char)tally);
    vector_pair rest = {all, all};
    for (size_t k = 0; k < s->r; k++, bits += n_bits * SLAB_WORDS) {
        vector_pair counts = k + 1 < s->r ? spread_bytes(bits, n_bits) : rest;
        rest = subtract_bytes(rest, counts);
        margins[k] = add_bytes(margins[k], counts);
        add_small(s, from, counts, limit);
    }
}

AVX2 INLINED void add_stratum_of_some(sums *s, const stratum *t) {
    const slab_values *v = s->values;
    const slab_bytes *from = t->n == 1 ? &v->alone_bytes : &v->cell.small_bytes;
    const uint64_t *bits = t->bits;
    __m256i zero = _mm256_setzero_si256();
    vector_pair margins[SLAB_MOST_STATES];
    for (size_t k = 0; k < s->r; k++)
        margins[k] = (vector_pair){zero, zero};
    for (size_t i = 0; i < t->n; i++) {
        make_room(s, i + 1 < t->n ? s->r : 2 * s->r);
        if (t->tallies[i] < 16)
            add_some(s, from, bits, t->tallies[i], margins, 16);
        else if (t->tallies[i] < 32)
            add_some(s, from, bits, t->tallies[i], margins, 32);
        else
            add_some(s, from, bits, t->tallies[i], margins, 64);
        bits += (s->r - 1) * slab_bits_of(t->tallies[i]) * SLAB_WORDS;
    }
    for (size_t k = 0; k < s->r && t->n > 1; k++)
        subtract_small(s, &v->row.small_bytes, margins[k], SLAB_EXACT);
}

/* --- of more: cells of fewer than sixty-four are bytes, others are words --- */

/* By half of the lanes. */
typedef struct {
    vector_pair half[2];
} word_pairs;

/* See slab_values_at. */
AVX2 INLINED __m256i value_on_line(__m256i counts, __m256i from, __m256i slope, __m128i rest_shift) {
    __m256i rest = _mm256_and_si256(_mm256_sll_epi16(counts, rest_shift), _mm256_set1_epi16(0x7FFF));
    return _mm256_add_epi16(from, _mm256_mulhi_epi16(slope, rest));
}

AVX2 INLINED __m256i choose_exact(__m256i counts, __m256i exact, __m256i line) {
    return _mm256_blendv_epi8(line, exact, _mm256_cmpgt_epi16(_mm256_set1_epi16(SLAB_EXACT), counts));
}

/* `limit` is of the first bits of the counts. Counts without an entry in `exact` find anything there. */
AVX2 INLINED vector_pair large_values(const slab_function *f, vector_pair counts, uint32_t shift, uint32_t limit) {
    __m128i by = _mm_cvtsi32_si128((int)shift), rest_by = _mm_cvtsi32_si128(15 - (int)shift);
    __m256i low = _mm256_packus_epi16(counts.first, counts.second);
    __m256i high = _mm256_packus_epi16(_mm256_srl_epi16(counts.first, by), _mm256_srl_epi16(counts.second, by));
    vector_pair exact = look_up(&f->exact_bytes, low, SLAB_EXACT), from = look_up(&f->from_bytes, high, limit),
                slope = look_up(&f->slope_bytes, high, limit);
    __m256i first = value_on_line(counts.first, from.first, slope.first, rest_by);
    __m256i second = value_on_line(counts.second, from.second, slope.second, rest_by);
    return (vector_pair){choose_exact(counts.first, exact.first, first),
                         choose_exact(counts.second, exact.second, second)};
}

/* Of counts of at most `most`. */
AVX2 static void add_large(sums *s, const slab_function *f, const word_pairs *counts, uint32_t most, int sign) {
    uint32_t shift = s->values->shift;
    if (most >> shift < 16) {
        for (size_t h = 0; h < 2; h++)
            add_wide(s->wide + 4 * h, large_values(f, counts->half[h], shift, 16), sign);
    } else {
        for (size_t h = 0; h < 2; h++)
            add_wide(s->wide + 4 * h, large_values(f, counts->half[h], shift, 64), sign);
    }
}

AVX2 INLINED word_pairs spread_words(const uint64_t *bits, size_t n_bits) {
    vector_pair low = spread_bytes(bits, n_bits < 8 ? n_bits : 8), high = {_mm256_setzero_si256()};
    high.second = high.first;
    if (n_bits > 8)
        high = nibbles_of(spread_nibbles(bits + 8 * SLAB_WORDS, n_bits - 8));
    return (word_pairs){{words_of(low.first, high.first), words_of(low.second, high.second)}};
}

AVX2 static void add_many(sums *s, const uint64_t *bits, uint32_t tally, word_pairs *margins) {
    size_t n_bits = slab_bits_of(tally);
    __m256i all = _mm256_set1_epi16((short)tally);
    word_pairs rest = {{{all, all}, {all, all}}};
    for (size_t k = 0; k < s->r; k++, bits += n_bits * SLAB_WORDS) {
        word_pairs counts = k + 1 < s->r ? spread_words(bits, n_bits) : rest;
        for (size_t h = 0; h < 2; h++) {
            rest.half[h] = subtract_words(rest.half[h], counts.half[h]);
            margins[k].half[h] = add_words(margins[k].half[h], counts.half[h]);
        }
        add_large(s, &s->values->cell, &counts, tally, 1);
    }
}

AVX2 INLINED void add_exact(sums *s, const uint64_t *bits, uint32_t tally, word_pairs *margins, uint32_t limit) {
    size_t n_bits = limit == 16 ? slab_bits_of(tally) : limit == 32 ? 5 : 6;
    __m256i all = _mm256_set1_epi8((char)tally), zero = _mm256_setzero_si256();
    vector_pair rest = {all, all};
    for (size_t k = 0; k < s->r; k++, bits += n_bits * SLAB_WORDS) {
        vector_pair counts = k + 1 < s->r ? spread_bytes(bits, n_bits) : rest;
        rest = subtract_bytes(rest, counts);
        margins[k].half[0] = add_words(margins[k].half[0], words_of(counts.first, zero));
        margins[k].half[1] = add_words(margins[k].half[1], words_of(counts.second, zero));
        add_wide(s->wide, look_up(&s->values->cell.exact_bytes, counts.first, limit), 1);
        add_wide(s->wide + 4, look_up(&s->values->cell.exact_bytes, counts.second, limit), 1);
    }
}

AVX2 static void add_stratum_of_many(sums *s, const stratum *t) {
    const uint64_t *bits = t->bits;
    __m256i zero = _mm256_setzero_si256();
    word_pairs margins[SLAB_MOST_STATES];
    for (size_t k = 0; k < s->r; k++)
        margins[k] = (word_pairs){{{zero, zero}, {zero, zero}}};
    for (size_t i = 0; i < t->n; i++) {
        if (t->tallies[i] < 16)
            add_exact(s, bits, t->tallies[i], margins, 16);
        else if (t->tallies[i] < 32)
            add_exact(s, bits, t->tallies[i], margins, 32);
        else if (t->tallies[i] < 64)
            add_exact(s, bits, t->tallies[i], margins, 64);
        else
            add_many(s, bits, t->tallies[i], margins);
        bits += (s->r - 1) * slab_bits_of(t->tallies[i]) * SLAB_WORDS;
    }
    for (size_t k = 0; k < s->r; k++)
        add_large(s, &s->values->row, &margins[k], t->rows, -1);
}

/* --- all --- */

AVX2 INLINED void store_two(__m256i pairs, int32_t *out) {
    __m256i lanes = _mm256_permute4x64_epi64(pairs, 0xD8);
    _mm_store_si128((void *)out, _mm256_castsi256_si128(lanes));
    _mm_store_si128((void *)(out + 16), _mm256_extracti128_si256(lanes, 1));
}

/* In order of the lanes: four of each eight from each half. */
AVX2 INLINED void store(const sums *s, int32_t *out) {
    __m256i all = _mm256_set1_epi32(s->of_all);
    for (size_t k = 0; k < 4; k++) {
        const __m256i *wide = s->wide + k / 2 * 4 + k % 2;
        int32_t *at = out + k % 2 * 8 + k / 2 * 4;
        __m256i a = _mm256_add_epi32(wide[0], all), b = _mm256_add_epi32(wide[2], all);
        store_two(_mm256_unpacklo_epi32(a, b), at);
        store_two(_mm256_unpackhi_epi32(a, b), at + 32);
    }
}

static const uint64_t *end_of(const stratum *t, size_t r) {
    size_t n_bits = 0;
    for (size_t i = 0; i < t->n; i++)
        n_bits += slab_bits_of(t->tallies[i]);
    return t->bits + n_bits * (r - 1) * SLAB_WORDS;
}

AVX2 void slab_sums_avx2(const slab_strata *t, const slab_values *v, int32_t *out) {
    sums s = {.values = v, .r = t->r};
    stratum at = {.bits = t->bits};
    for (size_t i = 0; i < t->n_strata; i++) {
        at.tallies = t->tallies + (t->starts[i] - t->starts[0]);
        at.n = t->starts[i + 1] - t->starts[i];
        at.rows = t->rows[i];
        if (at.rows < 16)
            add_stratum_of_few(&s, &at);
        else if (at.rows < SLAB_EXACT)
            add_stratum_of_some(&s, &at);
        else
            add_stratum_of_many(&s, &at);
        at.bits = end_of(&at, s.r);
    }
    widen(&s);
    store(&s, out);
}

#endif
