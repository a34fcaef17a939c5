/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A chunk of rows after the other: its rows are split by the conditioning columns and the first, cell by cell, into bit
 * vectors, of which those that are empty are left out; then the states of every extra go by them. The last state of an
 * extra is what the others leave.
 */
#include "core/counting/base_tables.h"

#include "core/base/array.h"
#include "core/counting/count_kernels_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 512, /* words: vectors of 4 KiB */
    LEAST_CHUNKS = 4,
    MOST_CELLS = 256 /* of the first and the conditioning columns */
};

/* Cells of a chunk that have rows. */
typedef struct {
    size_t n;
    uint32_t code[MOST_CELLS], tally[MOST_CELLS];
    uint64_t *bits; /* MOST_CELLS x CHUNK */
} chunk_cells;

struct base_tables {
    const pair_tables *tables;
    const count_kernels *kernels;
    size_t r_first, n_strata, n_cells;
    chunk_cells level[2];
    uint32_t tally[MOST_CELLS]; /* by cell */
    size_t n_extras;
    size_t *extras, *places; /* places: of an extra's first state among the counts, in rows of n_cells */
    size_t extras_capacity, places_capacity;
    uint32_t *counts; /* by state of an extra but its last, and cell */
    size_t counts_capacity;
    uint32_t *cells;
    size_t cells_capacity;
};

void base_tables_destroy(base_tables *b) {
    if (!b)
        return;
    free(b->level[0].bits);
    free(b->level[1].bits);
    free(b->extras);
    free(b->places);
    free(b->counts);
    free(b->cells);
    free(b);
}

status base_tables_create(const pair_tables *tables, base_tables **out, error_info *err) {
    AUTO_PTR(base_tables_destroy) base_tables *b = NULL;
    CHECK_ALLOC(b = calloc(1, sizeof *b));
    b->tables = tables;
    b->kernels = count_kernels_choose();
    for (size_t i = 0; i < 2; i++)
        CHECK_ALLOC(b->level[i].bits = aligned_alloc(64, sizeof(uint64_t) * MOST_CELLS * CHUNK));
    *out = TAKE(b);
    return STATUS_OK;
}

bool base_tables_suit(const dataset *data) {
    return dataset_row_count(data) >= (size_t)CHUNK * LEAST_CHUNKS * 64;
}

static const pair_column *column_of(const base_tables *b, size_t column) {
    return &pair_tables_columns(b->tables)[column];
}

static bool has_bits(const base_tables *b, size_t column) {
    return column_of(b, column)->bits != NULL;
}

/* --- the cells of a chunk --- */

static void start_chunk(chunk_cells *c, size_t first_word, size_t n_words, size_t n_rows) {
    size_t left = n_rows - first_word * 64;
    memset(c->bits, 0, n_words * sizeof *c->bits);
    for (size_t w = 0; w < n_words && w * 64 < left; w++)
        c->bits[w] = left - w * 64 >= 64 ? UINT64_MAX : (UINT64_C(1) << (left - w * 64)) - 1;
    c->n = 1;
    c->code[0] = 0;
    c->tally[0] = 1; /* some */
}

/* One cell by the states of a column: each takes its rows away, and the last gets what is left. */
static void split_cell(const base_tables *b, uint64_t *set, uint32_t code, const pair_column *column, size_t first_word,
                       size_t n_words, uint32_t scale, chunk_cells *out) {
    for (size_t k = 0; k < column->n_states; k++) {
        bool is_last = k + 1 == column->n_states;
        const uint64_t *state = is_last ? set : column->bits + k * pair_tables_word_count(b->tables) + first_word;
        uint64_t *part = out->bits + out->n * n_words;
        uint32_t tally = b->kernels->store_and(set, state, part, n_words);
        if (tally == 0)
            continue;
        for (size_t w = 0; w < n_words; w++)
            set[w] &= ~part[w];
        out->code[out->n] = code + scale * (uint32_t)k;
        out->tally[out->n++] = tally;
    }
}

static void split_cells(const base_tables *b, const chunk_cells *from, size_t column, size_t first_word, size_t n_words,
                        uint32_t scale, chunk_cells *out) {
    out->n = 0;
    for (size_t i = 0; i < from->n; i++)
        split_cell(b, from->bits + i * n_words, from->code[i], column_of(b, column), first_word, n_words, scale, out);
}

