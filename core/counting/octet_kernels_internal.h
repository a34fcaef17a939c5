/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Many bit vectors at once, a row at a time: vectors lie side by side, a byte being eight rows (an octet) of one of
 * them. A row adds its bits of all vectors to the numbers of its cell. So it takes no longer where cells are many.
 */
#ifndef BNB_CORE_COUNTING_OCTET_KERNELS_INTERNAL_H
#define BNB_CORE_COUNTING_OCTET_KERNELS_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

enum {
    OCTET_LANES = 32, /* vectors side by side are a multiple of this: a set */
    OCTET_SETS = 4,   /* the most sets side by side */
    OCTETS_OF_WORD = 8,
    OCTET_COPIES =
        4 /* of the numbers of a cell, where that is what OCTET_FEW_CELLS says: rows do not wait for each other */
};

/** What rows are added to: numbers of each cell and vector. All are zero before the first rows. */
typedef struct {
    size_t n_sets, n_copies; /* n_copies: 1, or OCTET_COPIES */
    uint8_t *bytes;          /* of rows that `counts` has not: by cell, copy, vector; on 32 bytes */
    uint8_t *rows;           /* how many rows are in `bytes`: by cell and copy */
    uint32_t *counts;        /* by cell, `step` apart, and vector */
    size_t step;
} octet_tally;

typedef struct {
    /** Lays up to OCTET_LANES vectors side by side: of octet i, vector k is at out[i * step + k]. `vectors`: NULL for
     * one without ones. */
    void (*lay)(const uint64_t *const *vectors, size_t n_words, uint8_t *out, size_t step);

    /** Adds the rows of n octets of n_sets sets; their cells are in `cells`, eight for each octet. */
    void (*add)(const octet_tally *t, const uint32_t *cells, size_t n, const uint8_t *octets);

    /** Brings into `counts` what is in `bytes` of n_cells cells. */
    void (*finish)(const octet_tally *t, size_t n_cells);
} octet_kernels;

/** Of the level that is chosen (count_kernels_internal.h); NULL where it counts whole vectors faster. */
const octet_kernels *octet_kernels_choose(void);

/** Of this processor whatever is chosen; NULL: it has none. */
const octet_kernels *octet_kernels_own(void);

#endif
