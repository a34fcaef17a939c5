/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Population counts of AND: portable by sideways addition; AVX2 and AVX-512BW by nibble look-up (Mula, Kurz, Lemire
 * 2018, Computer Journal 61(1)); AVX-512 with VPOPCNTDQ by the instruction itself.
 */
#include "core/counting/count_kernels_internal.h"

#include "core/base/bits.h"
#include "core/base/keep_order.h"
#include "core/counting/byte_ones_internal.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define HAVE_X86 1
#endif

static uint32_t ones(uint64_t v) {
    v = v - ((v >> 1) & 0x5555555555555555u);
    v = (v & 0x3333333333333333u) + ((v >> 2) & 0x3333333333333333u);
    v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return (uint32_t)((v * 0x0101010101010101u) >> 56);
}

static uint32_t count_and_portable(const uint64_t *a, const uint64_t *b, size_t n_words) {
    uint32_t sum = 0;
    for (size_t i = 0; i < n_words; i++)
        sum += ones(a[i] & b[i]);
    return sum;
}

static uint32_t store_and_portable(const uint64_t *a, const uint64_t *b, uint64_t *out, size_t n_words) {
    uint32_t sum = 0;
    for (size_t i = 0; i < n_words; i++)
        sum += ones(out[i] = a[i] & b[i]);
    return sum;
}

static uint32_t take_portable(uint64_t *set, const uint64_t *a, uint64_t *out, size_t n_words) {
    uint32_t sum = 0;
    for (size_t i = 0; i < n_words; i++) {
        uint64_t both = set[i] & a[i];
        set[i] ^= both;
        out[i] = both;
        sum += ones(both);
    }
    return sum;
}

static void count_and2_portable(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n_words,
                                uint32_t out[2]) {
    out[0] = count_and_portable(a, b, n_words);
    out[1] = count_and_portable(a, c, n_words);
}

static void count_block_portable(const uint64_t *a, const uint64_t *block, size_t n_vectors, size_t n_words,
                                 uint32_t *out) {
    for (size_t i = 0; i < n_vectors; i++)
        out[i] = count_and_portable(a, block + i * n_words, n_words);
}

/* Bits past row n are not rows: the padding holds state 0. */
static void clear_padding(uint64_t *out, size_t n, size_t n_words) {
    if (n % 64 != 0)
        out[n / 64] &= bit_of(n) - 1;
    for (size_t w = (n + 63) / 64; w < n_words; w++)
        out[w] = 0;
}

static void match_portable(const uint8_t *values, size_t n, uint8_t state, uint64_t *out, size_t n_words) {
    memset(out, 0, n_words * sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i / 64] |= (uint64_t)(values[i] == state) << (i % 64);
}

/* The plain loop; each level compiles it for its own instructions. */
static inline __attribute__((always_inline)) void
add_scaled_loop(uint32_t *restrict index, const uint8_t *restrict values, uint32_t scale, size_t n, int first) {
    if (first) {
        for (size_t i = 0; i < n; i++)
            index[i] = scale * values[i];
    } else {
        for (size_t i = 0; i < n; i++)
            index[i] += scale * values[i];
    }
}

static inline __attribute__((always_inline)) void join_loop(const uint32_t *restrict index,
                                                            const uint8_t *restrict values, uint32_t scale,
                                                            uint32_t *restrict out, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = index[i] * scale + values[i];
}

static inline __attribute__((always_inline)) void place_loop(const uint32_t *restrict index,
                                                             const uint8_t *restrict first, uint32_t r_first,
                                                             const uint8_t *restrict extra, uint32_t r_extra,
                                                             uint32_t *restrict out, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = index[i] * r_extra + extra[i] * r_first - first[i] * (r_extra - 1);
}

static inline __attribute__((always_inline)) void add_up_loop(const uint32_t *restrict v, size_t n,
                                                              uint32_t *restrict out) {
    _Static_assert(KERNEL_COPIES == 4, "each copy has a term");
    for (size_t i = 0; i < n; i++)
        out[i] += v[i] + v[n + i] + v[2 * n + i] + v[3 * n + i];
}

static void join_portable(const uint32_t *index, const uint8_t *values, uint32_t scale, uint32_t *out, size_t n) {
    join_loop(index, values, scale, out, n);
}

static void add_scaled_portable(uint32_t *index, const uint8_t *values, uint32_t scale, size_t n, int first) {
    add_scaled_loop(index, values, scale, n, first);
}

