/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/rare_rows_internal.h"

#include "core/counting/bit_vectors.h"

#include <stdlib.h>
#include <string.h>

void rare_rows_clear(rare_rows *r) {
    free(r->rows);
    *r = (rare_rows){0};
}

status rare_rows_make(rare_rows *r, const state_bits *s, size_t column, size_t n_states, error_info *err) {
    const uint64_t *bits = state_bits_of(s, column);
    size_t n_rows = dataset_row_count(s->data), most = 0, at = 0;
    uint16_t *end;
    for (size_t k = 0; k < n_states; k++) {
        const uint64_t *state = bits + k * s->n_words;
        size_t rows = s->kernels->count_and(state, state, s->n_words);
        if (rows > most)
            r->common = k;
        most = rows > most ? rows : most;
    }
    CHECK_ALLOC(end = r->rows = malloc((n_rows - most + 1) * sizeof *r->rows));
    for (size_t k = 0; k < n_states; k++) {
        if (k == r->common)
            continue;
        for (size_t w = 0; w < s->n_words; w++)
            end = bit_vectors_list(bits[k * s->n_words + w], 64 * w, end);
        r->starts[++at] = (uint32_t)(end - r->rows);
    }
    return STATUS_OK;
}

/* --- the base without the column --- */

void base_margin_take(base_margin *m, const live_cells *live, const uint32_t *strata) {
    m->n = live->n;
    memcpy(m->cell, live->cell, m->n * sizeof *m->cell);
    memcpy(m->tally, live->tally, m->n * sizeof *m->tally);
    memcpy(m->stratum, strata, m->n * sizeof *m->stratum);
}

void base_margin_add_up(base_margin *m, const uint32_t *cells, table_shape shape) {
    m->n = 0;
    for (size_t s = 0; s < shape.n_strata; s++, cells += shape.r_extra * shape.r_first) {
        for (size_t f = 0; f < shape.r_first; f++) {
            uint32_t rows = 0;
            for (size_t e = 0; e < shape.r_extra; e++)
                rows += cells[e * shape.r_first + f];
            if (rows == 0)
                continue;
            m->cell[m->n] = (uint32_t)(s * shape.r_first + f);
            m->stratum[m->n] = (uint32_t)s;
            m->tally[m->n++] = rows;
        }
    }
}

/* --- a table --- */

/* cells[index[row]] becomes one more for each row, in KERNEL_COPIES copies `stride` apart, so that equal neighbours do
 * not wait for each other's store. */
static void add_rows(const uint16_t *rows, size_t n, const uint32_t *index, uint32_t *cells, size_t stride) {
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

void rare_rows_count(const rare_rows *r, const base_margin *m, const uint32_t *index, table_shape shape,
                     uint32_t *copies, uint32_t *cells) {
    size_t n_base = shape.n_strata * shape.r_first, n_rare = shape.r_extra - 1, stride = n_rare * n_base;
    memset(copies, 0, KERNEL_COPIES * stride * sizeof *copies);
    for (size_t k = 0; k < n_rare; k++)
        add_rows(r->rows + r->starts[k], r->starts[k + 1] - r->starts[k], index, copies + k * n_base, stride);
    memset(cells, 0, n_base * shape.r_extra * sizeof *cells);
    for (size_t i = 0; i < m->n; i++) {
        const uint32_t *copy = copies + m->cell[i];
        uint32_t *place = cells + m->cell[i] + m->stratum[i] * n_rare * shape.r_first, rest = m->tally[i];
        for (size_t k = 0; k < n_rare; k++, copy += n_base) {
            uint32_t rows = copy[0] + copy[stride] + copy[2 * stride] + copy[3 * stride];
            place[(k + (k >= r->common)) * shape.r_first] = rows;
            rest -= rows;
        }
        place[r->common * shape.r_first] = rest;
    }
}
