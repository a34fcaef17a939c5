/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/lane_levels_internal.h"

#include "core/base/keep_order.h"
#include "core/counting/lane_loops_internal.h"
#include "core/counting/lane_avx2_internal.h"

#if defined(__x86_64__)

/*
 * What eight rows of `a` have in common with four of a lane is looked up.
 *
 * A step of a tile is two registers of sixteen rows each. Byte i of a half is lane i's: rows 0 to 3 and 8 to 11 in the
 * lower half, rows 4 to 7 and 12 to 15 in the upper one. So both halves of a register are looked up at once, and the
 * eight rows of `a` say where.
 */

/* Byte i: ones that i, 0 <= i < 16, has in common with four bits. */
#define BIT_OF(v, i) ((uint64_t)(v) >> (i)&1)
#define ONES_BELOW_8(v)                                                                                                \
    (BIT_OF(v, 0) * 0x0100010001000100 + BIT_OF(v, 1) * 0x0101000001010000 + BIT_OF(v, 2) * 0x0101010100000000)
#define ONES_WITH(v) ONES_BELOW_8(v), ONES_BELOW_8(v) + BIT_OF(v, 3) * 0x0101010101010101
#define ONE_BYTE(v)                                                                                                    \
    { ONES_WITH(v), ONES_WITH((v) >> 4) }
#define FOUR_BYTES(v) ONE_BYTE(v), ONE_BYTE((v) + 1), ONE_BYTE((v) + 2), ONE_BYTE((v) + 3)
#define SIXTEEN_BYTES(v) FOUR_BYTES(v), FOUR_BYTES((v) + 4), FOUR_BYTES((v) + 8), FOUR_BYTES((v) + 12)
#define SIXTY_FOUR_BYTES(v) SIXTEEN_BYTES(v), SIXTEEN_BYTES((v) + 16), SIXTEEN_BYTES((v) + 32), SIXTEEN_BYTES((v) + 48)

/* By eight rows of `a`: those of each half. */
static const _Alignas(32) uint64_t ones_with[256][4] = {SIXTY_FOUR_BYTES(0), SIXTY_FOUR_BYTES(64),
                                                        SIXTY_FOUR_BYTES(128), SIXTY_FOUR_BYTES(192)};

/* A byte holds at most four ones of each eight rows: so many steps fit before they are widened. */
enum { LOOKED_UP_STEPS = 15 };

/* Both halves, added up by lane and to what there is. */
AVX2 INLINED void add_lanes_256(__m256i bytes, bool is_first, uint32_t *out) {
    __m256i halves = _mm256_add_epi16(_mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)),
                                      _mm256_cvtepu8_epi16(_mm256_extracti128_si256(bytes, 1)));
    __m256i low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(halves));
    __m256i high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(halves, 1));
    store_256(out, is_first ? low : _mm256_add_epi32(low, load_256(out)));
    store_256(out + 8, is_first ? high : _mm256_add_epi32(high, load_256(out + 8)));
}

/* Up to four tiles of any sets, for tables are loaded as often as tiles are taken up: where they lie, and their sums.
 */
typedef struct {
    size_t lanes[4], out[4];
} some_tiles;

/* What a few vectors of `a` have in common with four rows of each half, of a few tiles. */
AVX2 INLINED void look_up(const unsigned char *x, size_t n_a, size_t n_bytes, const uint32_t *lanes,
                          const some_tiles *tiles, size_t n_tiles, int shift, __m256i (*bytes)[4]) {
    const __m256i nibble = _mm256_set1_epi8(0x0F);
    __m256i tables[2];
    for (size_t i = 0; i < n_a; i++)
        tables[i] = load_256(ones_with[x[i * n_bytes]]);
    for (size_t k = 0; k < n_tiles; k++) {
        __m256i y = load_256(lanes + tiles->lanes[k]);
        __m256i places = _mm256_and_si256(shift ? _mm256_srli_epi16(y, 4) : y, nibble);
        for (size_t i = 0; i < n_a; i++) {
            bytes[i][k] = _mm256_add_epi8(bytes[i][k], _mm256_shuffle_epi8(tables[i], places));
            KEEP_ORDER(bytes[i][k]);
        }
    }
}

