/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/lane_kernels_internal.h"

#include "core/counting/byte_ones_internal.h"
#include "core/counting/count_kernels_internal.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define HAVE_X86 1
#endif

#define INLINED static inline __attribute__((always_inline))

enum { L = KERNEL_LANES, TILE = KERNEL_TILE };

/* A byte holds at most 8 ones a step: so many steps fit before they are widened. */
enum { STEPS = 31 };

INLINED uint32_t bits_at(const uint64_t *vector, size_t step) {
    uint32_t bits;
    memcpy(&bits, (const unsigned char *)vector + step * sizeof bits, sizeof bits);
    return bits;
}

/* --- sums of terms: plain loops that each level compiles for its own instructions --- */

INLINED float multiply_add(float a, float b, float c, int fused) {
    return fused ? __builtin_fmaf(a, b, c) : a * b + c;
}

/*
 * N log2 N added to a sum. The bits of N = 2^e m as a number are 2^23 (e + m - 1) above those of 1; what log2 m has
 * over m - 1 is the polynomial that is nearest to it for 1 <= m < 2, off by 1.3e-5 at most. Where N = 0, it is finite.
 */
INLINED float add_term(float sum, uint32_t count, int fused) {
    static const float c[] = {-1.80036404F, 4.09171081F, -3.55079293F, 1.63114877F, -0.416563687F, 0.0448736103F};
    float n = (float)(int32_t)count, m, rest;
    int32_t bits, mantissa;
    memcpy(&bits, &n, sizeof bits);
    mantissa = (bits & 0x7FFFFF) | 0x3F800000;
    memcpy(&m, &mantissa, sizeof m);
    rest = multiply_add(c[5], m, c[4], fused);
    rest = multiply_add(rest, m, c[3], fused);
    rest = multiply_add(rest, m, c[2], fused);
    rest = multiply_add(rest, m, c[1], fused);
    rest = multiply_add(rest, m, c[0], fused);
    rest = multiply_add((float)(bits - 0x3F800000), 0x1p-23F, rest, fused);
    return multiply_add(n, rest, sum, fused);
}

INLINED void add_terms(const uint32_t *restrict counts, float *restrict sums, int fused) {
    for (size_t k = 0; k < TILE; k++)
        sums[k] = add_term(sums[k], counts[k], fused);
}

INLINED void subtract_terms(const uint32_t *restrict counts, float *restrict sums, int fused) {
    for (size_t k = 0; k < TILE; k++)
        sums[k] -= add_term(0, counts[k], fused);
}

INLINED void add_where_seen(const uint32_t *restrict counts, uint32_t more, uint32_t *restrict sums) {
    for (size_t k = 0; k < TILE; k++)
        sums[k] += counts[k] > 0 ? more : 0;
}

/* What is not counted of a row of the table is what the others leave, and so with columns. */
INLINED void sum_terms_of_tile(const lane_tables *t, size_t r_x, size_t r_y, size_t tile, float *restrict out,
                               int fused) {
    uint32_t last[PAIR_MOST_STATES][TILE], rest[TILE];
    float sums[TILE] = {0};
    size_t columns = r_y - 1;
    for (size_t j = 0; j < r_y; j++)
        memcpy(last[j], t->y_margins + j * L + tile, sizeof last[j]);
    for (size_t i = 0; i + 1 < r_x; i++) {
        for (size_t k = 0; k < TILE; k++)
            rest[k] = t->x_margin[i];
        for (size_t j = 0; j < columns; j++) {
            const uint32_t *restrict cells = t->counts + (i * columns + j) * L + tile;
            for (size_t k = 0; k < TILE; k++) {
                rest[k] -= cells[k];
                last[j][k] -= cells[k];
            }
            add_terms(cells, sums, fused);
        }
        for (size_t k = 0; k < TILE; k++)
            last[columns][k] -= rest[k];
        add_terms(rest, sums, fused);
    }
    for (size_t j = 0; j < r_y; j++)
        add_terms(last[j], sums, fused);
    for (size_t k = 0; k < TILE; k++)
        out[tile + k] = sums[k] * 0.693147181F;
}

INLINED void sum_terms_of_size(const lane_tables *t, size_t r_x, size_t r_y, float *restrict sums, int fused) {
    for (size_t tile = 0; tile < t->n_lanes; tile += TILE)
        sum_terms_of_tile(t, r_x, r_y, tile, sums, fused);
}

