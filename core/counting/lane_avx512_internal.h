/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What lane_kernels_avx512.c has in files of their own. */
#ifndef BNB_CORE_COUNTING_LANE_AVX512_INTERNAL_H
#define BNB_CORE_COUNTING_LANE_AVX512_INTERNAL_H

#include "core/counting/lane_base_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX512BW __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq")))

/** See sum_terms of lane_kernels. */
void lane_sums_of_terms_avx512(const lane_tables *t, float *out);

/** See sum_strata of lane_kernels. */
void lane_sums_of_strata_avx512(const lane_strata *t, float *sums, uint32_t *adjusted);

/** See complete of lane_kernels. */
void lane_strata_complete_avx512(const lane_strata *t, uint32_t *rest, uint32_t *margins);

/** See sum_given of lane_kernels. */
void lane_sums_given_avx512(const lane_cross *t, size_t tile, float *sums, uint32_t *adjusted);

/** See sum_vectors of lane_kernels. */
void lane_sums_of_vectors_avx512(const lane_vectors *v, const lane_strata *t, float *sums, uint32_t *adjusted);

#endif

#endif
