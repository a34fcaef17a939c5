/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/rare_rows_internal.h"

#include <stdlib.h>
#include <string.h>

void rare_rows_clear(rare_rows *r) {
    free(r->rows);
    *r = (rare_rows){0};
}

static size_t list_rows(const uint64_t *bits, size_t n_words, uint16_t *out) {
    size_t n = 0;
    for (size_t w = 0; w < n_words; w++) {
        for (uint64_t left = bits[w]; left; left &= left - 1)
            out[n++] = (uint16_t)(64 * w + (size_t)__builtin_ctzll(left));
    }
    return n;
}

status rare_rows_make(rare_rows *r, const state_bits *s, size_t column, size_t n_states, error_info *err) {
    const uint64_t *bits = state_bits_of(s, column);
    size_t n_rows = dataset_row_count(s->data), most = 0, at = 0, n = 0;
    for (size_t k = 0; k < n_states; k++) {
        const uint64_t *state = bits + k * s->n_words;
        size_t rows = s->kernels->count_and(state, state, s->n_words);
        if (rows > most)
            r->common = k;
        most = rows > most ? rows : most;
    }
    CHECK_ALLOC(r->rows = malloc((n_rows - most + 1) * sizeof *r->rows));
    for (size_t k = 0; k < n_states; k++) {
        if (k == r->common)
            continue;
        n += list_rows(bits + k * s->n_words, s->n_words, r->rows + n);
        r->starts[++at] = (uint32_t)n;
    }
    return STATUS_OK;
}

void rare_rows_add(const uint16_t *rows, size_t n, const uint32_t *index, uint32_t *cells, size_t stride) {
    size_t i = 0;
    for (; i + KERNEL_COPIES <= n; i += KERNEL_COPIES) {
        uint64_t four;
        memcpy(&four, rows + i, sizeof four);
        cells[index[four & UINT16_MAX]]++;
        cells[index[four >> 16 & UINT16_MAX] + stride]++;
        cells[index[four >> 32 & UINT16_MAX] + 2 * stride]++;
        cells[index[four >> 48] + 3 * stride]++;
    }
    for (; i < n; i++)
        cells[index[rows[i]]]++;
}