static void place_portable(const uint32_t *index, const uint8_t *first, uint32_t r_first, const uint8_t *extra,
                           uint32_t r_extra, uint32_t *out, size_t n) {
    place_loop(index, first, r_first, extra, r_extra, out, n);
}

static void add_up_portable(const uint32_t *copies, size_t n, uint32_t *out) {
    add_up_loop(copies, n, out);
}

static const count_kernels portable = {"portable",           2.5,
                                       count_and_portable,   store_and_portable,
                                       take_portable,        count_and2_portable,
                                       count_block_portable, match_portable,
                                       add_scaled_portable,  join_portable,
                                       place_portable,       add_up_portable};

#ifdef HAVE_X86

#define AVX2 __attribute__((target("avx2")))
#define AVX512BW __attribute__((target("avx512f,avx512bw,avx512vl")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vpopcntdq")))

AVX2 static inline __m256i load_256(const uint64_t *p) {
    return _mm256_load_si256((const __m256i *)(const void *)p);
}

AVX2 static inline uint32_t sum_256(__m256i v) {
    __m128i half = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return (uint32_t)(_mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1));
}

/* A byte holds at most 8 ones a step: 31 steps fit before they are widened. */
enum { STEPS = 31 };

/* Ones in `a` AND each of n <= 4 vectors, in four parts. Of `a` alone the halves of bytes are
 * told apart: the look-up of nibbles takes its index as it is. */
AVX2 static inline __attribute__((always_inline)) void count_parts_avx2(const uint64_t *a, const uint64_t *const *b,
                                                                        size_t n, size_t n_words, __m256i parts[4]) {
    const __m256i low = _mm256_set1_epi8(0x0F), ones = nibble_ones_256();
    for (size_t k = 0; k < n; k++)
        parts[k] = _mm256_setzero_si256();
    for (size_t i = 0; i < n_words;) {
        size_t end = n_words - i > 4 * STEPS ? i + 4 * STEPS : n_words;
        __m256i bytes[4];
        for (size_t k = 0; k < n; k++)
            bytes[k] = _mm256_setzero_si256();
        for (; i < end; i += 4) {
            __m256i all = load_256(a + i), lower = _mm256_and_si256(all, low), upper = _mm256_andnot_si256(low, all);
            for (size_t k = 0; k < n; k++) {
                __m256i first = _mm256_and_si256(lower, load_256(b[k] + i));
                __m256i second = _mm256_srli_epi16(_mm256_and_si256(upper, load_256(b[k] + i)), 4);
                bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(ones, first));
                KEEP_ORDER(bytes[k]);
                bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(ones, second));
                KEEP_ORDER(bytes[k]);
            }
        }
        for (size_t k = 0; k < n; k++)
            parts[k] = _mm256_add_epi64(parts[k], _mm256_sad_epu8(bytes[k], _mm256_setzero_si256()));
    }
}

AVX2 static uint32_t count_and_avx2(const uint64_t *a, const uint64_t *b, size_t n_words) {
    __m256i parts[4];
    count_parts_avx2(a, &b, 1, n_words, parts);
    return sum_256(parts[0]);
}

/* The sums of four vectors of four parts, side by side. */
AVX2 static inline __m256i sum_each_256(const __m256i parts[4]) {
    __m256i first =
        _mm256_add_epi64(_mm256_unpacklo_epi64(parts[0], parts[1]), _mm256_unpackhi_epi64(parts[0], parts[1]));
    __m256i second =
        _mm256_add_epi64(_mm256_unpacklo_epi64(parts[2], parts[3]), _mm256_unpackhi_epi64(parts[2], parts[3]));
    return _mm256_add_epi64(_mm256_permute2x128_si256(first, second, 0x20),
                            _mm256_permute2x128_si256(first, second, 0x31));
}

