/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/counts_sparse_internal.h"

#include "core/base/array.h"
#include "core/counting/counts.h"

#include <stdlib.h>
#include <string.h>

enum { RADIX_BITS = 11, RADIX = 1 << RADIX_BITS };

void sparse_scratch_clear(sparse_scratch *s) {
    free(s->codes);
    free(s->spare);
    free(s->rows);
    free(s->spare_rows);
    free(s->members);
    free(s->start);
    free(s->stratum);
    free(s->offsets);
    free(s->local);
    free(s->block);
    free(s->tallies);
    memset(s, 0, sizeof *s);
}

static status reserve(sparse_scratch *s, size_t n, error_info *err) {
    if (s->capacity >= n && s->codes)
        return STATUS_OK;
    sparse_scratch_clear(s);
    CHECK(array_resize(&s->spare, n + 1, sizeof *s->spare, err));
    CHECK(array_resize(&s->rows, n + 1, sizeof *s->rows, err));
    CHECK(array_resize(&s->spare_rows, n + 1, sizeof *s->spare_rows, err));
    CHECK(array_resize(&s->members, n + 1, sizeof *s->members, err));
    CHECK(array_resize(&s->start, n + 2, sizeof *s->start, err));
    CHECK(array_resize(&s->stratum, n + 1, sizeof *s->stratum, err));
    CHECK(array_resize(&s->local, n + 1, sizeof *s->local, err));
    CHECK(array_resize(&s->tallies, n + 1, sizeof *s->tallies, err));
    CHECK(array_resize(&s->codes, n + 1, sizeof *s->codes, err)); /* the last: with it all are there */
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

/* One stable pass by a digit of the code; the row numbers go along. */
static void sort_by_digit(sparse_scratch *s, size_t n, unsigned shift) {
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
        s->spare_rows[to] = s->rows[i];
    }
    swap_sides(s);
}

/* Ascending by code; every code lies below `bound`. */
static void sort_codes(sparse_scratch *s, size_t n, uint64_t bound) {
    for (unsigned shift = 0; shift < 64 && (bound - 1) >> shift > 0; shift += RADIX_BITS)
        sort_by_digit(s, n, shift);
}

