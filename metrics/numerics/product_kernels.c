/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tile stays in registers while the rows go by. */
#include "metrics/numerics/product_kernels_internal.h"

#include "core/counting/counts.h"

#include <stdbool.h>
#include <string.h>

/* Plain C, a column of the tile after the other: the compiler keeps its sums in registers. */
static inline __attribute__((always_inline)) void multiply_rows(const double *few, const double *panel, size_t n,
                                                                bool rounds_once, double *out) {
    for (size_t i = 0; i < PRODUCT_TILE; i++) {
        double sums[PRODUCT_PANEL] = {0};
        for (size_t row = 0; row < n; row++) {
            double x = few[row * PRODUCT_PANEL + i];
            for (size_t j = 0; j < PRODUCT_PANEL; j++) {
                double y = panel[row * PRODUCT_PANEL + j];
                sums[j] = rounds_once ? __builtin_fma(x, y, sums[j]) : sums[j] + x * y;
            }
        }
        memcpy(out + i * PRODUCT_PANEL, sums, sizeof sums);
    }
}

/* By what the compiler may use of any processor. */
static void multiply_plain(const double *few, const double *panel, size_t n, double *out) {
#ifdef __FP_FAST_FMA
    multiply_rows(few, panel, n, true, out);
#else
    multiply_rows(few, panel, n, false, out);
#endif
}

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define FMA __attribute__((target("fma")))
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))

enum { P = PRODUCT_PANEL, FEW = PRODUCT_TILE / 2 };

/* The same on a processor that rounds once. */
FMA static void multiply_fused(const double *few, const double *panel, size_t n, double *out) {
    multiply_rows(few, panel, n, true, out);
}

/* Half of the columns of a tile with half of the panel: there are sixteen registers. */
AVX2 static void multiply_part(const double *few, const double *panel, size_t n, double *out) {
    __m256d sums[FEW][2];
    for (size_t i = 0; i < FEW; i++)
        sums[i][0] = sums[i][1] = _mm256_setzero_pd();
    for (size_t row = 0; row < n; row++, few += P, panel += P) {
        __m256d low = _mm256_load_pd(panel), high = _mm256_load_pd(panel + 4);
        for (size_t i = 0; i < FEW; i++) {
            __m256d x = _mm256_set1_pd(few[i]);
            sums[i][0] = _mm256_fmadd_pd(x, low, sums[i][0]);
            sums[i][1] = _mm256_fmadd_pd(x, high, sums[i][1]);
        }
    }
    for (size_t i = 0; i < FEW; i++) {
        _mm256_store_pd(out + i * P, sums[i][0]);
        _mm256_store_pd(out + i * P + 4, sums[i][1]);
    }
}

AVX2 static void multiply_avx2(const double *few, const double *panel, size_t n, double *out) {
    for (size_t i = 0; i < PRODUCT_TILE; i += FEW) {
        for (size_t j = 0; j < P; j += P / 2)
            multiply_part(few + i, panel + j, n, out + i * P + j);
    }
}

AVX512 static void multiply_avx512(const double *few, const double *panel, size_t n, double *out) {
    __m512d sums[PRODUCT_TILE][2];
    for (size_t i = 0; i < PRODUCT_TILE; i++)
        sums[i][0] = sums[i][1] = _mm512_setzero_pd();
    for (size_t row = 0; row < n; row++, few += P, panel += P) {
        __m512d low = _mm512_load_pd(panel), high = _mm512_load_pd(panel + 8);
        for (size_t i = 0; i < PRODUCT_TILE; i++) {
            __m512d x = _mm512_set1_pd(few[i]);
            sums[i][0] = _mm512_fmadd_pd(x, low, sums[i][0]);
            sums[i][1] = _mm512_fmadd_pd(x, high, sums[i][1]);
        }
    }
    for (size_t i = 0; i < PRODUCT_TILE; i++) {
        _mm512_store_pd(out + i * P, sums[i][0]);
        _mm512_store_pd(out + i * P + 8, sums[i][1]);
    }
}

product_kernel product_kernel_choose(void) {
    const char *level = counts_simd_level();
    __builtin_cpu_init();
    if (strncmp(level, "avx512", 6) == 0 && __builtin_cpu_supports("avx512f"))
        return multiply_avx512;
    if (!__builtin_cpu_supports("fma"))
        return multiply_plain;
    return strcmp(level, "portable") == 0 ? multiply_fused : multiply_avx2;
}

#else

product_kernel product_kernel_choose(void) {
    return multiply_plain;
}

#endif