AVX2 static void count_block_avx2(const uint64_t *a, const uint64_t *block, size_t n_vectors, size_t n_words,
                                  uint32_t *out) {
    size_t i = 0;
    for (; i + 4 <= n_vectors; i += 4) {
        const uint64_t *b[4] = {block, block + n_words, block + 2 * n_words, block + 3 * n_words};
        __m256i parts[4], sums;
        count_parts_avx2(a, b, 4, n_words, parts);
        block += 4 * n_words;
        sums = _mm256_permutevar8x32_epi32(sum_each_256(parts), _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
        _mm_storeu_si128((__m128i *)(void *)(out + i), _mm256_castsi256_si128(sums));
    }
    for (; i < n_vectors; i++, block += n_words)
        out[i] = count_and_avx2(a, block, n_words);
}

AVX2 static uint32_t store_and_avx2(const uint64_t *a, const uint64_t *b, uint64_t *out, size_t n_words) {
    __m256i sum = _mm256_setzero_si256();
    for (size_t i = 0; i < n_words;) {
        size_t end = n_words - i > 4 * STEPS ? i + 4 * STEPS : n_words;
        __m256i bytes = _mm256_setzero_si256();
        for (; i < end; i += 4) {
            __m256i both = _mm256_and_si256(load_256(a + i), load_256(b + i));
            _mm256_store_si256((__m256i *)(void *)(out + i), both);
            bytes = _mm256_add_epi8(bytes, byte_ones_256(both));
        }
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
    return sum_256(sum);
}

AVX2 static uint32_t take_avx2(uint64_t *set, const uint64_t *a, uint64_t *out, size_t n_words) {
    __m256i sum = _mm256_setzero_si256();
    for (size_t i = 0; i < n_words;) {
        size_t end = n_words - i > 4 * STEPS ? i + 4 * STEPS : n_words;
        __m256i bytes = _mm256_setzero_si256();
        for (; i < end; i += 4) {
            __m256i all = load_256(set + i), both = _mm256_and_si256(all, load_256(a + i));
            _mm256_store_si256((__m256i *)(void *)(set + i), _mm256_xor_si256(all, both));
            _mm256_store_si256((__m256i *)(void *)(out + i), both);
            bytes = _mm256_add_epi8(bytes, byte_ones_256(both));
        }
        sum = _mm256_add_epi64(sum, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
    return sum_256(sum);
}

AVX2 static void count_and2_avx2(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n_words,
                                 uint32_t out[2]) {
    const uint64_t *both[2] = {b, c};
    __m256i parts[4];
    count_parts_avx2(a, both, 2, n_words, parts);
    out[0] = sum_256(parts[0]);
    out[1] = sum_256(parts[1]);
}

AVX2 static void match_avx2(const uint8_t *values, size_t n, uint8_t state, uint64_t *out, size_t n_words) {
    const __m256i wanted = _mm256_set1_epi8((char)state);
    for (size_t w = 0; w * 64 < n; w++) {
        const __m256i *at = (const __m256i *)(const void *)(values + w * 64);
        uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_load_si256(at), wanted));
        uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_load_si256(at + 1), wanted));
        out[w] = (uint64_t)high << 32 | low;
    }
    clear_padding(out, n, n_words);
}

AVX2 static void join_avx2(const uint32_t *index, const uint8_t *values, uint32_t scale, uint32_t *out, size_t n) {
    join_loop(index, values, scale, out, n);
}

/* Eight bytes as numbers of 32 bits. */
AVX2 static inline __m256i widen_256(const uint8_t *values) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)values));
}

AVX2 static inline __m256i numbers_256(const uint32_t *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

AVX2 static inline void store_numbers_256(uint32_t *p, __m256i v) {
    _mm256_storeu_si256((__m256i *)(void *)p, v);
}

/* Scales of 15 bits, by products of 16 bits, which are sooner there than those of 32. */
AVX2 static void add_scaled_avx2(uint32_t *index, const uint8_t *values, uint32_t scale, size_t n, int first) {
    const __m256i by = _mm256_set1_epi32((int)scale);
    size_t i = 0;
    for (; !first && scale <= INT16_MAX && i + 8 <= n; i += 8)
        store_numbers_256(index + i,
                          _mm256_add_epi32(numbers_256(index + i), _mm256_madd_epi16(widen_256(values + i), by)));
    add_scaled_loop(index + i, values + i, scale, n - i, first);
}

/* What is to be added to eight rows' multiples of their index, given the products' two factors side by side. */
AVX2 static inline __m256i sum_pairs_256(__m128i pairs, __m256i factors) {
    return _mm256_madd_epi16(_mm256_cvtepu8_epi16(pairs), factors);
}

/* 256 states at most: products of 16 bits serve but for those of the index. */
AVX2 static void place_avx2(const uint32_t *index, const uint8_t *first, uint32_t r_first, const uint8_t *extra,
                            uint32_t r_extra, uint32_t *out, size_t n) {
    const __m256i factors = _mm256_set1_epi32((int)((1 - r_extra) << 16 | r_first));
    const __m256i by = _mm256_set1_epi32((int)r_extra);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i f = _mm_loadu_si128((const __m128i *)(const void *)(first + i));
        __m128i e = _mm_loadu_si128((const __m128i *)(const void *)(extra + i));
        __m256i low = sum_pairs_256(_mm_unpacklo_epi8(e, f), factors);
        __m256i high = sum_pairs_256(_mm_unpackhi_epi8(e, f), factors);
        store_numbers_256(out + i, _mm256_add_epi32(_mm256_mullo_epi32(numbers_256(index + i), by), low));
        store_numbers_256(out + i + 8, _mm256_add_epi32(_mm256_mullo_epi32(numbers_256(index + i + 8), by), high));
    }
    place_loop(index + i, first + i, r_first, extra + i, r_extra, out + i, n - i);
}