/* Tables of two and three states are the most frequent by far: their numbers stay in registers. */
INLINED void sum_terms_loop(const lane_tables *t, float *restrict sums, int fused) {
    memset(sums, 0, L * sizeof *sums);
    if (t->r_x == 2 && t->r_y == 2)
        sum_terms_of_size(t, 2, 2, sums, fused);
    else if (t->r_x == 3 && t->r_y == 2)
        sum_terms_of_size(t, 3, 2, sums, fused);
    else if (t->r_x == 2 && t->r_y == 3)
        sum_terms_of_size(t, 2, 3, sums, fused);
    else if (t->r_x == 3 && t->r_y == 3)
        sum_terms_of_size(t, 3, 3, sums, fused);
    else
        sum_terms_of_size(t, t->r_x, t->r_y, sums, fused);
}

INLINED void sum_stratum(const lane_strata *t, size_t r, size_t stratum, size_t tile, float *restrict sums,
                         uint32_t *restrict adjusted, int fused) {
    uint32_t margins[PAIR_MOST_STATES][TILE], rest[TILE];
    size_t columns = r - 1, first = t->starts[stratum], end = t->starts[stratum + 1];
    uint32_t n_others = (uint32_t)(end - first - 1);
    memset(margins, 0, r * sizeof margins[0]);
    for (size_t i = first; i < end; i++) {
        for (size_t k = 0; k < TILE; k++)
            rest[k] = t->tallies[i];
        for (size_t j = 0; j < columns; j++) {
            const uint32_t *restrict cells = t->counts + (i * columns + j) * L + tile;
            for (size_t k = 0; k < TILE; k++) {
                rest[k] -= cells[k];
                margins[j][k] += cells[k];
            }
            add_terms(cells, sums, fused);
        }
        for (size_t k = 0; k < TILE; k++)
            margins[columns][k] += rest[k];
        add_terms(rest, sums, fused);
    }
    for (size_t k = 0; k < TILE; k++)
        adjusted[k] -= n_others;
    for (size_t j = 0; j < r; j++) {
        add_where_seen(margins[j], n_others, adjusted);
        subtract_terms(margins[j], sums, fused);
    }
}

INLINED void sum_strata_of_size(const lane_strata *t, size_t r, float *restrict sums, uint32_t *restrict adjusted,
                                int fused) {
    for (size_t tile = 0; tile < t->n_lanes; tile += TILE) {
        for (size_t s = 0; s < t->n_strata; s++)
            sum_stratum(t, r, s, tile, sums + tile, adjusted + tile, fused);
        for (size_t k = 0; k < TILE; k++)
            sums[tile + k] *= 0.693147181F;
    }
}

INLINED void sum_strata_loop(const lane_strata *t, float *restrict sums, uint32_t *restrict adjusted, int fused) {
    memset(sums, 0, L * sizeof *sums);
    memset(adjusted, 0, L * sizeof *adjusted);
    if (t->r == 2)
        sum_strata_of_size(t, 2, sums, adjusted, fused);
    else if (t->r == 3)
        sum_strata_of_size(t, 3, sums, adjusted, fused);
    else
        sum_strata_of_size(t, t->r, sums, adjusted, fused);
}

/* --- vectors side by side --- */

/* The first takes the place of those that there are not. */
INLINED void pad(const uint64_t *const *vectors, size_t n_lanes, const uint64_t **out) {
    for (size_t lane = 0; lane < L; lane++)
        out[lane] = vectors[lane < n_lanes ? lane : 0];
}

/* Step by step, all lanes of each, so that whole lines are written. */
static void lay_portable(const uint64_t *const *vectors, size_t n_lanes, size_t n_steps, uint32_t *out) {
    size_t n_empty = ((n_lanes + TILE - 1) / TILE * TILE - n_lanes) * sizeof *out;
    for (size_t s = 0; s < n_steps; s++) {
        for (size_t lane = 0; lane < n_lanes; lane++)
            out[s * L + lane] = bits_at(vectors[lane], s);
        memset(out + s * L + n_lanes, 0, n_empty);
    }
}

/* --- what is not counted: integers --- */

