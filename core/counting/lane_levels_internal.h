/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The levels above the portable one, each in a file of its own. */
#ifndef BNB_CORE_COUNTING_LANE_LEVELS_INTERNAL_H
#define BNB_CORE_COUNTING_LANE_LEVELS_INTERNAL_H

#include "core/counting/lane_kernels_internal.h"

extern const lane_kernels lane_kernels_avx2, lane_kernels_avx512bw, lane_kernels_avx512;

#endif
