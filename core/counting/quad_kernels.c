/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/quad_kernels_internal.h"

#include "core/counting/count_kernels_internal.h"

#if defined(__x86_64__)
#include "core/counting/turned_words_internal.h"

#define AVX2 __attribute__((target("avx2,popcnt")))
#define AVX512BW __attribute__((target("avx512f,avx512bw,avx512vl,popcnt")))

/* --- lists --- */

/* Of each byte the places of its ones, a byte each; then noughts. */
#define AFTER_LOW_HALF(high)                                                                                           \
    {                                                                                                                  \
        high, (high) << 8, (high) << 8 | 1, (high) << 16 | 0x0100, (high) << 8 | 2, (high) << 16 | 0x0200,             \
            (high) << 16 | 0x0201, (high) << 24 | 0x020100, (high) << 8 | 3, (high) << 16 | 0x0300,                    \
            (high) << 16 | 0x0301, (high) << 24 | 0x030100, (high) << 16 | 0x0302, (high) << 24 | 0x030200,            \
            (high) << 24 | 0x030201, (high) << 32 | 0x03020100                                                         \
    }
static const uint64_t ones_of[16][16] = {
    AFTER_LOW_HALF(UINT64_C(0)),         AFTER_LOW_HALF(UINT64_C(4)),        AFTER_LOW_HALF(UINT64_C(5)),
    AFTER_LOW_HALF(UINT64_C(0x0504)),    AFTER_LOW_HALF(UINT64_C(6)),        AFTER_LOW_HALF(UINT64_C(0x0604)),
    AFTER_LOW_HALF(UINT64_C(0x0605)),    AFTER_LOW_HALF(UINT64_C(0x060504)), AFTER_LOW_HALF(UINT64_C(7)),
    AFTER_LOW_HALF(UINT64_C(0x0704)),    AFTER_LOW_HALF(UINT64_C(0x0705)),   AFTER_LOW_HALF(UINT64_C(0x070504)),
    AFTER_LOW_HALF(UINT64_C(0x0706)),    AFTER_LOW_HALF(UINT64_C(0x070604)), AFTER_LOW_HALF(UINT64_C(0x070605)),
    AFTER_LOW_HALF(UINT64_C(0x07060504))};

/* Eight quads, of which those with rows are kept. */
AVX2 static inline row_quad *add_quads(__m256i rows, __m256i places, row_quad *out) {
    __m256i is_empty = _mm256_cmpeq_epi32(rows, _mm256_setzero_si256());
    unsigned mask = 255u ^ (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is_empty));
    uint64_t lanes = ones_of[mask >> 4][mask & 15];
    __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)lanes));
    __m256i quads = _mm256_or_si256(_mm256_slli_epi32(rows, 20), places);
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_permutevar8x32_epi32(quads, order));
    return out + __builtin_popcount(mask);
}

AVX2 static size_t list_avx2(const uint64_t *vector, size_t n_words, row_quad *out) {
    const __m128i four = _mm_set1_epi8(15);
    const __m256i step = _mm256_set1_epi32(128);
    __m256i places = _mm256_setr_epi32(0, 16, 32, 48, 64, 80, 96, 112);
    row_quad *end = out;
    for (size_t w = 0; w < n_words; w++) {
        __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)(vector + w));
        __m128i quads = _mm_unpacklo_epi8(_mm_and_si128(bytes, four), _mm_and_si128(_mm_srli_epi16(bytes, 4), four));
        end = add_quads(_mm256_cvtepu8_epi32(quads), places, end);
        places = _mm256_add_epi32(places, step);
        end = add_quads(_mm256_cvtepu8_epi32(_mm_srli_si128(quads, 8)), places, end);
        places = _mm256_add_epi32(places, step);
    }
    return (size_t)(end - out);
}

/* The quads of a word at once. */
AVX512BW static size_t list_avx512bw(const uint64_t *vector, size_t n_words, row_quad *out) {
    const __m128i four = _mm_set1_epi8(15);
    const __m512i step = _mm512_set1_epi32(256);
    __m512i places = _mm512_setr_epi32(0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240);
    row_quad *end = out;
    for (size_t w = 0; w < n_words; w++) {
        __m128i bytes = _mm_loadl_epi64((const __m128i *)(const void *)(vector + w));
        __m128i quads = _mm_unpacklo_epi8(_mm_and_si128(bytes, four), _mm_and_si128(_mm_srli_epi16(bytes, 4), four));
        __m512i rows = _mm512_cvtepu8_epi32(quads);
        __mmask16 mask = _mm512_test_epi32_mask(rows, rows);
        __m512i whole = _mm512_or_si512(_mm512_slli_epi32(rows, 20), places);
        _mm512_storeu_si512(end, _mm512_maskz_compress_epi32(mask, whole));
        end += __builtin_popcount(mask);
        places = _mm512_add_epi32(places, step);
    }
    return (size_t)(end - out);
}

/* --- side by side --- */

_Static_assert((int)QUAD_LANES == (int)TURNED_LANES, "a set of vectors is turned at once");