INLINED void complete_stratum(const lane_strata *t, size_t r, size_t stratum, size_t tile, uint32_t *restrict rest,
                              uint32_t *restrict margins) {
    size_t columns = r - 1, first = t->starts[stratum] - t->starts[0], end = t->starts[stratum + 1] - t->starts[0];
    uint32_t of_states[PAIR_MOST_STATES][TILE];
    memset(of_states, 0, r * sizeof of_states[0]);
    for (size_t i = first; i < end; i++) {
        uint32_t left[TILE];
        for (size_t k = 0; k < TILE; k++)
            left[k] = t->tallies[i];
        for (size_t j = 0; j < columns; j++) {
            const uint32_t *restrict cells = t->counts + (i * columns + j) * L + tile;
            for (size_t k = 0; k < TILE; k++) {
                left[k] -= cells[k];
                of_states[j][k] += cells[k];
            }
        }
        for (size_t k = 0; k < TILE; k++)
            of_states[columns][k] += left[k];
        memcpy(rest + i * L + tile, left, sizeof left);
    }
    for (size_t j = 0; j < r; j++)
        memcpy(margins + (stratum * r + j) * L + tile, of_states[j], sizeof of_states[j]);
}

INLINED void complete_of_size(const lane_strata *t, size_t r, uint32_t *restrict rest, uint32_t *restrict margins) {
    for (size_t tile = 0; tile < t->n_lanes; tile += TILE) {
        for (size_t s = 0; s < t->n_strata; s++)
            complete_stratum(t, r, s, tile, rest, margins);
    }
}

INLINED void complete_loop(const lane_strata *t, uint32_t *restrict rest, uint32_t *restrict margins) {
    if (t->r == 2)
        complete_of_size(t, 2, rest, margins);
    else if (t->r == 3)
        complete_of_size(t, 3, rest, margins);
    else
        complete_of_size(t, t->r, rest, margins);
}

/* Of the first column, what has one state of the lanes' columns; of their last state, what the others leave. */
INLINED void take_state(const lane_tables *t, size_t r_x, size_t state, size_t tile,
                        uint32_t (*restrict firsts)[TILE]) {
    size_t columns = t->r_y - 1, last = r_x - 1;
    memcpy(firsts[last], t->y_margins + state * L + tile, sizeof firsts[last]);
    for (size_t i = 0; i < last; i++) {
        const uint32_t *restrict counts = t->counts + i * columns * L + tile;
        if (state < columns) {
            memcpy(firsts[i], counts + state * L, sizeof firsts[i]);
        } else {
            for (size_t k = 0; k < TILE; k++)
                firsts[i][k] = t->x_margin[i];
            for (size_t j = 0; j < columns; j++) {
                for (size_t k = 0; k < TILE; k++)
                    firsts[i][k] -= counts[j * L + k];
            }
        }
        for (size_t k = 0; k < TILE; k++)
            firsts[last][k] -= firsts[i][k];
    }
}

/* The columns whose cells are counted. All of those cells but the ones of the second column's last state have rows, or
 * else each says which it is. */
typedef struct {
    size_t r_first, r_second, n_cells;
    bool has_all;
} cross_shape;

INLINED size_t first_of(const lane_cross *t, cross_shape of, size_t cell) {
    return of.has_all ? cell % of.r_first : t->firsts[cell];
}

INLINED size_t second_of(const lane_cross *t, cross_shape of, size_t cell) {
    return of.has_all ? cell / of.r_first : t->seconds[cell];
}

/* Of one state of the lanes' columns, whose counts lie `stride` apart. The cells that are not counted are what the
 * others leave of the first column. */
INLINED void sum_state(const lane_cross *t, cross_shape of, const uint32_t *restrict counts, size_t stride,
                       uint32_t (*restrict rest)[TILE], float *restrict sums, uint32_t *restrict adjusted, int fused) {
    uint32_t seconds[PAIR_MOST_STATES][TILE], n_firsts[TILE] = {0}, n_seconds[TILE] = {0};
    uint32_t(*last)[TILE] = &seconds[of.r_second - 1];
    memset(seconds, 0, of.r_second * sizeof seconds[0]);
    for (size_t i = 0; i < of.r_first; i++)
        add_where_seen(rest[i], 1, n_firsts);
    for (size_t c = 0; c < of.n_cells; c++) {
        const uint32_t *restrict cells = counts + c * stride;
        for (size_t k = 0; k < TILE; k++) {
            rest[first_of(t, of, c)][k] -= cells[k];
            seconds[second_of(t, of, c)][k] += cells[k];
        }
        add_terms(cells, sums, fused);
    }
    for (size_t i = 0; i < of.r_first; i++) {
        for (size_t k = 0; k < TILE; k++)
            (*last)[k] += rest[i][k];
        add_terms(rest[i], sums, fused);
    }
    for (size_t i = 0; i < of.r_second; i++) {
        add_where_seen(seconds[i], 1, n_seconds);
        subtract_terms(seconds[i], sums, fused);
    }
    for (size_t k = 0; k < TILE; k++)
        adjusted[k] += n_firsts[k] > 0 ? (n_firsts[k] - 1) * (n_seconds[k] - 1) : 0;
}