/* Two vectors of `a`, or one, with a few tiles: each pair is a register. */
AVX2 INLINED void count_tiles_avx2(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_steps,
                                   const some_tiles *tiles, size_t n_tiles, uint32_t *out, size_t stride) {
    size_t n_bytes = n_words * sizeof *a;
    const unsigned char *x = (const unsigned char *)a;
    for (size_t s = 0, end; s < n_steps; s = end) {
        __m256i bytes[2][4] = {0};
        bool is_first = s == 0;
        end = n_steps - s > LOOKED_UP_STEPS ? s + LOOKED_UP_STEPS : n_steps;
        for (size_t at = s; at < end; at++) {
            const uint32_t *y = lanes + at * L;
            for (size_t half = 0; half < 2; half++) {
                look_up(x + 4 * at + 2 * half, n_a, n_bytes, y + 8 * half, tiles, n_tiles, 0, bytes);
                look_up(x + 4 * at + 2 * half + 1, n_a, n_bytes, y + 8 * half, tiles, n_tiles, 1, bytes);
            }
        }
        for (size_t i = 0; i < n_a; i++) {
            for (size_t k = 0; k < n_tiles; k++)
                add_lanes_256(bytes[i][k], is_first, out + i * stride + tiles->out[k]);
        }
    }
}

AVX2 INLINED void count_some_avx2(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_steps,
                                  const some_tiles *tiles, size_t n_tiles, uint32_t *out, size_t stride) {
    size_t i = 0;
    for (; i + 2 <= n_a; i += 2)
        count_tiles_avx2(a + i * n_words, 2, n_words, lanes, n_steps, tiles, n_tiles, out + i * stride, stride);
    if (i < n_a)
        count_tiles_avx2(a + i * n_words, 1, n_words, lanes, n_steps, tiles, n_tiles, out + i * stride, stride);
}

AVX2 static void count_avx2(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_sets,
                            size_t n_steps, size_t n_lanes, uint32_t *out) {
    size_t n_tiles = (n_lanes + TILE - 1) / TILE, stride = n_sets * L, n_all = n_sets * n_tiles;
    for (size_t first = 0; first < n_all; first += 4) {
        some_tiles tiles;
        for (size_t k = 0; k < 4; k++) {
            size_t set = (first + k) / n_tiles, lane = (first + k) % n_tiles * TILE;
            tiles.lanes[k] = set * n_steps * L + lane;
            tiles.out[k] = set * L + lane;
        }
        if (n_all - first >= 4)
            count_some_avx2(a, n_a, n_words, lanes, n_steps, &tiles, 4, out, stride);
        else if (n_all - first == 3)
            count_some_avx2(a, n_a, n_words, lanes, n_steps, &tiles, 3, out, stride);
        else if (n_all - first == 2)
            count_some_avx2(a, n_a, n_words, lanes, n_steps, &tiles, 2, out, stride);
        else
            count_some_avx2(a, n_a, n_words, lanes, n_steps, &tiles, 1, out, stride);
    }
}

AVX2 static void complete_avx2(const lane_strata *t, uint32_t *rest, uint32_t *margins) {
    complete_loop(t, rest, margins);
}

AVX2 static uint64_t at_least_avx2(const float *values, const float *limits, float shift) {
    __m256 s = _mm256_set1_ps(shift);
    uint64_t mask = 0;
    for (size_t k = 0; k < L; k += 8) {
        __m256 limit = _mm256_add_ps(_mm256_load_ps(limits + k), s);
        __m256 reached = _mm256_cmp_ps(_mm256_load_ps(values + k), limit, _CMP_GE_OQ);
        mask |= (uint64_t)(uint32_t)_mm256_movemask_ps(reached) << k;
    }
    return mask;
}

