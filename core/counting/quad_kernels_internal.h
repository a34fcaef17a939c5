/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * One bit vector with many, four rows (a quad) at a time: a byte of a register is the quad of one of the many, and
 * looks up how many ones it has in common with the one. Quads in which the one has no rows cost nothing.
 */
#ifndef BNB_CORE_COUNTING_QUAD_KERNELS_INTERNAL_H
#define BNB_CORE_COUNTING_QUAD_KERNELS_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

enum {
    QUADS_OF_WORD = 16,
    QUAD_LANES = 32,   /* vectors side by side are a multiple of this */
    QUAD_SETS = 4,     /* times QUAD_LANES: the most vectors side by side */
    QUAD_WORDS = 256,  /* of a vector, that one list covers */
    QUADS_AT_ONCE = 16 /* that are written at the end of a list, beyond its length too */
};

/** A quad in which a vector has rows. */
typedef struct row_quad {
    uint16_t place; /* 16 times its number in the list's part of the vector */
    uint16_t rows;  /* 16 times the vector's four bits */
} row_quad;

typedef struct {
    /** The quads of n_words, QUAD_WORDS at most; returns how many. */
    size_t (*list)(const uint64_t *vector, size_t n_words, row_quad *out);

    /** Lays up to QUAD_LANES vectors, of an even number of words, side by side: of quad i, vector k is at
     * out[i * step + k]; `out` and `step` are multiples of 32 bytes. */
    void (*lay)(const uint64_t *vectors, size_t n_vectors, size_t n_words, uint8_t *out, size_t step);

    /** out[k] += ones in common with vector k, of n_sets * QUAD_LANES that lie side by side from the list's first quad
     * on. */
    void (*count)(const row_quad *quads, size_t n, const uint8_t *side_by_side, size_t n_sets, uint32_t *out);
} quad_kernels;

/** At the level that is chosen (count_kernels_internal.h); NULL below AVX2. */
const quad_kernels *quad_kernels_choose(void);

/** At level i of count_kernels_internal.h, or the best below it that this processor can run; NULL: there is none. */
const quad_kernels *quad_kernels_level(size_t i);

#endif
