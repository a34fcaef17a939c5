/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/lane_avx2_internal.h"

#if defined(__x86_64__)

/* A quarter of a word of a row. */
typedef uint16_t tile_bits __attribute__((may_alias));

/* Two rows of sixteen lanes at a time, from the topmost bits of bytes. */
AVX2 INLINED void turn_half_step(const uint32_t *lanes, size_t n_words, tile_bits *out) {
    static const unsigned char rows[8] = {11, 10, 9, 8, 3, 2, 1, 0};
    __m256i y = load_256(lanes);
    for (size_t i = 0; i < 8; i++) {
        uint32_t bits = (uint32_t)_mm256_movemask_epi8(y);
        out[rows[i] * n_words * 4] = (tile_bits)bits;
        out[(rows[i] + 4) * n_words * 4] = (tile_bits)(bits >> 16);
        y = _mm256_add_epi8(y, y);
    }
}

AVX2 void lane_rows_turn_avx2(const uint32_t *lanes, size_t n_sets, size_t n_steps, uint64_t *rows) {
    size_t n_words = lane_row_words(n_sets);
    for (size_t s = 0; s < n_steps; s++) {
        for (size_t k = 0; k < n_sets; k++) {
            for (size_t tile = 0; tile < L / TILE; tile++) {
                const uint32_t *from = lanes + (k * n_steps + s) * L + tile * TILE;
                tile_bits *to = (tile_bits *)(rows + s * LANE_STEP_BITS * n_words + k) + tile;
                turn_half_step(from, n_words, to);
                turn_half_step(from + 8, n_words, to + 16 * n_words * 4);
            }
        }
    }
}

/* Numbers of up to eight bits, one a bit of a register: bit k of each. */
enum { PLANES = 8, ROWS_A_BYTE = 224, FEW_PLANES = 6 };

/* As many rows as a register holds. */
AVX2 INLINED __m256i load_rows(const uint64_t *rows, size_t n_words, const uint16_t *list) {
    if (n_words == 4)
        return load_256(rows + (size_t)list[0] * 4);
    if (n_words == 2) {
        __m128i low = _mm_load_si128((const __m128i *)(const void *)(rows + (size_t)list[0] * 2));
        return _mm256_inserti128_si256(_mm256_castsi128_si256(low),
                                       _mm_load_si128((const __m128i *)(const void *)(rows + (size_t)list[1] * 2)), 1);
    }
    return _mm256_setr_epi64x((long long)rows[list[0]], (long long)rows[list[1]], (long long)rows[list[2]],
                              (long long)rows[list[3]]);
}

/* sum + a + b of single bits: what stays, and what is carried. */
AVX2 INLINED __m256i carry_of(__m256i *sum, __m256i a, __m256i b) {
    __m256i odd = _mm256_xor_si256(a, b), carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(odd, *sum));
    *sum = _mm256_xor_si256(odd, *sum);
    return carry;
}

/* Eight registers of rows. */
AVX2 INLINED void add_eight(const uint64_t *rows, size_t n_words, const uint16_t *list, size_t n_planes,
                            __m256i *planes) {
    size_t n = 4 / n_words;
    __m256i twos[2], fours[2], carry;
    for (size_t i = 0; i < 2; i++) {
        const uint16_t *at = list + 4 * i * n;
        twos[0] = carry_of(&planes[0], load_rows(rows, n_words, at), load_rows(rows, n_words, at + n));
        twos[1] = carry_of(&planes[0], load_rows(rows, n_words, at + 2 * n), load_rows(rows, n_words, at + 3 * n));
        fours[i] = carry_of(&planes[1], twos[0], twos[1]);
    }
    carry = carry_of(&planes[2], fours[0], fours[1]);
    for (size_t k = 3; k < n_planes; k++) {
        __m256i next = _mm256_and_si256(planes[k], carry);
        planes[k] = _mm256_xor_si256(planes[k], carry);
        carry = next;
    }
}

/* Adds the numbers of the parts that change places. */
AVX2 INLINED void add_parts(__m256i *planes, size_t n_planes, bool by_halves) {
    __m256i carry = _mm256_setzero_si256();
    for (size_t k = 0; k < n_planes; k++) {
        __m256i other = by_halves ? _mm256_permute4x64_epi64(planes[k], 0x4E) : _mm256_shuffle_epi32(planes[k], 0x4E);
        __m256i sum = carry;
        carry = carry_of(&sum, planes[k], other);
        planes[k] = sum;
    }
}

/* Of 32 lanes, a byte each, from the highest bit on. */
AVX2 INLINED __m256i bytes_of_planes(const uint32_t *part, size_t n_planes) {
    const __m256i places = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    __m256i sum = _mm256_setzero_si256();
    for (size_t k = n_planes; k-- > 0;) {
        __m256i all = _mm256_shuffle_epi8(_mm256_set1_epi32((int)part[k * 8]), places);
        sum = _mm256_sub_epi8(_mm256_add_epi8(sum, sum), _mm256_cmpeq_epi8(_mm256_and_si256(all, bit), bit));
    }
    return sum;
}

AVX2 INLINED void spread_planes(const __m256i *planes, size_t n_planes, size_t n_sets, bool is_first, uint32_t *out) {
    _Alignas(32) uint32_t parts[PLANES * 8];
    for (size_t k = 0; k < n_planes; k++)
        store_256(parts + k * 8, planes[k]);
    for (size_t i = 0; i < 2 * n_sets; i++) {
        _Alignas(32) unsigned char bytes[32];
        store_256(bytes, bytes_of_planes(parts + i, n_planes));
        for (size_t k = 0; k < 32; k += 8) {
            __m256i numbers = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(bytes + k)));
            uint32_t *at = out + i * 32 + k;
            store_256(at, is_first ? numbers : _mm256_add_epi32(numbers, load_256(at)));
        }
    }
}

/* At most ROWS_A_BYTE rows. */
AVX2 INLINED void count_some_rows(const uint64_t *rows, size_t n_sets, size_t n_words, const uint16_t *list, size_t n,
                                  size_t n_planes, bool is_first, uint32_t *out) {
    __m256i planes[PLANES];
    for (size_t k = 0; k < n_planes; k++)
        planes[k] = _mm256_setzero_si256();
    for (size_t i = 0; i < n; i += 32 / n_words)
        add_eight(rows, n_words, list + i, n_planes, planes);
    if (n_words == 1)
        add_parts(planes, n_planes, false);
    if (n_words < 4)
        add_parts(planes, n_planes, true);
    spread_planes(planes, n_planes, n_sets, is_first, out);
}

AVX2 INLINED void count_rows_of(const uint64_t *rows, size_t n_sets, size_t n_words, const uint16_t *list, size_t n,
                                uint32_t *out) {
    size_t first = 0;
    for (; n - first >= 1 << FEW_PLANES; first += n - first > ROWS_A_BYTE ? ROWS_A_BYTE : n - first)
        count_some_rows(rows, n_sets, n_words, list + first, n - first > ROWS_A_BYTE ? ROWS_A_BYTE : n - first, PLANES,
                        first == 0, out);
    if (first < n || n == 0)
        count_some_rows(rows, n_sets, n_words, list + first, n - first, FEW_PLANES, first == 0, out);
}

AVX2 void lane_rows_count_avx2(const uint64_t *rows, size_t n_sets, const uint16_t *list, size_t n, uint32_t *out) {
    if (n_sets == 1)
        count_rows_of(rows, 1, 1, list, n, out);
    else if (n_sets == 2)
        count_rows_of(rows, 2, 2, list, n, out);
    else
        count_rows_of(rows, n_sets, 4, list, n, out);
}

#endif
