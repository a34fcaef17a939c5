/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sixty-four lanes at once. Counts come as bits of all lanes and become bytes; values are words.
 */
#include "core/counting/slab_sums_avx512_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define INLINED static inline __attribute__((always_inline))
#define AVX512BW __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))

enum { BYTE = 8 };

/* --- bytes --- */

AVX512BW INLINED __m512i with_mask(__m512i sum, const uint64_t *bits, size_t i) {
    return _mm512_mask_add_epi8(sum, bits[i * SLAB_WORDS], sum, _mm512_set1_epi8((char)(1 << i)));
}

/* Numbers of n_bits (1 to BYTE) bits, by lane. */
AVX512BW INLINED __m512i spread(const uint64_t *bits, size_t n_bits) {
    __m512i sum = _mm512_maskz_mov_epi8(bits[0], _mm512_set1_epi8(1));
    switch (n_bits) {
    case 8:
        sum = with_mask(sum, bits, 7);
        /* fall through */
    case 7:
        sum = with_mask(sum, bits, 6);
        /* fall through */
    case 6:
        sum = with_mask(sum, bits, 5);
        /* fall through */
    case 5:
        sum = with_mask(sum, bits, 4);
        /* fall through */
    case 4:
        sum = with_mask(sum, bits, 3);
        /* fall through */
    case 3:
        sum = with_mask(sum, bits, 2);
        /* fall through */
    case 2:
        sum = with_mask(sum, bits, 1);
        /* fall through */
    default:
        return sum;
    }
}

/* --- words --- */

/* Of all lanes, in the order that unpacking leaves: the first and the last eight of each sixteen. */
typedef struct {
    __m512i low, high;
} words;

AVX512BW INLINED words words_of(__m512i low_bytes, __m512i high_bytes) {
    return (words){_mm512_unpacklo_epi8(low_bytes, high_bytes), _mm512_unpackhi_epi8(low_bytes, high_bytes)};
}

AVX512BW INLINED words add(words a, words b) {
    return (words){_mm512_add_epi16(a.low, b.low), _mm512_add_epi16(a.high, b.high)};
}

AVX512BW INLINED words subtract(words a, words b) {
    return (words){_mm512_sub_epi16(a.low, b.low), _mm512_sub_epi16(a.high, b.high)};
}

/* The entry of sixty-four that the last six bits of each index tell. */
AVX512BW INLINED __m512i look_up(const int16_t *entries, __m512i index) {
    return _mm512_permutex2var_epi16(_mm512_load_si512(entries), index, _mm512_load_si512(entries + 32));
}

/* Sums of 32 bits, of four lanes of each sixteen in turn. */
typedef struct {
    __m512i of[4];
} sums;

/* Adds a sign times two values. */
AVX512BW INLINED void add_two(sums *s, words a, words b, int sign) {
    const __m512i signs = _mm512_set1_epi16((short)sign);
    s->of[0] = _mm512_add_epi32(s->of[0], _mm512_madd_epi16(_mm512_unpacklo_epi16(a.low, b.low), signs));
    s->of[1] = _mm512_add_epi32(s->of[1], _mm512_madd_epi16(_mm512_unpackhi_epi16(a.low, b.low), signs));
    s->of[2] = _mm512_add_epi32(s->of[2], _mm512_madd_epi16(_mm512_unpacklo_epi16(a.high, b.high), signs));
    s->of[3] = _mm512_add_epi32(s->of[3], _mm512_madd_epi16(_mm512_unpackhi_epi16(a.high, b.high), signs));
}

AVX512BW INLINED void add_one(sums *s, words a, int sign) {
    add_two(s, a, (words){_mm512_setzero_si512(), _mm512_setzero_si512()}, sign);
}

/* In the order of the lanes. */
AVX512BW INLINED void store(const sums *s, int32_t *out) {
    __m512i first[2], last[2]; /* by half of each sixteen lanes: those of the first two sixteens, and of the last two */
    for (size_t h = 0; h < 2; h++) {
        first[h] = _mm512_shuffle_i32x4(s->of[2 * h], s->of[2 * h + 1], 0x44);
        last[h] = _mm512_shuffle_i32x4(s->of[2 * h], s->of[2 * h + 1], 0xEE);
    }
    _mm512_store_si512(out, _mm512_shuffle_i32x4(first[0], first[1], 0x88));
    _mm512_store_si512(out + 16, _mm512_shuffle_i32x4(first[0], first[1], 0xDD));
    _mm512_store_si512(out + 32, _mm512_shuffle_i32x4(last[0], last[1], 0x88));
    _mm512_store_si512(out + 48, _mm512_shuffle_i32x4(last[0], last[1], 0xDD));
}

