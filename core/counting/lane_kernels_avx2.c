/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/lane_levels_internal.h"

#include "core/base/keep_order.h"
#include "core/counting/lane_avx2_internal.h"

#if defined(__x86_64__)

#define LEVEL AVX2
#define LEVEL_LANES 8
#define MULTIPLY_ADD(a, b, c) (reals) _mm256_fmadd_ps(a, b, c)
#include "core/counting/lane_sums_internal.h"

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

/* Where a tile of a set lies, and its sums. */
typedef struct {
    size_t lanes, out;
} tile_place;

/* Those of all sets, of which four are taken at once: tables of ones are loaded as often as tiles are taken up. */
typedef struct {
    tile_place at[(PAIR_MOST_STATES - 1) * (KERNEL_LANES / KERNEL_TILE)];
    size_t n;
} tile_places;

/* One or two vectors, and where the counts of each go. */
typedef struct {
    const unsigned char *bits[2];
    uint32_t *out[2];
    size_t n;
} some_vectors;

/* What a few vectors have in common with four rows of each half, of a few tiles. */
AVX2 INLINED void look_up(const some_vectors *a, size_t n_a, size_t byte, const uint32_t *lanes,
                          const tile_place *tiles, size_t n_tiles, int shift, __m256i (*bytes)[4]) {
    const __m256i nibble = _mm256_set1_epi8(0x0F);
    __m256i tables[2];
    for (size_t i = 0; i < n_a; i++)
        tables[i] = load_256(ones_with[a->bits[i][byte]]);
    for (size_t k = 0; k < n_tiles; k++) {
        __m256i y = load_256(lanes + tiles[k].lanes);
        __m256i places = _mm256_and_si256(shift ? _mm256_srli_epi16(y, 4) : y, nibble);
        for (size_t i = 0; i < n_a; i++) {
            bytes[i][k] = _mm256_add_epi8(bytes[i][k], _mm256_shuffle_epi8(tables[i], places));
            KEEP_ORDER(bytes[i][k]);
        }
    }
}

/* With a few tiles: each pair is a register. */
AVX2 INLINED void count_tiles_avx2(const some_vectors *a, size_t n_a, const uint32_t *lanes, size_t n_steps,
                                   const tile_place *tiles, size_t n_tiles) {
    for (size_t s = 0, end; s < n_steps; s = end) {
        __m256i bytes[2][4] = {0};
        bool is_first = s == 0;
        end = n_steps - s > LOOKED_UP_STEPS ? s + LOOKED_UP_STEPS : n_steps;
        for (size_t at = s; at < end; at++) {
            const uint32_t *y = lanes + at * L;
            for (size_t half = 0; half < 2; half++) {
                look_up(a, n_a, 4 * at + 2 * half, y + 8 * half, tiles, n_tiles, 0, bytes);
                look_up(a, n_a, 4 * at + 2 * half + 1, y + 8 * half, tiles, n_tiles, 1, bytes);
            }
        }
        for (size_t i = 0; i < n_a; i++) {
            for (size_t k = 0; k < n_tiles; k++)
                add_lanes_256(bytes[i][k], is_first, a->out[i] + tiles[k].out);
        }
    }
}

/* All that wait, with some tiles. */
AVX2 INLINED void count_some_tiles(const some_vectors *a, size_t n_a, const uint32_t *lanes, size_t n_steps,
                                   const tile_places *tiles) {
    for (size_t first = 0; first < tiles->n; first += 4) {
        const tile_place *at = tiles->at + first;
        if (tiles->n - first >= 4)
            count_tiles_avx2(a, n_a, lanes, n_steps, at, 4);
        else if (tiles->n - first == 3)
            count_tiles_avx2(a, n_a, lanes, n_steps, at, 3);
        else if (tiles->n - first == 2)
            count_tiles_avx2(a, n_a, lanes, n_steps, at, 2);
        else
            count_tiles_avx2(a, n_a, lanes, n_steps, at, 1);
    }
}

AVX2 INLINED void count_waiting(some_vectors *a, const uint32_t *lanes, size_t n_steps, const tile_places *tiles) {
    if (a->n == 2)
        count_some_tiles(a, 2, lanes, n_steps, tiles);
    else if (a->n == 1)
        count_some_tiles(a, 1, lanes, n_steps, tiles);
    a->n = 0;
}

/* Of a vector, those of its bytes that have rows; so many fit before sums of bytes are widened. */
typedef struct {
    uint16_t at[4 * LOOKED_UP_STEPS];
    size_t n;
} byte_list;

