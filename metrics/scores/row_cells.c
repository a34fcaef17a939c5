/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/scores/row_cells_internal.h"

#include "core/base/array.h"
#include "core/counting/bit_vectors.h"
#include "core/counting/slab_values.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALL_CELLS = 64,     /* up to so many, cells of configurations with one state of x are counted too */
    SLAB_CELLS = 8,     /* from so many on, all are counted by one pass over the rows */
    ROUNDED_CELLS = 4,  /* the same, where terms are looked up in whole numbers */
    LISTED_AT_ONCE = 3, /* rows of a set */
    REST_ROWS = 16      /* that are added up in the time that a number is taken off in, or more */
};

status row_cells_init(row_cells *c, const pair_tables *tables, const lane_columns *lanes, error_info *err) {
    *c = (row_cells){.tables = tables, .lanes = lanes, .n_words = pair_tables_word_count(tables)};
    if (!lanes)
        return STATUS_OK;
    c->slab_cells = lane_columns_has_values(lanes) ? ROUNDED_CELLS : SLAB_CELLS;
    CHECK_ALLOC(c->listed = calloc(c->n_words * 64 + ROW_MOST_CELLS * 8 + 1, sizeof *c->listed));
    return STATUS_OK;
}

void row_cells_clear(row_cells *c) {
    free(c->bits);
    free(c->spare);
    free(c->listed);
    *c = (row_cells){0};
}

static status reserve(row_cells *c, uint64_t **bits, size_t *capacity, size_t n, error_info *err) {
    if (n <= *capacity)
        return STATUS_OK;
    free(*bits);
    *capacity = 0;
    CHECK_ALLOC(*bits = aligned_alloc(64, n * c->n_words * sizeof **bits));
    *capacity = n;
    return STATUS_OK;
}

/* Splits every stratum by one more parent; false where they are too many. */
static status split_strata(row_cells *c, size_t column, bool *fits, error_info *err) {
    size_t n = 0, r = dataset_state_count(c->seen, column);
    uint32_t tally[ROW_MOST_STATES];
    uint64_t *bits = c->bits;
    size_t capacity = c->capacity;
    *fits = r <= ROW_MOST_STATES && c->n_strata * r <= 4 * ROW_MOST_CELLS;
    if (!*fits)
        return STATUS_OK;
    CHECK(reserve(c, &c->spare, &c->spare_capacity, c->n_strata * r, err));
    for (size_t i = 0; i < c->n_strata; i++)
        n += pair_tables_split(c->tables, c->bits + i * c->n_words, column, c->spare + n * c->n_words, tally);
    c->bits = c->spare;
    c->capacity = c->spare_capacity;
    c->spare = bits;
    c->spare_capacity = capacity;
    c->n_strata = n;
    *fits = n <= ROW_MOST_CELLS;
    return STATUS_OK;
}

/* The first vector becomes that of all rows. */
static void fill_rows(row_cells *c) {
    bit_vectors_set_first(c->bits, c->n_words, dataset_row_count(c->seen));
}

static status begin_strata(row_cells *c, error_info *err) {
    CHECK(reserve(c, &c->bits, &c->capacity, 1, err));
    fill_rows(c);
    c->n_strata = 1;
    return STATUS_OK;
}

/* What a stratum was before it was split, which emptied it. */
static void join_parts(const row_cells *c, const uint64_t *parts, size_t n, uint64_t *stratum) {
    for (size_t i = 0; i < n; i++, parts += c->n_words) {
        for (size_t w = 0; w < c->n_words; w++)
            stratum[w] |= parts[w];
    }
}

/* The strata split by x: those of one state stay as they are, or are left out, as those of one row always are. */
static status split_by_child(row_cells *c, bool leaves_out, bool *fits, error_info *err) {
    size_t r = dataset_state_count(c->seen, c->x), n_strata = 0;
    *fits = r <= ROW_MOST_STATES;
    if (!*fits)
        return STATUS_OK;
    CHECK(reserve(c, &c->spare, &c->spare_capacity, ROW_MOST_CELLS + r + ROW_GROUP, err));
    c->n_cells = c->n_apart = c->most = 0;
    for (size_t i = 0; i < c->n_strata && *fits; i++) {
        uint32_t tally[ROW_MOST_STATES + 1], rows = 0;
        uint64_t *stratum = c->bits + i * c->n_words, *parts = c->spare + c->n_cells * c->n_words;
        size_t n = pair_tables_split(c->tables, stratum, c->x, parts, tally);
        join_parts(c, parts, n, stratum);
        if (n == 1 && (leaves_out || tally[0] == 1)) {
            c->apart[c->n_apart++] = tally[0];
            continue;
        }
        for (size_t k = 0; k < n && c->n_cells < ROW_MOST_CELLS; k++)
            rows += c->tally[c->n_cells++] = tally[k];
        c->stratum_rows[n_strata] = rows;
        c->starts[++n_strata] = (uint32_t)c->n_cells;
        c->most = rows > c->most ? rows : c->most;
        *fits = c->n_cells < ROW_MOST_CELLS;
    }
    c->n_strata = n_strata;
    return STATUS_OK;
}