/* --- strata of few rows --- */

/* Counts are bytes. Those of even lanes and of odd ones are looked up in turn, and summed in words. */
typedef struct {
    __m512i even, odd;
    size_t n_terms; /* of each */
} small_sums;

AVX512BW INLINED void widen(small_sums *small, sums *s) {
    add_one(s, (words){_mm512_unpacklo_epi16(small->even, small->odd), _mm512_unpackhi_epi16(small->even, small->odd)},
            1);
    small->even = small->odd = _mm512_setzero_si512();
    small->n_terms = 0;
}

AVX512BW INLINED void make_room(small_sums *small, size_t n_terms, sums *s) {
    if (small->n_terms + n_terms > SLAB_MOST_TERMS)
        widen(small, s);
    small->n_terms += n_terms;
}

AVX512BW INLINED void add_small(small_sums *small, const int16_t *entries, __m512i counts) {
    small->even = _mm512_add_epi16(small->even, look_up(entries, counts));
    small->odd = _mm512_add_epi16(small->odd, look_up(entries, _mm512_srli_epi16(counts, BYTE)));
}

AVX512BW INLINED void subtract_small(small_sums *small, const int16_t *entries, __m512i counts) {
    small->even = _mm512_sub_epi16(small->even, look_up(entries, counts));
    small->odd = _mm512_sub_epi16(small->odd, look_up(entries, _mm512_srli_epi16(counts, BYTE)));
}

/* A stratum of one cell, which is its margin. */
AVX512BW INLINED const uint64_t *add_alone(small_sums *small, const slab_values *v, const uint64_t *bits,
                                           uint32_t tally, size_t r, sums *s) {
    size_t n_bits = slab_bits_of(tally);
    __m512i rest = _mm512_set1_epi8((char)tally);
    make_room(small, 2 * r, s); /* of both functions */
    for (size_t k = 0; k + 1 < r; k++) {
        __m512i counts = spread(bits, n_bits);
        bits += n_bits * SLAB_WORDS;
        rest = _mm512_sub_epi8(rest, counts);
        add_small(small, v->alone, counts);
    }
    add_small(small, v->alone, rest);
    return bits;
}

AVX512BW INLINED const uint64_t *add_small_stratum(small_sums *small, const slab_values *v, const uint64_t *bits,
                                                   const uint32_t *tallies, size_t n_cells, size_t r, sums *s) {
    __m512i margins[SLAB_MOST_STATES];
    for (size_t k = 0; k < r; k++)
        margins[k] = _mm512_setzero_si512();
    for (size_t i = 0; i < n_cells; i++) {
        size_t n_bits = slab_bits_of(tallies[i]);
        __m512i rest = _mm512_set1_epi8((char)tallies[i]);
        make_room(small, r, s);
        for (size_t k = 0; k + 1 < r; k++) {
            __m512i counts = spread(bits, n_bits);
            bits += n_bits * SLAB_WORDS;
            margins[k] = _mm512_add_epi8(margins[k], counts);
            rest = _mm512_sub_epi8(rest, counts);
            add_small(small, v->cell.small, counts);
        }
        margins[r - 1] = _mm512_add_epi8(margins[r - 1], rest);
        add_small(small, v->cell.small, rest);
    }
    make_room(small, r, s);
    for (size_t k = 0; k < r; k++)
        subtract_small(small, v->row.small, margins[k]);
    return bits;
}

/* --- larger strata --- */

/* The values of a cell, or of the margins, come two by two where they can. */
typedef struct {
    words waiting;
    bool is_waiting;
} pairing;

AVX512BW INLINED void add_value(sums *s, pairing *p, words value, int sign) {
    if (p->is_waiting)
        add_two(s, p->waiting, value, sign);
    p->waiting = value;
    p->is_waiting = !p->is_waiting;
}

AVX512BW INLINED void end_values(sums *s, const pairing *p, int sign) {
    if (p->is_waiting)
        add_one(s, p->waiting, sign);
}

AVX512BW INLINED words exact_values(const slab_function *f, words counts) {
    return (words){look_up(f->exact, counts.low), look_up(f->exact, counts.high)};
}