/* Eight steps of eight vectors, which change places: pairs of numbers, then pairs of pairs, then halves. */
AVX2 INLINED void turn_eight(const uint64_t *const *vectors, size_t step, __m256i *out) {
    __m256i a[8], b[8];
    for (size_t i = 0; i < 8; i++)
        a[i] = _mm256_loadu_si256((const __m256i *)(const void *)((const uint32_t *)(const void *)vectors[i] + step));
    for (size_t i = 0; i < 8; i += 2) {
        b[i] = _mm256_unpacklo_epi32(a[i], a[i + 1]);
        b[i + 1] = _mm256_unpackhi_epi32(a[i], a[i + 1]);
    }
    for (size_t i = 0; i < 8; i += 4) {
        for (size_t k = 0; k < 2; k++) {
            a[i + 2 * k] = _mm256_unpacklo_epi64(b[i + k], b[i + k + 2]);
            a[i + 2 * k + 1] = _mm256_unpackhi_epi64(b[i + k], b[i + k + 2]);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        out[i] = _mm256_permute2x128_si256(a[i], a[i + 4], 0x20);
        out[i + 4] = _mm256_permute2x128_si256(a[i], a[i + 4], 0x31);
    }
}

/* Of eight lanes' steps: nibbles 1 and 2 of each half change places, and bytes of equal places come together. */
AVX2 INLINED __m256i split_256(__m256i lanes) {
    const __m256i places = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9,
                                            13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m256i other = _mm256_and_si256(_mm256_xor_si256(lanes, _mm256_srli_epi16(lanes, 4)), _mm256_set1_epi16(0x00F0));
    __m256i swapped = _mm256_xor_si256(lanes, _mm256_xor_si256(other, _mm256_slli_epi16(other, 4)));
    return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(swapped, places), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

/* One step of a tile. */
AVX2 INLINED void lay_tile_avx2(__m256i first, __m256i second, uint32_t *out) {
    __m256i a = split_256(first), b = split_256(second);
    __m256i even = _mm256_unpacklo_epi64(a, b), odd = _mm256_unpackhi_epi64(a, b);
    store_256(out, _mm256_permute2x128_si256(even, odd, 0x20));
    store_256(out + 8, _mm256_permute2x128_si256(even, odd, 0x31));
}

/* Where a tile is not full, the first vector stands in, and is masked. */
AVX2 static void lay_avx2(const uint64_t *const *vectors, size_t n_lanes, size_t n_steps, uint32_t *out) {
    const uint64_t *padded[L];
    pad(vectors, n_lanes, padded);
    for (size_t tile = 0; tile < n_lanes; tile += TILE) {
        const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        __m256i n = _mm256_set1_epi32((int)(n_lanes - tile)), used[2];
        used[0] = _mm256_cmpgt_epi32(n, lane);
        used[1] = _mm256_cmpgt_epi32(n, _mm256_add_epi32(lane, _mm256_set1_epi32(8)));
        for (size_t s = 0; s < n_steps; s += 8) {
            __m256i first[8], second[8];
            turn_eight(padded + tile, s, first);
            turn_eight(padded + tile + 8, s, second);
            for (size_t i = 0; i < 8 && s + i < n_steps; i++)
                lay_tile_avx2(_mm256_and_si256(first[i], used[0]), _mm256_and_si256(second[i], used[1]),
                              out + (s + i) * L + tile);
        }
    }
}

AVX2 static uint32_t above_avx2(const float *sums, const float *own, const float *limits, const uint32_t *places,
                                float shift) {
    uint32_t mask = 0;
    for (size_t k = 0; k < TILE; k += 8) {
        __m256i at = _mm256_load_si256((const __m256i *)(const void *)(places + k));
        __m256 limit = _mm256_add_ps(_mm256_i32gather_ps(limits, at, sizeof *limits), _mm256_set1_ps(shift));
        __m256 value = _mm256_sub_ps(_mm256_load_ps(sums + k), _mm256_loadu_ps(own + k));
        mask |= (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(value, limit, _CMP_GT_OQ)) << k;
    }
    return mask;
}

const lane_kernels lane_kernels_avx2 = {"avx2",
                                        lay_avx2,
                                        count_avx2,
                                        lane_sums_of_terms_avx2,
                                        lane_sums_of_strata_avx2,
                                        complete_avx2,
                                        lane_sums_given_avx2,
                                        at_least_avx2,
                                        above_avx2,
                                        lane_rows_turn_avx2,
                                        lane_rows_count_avx2};

#endif