/* codes[row] becomes the rank of its code; returns how many there are. Uses both sides of the scratch space. */
static uint64_t rank_codes(sparse_scratch *s, size_t n, uint64_t bound) {
    uint64_t rank = 0;
    for (size_t i = 0; i < n; i++)
        s->rows[i] = (uint32_t)i;
    sort_codes(s, n, bound);
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
    CHECK(reserve(s, n, err));
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

static status reserve_counts(uint32_t **array, size_t *capacity, size_t wanted, error_info *err) {
    if (*capacity >= wanted)
        return STATUS_OK;
    free(*array);
    *array = calloc(wanted, sizeof **array);
    *capacity = *array ? wanted : 0;
    return *array ? STATUS_OK : error_out_of_memory(err);
}

status sparse_group(sparse_scratch *s, size_t n_rows, const uint32_t *index, size_t step, size_t n_strata,
                    error_info *err) {
    uint32_t sum = 0;
    CHECK(reserve(s, n_rows, err));
    CHECK(reserve_counts(&s->offsets, &s->offsets_capacity, n_strata + 1, err));
    memset(s->offsets, 0, (n_strata + 1) * sizeof *s->offsets);
    for (size_t i = 0; i < n_rows; i++)
        s->offsets[s->rows[i] = index[i] / (uint32_t)step]++;
    s->n_groups = 0;
    for (size_t stratum = 0; stratum < n_strata; stratum++) {
        uint32_t size = s->offsets[stratum];
        s->offsets[stratum] = sum;
        if (size > 0) {
            s->start[s->n_groups] = sum;
            s->stratum[s->n_groups++] = (uint32_t)stratum;
        }
        sum += size;
    }
    s->start[s->n_groups] = sum;
    for (size_t i = 0; i < n_rows; i++)
        s->members[s->offsets[s->rows[i]]++] = (uint32_t)i;
    return STATUS_OK;
}

/* Up to so many values are sorted one by one, more of them by their bytes. */
enum { FEW = 128, BYTE = 256 };

static void sort_few(uint32_t *values, size_t n) {
    for (size_t i = 1; i < n; i++) {
        uint32_t value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static void sort_by_byte(const uint32_t *from, size_t n, unsigned shift, uint32_t *to) {
    uint32_t start[BYTE] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        start[from[i] >> shift & (BYTE - 1)]++;
    for (size_t d = 0; d < BYTE; d++) {
        uint32_t here = start[d];
        start[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        to[start[from[i] >> shift & (BYTE - 1)]++] = from[i];
}

void sort_values(uint32_t *values, size_t n, size_t bound, uint32_t *spare) {
    if (n <= FEW) {
        sort_few(values, n);
        return;
    }
    for (unsigned shift = 0; (bound - 1) >> shift > 0; shift += 16) { /* there and back */
        sort_by_byte(values, n, shift, spare);
        sort_by_byte(spare, n, shift + 8, values);
    }
}

/* A group that many times smaller than the block of its cells is sorted, a larger one counted cell by cell. */
static bool is_sorted_sooner(size_t n, size_t block) {
    return n < 8 || n * (n <= FEW ? 64 : 16) < block;
}

/* Appends the runs of equal cells of a sorted group; returns the new number of cells. */
static size_t append_runs(sparse_scratch *s, size_t n, uint64_t base, size_t n_cells) {
    for (size_t i = 0; i < n;) {
        size_t from = i;
        while (i < n && s->local[i] == s->local[from])
            i++;
        s->codes[n_cells] = base + s->local[from];
        s->tallies[n_cells++] = (uint32_t)(i - from);
    }
    return n_cells;
}

static size_t append_block(sparse_scratch *s, size_t n, uint64_t base, size_t block, size_t n_cells) {
    memset(s->block, 0, block * sizeof *s->block);
    for (size_t i = 0; i < n; i++)
        s->block[s->local[i]]++;
    for (size_t cell = 0; cell < block; cell++) {
        if (s->block[cell] > 0) {
            s->codes[n_cells] = base + cell;
            s->tallies[n_cells++] = s->block[cell];
        }
    }
    return n_cells;
}

/* A column whatever its width; both NULL for no column, whose state is 0 everywhere. */
typedef struct {
    const uint8_t *bytes;
    const uint16_t *words;
} column_view;

static column_view view_column(const dataset *data, size_t column) {
    if (column == COUNTS_NO_EXTRA)
        return (column_view){NULL, NULL};
    return (column_view){dataset_bytes(data, column), dataset_words(data, column)};
}

static inline uint32_t state_at(const column_view *column, size_t row) {
    if (column->bytes)
        return column->bytes[row];
    return column->words ? column->words[row] : 0;
}

/* The cells (extra, first) of the rows of one group; no pair has more than VARIABLE_MAX_STATES squared, 2^32. */
static void take_group(sparse_scratch *s, const column_view *first, const column_view *extra, uint32_t r_first,
                       size_t from, size_t n) {
    const uint32_t *members = s->members + from;
    for (size_t i = 0; i < n; i++)
        s->local[i] = state_at(extra, members[i]) * r_first + state_at(first, members[i]);
}

status sparse_count(sparse_scratch *s, const dataset *data, size_t first, size_t extra, const uint64_t **codes,
                    const uint32_t **tallies, size_t *n_cells, error_info *err) {
    size_t r_first = dataset_state_count(data, first), n = 0;
    column_view first_view = view_column(data, first), extra_view = view_column(data, extra);
    size_t block = r_first * (extra == COUNTS_NO_EXTRA ? 1 : dataset_state_count(data, extra)); /* 2^32 at most */
    for (size_t g = 0; g < s->n_groups; g++) {
        size_t from = s->start[g], size = s->start[g + 1] - from;
        uint64_t base = (uint64_t)s->stratum[g] * block;
        take_group(s, &first_view, &extra_view, (uint32_t)r_first, from, size);
        if (is_sorted_sooner(size, block)) {
            sort_values(s->local, size, block, s->spare_rows);
            n = append_runs(s, size, base, n);
        } else {
            CHECK(reserve_counts(&s->block, &s->block_capacity, block, err));
            n = append_block(s, size, base, block, n);
        }
    }
    *n_cells = n;
    *codes = s->codes;
    *tallies = s->tallies;
    return STATUS_OK;
}