AVX2 static void add_up_avx2(const uint32_t *copies, size_t n, uint32_t *out) {
    add_up_loop(copies, n, out);
}

static const count_kernels avx2 = {
    "avx2",           0.5,        count_and_avx2,  store_and_avx2, take_avx2,  count_and2_avx2,
    count_block_avx2, match_avx2, add_scaled_avx2, join_avx2,      place_avx2, add_up_avx2};

/* Ones in a AND b, in eight parts. */
AVX512BW static inline __m512i count_parts_avx512bw(const uint64_t *a, const uint64_t *b, size_t n_words) {
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < n_words;) {
        size_t end = n_words - i > 8 * STEPS ? i + 8 * STEPS : n_words;
        __m512i bytes = _mm512_setzero_si512();
        for (; i < end; i += 8)
            bytes = _mm512_add_epi8(
                bytes, byte_ones_512(_mm512_and_si512(_mm512_load_si512(a + i), _mm512_load_si512(b + i))));
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(bytes, _mm512_setzero_si512()));
    }
    return sum;
}

AVX512BW static uint32_t count_and_avx512bw(const uint64_t *a, const uint64_t *b, size_t n_words) {
    return (uint32_t)_mm512_reduce_add_epi64(count_parts_avx512bw(a, b, n_words));
}

/* Neighbours added up: the sums of a's pairs of parts and those of b's, alternating. */
AVX512BW static inline __m512i add_halves_512(__m512i a, __m512i b) {
    return _mm512_add_epi64(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
}

AVX512BW static inline __m512i add_lanes_512(__m512i a, __m512i b) {
    return _mm512_add_epi64(_mm512_shuffle_i64x2(a, b, 0x88), _mm512_shuffle_i64x2(a, b, 0xDD));
}

/* The sums of eight vectors of eight parts, side by side. */
AVX512BW static inline __m256i sum_each_512(const __m512i parts[8]) {
    __m512i low = add_lanes_512(add_halves_512(parts[0], parts[1]), add_halves_512(parts[2], parts[3]));
    __m512i high = add_lanes_512(add_halves_512(parts[4], parts[5]), add_halves_512(parts[6], parts[7]));
    return _mm512_cvtepi64_epi32(add_lanes_512(low, high));
}

AVX512BW static void count_block_avx512bw(const uint64_t *a, const uint64_t *block, size_t n_vectors, size_t n_words,
                                          uint32_t *out) {
    size_t i = 0;
    for (; i + 8 <= n_vectors; i += 8) {
        __m512i parts[8];
        for (size_t k = 0; k < 8; k++)
            parts[k] = count_parts_avx512bw(a, block + (i + k) * n_words, n_words);
        _mm256_storeu_si256((__m256i *)(void *)(out + i), sum_each_512(parts));
    }
    for (; i < n_vectors; i++)
        out[i] = count_and_avx512bw(a, block + i * n_words, n_words);
}

AVX512BW static uint32_t store_and_avx512bw(const uint64_t *a, const uint64_t *b, uint64_t *out, size_t n_words) {
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < n_words; i += 8) {
        __m512i both = _mm512_and_si512(_mm512_load_si512(a + i), _mm512_load_si512(b + i));
        _mm512_store_si512(out + i, both);
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(byte_ones_512(both), _mm512_setzero_si512()));
    }
    return (uint32_t)_mm512_reduce_add_epi64(sum);
}