/* Cells cost little where terms are looked up in whole numbers. */
static bool counts_all(const row_cells *c) {
    return c->lanes && lane_columns_has_values(c->lanes) && c->most <= SLAB_MOST_ROWS;
}

/* Without all strata of one state of x only where the cells that have rows are many. */
static status split_cells(row_cells *c, bool *fits, error_info *err) {
    size_t n_strata = c->n_strata;
    CHECK(split_by_child(c, false, fits, err));
    if (*fits && (c->n_cells <= ALL_CELLS || counts_all(c)))
        return STATUS_OK;
    c->n_strata = n_strata;
    return split_by_child(c, true, fits, err);
}

/* A few at once, of which those past a word's last bit are overwritten: that its end can be foreseen costs less than
 * they do. */
static size_t list_set(const row_cells *c, const uint64_t *bits, uint32_t *out) {
    size_t n = 0;
    for (size_t w = 0; w < c->n_words; w++) {
        uint64_t left = bits[w];
        do {
            for (size_t i = 0; i < LISTED_AT_ONCE; i++, left &= left - 1) {
                out[n] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(left | UINT64_C(1) << 63));
                n += left != 0;
            }
        } while (left != 0);
    }
    while (n % 8 != 0)
        out[n++] = lane_columns_no_row(c->lanes);
    return n;
}

/* The rows of no cell, in place of the strata. */
static const uint64_t *find_uncounted(row_cells *c) {
    fill_rows(c);
    for (size_t i = 0; i < c->n_cells; i++) {
        for (size_t w = 0; w < c->n_words; w++)
            c->bits[w] &= ~c->spare[i * c->n_words + w];
    }
    return c->bits;
}

static size_t largest_cell(const row_cells *c, uint32_t *n_rows) {
    size_t largest = 0;
    *n_rows = 0;
    for (size_t i = 0; i < c->n_cells; i++) {
        *n_rows += c->tally[i];
        largest = c->tally[i] > c->tally[largest] ? i : largest;
    }
    return largest;
}

/* The cells as sets, of which a large one is what the others leave of all rows: then those of no cell are a set too. */
static void choose_sets(row_cells *c) {
    uint32_t n_counted, n_uncounted;
    size_t largest = largest_cell(c, &n_counted);
    n_uncounted = (uint32_t)dataset_row_count(c->seen) - n_counted;
    c->sets = (row_sets){c->listed, c->tally, c->n_cells, c->n_cells};
    if (c->tally[largest] > REST_ROWS * (c->n_cells + 1) + n_uncounted) {
        c->tally[c->n_cells] = n_uncounted;
        c->sets.n += n_uncounted > 0;
        c->sets.rest = largest;
    }
}

/* The rows of the sets, and where their sums will be. */
static void list_rows(row_cells *c) {
    const uint64_t *uncounted;
    size_t n = 0, words = 0;
    choose_sets(c);
    uncounted = c->sets.n > c->n_cells ? find_uncounted(c) : NULL;
    for (size_t i = 0; i < c->sets.n; i++) {
        if (i != c->sets.rest)
            n += list_set(c, i < c->n_cells ? c->spare + i * c->n_words : uncounted, c->listed + n);
        c->sum_starts[i] = words;
        words += lane_columns_sum_words(&(row_sets){NULL, &c->tally[i], 1, 1});
    }
    c->sum_starts[c->sets.n] = words;
}

/* Counting by bits against a pass over the rows, in times for one row. */
static bool is_cheap(const row_cells *c) {
    return (double)c->n_cells * 2 * (2 + 0.15 * (double)c->n_words) < 1.5 * (double)dataset_row_count(c->seen);
}

status row_cells_set(row_cells *c, const score *s, size_t x, const size_t *parents, size_t n_parents, error_info *err) {
    c->seen = s->seen;
    c->x = x;
    c->n_parents = n_parents;
    c->q = 1;
    c->is_of_use = true;
    CHECK(begin_strata(c, err));
    for (size_t i = 0; i < n_parents && c->is_of_use; i++) {
        c->q *= (double)dataset_state_count(s->data, parents[i]);
        if (dataset_state_count(c->seen, parents[i]) > 1)
            CHECK(split_strata(c, parents[i], &c->is_of_use, err));
    }
    if (c->is_of_use)
        CHECK(split_cells(c, &c->is_of_use, err));
    if (c->is_of_use) {
        size_t rest = (ROW_GROUP - c->n_cells % ROW_GROUP) % ROW_GROUP;
        memset(c->spare + c->n_cells * c->n_words, 0, rest * c->n_words * sizeof *c->spare);
        c->is_of_use = is_cheap(c);
    }
    if (c->is_of_use && c->lanes && c->n_cells >= c->slab_cells)
        list_rows(c);
    return STATUS_OK;
}
