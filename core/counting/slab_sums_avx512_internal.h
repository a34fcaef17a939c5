/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sums of values where registers hold thirty-two words (see slab_kernels_internal.h). */
#ifndef BNB_CORE_COUNTING_SLAB_SUMS_AVX512_INTERNAL_H
#define BNB_CORE_COUNTING_SLAB_SUMS_AVX512_INTERNAL_H

#include "core/counting/slab_kernels_internal.h"

/** See sum_values of slab_kernels. */
void slab_sums_avx512(const slab_strata *t, const slab_values *v, int32_t *out);

#endif