INLINED void sum_given_of(const lane_cross *t, cross_shape of, size_t tile, float *restrict out,
                          uint32_t *restrict all_adjusted, int fused) {
    uint32_t last[LANE_MOST_CELLS][TILE], firsts[PAIR_MOST_STATES][TILE], adjusted[TILE] = {0};
    float sums[TILE] = {0};
    size_t n_counted = t->first.r_y - 1;
    for (size_t c = 0; c < of.n_cells; c++) {
        for (size_t k = 0; k < TILE; k++)
            last[c][k] = t->tallies[c];
        for (size_t j = 0; j < n_counted; j++) {
            const uint32_t *restrict cells = t->counts + (c * n_counted + j) * L + tile;
            for (size_t k = 0; k < TILE; k++)
                last[c][k] -= cells[k];
        }
    }
    for (size_t j = 0; j < n_counted; j++) {
        take_state(&t->first, of.r_first, j, tile, firsts);
        sum_state(t, of, t->counts + j * L + tile, n_counted * L, firsts, sums, adjusted, fused);
    }
    take_state(&t->first, of.r_first, n_counted, tile, firsts);
    sum_state(t, of, last[0], TILE, firsts, sums, adjusted, fused);
    for (size_t k = 0; k < TILE; k++)
        out[tile + k] = sums[k] * 0.693147181F;
    memcpy(all_adjusted + tile, adjusted, sizeof adjusted);
}

INLINED bool has_shape(cross_shape of, size_t r_first, size_t r_second) {
    return of.has_all && of.r_first == r_first && of.r_second == r_second;
}

/* As of sum_terms. */
INLINED void sum_given_loop(const lane_cross *t, size_t tile, float *restrict sums, uint32_t *restrict adjusted,
                            int fused) {
    cross_shape of = {t->first.r_x, t->r_second, t->n_cells, t->n_cells == t->first.r_x * (t->r_second - 1)};
    if (has_shape(of, 2, 2))
        sum_given_of(t, (cross_shape){2, 2, 2, true}, tile, sums, adjusted, fused);
    else if (has_shape(of, 3, 2))
        sum_given_of(t, (cross_shape){3, 2, 3, true}, tile, sums, adjusted, fused);
    else if (has_shape(of, 2, 3))
        sum_given_of(t, (cross_shape){2, 3, 4, true}, tile, sums, adjusted, fused);
    else if (has_shape(of, 3, 3))
        sum_given_of(t, (cross_shape){3, 3, 6, true}, tile, sums, adjusted, fused);
    else
        sum_given_of(t, of, tile, sums, adjusted, fused);
}

/* --- portable --- */

/* Ones of each four bits. */
INLINED uint32_t ones_of_nibbles(uint32_t v) {
    v -= (v >> 1) & 0x55555555U;
    return (v & 0x33333333U) + ((v >> 2) & 0x33333333U);
}

INLINED uint32_t bytes_of_nibbles(uint32_t v) {
    return (v & 0x0F0F0F0FU) + ((v >> 4) & 0x0F0F0F0FU);
}

enum { TRIPLES = STEPS / 3 };