AVX512BW static uint32_t take_avx512bw(uint64_t *set, const uint64_t *a, uint64_t *out, size_t n_words) {
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < n_words; i += 8) {
        __m512i all = _mm512_load_si512(set + i), both = _mm512_and_si512(all, _mm512_load_si512(a + i));
        _mm512_store_si512(set + i, _mm512_xor_si512(all, both));
        _mm512_store_si512(out + i, both);
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(byte_ones_512(both), _mm512_setzero_si512()));
    }
    return (uint32_t)_mm512_reduce_add_epi64(sum);
}

AVX512BW static void count_and2_avx512bw(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n_words,
                                         uint32_t out[2]) {
    __m512i sum_b = _mm512_setzero_si512(), sum_c = sum_b;
    for (size_t i = 0; i < n_words;) {
        size_t end = n_words - i > 8 * STEPS ? i + 8 * STEPS : n_words;
        __m512i bytes_b = _mm512_setzero_si512(), bytes_c = bytes_b;
        for (; i < end; i += 8) {
            __m512i base = _mm512_load_si512(a + i);
            bytes_b = _mm512_add_epi8(bytes_b, byte_ones_512(_mm512_and_si512(base, _mm512_load_si512(b + i))));
            bytes_c = _mm512_add_epi8(bytes_c, byte_ones_512(_mm512_and_si512(base, _mm512_load_si512(c + i))));
        }
        sum_b = _mm512_add_epi64(sum_b, _mm512_sad_epu8(bytes_b, _mm512_setzero_si512()));
        sum_c = _mm512_add_epi64(sum_c, _mm512_sad_epu8(bytes_c, _mm512_setzero_si512()));
    }
    out[0] = (uint32_t)_mm512_reduce_add_epi64(sum_b);
    out[1] = (uint32_t)_mm512_reduce_add_epi64(sum_c);
}

AVX512BW static void match_avx512bw(const uint8_t *values, size_t n, uint8_t state, uint64_t *out, size_t n_words) {
    const __m512i wanted = _mm512_set1_epi8((char)state);
    for (size_t w = 0; w * 64 < n; w++)
        out[w] = _mm512_cmpeq_epi8_mask(_mm512_load_si512(values + w * 64), wanted);
    clear_padding(out, n, n_words);
}

AVX512BW static void join_avx512bw(const uint32_t *index, const uint8_t *values, uint32_t scale, uint32_t *out,
                                   size_t n) {
    join_loop(index, values, scale, out, n);
}

AVX512BW static void add_scaled_avx512bw(uint32_t *index, const uint8_t *values, uint32_t scale, size_t n, int first) {
    add_scaled_loop(index, values, scale, n, first);
}

AVX512BW static void place_avx512bw(const uint32_t *index, const uint8_t *first, uint32_t r_first, const uint8_t *extra,
                                    uint32_t r_extra, uint32_t *out, size_t n) {
    place_loop(index, first, r_first, extra, r_extra, out, n);
}

AVX512BW static void add_up_avx512bw(const uint32_t *copies, size_t n, uint32_t *out) {
    add_up_loop(copies, n, out);
}

static const count_kernels avx512bw = {"avx512bw",           0.3,
                                       count_and_avx512bw,   store_and_avx512bw,
                                       take_avx512bw,        count_and2_avx512bw,
                                       count_block_avx512bw, match_avx512bw,
                                       add_scaled_avx512bw,  join_avx512bw,
                                       place_avx512bw,       add_up_avx512bw};

AVX512 static uint32_t count_and_avx512(const uint64_t *a, const uint64_t *b, size_t n_words) {
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < n_words; i += 8) {
        __m512i both = _mm512_and_si512(_mm512_load_si512(a + i), _mm512_load_si512(b + i));
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
    }
    return (uint32_t)_mm512_reduce_add_epi64(sum);
}

AVX512 static uint32_t store_and_avx512(const uint64_t *a, const uint64_t *b, uint64_t *out, size_t n_words) {
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < n_words; i += 8) {
        __m512i both = _mm512_and_si512(_mm512_load_si512(a + i), _mm512_load_si512(b + i));
        _mm512_store_si512(out + i, both);
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
    }
    return (uint32_t)_mm512_reduce_add_epi64(sum);
}