AVX2 static void lay_words(const uint64_t *vectors, size_t n_vectors, size_t n_words, uint8_t *out, size_t step) {
    const __m256i four = _mm256_set1_epi8(15);
    const uint64_t *lanes[QUAD_LANES] = {NULL};
    for (size_t k = 0; k < n_vectors; k++)
        lanes[k] = vectors + k * n_words;
    for (size_t w = 0; w < n_words; w += TURNED_WORDS) {
        __m256i rows[TURNED_ROWS];
        turn_words(lanes, w, rows);
        for (size_t i = 0; i < TURNED_ROWS; i++, out += 2 * step) {
            __m256i low = _mm256_and_si256(rows[i], four), high = _mm256_and_si256(_mm256_srli_epi16(rows[i], 4), four);
            _mm256_store_si256((__m256i *)(void *)out, low);
            _mm256_store_si256((__m256i *)(void *)(out + step), high);
        }
    }
}

/* --- counts --- */

#define ONES(quad) (((quad)&1) + ((quad) >> 1 & 1) + ((quad) >> 2 & 1) + ((quad) >> 3 & 1))
#define FOUR_ONES(a, b) ONES((a) & (b)), ONES((a) & ((b) + 1)), ONES((a) & ((b) + 2)), ONES((a) & ((b) + 3))
#define ONES_WITH(a)                                                                                                   \
    { FOUR_ONES(a, 0), FOUR_ONES(a, 4), FOUR_ONES(a, 8), FOUR_ONES(a, 12) }

/* By one quad and another. */
static const _Alignas(64) uint8_t ones_in_common[16][16] = {ONES_WITH(0),  ONES_WITH(1),  ONES_WITH(2),  ONES_WITH(3),
                                                            ONES_WITH(4),  ONES_WITH(5),  ONES_WITH(6),  ONES_WITH(7),
                                                            ONES_WITH(8),  ONES_WITH(9),  ONES_WITH(10), ONES_WITH(11),
                                                            ONES_WITH(12), ONES_WITH(13), ONES_WITH(14), ONES_WITH(15)};

enum { FIT_BYTE = 63 }; /* quads */

/* What fits a byte of each vector. */
AVX2 static inline __attribute__((always_inline)) void
count_some(const row_quad *quads, size_t n, const uint8_t *side_by_side, size_t n_sets, uint32_t *out) {
    const uint8_t *tables = ones_in_common[0];
    __m256i sums[QUAD_SETS];
    _Alignas(32) uint8_t bytes[QUAD_SETS * QUAD_LANES];
    for (size_t s = 0; s < n_sets; s++)
        sums[s] = _mm256_setzero_si256();
    for (size_t i = 0; i < n; i++) {
        const uint8_t *at = side_by_side + (size_t)quads[i].place * (QUAD_LANES / 16) * n_sets;
        __m128i table = _mm_load_si128((const __m128i *)(const void *)(tables + quads[i].rows));
        for (size_t s = 0; s < n_sets; s++) {
            __m256i rows = _mm256_load_si256((const __m256i *)(const void *)(at + s * QUAD_LANES));
            sums[s] = _mm256_add_epi8(sums[s], _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), rows));
        }
    }
    for (size_t s = 0; s < n_sets; s++)
        _mm256_store_si256((__m256i *)(void *)(bytes + s * QUAD_LANES), sums[s]);
    for (size_t i = 0; i < n_sets * QUAD_LANES; i++)
        out[i] += bytes[i];
}

AVX2 static inline __attribute__((always_inline)) void
count_all(const row_quad *quads, size_t n, const uint8_t *side_by_side, size_t n_sets, uint32_t *out) {
    for (size_t first = 0; first < n; first += FIT_BYTE)
        count_some(quads + first, n - first < FIT_BYTE ? n - first : FIT_BYTE, side_by_side, n_sets, out);
}

AVX2 static void count_avx2(const row_quad *quads, size_t n, const uint8_t *side_by_side, size_t n_sets,
                            uint32_t *out) {
    if (n_sets == 1)
        count_all(quads, n, side_by_side, 1, out);
    else if (n_sets == 2)
        count_all(quads, n, side_by_side, 2, out);
    else if (n_sets == 3)
        count_all(quads, n, side_by_side, 3, out);
    else
        count_all(quads, n, side_by_side, 4, out);
}

static const quad_kernels avx2 = {list_avx2, lay_words, count_avx2};
static const quad_kernels avx512bw = {list_avx512bw, lay_words, count_avx2};

const quad_kernels *quad_kernels_level(size_t i) {
    __builtin_cpu_init();
    if (i >= 2 && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return &avx512bw;
    return i >= 1 && __builtin_cpu_supports("avx2") ? &avx2 : NULL;
}

#else

const quad_kernels *quad_kernels_level(size_t i) {
    (void)i;
    return NULL;
}

#endif

const quad_kernels *quad_kernels_choose(void) {
    return quad_kernels_level(count_kernels_chosen());
}
