/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The loops of a pass over the rows of a slab, at the best level that the processor has: all levels give the same
 * integers. A row of a slab is a bit a column (core/counting/lane_columns.h).
 */
#ifndef BNB_CORE_COUNTING_SLAB_KERNELS_INTERNAL_H
#define BNB_CORE_COUNTING_SLAB_KERNELS_INTERNAL_H

#include "core/counting/slab_values.h"

#include <stddef.h>
#include <stdint.h>

enum {
    SLAB_LANES = 64,     /* columns of a word */
    SLAB_WORDS = 8,      /* of a row */
    SLAB_MOST_BITS = 16, /* of a number that is counted by rows */
    SLAB_EIGHT = 8       /* rows that are added at once */
};

/** Sets of rows, those of a stratum side by side, with the columns of a word. */
typedef struct {
    const uint64_t *bits;    /* as add_rows leaves them: by cell, state but the last, and bit of the number */
    const uint32_t *tallies; /* by cell: its rows, at least one */
    const uint32_t *starts;  /* stratum i is cells starts[i] - starts[0] .. starts[i + 1] - starts[0] - 1 */
    const uint32_t *rows;    /* by stratum: at most SLAB_MOST_ROWS */
    size_t n_strata, r;      /* states of the columns: 2 .. SLAB_MOST_STATES */
} slab_strata;

/** Bits that the numbers of a set of n rows take. */
static inline size_t slab_bits_of(uint32_t n) {
    return n == 0 ? 0 : 32 - (size_t)__builtin_clz(n);
}

typedef struct {
    const char *name;

    /**
     * By column, the ones in n of the rows (a multiple of SLAB_EIGHT), which are SLAB_WORDS words each: bit i of the
     * numbers of all columns goes to out[i * SLAB_WORDS], a row too. Past 2^n_bits - 1 of the list, rows have no ones,
     * and n - SLAB_EIGHT < 2^n_bits. The caches are asked for the same rows of `ahead`. All lie on 64 bytes.
     */
    void (*add_rows)(const uint64_t *rows, const uint32_t *list, size_t n, size_t n_bits, const uint64_t *ahead,
                     uint64_t *out);

    /** Adds to the numbers of all columns, in n_sum_bits bits, those of `number`, in n_bits of no more. What does not
     * fit is lost. */
    void (*add_number)(const uint64_t *number, size_t n_bits, size_t n_sum_bits, uint64_t *sum);

    /** out[lane]: the number of which bit `i` is bit `lane` of bits[i * SLAB_WORDS]. */
    void (*spread)(const uint64_t *bits, size_t n_bits, uint32_t *out);

    /** out[lane]: the sum of v->cell over what all cells share with the states of the lane's column, less that of
     * v->row over what the strata share with them. `out` lies on 64 bytes. NULL where registers do not hold the
     * values: then other ways take less time. */
    void (*sum_values)(const slab_strata *t, const slab_values *v, int32_t *out);

    /** See lane_columns_above. */
    uint64_t (*above)(const double *values, size_t n, double from, double least);
} slab_kernels;

/** Of the level that count_kernels_choose() takes. */
const slab_kernels *slab_kernels_choose(void);

/** Level i from the lowest, NULL past the last that this processor can run. */
const slab_kernels *slab_kernels_level(size_t i);

#endif
