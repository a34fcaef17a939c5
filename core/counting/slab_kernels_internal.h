/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The loops of a pass over the rows of a slab, at the best level that the processor has: all levels give the same
 * integers. A row of a slab is a bit a column (core/counting/lane_columns.h).
 */
#ifndef BNB_CORE_COUNTING_SLAB_KERNELS_INTERNAL_H
#define BNB_CORE_COUNTING_SLAB_KERNELS_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

enum {
    SLAB_LANES = 64,     /* columns of a word */
    SLAB_WORDS = 4,      /* of a row */
    SLAB_MOST_BITS = 16, /* of a number that is counted by rows */
    SLAB_EIGHT = 8       /* rows that are added at once */
};

typedef struct {
    const char *name;

    /**
     * By column, the ones in n of the rows (a multiple of SLAB_EIGHT), which are SLAB_WORDS words each: bit i of the
     * numbers of all columns goes to out[i * SLAB_WORDS], a row too. No number needs more than n_bits bits, and
     * n - SLAB_EIGHT < 2^n_bits.
     */
    void (*add_rows)(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits, uint64_t *out);

    /** out[lane]: the number of which bit `i` is bit `lane` of bits[i * SLAB_WORDS]. */
    void (*spread)(const uint64_t *bits, size_t n_bits, uint32_t *out);
} slab_kernels;

/** Of the level that count_kernels_choose() takes. */
const slab_kernels *slab_kernels_choose(void);

/** Level i from the lowest, NULL past the last that this processor can run. */
const slab_kernels *slab_kernels_level(size_t i);

#endif
