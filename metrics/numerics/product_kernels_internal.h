/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sums of products of columns over a block of rows, by fused multiplication and addition. */
#ifndef BNB_METRICS_NUMERICS_PRODUCT_KERNELS_INTERNAL_H
#define BNB_METRICS_NUMERICS_PRODUCT_KERNELS_INTERNAL_H

#include <stddef.h>

/** A panel has so many columns, those of a row side by side, on 64 bytes. A tile is of so many columns of one panel
 * with all of another. */
enum { PRODUCT_PANEL = 16, PRODUCT_TILE = 8 };

/**
 * out[i * PRODUCT_PANEL + j] is the sum over n rows of column i of `few` with column j of `panel`: a row after the
 * other in order, each rounded once, so that it is the same on all levels; a processor without such an operation rounds
 * product and sum. `few` points to the first column of a tile within its panel.
 */
typedef void (*product_kernel)(const double *few, const double *panel, size_t n, double *out);

/** The best of this processor, or of a lower level that BNBENCH_SIMD names. */
product_kernel product_kernel_choose(void);

#endif