static const chunk_cells *split_chunk(base_tables *b, size_t first, const size_t *conditioning, size_t n_conditioning,
                                      size_t first_word, size_t n_words) {
    uint32_t scale = (uint32_t)b->r_first;
    size_t now = 0;
    start_chunk(&b->level[0], first_word, n_words, dataset_row_count(pair_tables_data(b->tables)));
    for (size_t i = 0; i < n_conditioning; i++, now = 1 - now) {
        split_cells(b, &b->level[now], conditioning[i], first_word, n_words, scale, &b->level[1 - now]);
        scale *= (uint32_t)column_of(b, conditioning[i])->n_states;
    }
    split_cells(b, &b->level[now], first, first_word, n_words, 1, &b->level[1 - now]);
    return &b->level[1 - now];
}

/* --- the extras --- */

static void count_extra(base_tables *b, const chunk_cells *cells, size_t i, size_t first_word, size_t n_words) {
    const pair_column *extra = column_of(b, b->extras[i]);
    uint32_t common[MOST_CELLS];
    for (size_t k = 0; k + 1 < extra->n_states; k++) {
        uint32_t *counts = b->counts + (b->places[i] + k) * b->n_cells;
        b->kernels->count_block(extra->bits + k * pair_tables_word_count(b->tables) + first_word, cells->bits, cells->n,
                                n_words, common);
        for (size_t c = 0; c < cells->n; c++)
            counts[cells->code[c]] += common[c];
    }
}

static void count_chunk(base_tables *b, const chunk_cells *cells, size_t first_word, size_t n_words) {
    for (size_t c = 0; c < cells->n; c++)
        b->tally[cells->code[c]] += cells->tally[c];
    for (size_t i = 0; i < b->n_extras; i++)
        count_extra(b, cells, i, first_word, n_words);
}

/* False where there are too many cells, or a column without bit vectors. */
static bool set_base(base_tables *b, size_t first, const size_t *conditioning, size_t n_conditioning) {
    bool fits = has_bits(b, first);
    b->r_first = column_of(b, first)->n_states;
    b->n_strata = 1;
    for (size_t i = 0; i < n_conditioning && fits; i++) {
        b->n_strata *= column_of(b, conditioning[i])->n_states;
        fits = has_bits(b, conditioning[i]) && b->n_strata * b->r_first <= MOST_CELLS;
    }
    b->n_cells = b->n_strata * b->r_first;
    return fits && b->n_cells <= MOST_CELLS;
}

static status set_extras(base_tables *b, const size_t *extras, size_t n, bool *fits, error_info *err) {
    size_t n_counts = 0;
    *fits = true;
    CHECK(ARRAY_RESERVE(b->extras, b->extras_capacity, n, err));
    CHECK(ARRAY_RESERVE(b->places, b->places_capacity, n, err));
    b->n_extras = n;
    for (size_t i = 0; i < n && *fits; i++) {
        b->extras[i] = extras[i];
        b->places[i] = n_counts;
        n_counts += column_of(b, extras[i])->n_states - 1;
        *fits = has_bits(b, extras[i]);
    }
    CHECK(ARRAY_RESERVE(b->counts, b->counts_capacity, n_counts * b->n_cells + 1, err));
    memset(b->counts, 0, n_counts * b->n_cells * sizeof *b->counts);
    memset(b->tally, 0, sizeof b->tally);
    return STATUS_OK;
}

status base_tables_count(base_tables *b, size_t first, const size_t *conditioning, size_t n_conditioning,
                         const size_t *extras, size_t n_extras, bool *is_done, error_info *err) {
    size_t n_words = pair_tables_word_count(b->tables);
    *is_done = set_base(b, first, conditioning, n_conditioning);
    if (*is_done)
        CHECK(set_extras(b, extras, n_extras, is_done, err));
    for (size_t at = 0; at < n_words && *is_done; at += CHUNK) {
        size_t n = n_words - at < CHUNK ? n_words - at : CHUNK;
        count_chunk(b, split_chunk(b, first, conditioning, n_conditioning, at, n), at, n);
    }
    if (n_extras > 0 && *is_done)
        return ARRAY_RESERVE(b->cells, b->cells_capacity, b->n_cells * PAIR_MOST_STATES, err);
    return STATUS_OK;
}

size_t base_tables_strata(const base_tables *b) {
    return b->n_strata;
}

const uint32_t *base_tables_cells(base_tables *b, size_t i) {
    size_t r_extra = column_of(b, b->extras[i])->n_states, r = b->r_first;
    for (size_t c = 0; c < b->n_cells; c++) {
        uint32_t *cell = b->cells + c / r * r_extra * r + c % r, rest = b->tally[c];
        for (size_t e = 0; e + 1 < r_extra; e++) {
            cell[e * r] = b->counts[(b->places[i] + e) * b->n_cells + c];
            rest -= cell[e * r];
        }
        cell[(r_extra - 1) * r] = rest;
    }
    return b->cells;
}