AVX512 static uint32_t take_avx512(uint64_t *set, const uint64_t *a, uint64_t *out, size_t n_words) {
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < n_words; i += 8) {
        __m512i all = _mm512_load_si512(set + i), both = _mm512_and_si512(all, _mm512_load_si512(a + i));
        _mm512_store_si512(set + i, _mm512_xor_si512(all, both));
        _mm512_store_si512(out + i, both);
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
    }
    return (uint32_t)_mm512_reduce_add_epi64(sum);
}

AVX512 static void count_and2_avx512(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n_words,
                                     uint32_t out[2]) {
    __m512i sum_b = _mm512_setzero_si512(), sum_c = sum_b;
    for (size_t i = 0; i < n_words; i += 8) {
        __m512i base = _mm512_load_si512(a + i);
        sum_b = _mm512_add_epi64(sum_b, _mm512_popcnt_epi64(_mm512_and_si512(base, _mm512_load_si512(b + i))));
        sum_c = _mm512_add_epi64(sum_c, _mm512_popcnt_epi64(_mm512_and_si512(base, _mm512_load_si512(c + i))));
    }
    out[0] = (uint32_t)_mm512_reduce_add_epi64(sum_b);
    out[1] = (uint32_t)_mm512_reduce_add_epi64(sum_c);
}

/* Each of n_vectors up to `most`, eight at most, in eight parts: a is read once for them, and the first one again for
 * those not there. */
AVX512 static inline __attribute__((always_inline)) __m256i
count_up_to_avx512(const uint64_t *a, const uint64_t *b, size_t n_vectors, size_t most, size_t n_words) {
    __m512i parts[8];
    const uint64_t *at[8];
    for (size_t k = 0; k < 8; k++) {
        parts[k] = _mm512_setzero_si512();
        at[k] = b + (k < n_vectors ? k * n_words : 0);
    }
    for (size_t w = 0; w < n_words; w += 8) {
        __m512i base = _mm512_load_si512(a + w);
        for (size_t k = 0; k < most; k++)
            parts[k] =
                _mm512_add_epi64(parts[k], _mm512_popcnt_epi64(_mm512_and_si512(base, _mm512_load_si512(at[k] + w))));
    }
    return sum_each_512(parts);
}

AVX512 static void count_block_avx512(const uint64_t *a, const uint64_t *block, size_t n_vectors, size_t n_words,
                                      uint32_t *out) {
    size_t i = 0, left;
    for (; i + 8 <= n_vectors; i += 8)
        _mm256_storeu_si256((__m256i *)(void *)(out + i), count_up_to_avx512(a, block + i * n_words, 8, 8, n_words));
    left = n_vectors - i;
    if (left > 4)
        _mm256_mask_storeu_epi32(out + i, (__mmask8)((1U << left) - 1),
                                 count_up_to_avx512(a, block + i * n_words, left, 8, n_words));
    else if (left > 1)
        _mm256_mask_storeu_epi32(out + i, (__mmask8)((1U << left) - 1),
                                 count_up_to_avx512(a, block + i * n_words, left, 4, n_words));
    else if (left == 1)
        out[i] = count_and_avx512(a, block + i * n_words, n_words);
}

/* Vectors on either side, whose pairs are counted in registers: blocks longer than the first cache are read a quarter
   as often. */
enum { TILE = 4 };

/* `a` with n_b vectors of the block, TILE at most; meanwhile the next `a` come into the cache. */
AVX512 static inline __attribute__((always_inline)) void count_tile_avx512(const uint64_t *const a[TILE],
                                                                           const uint64_t *const next[TILE],
                                                                           const uint64_t *b, size_t n_b,
                                                                           size_t n_words, uint32_t out[TILE][TILE]) {
    __m512i parts[TILE * TILE], other[TILE];
    for (size_t i = 0; i < TILE * TILE; i++)
        parts[i] = _mm512_setzero_si512();
    for (size_t w = 0; w < n_words; w += 8) {
        for (size_t i = 0; i < n_b; i++)
            other[i] = _mm512_load_si512(b + i * n_words + w);
        for (size_t k = 0; k < TILE; k++) {
            __m512i v = _mm512_load_si512(a[k] + w);
            for (size_t i = 0; i < n_b; i++)
                parts[k * TILE + i] =
                    _mm512_add_epi64(parts[k * TILE + i], _mm512_popcnt_epi64(_mm512_and_si512(v, other[i])));
        }
        for (size_t k = 0; next && k < TILE; k++)
            _mm_prefetch((const char *)(next[k] + w), _MM_HINT_T0);
    }
    for (size_t k = 0; k < TILE; k += 2)
        _mm256_storeu_si256((__m256i *)(void *)out[k], sum_each_512(parts + k * TILE));
}

