/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/data/packed_values.h"

#include <endian.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Eight values of so many bits, the lowest first, as eight bytes. */
static inline uint64_t spread(uint64_t x, size_t bits) {
    switch (bits) {
    case 1:
        x = (x | x << 28) & 0x0000000F0000000F;
        x = (x | x << 14) & 0x0003000300030003;
        return (x | x << 7) & 0x0101010101010101;
    case 2:
        x = (x | x << 24) & 0x000000FF000000FF;
        x = (x | x << 12) & 0x000F000F000F000F;
        return (x | x << 6) & 0x0303030303030303;
    default:
        x = (x | x << 16) & 0x0000FFFF0000FFFF;
        x = (x | x << 8) & 0x00FF00FF00FF00FF;
        return (x | x << 4) & 0x0F0F0F0F0F0F0F0F;
    }
}

/* Eight values are as many bytes as a value has bits. */
static inline __attribute__((always_inline)) void unpack(const unsigned char *from, size_t bits, size_t n,
                                                         uint8_t *out) {
    for (size_t done = 0; done < n; done += 8, from += bits) {
        uint64_t packed = 0, eight;
        memcpy(&packed, from, bits);
        eight = htole64(spread(le64toh(packed), bits));
        memcpy(out + done, &eight, n - done < 8 ? n - done : 8);
    }
}

/* --- sixteen bytes at a time --- */

#ifdef __SSE2__

enum { WIDTH = 16 };

static inline void store(uint8_t *out, size_t at, __m128i bytes) {
    _mm_storeu_si128((__m128i *)(void *)(out + at * WIDTH), bytes);
}

/* Bits `shift` to `shift` + `bits` of each byte. */
static inline __m128i field(__m128i x, int shift, int bits) {
    return _mm_and_si128(_mm_srli_epi16(x, shift), _mm_set1_epi8((char)((1 << bits) - 1)));
}

/* Each byte eight times, of which each has another bit. */
static inline void store_bits(uint8_t *out, size_t at, __m128i four_times) {
    const __m128i bit = _mm_set1_epi64x((long long)0x8040201008040201), one = _mm_set1_epi8(1);
    __m128i low = _mm_unpacklo_epi32(four_times, four_times), high = _mm_unpackhi_epi32(four_times, four_times);
    store(out, at, _mm_and_si128(_mm_cmpeq_epi8(_mm_and_si128(low, bit), bit), one));
    store(out, at + 1, _mm_and_si128(_mm_cmpeq_epi8(_mm_and_si128(high, bit), bit), one));
}

static inline void unpack_1(__m128i x, uint8_t *out) {
    __m128i twice[2] = {_mm_unpacklo_epi8(x, x), _mm_unpackhi_epi8(x, x)};
    for (size_t i = 0; i < 2; i++) {
        store_bits(out, 4 * i, _mm_unpacklo_epi16(twice[i], twice[i]));
        store_bits(out, 4 * i + 2, _mm_unpackhi_epi16(twice[i], twice[i]));
    }
}

static inline void unpack_2(__m128i x, uint8_t *out) {
    __m128i a = field(x, 0, 2), b = field(x, 2, 2), c = field(x, 4, 2), d = field(x, 6, 2);
    __m128i ab[2] = {_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)};
    __m128i cd[2] = {_mm_unpacklo_epi8(c, d), _mm_unpackhi_epi8(c, d)};
    for (size_t i = 0; i < 2; i++) {
        store(out, 2 * i, _mm_unpacklo_epi16(ab[i], cd[i]));
        store(out, 2 * i + 1, _mm_unpackhi_epi16(ab[i], cd[i]));
    }
}

static inline void unpack_4(__m128i x, uint8_t *out) {
    __m128i low = field(x, 0, 4), high = field(x, 4, 4);
    store(out, 0, _mm_unpacklo_epi8(low, high));
    store(out, 1, _mm_unpackhi_epi8(low, high));
}

/* As many of n values as fill whole vectors; how many. */
static inline __attribute__((always_inline)) size_t unpack_vectors(const unsigned char *from, size_t bits, size_t n,
                                                                   uint8_t *out) {
    size_t at_once = WIDTH * 8 / bits, done = 0;
    for (; n - done >= at_once; done += at_once, from += WIDTH) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)from);
        if (bits == 1)
            unpack_1(x, out + done);
        else if (bits == 2)
            unpack_2(x, out + done);
        else
            unpack_4(x, out + done);
    }
    return done;
}

#else

static inline size_t unpack_vectors(const unsigned char *from, size_t bits, size_t n, uint8_t *out) {
    (void)from, (void)bits, (void)n, (void)out;
    return 0;
}

#endif

static inline __attribute__((always_inline)) void unpack_all(const unsigned char *from, size_t bits, size_t n,
                                                             uint8_t *out) {
    size_t done = unpack_vectors(from, bits, n, out);
    unpack(from + done / 8 * bits, bits, n - done, out + done);
}

void packed_values_unpack(const packed_values *v, size_t first, size_t n, uint8_t *out) {
    const unsigned char *from = v->bytes + first / 8 * v->bits;
    if (v->bits == 1)
        unpack_all(from, 1, n, out);
    else if (v->bits == 2)
        unpack_all(from, 2, n, out);
    else if (v->bits == 4)
        unpack_all(from, 4, n, out);
    else
        memcpy(out, from, n);
}

/* Every other value of a word at a time, with room for a carry above each: it is there where the sum of the value and
 * what lacks the states to a power of two does not fit. */
bool packed_values_exceed(const packed_values *v, size_t n, size_t n_states) {
    size_t bits = v->bits, n_words = (n + 64 / bits - 1) / (64 / bits), all = (size_t)1 << bits;
    uint64_t ones = UINT64_MAX / ((UINT64_C(1) << 2 * bits) - 1), mask = ones * (all - 1), carries = 0;
    if (n_states >= all)
        return false;
    for (size_t i = 0; i < n_words; i++) {
        uint64_t word;
        memcpy(&word, v->bytes + i * sizeof word, sizeof word);
        word = le64toh(word);
        carries |= (word & mask) + ones * (all - n_states);
        carries |= (word >> bits & mask) + ones * (all - n_states);
    }
    return (carries & ones << bits) != 0;
}
