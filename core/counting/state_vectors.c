/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/state_vectors_internal.h"

void state_vectors_fill_part(const count_kernels *kernels, const state_vectors *of, size_t first, size_t n_words,
                             uint64_t *out, size_t stride) {
    _Alignas(64) uint8_t unpacked[STATE_VECTORS_PART * 64];
    if (of->n_states == 0)
        return;
    size_t row = first * 64, n_rows = dataset_row_count(of->data), left = row < n_rows ? n_rows - row : 0;
    size_t n = left < n_words * 64 ? left : n_words * 64;
    const uint8_t *values = n > 0 ? dataset_bytes_part(of->data, of->column, row, n, unpacked) : unpacked;
    for (size_t k = 0; k < of->n_states; k++)
        kernels->match(values, n, (uint8_t)k, out + k * stride, n_words);
}

void state_vectors_fill(const count_kernels *kernels, const state_vectors *of, size_t n_words, uint64_t *out,
                        size_t stride) {
    for (size_t at = 0; at < n_words; at += STATE_VECTORS_PART) {
        size_t n = n_words - at < STATE_VECTORS_PART ? n_words - at : STATE_VECTORS_PART;
        state_vectors_fill_part(kernels, of, at, n, out + at, stride);
    }
}
