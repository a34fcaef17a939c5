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
    OCTET_LANES = 32, /* vectors side by side: a set */
    OCTET_SETS = 4,   /* the most sets that are counted at once */
    OCTETS_OF_WORD = 8,
    OCTET_COPIES = 4 /* of a cell's bytes, where there are few: a row does not wait for the one before */
};

/**
 * What rows are added to: numbers of each cell and vector of n_sets sets. The last vector of the last set has all rows,
 * so that its byte tells when bytes are full. All are zero before the first rows.
 */
typedef struct {
    size_t n_sets, n_copies; /* n_copies: 1, or OCTET_COPIES */
    uint8_t *bytes;          /* of rows that `counts` has not: by cell, copy, vector; on 32 bytes */
    uint32_t *counts;        /* by cell, `step` apart, and vector */
    size_t step;
} octet_tally;

/** Bytes of a cell. */
static inline size_t octet_cell_bytes(const octet_tally *t) {
    return t->n_copies * t->n_sets * OCTET_LANES;
}

typedef struct {
    /** Lays a set of vectors, of an even number of words, side by side: of octet i, vector k is at
     * out[i * OCTET_LANES + k], on 32 bytes. NULL: one without ones. */
    void (*lay)(const uint64_t *const *vectors, size_t n_words, uint8_t *out);

    /** Adds the rows of n octets. `cells`: of each row, where its cell's bytes begin. Set s: octets + s * set_bytes. */
    void (*add)(const octet_tally *t, const uint32_t *cells, size_t n, const uint8_t *octets, size_t set_bytes);

    /** Brings into `counts` what is in `bytes` of n_cells cells. */
    void (*finish)(const octet_tally *t, size_t n_cells);
} octet_kernels;

/** Of the level that is chosen (count_kernels_internal.h); NULL where it counts whole vectors faster. */
const octet_kernels *octet_kernels_choose(void);

/** Of this processor whatever is chosen; NULL: it has none. */
const octet_kernels *octet_kernels_own(void);

#endif