/* Ones of up to three steps are added up in four bits each, and those of up to ten triples in a byte. */
static void count_tile(const uint64_t *a, const uint32_t *lanes, size_t n_steps, uint32_t *restrict out) {
    uint32_t sums[TILE] = {0};
    for (size_t s = 0; s < n_steps;) {
        size_t end = n_steps - s > 3 * TRIPLES ? s + 3 * TRIPLES : n_steps;
        uint32_t bytes[TILE] = {0};
        for (; s + 3 <= end; s += 3) {
            uint32_t x = bits_at(a, s), y = bits_at(a, s + 1), z = bits_at(a, s + 2);
            const uint32_t *restrict at = lanes + s * L;
            for (size_t k = 0; k < TILE; k++)
                bytes[k] += bytes_of_nibbles(ones_of_nibbles(x & at[k]) + ones_of_nibbles(y & at[L + k]) +
                                             ones_of_nibbles(z & at[2 * L + k]));
        }
        for (; s < end; s++) {
            uint32_t x = bits_at(a, s);
            for (size_t k = 0; k < TILE; k++)
                bytes[k] += bytes_of_nibbles(ones_of_nibbles(x & lanes[s * L + k]));
        }
        for (size_t k = 0; k < TILE; k++) {
            uint32_t pairs = (bytes[k] & 0x00FF00FFU) + ((bytes[k] >> 8) & 0x00FF00FFU);
            sums[k] += (pairs & 0xFFFF) + (pairs >> 16);
        }
    }
    memcpy(out, sums, sizeof sums);
}

static void count_portable(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_sets,
                           size_t n_steps, size_t n_lanes, uint32_t *out) {
    for (size_t i = 0; i < n_a; i++) {
        for (size_t k = 0; k < n_sets; k++) {
            for (size_t first = 0; first < n_lanes; first += TILE)
                count_tile(a + i * n_words, lanes + k * n_steps * L + first, n_steps,
                           out + (i * n_sets + k) * L + first);
        }
    }
}

static void sum_strata_portable(const lane_strata *t, float *sums, uint32_t *adjusted) {
    sum_strata_loop(t, sums, adjusted, 0);
}

static void complete_portable(const lane_strata *t, uint32_t *rest, uint32_t *margins) {
    complete_loop(t, rest, margins);
}

static void sum_terms_portable(const lane_tables *t, float *out) {
    sum_terms_loop(t, out, 0);
}

static void sum_given_portable(const lane_cross *t, size_t first, float *sums, uint32_t *adjusted) {
    sum_given_loop(t, first, sums, adjusted, 0);
}

static uint64_t at_least_portable(const float *values, const float *limits, float shift) {
    uint64_t mask = 0;
    for (size_t k = 0; k < L; k++)
        mask |= (uint64_t)(values[k] >= limits[k] + shift) << k;
    return mask;
}

INLINED uint32_t above_loop(const float *sums, const float *own, const float *limits, const uint32_t *places,
                            float shift) {
    uint32_t mask = 0;
    for (size_t k = 0; k < TILE; k++)
        mask |= (uint32_t)(sums[k] - own[k] > limits[places[k]] + shift) << k;
    return mask;
}

static uint32_t above_portable(const float *sums, const float *own, const float *limits, const uint32_t *places,
                               float shift) {
    return above_loop(sums, own, limits, places, shift);
}

static const lane_kernels portable = {"portable",         lay_portable,        count_portable,
                                      sum_terms_portable, sum_strata_portable, complete_portable,
                                      sum_given_portable, at_least_portable,   above_portable};

#ifdef HAVE_X86

#define AVX2 __attribute__((target("avx2")))
#define AVX512BW __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq")))

/*
 * --- avx2: what eight rows of `a` have in common with four of a lane is looked up ---
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

AVX2 INLINED __m256i load_256(const void *p) {
    return _mm256_load_si256((const __m256i *)p);
}

AVX2 INLINED void store_256(void *p, __m256i v) {
    _mm256_store_si256((__m256i *)p, v);
}

/* Both halves, added up by lane and to what there is. */
AVX2 INLINED void add_lanes_256(__m256i bytes, bool is_first, uint32_t *out) {
    __m256i halves = _mm256_add_epi16(_mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)),
                                      _mm256_cvtepu8_epi16(_mm256_extracti128_si256(bytes, 1)));
    __m256i low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(halves));
    __m256i high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(halves, 1));
    store_256(out, is_first ? low : _mm256_add_epi32(low, load_256(out)));
    store_256(out + 8, is_first ? high : _mm256_add_epi32(high, load_256(out + 8)));
}

/* Left alone, GCC 12 adds what was looked up before it adds that to the sums, and runs out of registers. */
#define KEEP_ORDER(v) __asm__("" : "+x"(v))

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

