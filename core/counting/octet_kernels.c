/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/octet_kernels_internal.h"

#include "core/counting/count_kernels_internal.h"

#include <string.h>

#if defined(__x86_64__)
#include "core/counting/turned_words_internal.h"

#define AVX2 __attribute__((target("avx2")))

/* --- side by side --- */

_Static_assert((int)OCTET_LANES == (int)TURNED_LANES, "a set of vectors is turned at once");

AVX2 static void lay_words(const uint64_t *const *vectors, size_t n_words, uint8_t *out) {
    for (size_t w = 0; w < n_words; w += TURNED_WORDS) {
        __m256i rows[TURNED_ROWS];
        turn_words(vectors, w, rows);
        for (size_t i = 0; i < TURNED_ROWS; i++, out += OCTET_LANES)
            _mm256_store_si256((__m256i *)(void *)out, rows[i]);
    }
}

/* --- rows --- */

enum { FIT_BYTE = 255 }; /* rows */

/* One copy of a cell. */
static void empty(const octet_tally *t, size_t at) {
    size_t n = t->n_sets * OCTET_LANES;
    uint8_t *bytes = t->bytes + at;
    uint32_t *counts = t->counts + at / octet_cell_bytes(t) * t->step;
    for (size_t i = 0; i < n; i++)
        counts[i] += bytes[i];
    memset(bytes, 0, n);
}

static void finish(const octet_tally *t, size_t n_cells) {
    for (size_t at = 0; at < n_cells * octet_cell_bytes(t); at += t->n_sets * OCTET_LANES)
        empty(t, at);
}

AVX2 static inline __attribute__((always_inline)) void add_octets(const octet_tally *t, const uint32_t *cells, size_t n,
                                                                  const uint8_t *octets, size_t set_bytes,
                                                                  size_t n_sets, size_t n_copies) {
    const __m256i one = _mm256_set1_epi8(1);
    uint8_t *all_bytes = t->bytes;
    for (size_t i = 0; i < n; i++) {
        __m256i rows[OCTET_SETS];
        for (size_t s = 0; s < n_sets; s++)
            rows[s] = _mm256_load_si256((const __m256i *)(const void *)(octets + s * set_bytes + i * OCTET_LANES));
#pragma GCC unroll 8
        for (size_t r = 0; r < 8; r++) {
            uint8_t *bytes = all_bytes + cells[8 * i + r] + r % n_copies * n_sets * OCTET_LANES;
            for (size_t s = 0; s < n_sets; s++) {
                __m256i *at = (__m256i *)(void *)(bytes + s * OCTET_LANES);
                _mm256_store_si256(at, _mm256_add_epi8(_mm256_load_si256(at), _mm256_and_si256(rows[s], one)));
                rows[s] = _mm256_srli_epi16(rows[s], 1);
            }
            if (bytes[n_sets * OCTET_LANES - 1] == FIT_BYTE)
                empty(t, (size_t)(bytes - all_bytes));
        }
    }
}

AVX2 static inline __attribute__((always_inline)) void add_sets(const octet_tally *t, const uint32_t *cells, size_t n,
                                                                const uint8_t *octets, size_t set_bytes,
                                                                size_t n_sets) {
    if (t->n_copies == 1)
        add_octets(t, cells, n, octets, set_bytes, n_sets, 1);
    else
        add_octets(t, cells, n, octets, set_bytes, n_sets, OCTET_COPIES);
}

AVX2 static void add_avx2(const octet_tally *t, const uint32_t *cells, size_t n, const uint8_t *octets,
                          size_t set_bytes) {
    if (t->n_sets == 1)
        add_sets(t, cells, n, octets, set_bytes, 1);
    else if (t->n_sets == 2)
        add_sets(t, cells, n, octets, set_bytes, 2);
    else if (t->n_sets == 3)
        add_sets(t, cells, n, octets, set_bytes, 3);
    else
        add_sets(t, cells, n, octets, set_bytes, 4);
}

static const octet_kernels avx2 = {lay_words, add_avx2, finish};

const octet_kernels *octet_kernels_own(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? &avx2 : NULL;
}

#else

const octet_kernels *octet_kernels_own(void) {
    return NULL;
}

#endif

const octet_kernels *octet_kernels_choose(void) {
    enum { AVX2_LEVEL = 1 };
    return count_kernels_chosen() == AVX2_LEVEL ? octet_kernels_own() : NULL;
}
