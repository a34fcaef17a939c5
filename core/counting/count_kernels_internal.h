/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The loops in which counting spends its time, at the best level that the processor has; all levels give the same
 * integers. */
#ifndef BNB_CORE_COUNTING_COUNT_KERNELS_INTERNAL_H
#define BNB_CORE_COUNTING_COUNT_KERNELS_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

/** Bit vectors are padded with zeros to a multiple of this many words, and 64-byte aligned. */
enum { KERNEL_WORDS = 8 };

/** Histograms that are added up to one. */
enum { KERNEL_COPIES = 4 };

typedef struct {
    const char *name;
    double word_cost; /* of AND and count, a word, in times for one row of a histogram; measured */

    /** Ones in a AND b, over n_words (a multiple of KERNEL_WORDS). */
    uint32_t (*count_and)(const uint64_t *a, const uint64_t *b, size_t n_words);

    /** out = a AND b; returns the ones in it. */
    uint32_t (*store_and)(const uint64_t *a, const uint64_t *b, uint64_t *out, size_t n_words);

    /** out = set AND a, which leaves `set`; returns the ones in it. `a` may be `set`. */
    uint32_t (*take)(uint64_t *set, const uint64_t *a, uint64_t *out, size_t n_words);

    /** Ones in a AND b, and in a AND c: a is read once. */
    void (*count_and2)(const uint64_t *a, const uint64_t *b, const uint64_t *c, size_t n_words, uint32_t out[2]);

    /** out[i] = ones in a AND vector i of `block`: n_vectors vectors of n_words, one after the other. */
    void (*count_block)(const uint64_t *a, const uint64_t *block, size_t n_vectors, size_t n_words, uint32_t *out);

    /** Bit i of `out` is set where values[i] == state; values are zero-padded to 64 n_words, n of them count. */
    void (*match)(const uint8_t *values, size_t n, uint8_t state, uint64_t *out, size_t n_words);

    /** index[i] += scale * values[i], or = where `first`. */
    void (*add_scaled)(uint32_t *index, const uint8_t *values, uint32_t scale, size_t n, int first);

    /** out[i] = index[i] * scale + values[i]. */
    void (*join)(const uint32_t *index, const uint8_t *values, uint32_t scale, uint32_t *out, size_t n);

    /** out[i] = (s * r_extra + extra[i]) * r_first + first[i], where index[i] = s * r_first + first[i]. */
    void (*place)(const uint32_t *index, const uint8_t *first, uint32_t r_first, const uint8_t *extra, uint32_t r_extra,
                  uint32_t *out, size_t n);

    /** out[i] += the sum of copies[k * n + i] over k < KERNEL_COPIES. */
    void (*add_up)(const uint32_t *copies, size_t n, uint32_t *out);

    /** count_kernels_cross in one pass; NULL where that is no better than a pass for each of `a`. */
    void (*count_cross)(const uint64_t *const *a, size_t n_a, const uint64_t *block, size_t n_vectors, size_t n_words,
                        uint32_t *out);
} count_kernels;

/** out[k * n_vectors + i] = ones in vector k of `a` AND vector i of `block`; the n_a lie anywhere. */
void count_kernels_cross(const count_kernels *kernels, const uint64_t *const *a, size_t n_a, const uint64_t *block,
                         size_t n_vectors, size_t n_words, uint32_t *out);

/** The best level of this processor, or a lower one that BNBENCH_SIMD names (portable, avx2, avx512bw, avx512). */
const count_kernels *count_kernels_choose(void);

/** The number of that level: other loops have as many. */
size_t count_kernels_chosen(void);

/** Level i from the lowest, NULL past the last that this processor can run: tests hold them against each other. */
const count_kernels *count_kernels_level(size_t i);

#endif