AVX2 static void sum_strata_avx2(const lane_strata *t, float *sums, uint32_t *adjusted) {
    sum_strata_loop(t, sums, adjusted, 0);
}

AVX2 static void complete_avx2(const lane_strata *t, uint32_t *rest, uint32_t *margins) {
    complete_loop(t, rest, margins);
}

AVX2 static void sum_terms_avx2(const lane_tables *t, float *out) {
    sum_terms_loop(t, out, 0);
}

AVX2 static void sum_given_avx2(const lane_cross *t, size_t first, float *sums, uint32_t *adjusted) {
    sum_given_loop(t, first, sums, adjusted, 0);
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

AVX2 static void turn_avx2(const uint32_t *lanes, size_t n_sets, size_t n_steps, uint64_t *rows) {
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

AVX2 static void count_rows_avx2(const uint64_t *rows, size_t n_sets, const uint16_t *list, size_t n, uint32_t *out) {
    if (n_sets == 1)
        count_rows_of(rows, 1, 1, list, n, out);
    else if (n_sets == 2)
        count_rows_of(rows, 2, 2, list, n, out);
    else
        count_rows_of(rows, n_sets, 4, list, n, out);
}

static const lane_kernels avx2 = {"avx2",          lay_avx2,      count_avx2,     sum_terms_avx2,
                                  sum_strata_avx2, complete_avx2, sum_given_avx2, at_least_avx2,
                                  above_avx2,      turn_avx2,     count_rows_avx2};

/* --- avx512bw: the same of twice the width --- */

AVX512BW INLINED __m512i widen_512(__m512i bytes) {
    return _mm512_madd_epi16(_mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1)), _mm512_set1_epi16(1));
}

/* Two vectors of `a`, or one, with a few tiles: each is a register. */
AVX512BW INLINED void count_tiles_avx512bw(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes,
                                           size_t n_steps, size_t n_tiles, uint32_t *out, size_t stride) {
    __m512i sums[2][4] = {0};
    for (size_t s = 0; s < n_steps;) {
        size_t end = n_steps - s > STEPS ? s + STEPS : n_steps;
        __m512i bytes[2][4] = {0};
        for (; s < end; s++) {
            for (size_t i = 0; i < n_a; i++) {
                __m512i x = _mm512_set1_epi32((int)bits_at(a + i * n_words, s));
                for (size_t k = 0; k < n_tiles; k++)
                    bytes[i][k] = _mm512_add_epi8(
                        bytes[i][k], byte_ones_512(_mm512_and_si512(x, _mm512_load_si512(lanes + s * L + k * TILE))));
            }
        }
        for (size_t i = 0; i < n_a; i++) {
            for (size_t k = 0; k < n_tiles; k++)
                sums[i][k] = _mm512_add_epi32(sums[i][k], widen_512(bytes[i][k]));
        }
    }
    for (size_t i = 0; i < n_a; i++) {
        for (size_t k = 0; k < n_tiles; k++)
            _mm512_store_si512(out + i * stride + k * TILE, sums[i][k]);
    }
}

AVX512BW INLINED void count_some_avx512bw(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes,
                                          size_t n_sets, size_t n_steps, size_t n_tiles, uint32_t *out) {
    for (size_t i = 0; i < n_a; i += 2) {
        for (size_t k = 0; k < n_sets; k++) {
            const uint32_t *set = lanes + k * n_steps * L;
            uint32_t *at = out + (i * n_sets + k) * L;
            if (i + 2 <= n_a)
                count_tiles_avx512bw(a + i * n_words, 2, n_words, set, n_steps, n_tiles, at, n_sets * L);
            else
                count_tiles_avx512bw(a + i * n_words, 1, n_words, set, n_steps, n_tiles, at, n_sets * L);
        }
    }
}

AVX512BW static void count_avx512bw(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_sets,
                                    size_t n_steps, size_t n_lanes, uint32_t *out) {
    if (n_lanes > 2 * TILE)
        count_some_avx512bw(a, n_a, n_words, lanes, n_sets, n_steps, 4, out);
    else if (n_lanes > TILE)
        count_some_avx512bw(a, n_a, n_words, lanes, n_sets, n_steps, 2, out);
    else
        count_some_avx512bw(a, n_a, n_words, lanes, n_sets, n_steps, 1, out);
}

