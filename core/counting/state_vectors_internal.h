/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rows as bits, a vector a state: a column of up to 256 states is taken up by parts, so that no more of it need be
 * unpacked at a time, and each part is still in the first cache when its next state is looked for. */
#ifndef BNB_CORE_COUNTING_STATE_VECTORS_INTERNAL_H
#define BNB_CORE_COUNTING_STATE_VECTORS_INTERNAL_H

#include "core/counting/count_kernels_internal.h"
#include "core/data/dataset.h"

/** The most words of a part. */
enum { STATE_VECTORS_PART = 256 };

/** Which vectors: of a column the first n_states states. */
typedef struct {
    const dataset *data;
    size_t column, n_states;
} state_vectors;

/** Words `first` on of these, n_words <= STATE_VECTORS_PART of them, into `out`, each vector `stride` words behind the
 * one before. On 64 bytes. Rows that are not there have no bits. */
void state_vectors_fill_part(const count_kernels *kernels, const state_vectors *of, size_t first, size_t n_words,
                             uint64_t *out, size_t stride);

/** All n_words of them. */
void state_vectors_fill(const count_kernels *kernels, const state_vectors *of, size_t n_words, uint64_t *out,
                        size_t stride);

#endif
