/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/lane_levels_internal.h"

#include "core/counting/count_kernels_internal.h"

/* Four numbers are the least that the processors of today have in a register. */
#define LEVEL
#define LEVEL_LANES 4
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#include "core/counting/lane_sums_internal.h"

/* Step by step, all lanes of each, so that whole lines are written. */
static void lay_portable(const uint64_t *const *vectors, size_t n_lanes, size_t n_steps, uint32_t *out) {
    size_t n_empty = ((n_lanes + TILE - 1) / TILE * TILE - n_lanes) * sizeof *out;
    for (size_t s = 0; s < n_steps; s++) {
        for (size_t lane = 0; lane < n_lanes; lane++)
            out[s * L + lane] = bits_at(vectors[lane], s);
        memset(out + s * L + n_lanes, 0, n_empty);
    }
}

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

static uint64_t at_least_portable(const float *values, const float *limits, float shift) {
    uint64_t mask = 0;
    for (size_t k = 0; k < L; k++)
        mask |= (uint64_t)(values[k] >= limits[k] + shift) << k;
    return mask;
}

static uint32_t above_portable(const float *sums, const float *own, const float *limits, const uint32_t *places,
                               float shift) {
    uint32_t mask = 0;
    for (size_t k = 0; k < TILE; k++)
        mask |= (uint32_t)(sums[k] - own[k] > limits[places[k]] + shift) << k;
    return mask;
}

static const lane_kernels portable = {.name = "portable",
                                      .lay = lay_portable,
                                      .count = count_portable,
                                      .sum_terms = sum_terms,
                                      .sum_strata = sum_strata,
                                      .complete = complete,
                                      .sum_given = sum_given,
                                      .at_least = at_least_portable,
                                      .above = above_portable};

static const lane_kernels *const levels[] = {
    &portable,
#if defined(__x86_64__)
    &lane_kernels_avx2,
    &lane_kernels_avx512bw,
    &lane_kernels_avx512,
#endif
};

const lane_kernels *lane_kernels_level(size_t i) {
    return count_kernels_level(i) ? levels[i] : NULL;
}

const lane_kernels *lane_kernels_choose(void) {
    return levels[count_kernels_chosen()];
}