AVX512BW static void sum_strata_avx512(const lane_strata *t, float *sums, uint32_t *adjusted) {
    sum_strata_loop(t, sums, adjusted, 1);
}

AVX512BW static void complete_avx512(const lane_strata *t, uint32_t *rest, uint32_t *margins) {
    complete_loop(t, rest, margins);
}

AVX512BW static void sum_terms_avx512(const lane_tables *t, float *out) {
    sum_terms_loop(t, out, 1);
}

AVX512BW static void sum_given_avx512(const lane_cross *t, size_t first, float *sums, uint32_t *adjusted) {
    sum_given_loop(t, first, sums, adjusted, 1);
}

AVX512BW static uint64_t at_least_avx512(const float *values, const float *limits, float shift) {
    __m512 s = _mm512_set1_ps(shift);
    uint64_t mask = 0;
    for (size_t k = 0; k < L; k += 16) {
        __m512 limit = _mm512_add_ps(_mm512_load_ps(limits + k), s);
        mask |= (uint64_t)_mm512_cmp_ps_mask(_mm512_load_ps(values + k), limit, _CMP_GE_OQ) << k;
    }
    return mask;
}

AVX512BW INLINED __m256 gather_eight(const float *values, const uint32_t *places) {
    return _mm256_i32gather_ps(values, _mm256_load_si256((const __m256i *)(const void *)places), sizeof *values);
}

/* By halves: where nothing is optimised, GCC 12 takes its own macro for a gather of sixteen for a mistake. */
AVX512BW INLINED __m512 gather_sixteen(const float *values, const uint32_t *places) {
    __m512d low = _mm512_castps_pd(_mm512_castps256_ps512(gather_eight(values, places)));
    return _mm512_castpd_ps(_mm512_insertf64x4(low, _mm256_castps_pd(gather_eight(values, places + 8)), 1));
}

AVX512BW static uint32_t above_avx512(const float *sums, const float *own, const float *limits, const uint32_t *places,
                                      float shift) {
    __m512 limit = _mm512_add_ps(gather_sixteen(limits, places), _mm512_set1_ps(shift));
    __m512 value = _mm512_sub_ps(_mm512_load_ps(sums), _mm512_loadu_ps(own));
    return _mm512_cmp_ps_mask(value, limit, _CMP_GT_OQ);
}

/* Sixteen steps of sixteen vectors, which change places: pairs of numbers, pairs of pairs, then quarters twice. */
AVX512BW INLINED void lay_sixteen(const uint64_t *const *vectors, size_t step, size_t n_steps, uint32_t *out) {
    __m512i a[16], b[16];
    for (size_t i = 0; i < 16; i++)
        a[i] = _mm512_loadu_si512((const uint32_t *)(const void *)vectors[i] + step);
    for (size_t i = 0; i < 16; i += 2) {
        b[i] = _mm512_unpacklo_epi32(a[i], a[i + 1]);
        b[i + 1] = _mm512_unpackhi_epi32(a[i], a[i + 1]);
    }
    for (size_t i = 0; i < 16; i += 4) {
        for (size_t k = 0; k < 2; k++) { /* steps 2 k and 2 k + 1 of each four */
            a[i + 2 * k] = _mm512_unpacklo_epi64(b[i + k], b[i + k + 2]);
            a[i + 2 * k + 1] = _mm512_unpackhi_epi64(b[i + k], b[i + k + 2]);
        }
    }
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 2; k++) { /* fours 0 and 2, 1 and 3 of lanes 8 k to 8 k + 7 */
            b[4 * k + i] = _mm512_shuffle_i32x4(a[8 * k + i], a[8 * k + 4 + i], 0x88);
            b[8 + 4 * k + i] = _mm512_shuffle_i32x4(a[8 * k + i], a[8 * k + 4 + i], 0xDD);
        }
    }
    for (size_t i = 0; i < 4 && i < n_steps; i++) {
        _mm512_store_si512(out + i * L, _mm512_shuffle_i32x4(b[i], b[4 + i], 0x88));
        if (i + 4 < n_steps)
            _mm512_store_si512(out + (i + 4) * L, _mm512_shuffle_i32x4(b[8 + i], b[12 + i], 0x88));
        if (i + 8 < n_steps)
            _mm512_store_si512(out + (i + 8) * L, _mm512_shuffle_i32x4(b[i], b[4 + i], 0xDD));
        if (i + 12 < n_steps)
            _mm512_store_si512(out + (i + 12) * L, _mm512_shuffle_i32x4(b[8 + i], b[12 + i], 0xDD));
    }
}

