/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counts_sparse_internal.h"

#include <stdlib.h>
#include <string.h>

#include "core/counts.h"

enum { RADIX_BITS = 11, RADIX = 1 << RADIX_BITS };

void sparse_scratch_clear(sparse_scratch *s) {
    free(s->codes);
    free(s->spare);
    free(s->rows);
    free(s->spare_rows);
    free(s->tallies);
    *s = (sparse_scratch){0};
}

static status reserve(sparse_scratch *s, size_t n, error_info *err) {
    if (s->capacity >= n && s->codes)
        return STATUS_OK;
    sparse_scratch_clear(s);
    s->codes = calloc(n + 1, sizeof *s->codes);
    s->spare = calloc(n + 1, sizeof *s->spare);
    s->rows = calloc(n + 1, sizeof *s->rows);
    s->spare_rows = calloc(n + 1, sizeof *s->spare_rows);
    s->tallies = calloc(n + 1, sizeof *s->tallies);
    if (!s->codes || !s->spare || !s->rows || !s->spare_rows || !s->tallies) {
        sparse_scratch_clear(s);
        return error_out_of_memory(err);
    }
    s->capacity = n;
    return STATUS_OK;
}

static void swap_sides(sparse_scratch *s) {
    uint64_t *codes = s->codes;
    uint32_t *rows = s->rows;
    s->codes = s->spare;
    s->spare = codes;
    s->rows = s->spare_rows;
    s->spare_rows = rows;
}

/* One stable pass by a digit of the code; carries the row numbers along if asked to. */
static void sort_by_digit(sparse_scratch *s, size_t n, unsigned shift, int with_rows) {
    uint32_t start[RADIX] = {0};
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++)
        start[s->codes[i] >> shift & (RADIX - 1)]++;
    for (size_t d = 0; d < RADIX; d++) {
        uint32_t here = start[d];
        start[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t to = start[s->codes[i] >> shift & (RADIX - 1)]++;
        s->spare[to] = s->codes[i];
        if (with_rows)
            s->spare_rows[to] = s->rows[i];
    }
    swap_sides(s);
}

/* Ascending by code; every code lies below `bound`. */
static void sort_codes(sparse_scratch *s, size_t n, uint64_t bound, int with_rows) {
    for (unsigned shift = 0; shift < 64 && (bound - 1) >> shift > 0; shift += RADIX_BITS)
        sort_by_digit(s, n, shift, with_rows);
}

/* codes[row] becomes the rank of its code; returns how many there are. Uses both sides of the scratch space. */
static uint64_t rank_codes(sparse_scratch *s, size_t n, uint64_t bound) {
    uint64_t rank = 0;
    for (size_t i = 0; i < n; i++)
        s->rows[i] = (uint32_t)i;
    sort_codes(s, n, bound, 1);
    for (size_t i = 0; i < n; i++) {
        rank += i > 0 && s->codes[i] != s->codes[i - 1];
        s->spare[s->rows[i]] = rank;
    }
    swap_sides(s);
    return n > 0 ? rank + 1 : 0;
}

status sparse_rank_strata(sparse_scratch *s, const dataset *data, const size_t *columns, size_t n_columns,
                          uint32_t *rank, size_t *n_ranks, error_info *err) {
    size_t n = dataset_row_count(data);
    uint64_t bound = 1;
    status st = reserve(s, n, err);
    if (st != STATUS_OK)
        return st;
    memset(s->codes, 0, n * sizeof *s->codes);
    for (size_t c = 0; c < n_columns; c++) {
        uint64_t r = dataset_state_count(data, columns[c]);
        if (bound > (UINT64_C(1) << 46)) /* 2^46 * 65536 states = 2^62 */
            bound = rank_codes(s, n, bound);
        for (size_t i = 0; i < n; i++)
            s->codes[i] += bound * dataset_state(data, i, columns[c]);
        bound *= r;
    }
    bound = rank_codes(s, n, bound);
    for (size_t i = 0; i < n; i++)
        rank[i] = (uint32_t)s->codes[i];
    *n_ranks = (size_t)bound;
    return STATUS_OK;
}

/* Equal neighbours become one code with its tally; returns how many are left. */
static size_t run_lengths(sparse_scratch *s, size_t n) {
    size_t cells = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && s->codes[i] == s->codes[cells - 1]) {
            s->tallies[cells - 1]++;
        } else {
            s->codes[cells] = s->codes[i];
            s->tallies[cells++] = 1;
        }
    }
    return cells;
}

status sparse_count(sparse_scratch *s, const dataset *data, const uint32_t *index, size_t first, size_t r_first,
                    size_t extra, size_t r_extra, size_t n_strata, const uint64_t **codes, const uint32_t **tallies,
                    size_t *n_cells, error_info *err) {
    size_t n = dataset_row_count(data);
    status st = reserve(s, n, err);
    if (st != STATUS_OK)
        return st;
    for (size_t i = 0; i < n; i++) {
        uint64_t f = dataset_state(data, i, first);
        uint64_t stratum = (index[i] - f) / r_first;
        uint64_t e = extra == COUNTS_NO_EXTRA ? 0 : dataset_state(data, i, extra);
        s->codes[i] = (stratum * r_extra + e) * r_first + f;
    }
    sort_codes(s, n, (uint64_t)n_strata * r_extra * r_first, 0);
    *n_cells = run_lengths(s, n);
    *codes = s->codes;
    *tallies = s->tallies;
    return STATUS_OK;
}
