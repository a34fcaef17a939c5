/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set is 31 vectors and one that has all rows, which counts those of a cell. */
#include "core/counting/octet_columns.h"

#include "core/base/array.h"
#include "core/base/cache_line.h"
#include "core/base/huge_pages.h"
#include "core/counting/bit_vectors.h"
#include "core/counting/count_kernels_internal.h"
#include "core/counting/octet_kernels_internal.h"
#include "core/run/parallel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    SET_VECTORS = OCTET_LANES - 1,
    ROWS_AT_ONCE = 4096,
    WORDS_AT_ONCE = 4096, /* that a thread lays */
    FEW_CELLS = 64        /* whose copies fit the first cache with what is added to them */
};

struct octet_columns {
    const octet_kernels *kernels;
    const count_kernels *of_cells;
    size_t n_vectors, n_words, n_sets;
    uint8_t *octets;
};

void octet_columns_destroy(octet_columns *c) {
    if (!c)
        return;
    free(c->octets);
    free(c);
}

static size_t set_bytes(const octet_columns *c) {
    return c->n_words * OCTETS_OF_WORD * OCTET_LANES;
}

/* --- laying --- */

typedef struct {
    const octet_columns *columns;
    const uint64_t *vectors, *all_rows;
    atomic_size_t next; /* piece: a set of some words */
} laying;

static void lay_piece(const laying *l, size_t set, size_t first_word) {
    const octet_columns *c = l->columns;
    size_t left = c->n_words - first_word;
    const uint64_t *lanes[OCTET_LANES] = {NULL};
    for (size_t k = 0; k < SET_VECTORS && set * SET_VECTORS + k < c->n_vectors; k++)
        lanes[k] = l->vectors + (set * SET_VECTORS + k) * c->n_words + first_word;
    lanes[SET_VECTORS] = l->all_rows + first_word;
    c->kernels->lay(lanes, left < WORDS_AT_ONCE ? left : WORDS_AT_ONCE,
                    c->octets + set * set_bytes(c) + first_word * OCTETS_OF_WORD * OCTET_LANES);
}

static status lay_some(void *self, size_t worker, error_info *err) {
    laying *l = self;
    size_t n_parts = (l->columns->n_words + WORDS_AT_ONCE - 1) / WORDS_AT_ONCE, piece;
    (void)worker;
    (void)err;
    while ((piece = atomic_fetch_add(&l->next, 1)) < n_parts * l->columns->n_sets)
        lay_piece(l, piece % l->columns->n_sets, piece / l->columns->n_sets * WORDS_AT_ONCE);
    return STATUS_OK;
}

status octet_columns_create(const uint64_t *vectors, size_t n_vectors, size_t n_words, size_t n_rows, size_t n_threads,
                            octet_columns **out, error_info *err) {
    AUTO_PTR(octet_columns_destroy) octet_columns *c = NULL;
    AUTO_FREE uint64_t *all_rows = NULL;
    const octet_kernels *kernels = octet_kernels_choose();
    *out = NULL;
    if (!kernels)
        return STATUS_OK;
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    *c = (octet_columns){kernels, count_kernels_choose(), .n_vectors = n_vectors, .n_words = n_words};
    c->n_sets = (n_vectors + SET_VECTORS - 1) / SET_VECTORS;
    CHECK_ALLOC(c->octets = cache_lines_allocate(c->n_sets, set_bytes(c)));
    huge_pages_ask(c->octets, c->n_sets * set_bytes(c));
    CHECK_ALLOC(all_rows = bit_vectors_allocate(1, n_words));
    bit_vectors_set_first(all_rows, n_words, n_rows);
    CHECK(parallel_run(n_threads, lay_some, &(laying){.columns = c, .vectors = vectors, .all_rows = all_rows}, err));
    *out = TAKE(c);
    return STATUS_OK;
}

/* --- counting --- */

void octet_counts_clear(octet_counts *o) {
    free(o->counts);
    free(o->place);
    free(o->bytes);
    free(o->cells);
    *o = (octet_counts){0};
}

status octet_counts_want_none(octet_counts *o, const octet_columns *c, error_info *err) {
    CHECK(ARRAY_RESERVE(o->place, o->place_capacity, c->n_sets + 1, err));
    for (size_t set = 0; set < c->n_sets; set++)
        o->place[set] = SIZE_MAX;
    o->n_wanted = 0;
    return STATUS_OK;
}