AVX512BW static void lay_avx512(const uint64_t *const *vectors, size_t n_lanes, size_t n_steps, uint32_t *out) {
    const uint64_t *padded[L];
    size_t n_all = (n_lanes + TILE - 1) / TILE * TILE;
    pad(vectors, n_lanes, padded);
    for (size_t lane = 0; lane < n_all; lane += 16) {
        for (size_t s = 0; s < n_steps; s += 16)
            lay_sixteen(padded + lane, s, n_steps - s, out + s * L + lane);
    }
    for (size_t s = 0; s < n_steps; s++)
        memset(out + s * L + n_lanes, 0, (n_all - n_lanes) * sizeof *out);
}

static const lane_kernels avx512bw = {"avx512bw",       lay_avx512,        count_avx512bw,
                                      sum_terms_avx512, sum_strata_avx512, complete_avx512,
                                      sum_given_avx512, at_least_avx512,   above_avx512};

/* --- avx512 with VPOPCNTDQ --- */

/* Up to three vectors of `a` with a few tiles: twelve sums stay in registers. */
AVX512 INLINED void count_tiles_avx512(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes,
                                       size_t n_steps, size_t n_tiles, uint32_t *out, size_t stride) {
    __m512i sums[3][4] = {0};
    for (size_t s = 0; s < n_steps; s++) {
        __m512i y[4];
        for (size_t k = 0; k < n_tiles; k++)
            y[k] = _mm512_load_si512(lanes + s * L + k * TILE);
        for (size_t i = 0; i < n_a; i++) {
            __m512i x = _mm512_set1_epi32((int)bits_at(a + i * n_words, s));
            for (size_t k = 0; k < n_tiles; k++)
                sums[i][k] = _mm512_add_epi32(sums[i][k], _mm512_popcnt_epi32(_mm512_and_si512(x, y[k])));
        }
    }
    for (size_t i = 0; i < n_a; i++) {
        for (size_t k = 0; k < n_tiles; k++)
            _mm512_store_si512(out + i * stride + k * TILE, sums[i][k]);
    }
}

AVX512 INLINED void count_some_avx512(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes,
                                      size_t n_sets, size_t n_steps, size_t n_tiles, uint32_t *out) {
    for (size_t i = 0; i < n_a; i += 3) {
        for (size_t k = 0; k < n_sets; k++) {
            const uint32_t *set = lanes + k * n_steps * L;
            uint32_t *at = out + (i * n_sets + k) * L;
            if (n_a - i >= 3)
                count_tiles_avx512(a + i * n_words, 3, n_words, set, n_steps, n_tiles, at, n_sets * L);
            else if (n_a - i == 2)
                count_tiles_avx512(a + i * n_words, 2, n_words, set, n_steps, n_tiles, at, n_sets * L);
            else
                count_tiles_avx512(a + i * n_words, 1, n_words, set, n_steps, n_tiles, at, n_sets * L);
        }
    }
}

AVX512 static void count_avx512(const uint64_t *a, size_t n_a, size_t n_words, const uint32_t *lanes, size_t n_sets,
                                size_t n_steps, size_t n_lanes, uint32_t *out) {
    if (n_lanes > 2 * TILE)
        count_some_avx512(a, n_a, n_words, lanes, n_sets, n_steps, 4, out);
    else if (n_lanes > TILE)
        count_some_avx512(a, n_a, n_words, lanes, n_sets, n_steps, 2, out);
    else
        count_some_avx512(a, n_a, n_words, lanes, n_sets, n_steps, 1, out);
}

static const lane_kernels avx512 = {"avx512",         lay_avx512,        count_avx512,
                                    sum_terms_avx512, sum_strata_avx512, complete_avx512,
                                    sum_given_avx512, at_least_avx512,   above_avx512};

#endif

static const lane_kernels *const levels[] = {
    &portable,
#ifdef HAVE_X86
    &avx2,
    &avx512bw,
    &avx512,
#endif
};

const lane_kernels *lane_kernels_level(size_t i) {
    return count_kernels_level(i) ? levels[i] : NULL;
}

const lane_kernels *lane_kernels_choose(void) {
    return levels[count_kernels_chosen()];
}
