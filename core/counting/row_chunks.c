/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/row_chunks_internal.h"

#include "core/counting/bit_vectors.h"
#include "core/counting/state_vectors_internal.h"

#include <stdlib.h>

enum { LEAST_CHUNKS = 8 };

_Static_assert((int)CHUNK_WORDS <= (int)STATE_VECTORS_PART, "vectors are made a chunk at a time");

status row_chunks_init(row_chunks *c, error_info *err) {
    c->kernels = count_kernels_choose();
    for (size_t i = 0; i < 2; i++) {
        if (!c->level[i].bits)
            CHECK_ALLOC(c->level[i].bits = aligned_alloc(64, sizeof(uint64_t) * CHUNK_MOST_CELLS * CHUNK_WORDS));
    }
    return STATUS_OK;
}

void row_chunks_clear(row_chunks *c) {
    free(c->level[0].bits);
    free(c->level[1].bits);
    *c = (row_chunks){0};
}

bool row_chunks_suit(size_t n_rows) {
    return n_rows >= (size_t)64 * CHUNK_WORDS * LEAST_CHUNKS;
}

/* --- splitting -------------------------------------------------------------------------------- */

/* All rows are one cell. */
static void start(chunk_cells *c, size_t n_words, size_t n_rows) {
    bit_vectors_set_first(c->bits, n_words, n_rows);
    c->n = 1;
    c->code[0] = 0;
    c->tally[0] = (uint32_t)n_rows;
}

/* Each state takes its rows out of the set, and the last gets what is left. */
static void split_cell(const row_chunks *c, uint64_t *set, uint32_t code, const chunk_column *column, size_t n_words,
                       uint32_t scale, chunk_cells *out) {
    for (size_t k = 0; k < column->n_states; k++) {
        const uint64_t *state = k + 1 == column->n_states ? set : column->bits + k * column->stride;
        uint64_t *part = out->bits + out->n * n_words;
        uint32_t tally = c->kernels->take(set, state, part, n_words);
        if (tally == 0)
            continue;
        out->code[out->n] = code + scale * (uint32_t)k;
        out->tally[out->n++] = tally;
    }
}

static void split_cells(const row_chunks *c, const chunk_cells *from, const chunk_column *column, size_t n_words,
                        uint32_t scale, chunk_cells *out) {
    out->n = 0;
    for (size_t i = 0; i < from->n; i++)
        split_cell(c, from->bits + i * n_words, from->code[i], column, n_words, scale, out);
}

const chunk_cells *row_chunks_split(row_chunks *c, const chunk_column *columns, size_t n_columns, size_t n_words,
                                    size_t n_rows) {
    uint32_t scale = 1;
    size_t now = 0;
    start(&c->level[0], n_words, n_rows);
    for (size_t i = 0; i < n_columns; i++, now = 1 - now) {
        split_cells(c, &c->level[now], &columns[i], n_words, scale, &c->level[1 - now]);
        scale *= (uint32_t)columns[i].n_states;
    }
    return &c->level[now];
}

/* --- tallies ---------------------------------------------------------------------------------- */

/* What a column is in the chunk: its vectors of the tables, or ones made in *bits, which moves behind them. */
static chunk_column view_of(const row_chunks *c, const chunk_source *from, size_t column, size_t first_word,
                            size_t n_words, uint64_t **bits) {
    size_t r = dataset_state_count(from->data, column);
    chunk_column made = {r, n_words, *bits};
    if (from->tables && pair_tables_columns(from->tables)[column].bits)
        return (chunk_column){r, pair_tables_word_count(from->tables),
                              pair_tables_columns(from->tables)[column].bits + first_word};
    state_vectors_fill_part(c->kernels, &(state_vectors){from->data, column, r - 1}, first_word, n_words, *bits,
                            n_words);
    *bits += (r - 1) * n_words;
    return made;
}

static const chunk_cells *split_columns(row_chunks *c, const chunk_source *from, const size_t *columns,
                                        size_t n_columns, size_t first_word, size_t n_words, chunk_column *views,
                                        uint64_t *bits) {
    size_t at = first_word * 64, n_all = dataset_row_count(from->data), left = at < n_all ? n_all - at : 0;
    size_t n_rows = left < n_words * 64 ? left : n_words * 64;
    for (size_t i = 0; i < n_columns; i++)
        views[i] = view_of(c, from, columns[i], first_word, n_words, &bits);
    return row_chunks_split(c, views, n_columns, n_words, n_rows);
}

status row_chunks_tally(row_chunks *c, const chunk_source *from, const size_t *columns, size_t n_columns,
                        uint32_t *tally, error_info *err) {
    const dataset *data = from->data;
    size_t n_words = (dataset_row_count(data) / 64 / KERNEL_WORDS + 1) * KERNEL_WORDS, n_vectors = 1;
    AUTO_FREE chunk_column *views = calloc(n_columns + 1, sizeof *views);
    AUTO_FREE uint64_t *bits = NULL;
    CHECK_ALLOC(views);
    for (size_t i = 0; i < n_columns; i++)
        n_vectors += dataset_state_count(data, columns[i]) - 1;
    CHECK_ALLOC(bits = aligned_alloc(64, n_vectors * CHUNK_WORDS * sizeof *bits));
    for (size_t at = 0; at < n_words; at += CHUNK_WORDS) {
        size_t n = n_words - at < CHUNK_WORDS ? n_words - at : CHUNK_WORDS;
        const chunk_cells *cells = split_columns(c, from, columns, n_columns, at, n, views, bits);
        for (size_t i = 0; i < cells->n; i++)
            tally[cells->code[i]] += cells->tally[i];
    }
    return STATUS_OK;
}