void octet_counts_want(octet_counts *o, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        size_t *place = &o->place[i / SET_VECTORS];
        if (*place == SIZE_MAX)
            *place = o->n_wanted++;
    }
}

size_t octet_counts_sets(const octet_counts *o) {
    return o->n_wanted;
}

static size_t copies_of(size_t n_cells) {
    return n_cells <= FEW_CELLS ? OCTET_COPIES : 1;
}

status octet_counts_begin(octet_counts *o, size_t n_cells, error_info *err) {
    size_t bytes = n_cells * copies_of(n_cells) * OCTET_SETS * OCTET_LANES;
    if (!o->cells)
        CHECK_ALLOC(o->cells = cache_lines_allocate(ROWS_AT_ONCE, sizeof *o->cells));
    if (o->bytes_capacity < bytes) {
        free(TAKE(o->bytes));
        o->bytes_capacity = 0;
        CHECK_ALLOC(o->bytes = cache_lines_allocate(bytes, 1));
        o->bytes_capacity = bytes;
    }
    o->step = o->n_wanted * OCTET_LANES;
    CHECK(ARRAY_RESERVE(o->counts, o->counts_capacity, n_cells * o->step + 1, err));
    memset(o->bytes, 0, bytes);
    memset(o->counts, 0, n_cells * o->step * sizeof *o->counts);
    return STATUS_OK;
}

/* Where the bytes of the cells of some rows begin; rows behind the last one have no bits, and go by the first cell. */
static void find_cells(const octet_counts *o, const octet_columns *c, const octet_base_column *base, size_t n_base,
                       size_t cell_bytes, size_t first, size_t n) {
    uint32_t scale = (uint32_t)cell_bytes;
    for (size_t i = 0; i < n_base; i++) {
        c->of_cells->add_scaled(o->cells, base[i].values + first, scale, n, i == 0);
        scale *= (uint32_t)base[i].n_states;
    }
    for (size_t i = n; i < (n + 7) / 8 * 8; i++)
        o->cells[i] = 0;
}

/* The sets first_set .. end_set - 1, with the rows first_row .. end_row - 1. */
static void count_sets(const octet_counts *o, const octet_columns *c, size_t first_set, size_t end_set,
                       const octet_base_column *base, size_t n_base, size_t n_cells, size_t first_row, size_t end_row) {
    const uint8_t *octets = c->octets + first_set * set_bytes(c);
    octet_tally tally = {.n_sets = end_set - first_set,
                         .n_copies = copies_of(n_cells),
                         .bytes = o->bytes,
                         .counts = o->counts + o->place[first_set] * OCTET_LANES,
                         .step = o->step};
    for (size_t first = first_row; first < end_row; first += ROWS_AT_ONCE) {
        size_t n = end_row - first < ROWS_AT_ONCE ? end_row - first : ROWS_AT_ONCE;
        find_cells(o, c, base, n_base, octet_cell_bytes(&tally), first, n);
        c->kernels->add(&tally, o->cells, (n + 7) / 8, octets + first / 8 * OCTET_LANES, set_bytes(c));
    }
    c->kernels->finish(&tally, n_cells);
}

void octet_counts_add(octet_counts *o, const octet_columns *c, const octet_base_column *base, size_t n_base,
                      size_t n_cells, size_t first, size_t end) {
    for (size_t set = 0, end_set; set < c->n_sets; set = end_set) {
        end_set = set + 1;
        if (o->place[set] == SIZE_MAX)
            continue;
        while (end_set < c->n_sets && end_set - set < OCTET_SETS &&
               o->place[end_set] == o->place[set] + (end_set - set))
            end_set++;
        count_sets(o, c, set, end_set, base, n_base, n_cells, first, end);
    }
}

void octet_counts_add_up(octet_counts *o, const octet_counts *more, size_t n_cells) {
    for (size_t i = 0; i < n_cells * o->step; i++)
        o->counts[i] += more->counts[i];
}

const uint32_t *octet_counts_rows(const octet_counts *o) {
    return o->counts + SET_VECTORS;
}

const uint32_t *octet_counts_of(const octet_counts *o, size_t vector) {
    return o->counts + o->place[vector / SET_VECTORS] * OCTET_LANES + vector % SET_VECTORS;
}
