/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/live_cells_internal.h"

#include "core/base/bits.h"
#include "core/base/cache_line.h"
#include "core/counting/state_vectors_internal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4 << 20 }; /* of the vectors of a table */

/* --- states of columns --- */

status state_bits_init(state_bits *s, const dataset *data, error_info *err) {
    *s = (state_bits){.data = data, .kernels = count_kernels_choose()};
    s->n_words = (dataset_row_count(data) / 64 / KERNEL_WORDS + 1) * KERNEL_WORDS;
    CHECK_ALLOC(s->columns = calloc(dataset_column_count(data), sizeof *s->columns));
    return STATUS_OK;
}

void state_bits_clear(state_bits *s) {
    if (s->columns && !s->are_shared) {
        for (size_t i = 0; i < dataset_column_count(s->data); i++)
            free(s->columns[i]);
        free(s->columns);
    }
    s->columns = NULL;
}

void state_bits_share(state_bits *s, const state_bits *of) {
    *s = *of;
    s->are_shared = true;
}

bool state_bits_suit(const state_bits *s, size_t column) {
    return dataset_state_count(s->data, column) <= STATE_BITS_MOST;
}

status state_bits_make(state_bits *s, size_t column, error_info *err) {
    size_t r = dataset_state_count(s->data, column);
    uint64_t *made, *expected = NULL;
    if (state_bits_of(s, column))
        return STATUS_OK;
    CHECK_ALLOC(made = cache_lines_allocate(r * s->n_words, sizeof *made));
    state_vectors_fill(s->kernels, &(state_vectors){s->data, column, r}, s->n_words, made, s->n_words);
    if (!atomic_compare_exchange_strong(&s->columns[column], &expected, made))
        free(made); /* another thread was faster */
    return STATUS_OK;
}

/* --- cells --- */

void live_cells_clear(live_cells *cells) {
    free(cells->cell);
    free(cells->tally);
    free(cells->bits);
    free(cells->places);
    *cells = (live_cells){0};
}

bool live_cells_fit(size_t n, size_t n_words) {
    return n <= LIVE_CELLS_MOST && n * n_words * sizeof(uint64_t) <= MOST_BYTES;
}

/* Room for at least so many vectors, and for all that a table can have where it is little. */
static status reserve(live_cells *cells, size_t n_words, size_t vectors, error_info *err) {
    size_t most = MOST_BYTES / (n_words * sizeof *cells->bits);
    if (!cells->cell)
        CHECK_ALLOC(cells->cell = calloc(LIVE_CELLS_MOST, sizeof *cells->cell));
    if (!cells->tally)
        CHECK_ALLOC(cells->tally = calloc(LIVE_CELLS_MOST, sizeof *cells->tally));
    if (cells->capacity < vectors) {
        free(cells->bits);
        cells->capacity = 0;
        most = most < LIVE_CELLS_MOST ? most : LIVE_CELLS_MOST;
        most = most > vectors ? most : vectors;
        CHECK_ALLOC(cells->bits = cache_lines_allocate(most * n_words, sizeof *cells->bits));
        cells->capacity = most;
    }
    return STATUS_OK;
}

status live_cells_start(live_cells *cells, state_bits *s, size_t column, error_info *err) {
    size_t r = dataset_state_count(s->data, column);
    CHECK(state_bits_make(s, column, err));
    CHECK(reserve(cells, s->n_words, r, err));
    cells->n = 0;
    for (size_t k = 0; k < r; k++) {
        const uint64_t *state = state_bits_of(s, column) + k * s->n_words;
        uint32_t tally = s->kernels->store_and(state, state, cells->bits + cells->n * s->n_words, s->n_words);
        if (tally > 0) {
            cells->cell[cells->n] = (uint32_t)k;
            cells->tally[cells->n++] = tally;
        }
    }
    return STATUS_OK;
}

/* State by state, a cell until its rows are used up; those without rows are left out. */
status live_cells_split(const live_cells *above, state_bits *s, size_t column, uint32_t scale, live_cells *out,
                        error_info *err) {
    size_t r = dataset_state_count(s->data, column), n = 0, n_words = s->n_words;
    uint32_t rest[LIVE_CELLS_MOST], tally;
    CHECK(state_bits_make(s, column, err));
    CHECK(reserve(out, n_words, above->n * r, err));
    memcpy(rest, above->tally, above->n * sizeof *rest);
    for (size_t k = 0; k < r; k++) {
        const uint64_t *state = state_bits_of(s, column) + k * n_words;
        for (size_t i = 0; i < above->n; i++) {
            if (rest[i] == 0)
                continue;
            tally = s->kernels->store_and(above->bits + i * n_words, state, out->bits + n * n_words, n_words);
            if (tally == 0)
                continue;
            rest[i] -= tally;
            out->cell[n] = above->cell[i] + scale * (uint32_t)k;
            out->tally[n++] = tally;
        }
    }
    out->n = n;
    return STATUS_OK;
}

/* False where there are too many. */
static bool list_cells(live_cells *cells, const uint32_t *tallies, size_t n_cells, uint32_t *place) {
    cells->n = 0;
    for (size_t i = 0; i < n_cells; i++) {
        if (tallies[i] == 0)
            continue;
        if (cells->n == LIVE_CELLS_MOST)
            return false;
        cells->cell[cells->n] = (uint32_t)i;
        cells->tally[cells->n] = tallies[i];
        place[i] = (uint32_t)cells->n++;
    }
    return true;
}

/* A pass over the rows' places for each cell, against one that sets a bit a row. In times for one row of a histogram;
 * measured. */
static bool matching_is_cheaper(const live_cells *cells, const state_bits *s) {
    double word = s->kernels->word_cost < 1 ? 5 * s->kernels->word_cost : 150;
    return (double)(cells->n * s->n_words) * word < 3 * (double)dataset_row_count(s->data);
}

static status match_rows(live_cells *cells, const state_bits *s, const uint32_t *cell_of_row, const uint32_t *place,
                         error_info *err) {
    size_t n = dataset_row_count(s->data);
    uint8_t *places = cells->places;
    if (!places)
        CHECK_ALLOC(places = cells->places = cache_lines_allocate(n, 1));
    for (size_t i = 0; i < n; i++)
        places[i] = (uint8_t)place[cell_of_row[i]];
    for (size_t k = 0; k < cells->n; k++)
        s->kernels->match(places, n, (uint8_t)k, cells->bits + k * s->n_words, s->n_words);
    return STATUS_OK;
}

static void scatter_rows(live_cells *cells, const state_bits *s, const uint32_t *cell_of_row, const uint32_t *place) {
    memset(cells->bits, 0, cells->n * s->n_words * sizeof *cells->bits);
    for (size_t i = 0; i < dataset_row_count(s->data); i++)
        bits_add(cells->bits + place[cell_of_row[i]] * s->n_words, i);
}

status live_cells_of_rows(live_cells *cells, const state_bits *s, const uint32_t *cell_of_row, const uint32_t *tallies,
                          size_t n_cells, uint32_t *place, error_info *err) {
    CHECK(reserve(cells, s->n_words, 0, err));
    if (!list_cells(cells, tallies, n_cells, place) || !live_cells_fit(cells->n, s->n_words)) {
        cells->n = 0;
        return STATUS_OK;
    }
    CHECK(reserve(cells, s->n_words, cells->n, err));
    if (matching_is_cheaper(cells, s))
        return match_rows(cells, s, cell_of_row, place, err);
    scatter_rows(cells, s, cell_of_row, place);
    return STATUS_OK;
}