/* False if they are more than fit, or more than a third. */
AVX2 INLINED bool list_bytes(const unsigned char *bits, size_t n_steps, byte_list *out) {
    size_t n_bytes = n_steps * sizeof(uint32_t),
           most = n_bytes / 3 < 4 * LOOKED_UP_STEPS ? n_bytes / 3 : 4 * LOOKED_UP_STEPS;
    out->n = 0;
    for (size_t first = 0; first < n_bytes; first += 32) {
        __m256i is_empty = _mm256_cmpeq_epi8(load_256(bits + first), _mm256_setzero_si256());
        uint32_t left = ~(uint32_t)_mm256_movemask_epi8(is_empty);
        if (n_bytes - first < 32)
            left &= (1U << (n_bytes - first)) - 1;
        if (out->n + (size_t)__builtin_popcount(left) > most)
            return false;
        for (; left; left &= left - 1)
            out->at[out->n++] = (uint16_t)(first + (size_t)__builtin_ctz(left));
    }
    return true;
}

/* A vector with a few tiles, by its bytes that have rows. */
AVX2 INLINED void count_listed(const unsigned char *bits, const byte_list *bytes, const uint32_t *lanes,
                               const tile_place *tiles, size_t n_tiles, uint32_t *out) {
    const __m256i nibble = _mm256_set1_epi8(0x0F);
    __m256i sums[4] = {0};
    for (size_t i = 0; i < bytes->n; i++) {
        size_t byte = bytes->at[i];
        const uint32_t *y = lanes + byte / 4 * L + byte / 2 % 2 * 8;
        __m256i table = load_256(ones_with[bits[byte]]);
        __m128i shift = _mm_cvtsi32_si128((int)(byte % 2 * 4));
        for (size_t k = 0; k < n_tiles; k++) {
            __m256i places = _mm256_and_si256(_mm256_srl_epi16(load_256(y + tiles[k].lanes), shift), nibble);
            sums[k] = _mm256_add_epi8(sums[k], _mm256_shuffle_epi8(table, places));
        }
    }
    for (size_t k = 0; k < n_tiles; k++)
        add_lanes_256(sums[k], true, out + tiles[k].out);
}

AVX2 INLINED void count_sparse(const unsigned char *bits, const byte_list *bytes, const uint32_t *lanes,
                               const tile_places *tiles, uint32_t *out) {
    size_t first = 0;
    for (; first + 4 <= tiles->n; first += 4)
        count_listed(bits, bytes, lanes, tiles->at + first, 4, out);
    for (; first < tiles->n; first++)
        count_listed(bits, bytes, lanes, tiles->at + first, 1, out);
}

static void place_tiles(size_t n_sets, size_t n_steps, size_t n_lanes, tile_places *out) {
    out->n = 0;
    for (size_t set = 0; set < n_sets; set++) {
        for (size_t lane = 0; lane < n_lanes; lane += TILE)
            out->at[out->n++] = (tile_place){set * n_steps * L + lane, set * L + lane};
    }
}

AVX2 static void count_avx2(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_sets,
                            size_t n_steps, size_t n_lanes, uint32_t *out) {
    some_vectors waiting = {.n = 0};
    tile_places tiles;
    byte_list bytes;
    place_tiles(n_sets, n_steps, n_lanes, &tiles);
    for (size_t i = 0; i < n_a; i++) {
        const unsigned char *bits = (const unsigned char *)(a + i * n_words);
        if (list_bytes(bits, n_steps, &bytes)) {
            count_sparse(bits, &bytes, lanes, &tiles, out + i * n_sets * L);
            continue;
        }
        waiting.bits[waiting.n] = bits;
        waiting.out[waiting.n++] = out + i * n_sets * L;
        if (waiting.n == 2)
            count_waiting(&waiting, lanes, n_steps, &tiles);
    }
    count_waiting(&waiting, lanes, n_steps, &tiles);
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

const lane_kernels lane_kernels_avx2 = {.name = "avx2",
                                        .lay = lay_avx2,
                                        .count = count_avx2,
                                        .sum_terms = sum_terms,
                                        .sum_strata = sum_strata,
                                        .complete = complete,
                                        .sum_given = sum_given,
                                        .at_least = at_least_avx2,
                                        .above = above_avx2,
                                        .turn = lane_rows_turn_avx2,
                                        .count_rows = lane_rows_count_avx2};

#endif