/* See slab_values_at. */
AVX512BW INLINED __m512i value_of(const slab_values *v, const slab_function *f, __m512i counts) {
    __m128i shift = _mm_cvtsi32_si128((int)v->shift), rest_shift = _mm_cvtsi32_si128(15 - (int)v->shift);
    __m512i i = _mm512_srl_epi16(counts, shift);
    __m512i rest = _mm512_and_si512(_mm512_sll_epi16(counts, rest_shift), _mm512_set1_epi16(0x7FFF));
    __m512i line = _mm512_add_epi16(look_up(f->from, i), _mm512_mulhi_epi16(look_up(f->slope, i), rest));
    __mmask32 is_exact = _mm512_cmplt_epu16_mask(counts, _mm512_set1_epi16(SLAB_EXACT));
    return _mm512_mask_mov_epi16(line, is_exact, look_up(f->exact, counts));
}

AVX512BW INLINED words values_of(const slab_values *v, const slab_function *f, words counts) {
    return (words){value_of(v, f, counts.low), value_of(v, f, counts.high)};
}

AVX512BW INLINED words spread_words(const uint64_t *bits, size_t n_bits) {
    __m512i high = n_bits > BYTE ? spread(bits + BYTE * SLAB_WORDS, n_bits - BYTE) : _mm512_setzero_si512();
    return words_of(spread(bits, n_bits < BYTE ? n_bits : BYTE), high);
}

/* `is_few`: the cell has fewer rows than have an entry each. */
AVX512BW INLINED const uint64_t *add_large_cell(sums *s, const slab_values *v, const uint64_t *bits, uint32_t tally,
                                                size_t r, bool is_few, words *margins) {
    size_t n_bits = slab_bits_of(tally);
    __m512i all = _mm512_set1_epi16((short)tally);
    words rest = {all, all};
    pairing p = {.is_waiting = false};
    for (size_t k = 0; k + 1 < r; k++) {
        words counts = is_few ? words_of(spread(bits, n_bits), _mm512_setzero_si512()) : spread_words(bits, n_bits);
        bits += n_bits * SLAB_WORDS;
        margins[k] = add(margins[k], counts);
        rest = subtract(rest, counts);
        add_value(s, &p, is_few ? exact_values(&v->cell, counts) : values_of(v, &v->cell, counts), 1);
    }
    margins[r - 1] = add(margins[r - 1], rest);
    add_value(s, &p, is_few ? exact_values(&v->cell, rest) : values_of(v, &v->cell, rest), 1);
    end_values(s, &p, 1);
    return bits;
}

AVX512BW INLINED const uint64_t *add_large_stratum(sums *s, const slab_values *v, const uint64_t *bits,
                                                   const uint32_t *tallies, size_t n_cells, size_t r) {
    words margins[SLAB_MOST_STATES];
    pairing p = {.is_waiting = false};
    for (size_t k = 0; k < r; k++)
        margins[k] = (words){_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (size_t i = 0; i < n_cells; i++) {
        if (tallies[i] < SLAB_EXACT)
            bits = add_large_cell(s, v, bits, tallies[i], r, true, margins);
        else
            bits = add_large_cell(s, v, bits, tallies[i], r, false, margins);
    }
    for (size_t k = 0; k < r; k++)
        add_value(s, &p, values_of(v, &v->row, margins[k]), -1);
    end_values(s, &p, -1);
    return bits;
}

/* --- all strata --- */

AVX512BW INLINED void sum_values_of(const slab_strata *t, size_t r, const slab_values *v, int32_t *out) {
    small_sums small = {_mm512_setzero_si512(), _mm512_setzero_si512(), 0};
    sums s = {{_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()}};
    const uint64_t *bits = t->bits;
    for (size_t i = 0; i < t->n_strata; i++) {
        const uint32_t *tallies = t->tallies + (t->starts[i] - t->starts[0]);
        size_t n_cells = t->starts[i + 1] - t->starts[i];
        if (t->rows[i] >= SLAB_EXACT)
            bits = add_large_stratum(&s, v, bits, tallies, n_cells, r);
        else if (n_cells == 1)
            bits = add_alone(&small, v, bits, tallies[0], r, &s);
        else
            bits = add_small_stratum(&small, v, bits, tallies, n_cells, r, &s);
    }
    widen(&small, &s);
    store(&s, out);
}

AVX512BW void slab_sums_avx512(const slab_strata *t, const slab_values *v, int32_t *out) {
    switch (t->r) {
    case 2:
        sum_values_of(t, 2, v, out);
        break;
    case 3:
        sum_values_of(t, 3, v, out);
        break;
    case 4:
        sum_values_of(t, 4, v, out);
        break;
    default:
        sum_values_of(t, t->r, v, out);
    }
}

#endif