AVX512 static void count_some_avx512(const uint64_t *const a[TILE], const uint64_t *const next[TILE], const uint64_t *b,
                                     size_t n_b, size_t n_words, uint32_t out[TILE][TILE]) {
    if (n_b >= TILE && next)
        count_tile_avx512(a, next, b, TILE, n_words, out);
    else if (n_b >= TILE)
        count_tile_avx512(a, NULL, b, TILE, n_words, out);
    else if (n_b == 3)
        count_tile_avx512(a, next, b, 3, n_words, out);
    else if (n_b == 2)
        count_tile_avx512(a, next, b, 2, n_words, out);
    else
        count_tile_avx512(a, next, b, 1, n_words, out);
}

/* So many vectors from `first` on; behind the last one, that again. */
static void list_tile(const uint64_t *const *a, size_t first, size_t n_a, const uint64_t *out[TILE]) {
    for (size_t k = 0; k < TILE; k++)
        out[k] = a[first + k < n_a ? first + k : n_a - 1];
}

/* A tile and all vectors of the block. */
AVX512 static void count_tiles_avx512(const uint64_t *const *a, size_t first, size_t n_a, const uint64_t *block,
                                      size_t n_vectors, size_t n_words, uint32_t *out) {
    const uint64_t *now[TILE], *next[TILE];
    uint32_t sums[TILE][TILE];
    list_tile(a, first, n_a, now);
    list_tile(a, first + TILE, n_a, next);
    for (size_t i = 0; i < n_vectors; i += TILE) {
        size_t n_b = n_vectors - i < TILE ? n_vectors - i : TILE;
        count_some_avx512(now, i == 0 ? next : NULL, block + i * n_words, n_b, n_words, sums);
        for (size_t k = 0; k < TILE && first + k < n_a; k++)
            memcpy(out + (first + k) * n_vectors + i, sums[k], n_b * sizeof *out);
    }
}

AVX512 static void count_cross_avx512(const uint64_t *const *a, size_t n_a, const uint64_t *block, size_t n_vectors,
                                      size_t n_words, uint32_t *out) {
    size_t k = 0;
    for (; k + TILE / 2 < n_a; k += TILE)
        count_tiles_avx512(a, k, n_a, block, n_vectors, n_words, out);
    for (; k < n_a; k++)
        count_block_avx512(a[k], block, n_vectors, n_words, out + k * n_vectors);
}

static const count_kernels avx512 = {"avx512",
                                     0.2,
                                     count_and_avx512,
                                     store_and_avx512,
                                     take_avx512,
                                     count_and2_avx512,
                                     count_block_avx512,
                                     match_avx512bw,
                                     add_scaled_avx512bw,
                                     join_avx512bw,
                                     place_avx512bw,
                                     add_up_avx512bw,
                                     count_cross_avx512};

const count_kernels *count_kernels_level(size_t i) {
    __builtin_cpu_init();
    if (i == 0)
        return &portable;
    if (i == 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2;
    if (i == 2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return &avx512bw;
    if (i == 3 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vpopcntdq"))
        return &avx512;
    return NULL;
}

#else

const count_kernels *count_kernels_level(size_t i) {
    return i == 0 ? &portable : NULL;
}

#endif

size_t count_kernels_chosen(void) {
    const char *wanted = getenv("BNBENCH_SIMD");
    size_t i = 0;
    while (count_kernels_level(i + 1) && !(wanted && strcmp(count_kernels_level(i)->name, wanted) == 0))
        i++;
    return i;
}

const count_kernels *count_kernels_choose(void) {
    return count_kernels_level(count_kernels_chosen());
}

void count_kernels_cross(const count_kernels *kernels, const uint64_t *const *a, size_t n_a, const uint64_t *block,
                         size_t n_vectors, size_t n_words, uint32_t *out) {
    if (kernels->count_cross) {
        kernels->count_cross(a, n_a, block, n_vectors, n_words, out);
        return;
    }
    for (size_t k = 0; k < n_a; k++)
        kernels->count_block(a[k], block, n_vectors, n_words, out + k * n_vectors);
}
