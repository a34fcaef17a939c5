/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every cell (configuration of the parents, state of x) that has rows is a bit vector. A new parent's states, one after
 * the other, are counted with all of them in one go, and its last state is what the others leave. By blocks of columns,
 * where cells are not few, one pass over the rows counts all cells (core/counting/lane_columns.h), and where strata are
 * not large, terms are looked up in whole numbers (core/counting/slab_values.h). The sums are those of the scores in an
 * order that lets additions overlap, so a margin makes them bounds. Where cells are many and no whole numbers are
 * looked up, those of configurations with one state of x are not counted: what they give at most is known beforehand
 * (see score_bound.c). Those of one row are never counted, as they give just that.
 */
#include "metrics/scores/row_bounds.h"

#include "core/base/array.h"
#include "core/counting/bit_vectors.h"
#include "core/counting/column_blocks.h"
#include "metrics/scores/rounded_terms_internal.h"
#include "metrics/scores/row_cells_internal.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 4096 }; /* numbers that are counted for a block at a time: they stay in the first cache */

typedef struct {
    bool is_known; /* for this base */
    term_table *cell, *row;
    const double *first_cell, *first_row; /* their values up to `most`; NULL: they are not in one piece */
    double constant;            /* what is left out of the sum, less the penalty; INFINITY: nothing is known */
    const slab_values *rounded; /* both in whole numbers; NULL: they are not used */
} kind_terms;

/* Lanes of a block of which the columns have as many declared states. */
typedef struct {
    size_t first, end, declared;
} lane_run;

/* What the cells and a block of columns share. */
typedef struct {
    uint64_t serial; /* of the base */
    uint32_t *counts;
    size_t capacity;
} shared_rows;

struct row_bounds {
    score *scorer;
    const pair_tables *tables;
    const lane_columns *lanes;
    const column_blocks *blocks;
    double margin;
    /* the base */
    row_cells own;
    const row_cells *base;
    kind_terms by_states[ROW_MOST_STATES + 1];         /* by declared states of the new parent */
    uint32_t rows[ROW_MOST_CELLS];                     /* by stratum, of one state of the new parent */
    uint32_t common[(ROW_MOST_CELLS + ROW_GROUP) * 2]; /* with a state of the new parent, and with its last */
    uint64_t serial;                                   /* of the base */
    column_base cells;
    shared_rows *shared; /* by block of columns */
    /* of blocks of lanes */
    lane_run *runs; /* of all blocks; those of block i from first_run[i] to first_run[i + 1] - 1 */
    size_t *first_run;
    uint32_t *counts;
    size_t slab; /* of which `sums` are what cells and columns share; SIZE_MAX: of none */
    uint64_t *sums;
    size_t sums_capacity;
    rounded_terms *rounded;
};

void row_bounds_destroy(row_bounds *b) {
    if (!b)
        return;
    for (size_t i = 0; b->shared && i < column_blocks_count(b->blocks); i++)
        free(b->shared[i].counts);
    free(b->shared);
    column_base_clear(&b->cells);
    row_cells_clear(&b->own);
    free(b->runs);
    free(b->first_run);
    free(b->counts);
    free(b->sums);
    rounded_terms_destroy(b->rounded);
    free(b);
}

static size_t declared_in(const row_bounds *b, const pair_block *block, size_t lane) {
    return dataset_state_count(b->scorer->data, block->columns[lane]);
}

static status init_runs(row_bounds *b, error_info *err) {
    size_t n_blocks = lane_columns_count(b->lanes), n = 0, capacity = 0;
    CHECK_ALLOC(b->first_run = calloc(n_blocks + 1, sizeof *b->first_run));
    for (size_t i = 0; i < n_blocks; i++) {
        const pair_block *block = lane_columns_at(b->lanes, i);
        for (size_t first = 0, end; first < block->n_columns; first = end) {
            size_t declared = declared_in(b, block, first);
            for (end = first + 1; end < block->n_columns && declared_in(b, block, end) == declared;)
                end++;
            CHECK(ARRAY_PUSH(b->runs, n, capacity, err, (lane_run){first, end, declared}));
        }
        b->first_run[i + 1] = n;
    }
    return STATUS_OK;
}

static status init_blocks(row_bounds *b, error_info *err) {
    size_t n_rows = dataset_row_count(b->scorer->seen);
    CHECK(rounded_terms_create(n_rows < SLAB_MOST_ROWS ? (uint32_t)n_rows : SLAB_MOST_ROWS, &b->rounded, err));
    CHECK_ALLOC(b->counts = aligned_alloc(64, PAIR_VALUES_SCRATCH * sizeof *b->counts));
    return init_runs(b, err);
}

status row_bounds_create(score *s, const pair_tables *tables, const lane_columns *lanes, const column_blocks *blocks,
                         row_bounds **out, error_info *err) {
    AUTO_PTR(row_bounds_destroy) row_bounds *b = NULL;
    double n = (double)dataset_row_count(s->data) + 2;
    CHECK_ALLOC(b = calloc(1, sizeof *b));
    b->scorer = s;
    b->tables = tables;
    b->lanes = lanes;
    b->blocks = blocks;
    CHECK(row_cells_init(&b->own, tables, lanes, err));
    b->margin = 1e-6 + 1e-13 * n * log(n);
    if (lanes)
        CHECK(init_blocks(b, err));
    if (blocks)
        CHECK_ALLOC(b->shared = calloc(column_blocks_count(blocks) + 1, sizeof *b->shared));
    *out = TAKE(b);
    return STATUS_OK;
}

/* --- the base --- */

void row_bounds_turn(row_bounds *b, const row_cells *base) {
    b->base = base;
    b->serial++;
    b->slab = SIZE_MAX;
    memset(b->by_states, 0, sizeof b->by_states);
    b->by_states[0].constant = INFINITY; /* of more than ROW_MOST_STATES */
}

status row_bounds_set(row_bounds *b, size_t x, const size_t *parents, size_t n_parents, bool *is_of_use,
                      error_info *err) {
    CHECK(row_cells_set(&b->own, b->scorer, x, parents, n_parents, err));
    row_bounds_turn(b, &b->own);
    *is_of_use = b->own.is_of_use;
    return STATUS_OK;
}

/* --- a bound --- */

static status find_terms(row_bounds *b, size_t r, kind_terms *out, error_info *err) {
    score *s = b->scorer;
    family_terms terms;
    double q = b->base->q * (double)r;
    bool is_scored = q * (double)dataset_state_count(s->data, b->base->x) <= SCORE_MAX_CELLS;
    out->is_known = true;
    out->constant = INFINITY;
    if (!is_scored)
        return STATUS_OK;
    CHECK(score_terms(s, b->base->x, q, b->base->n_parents + 1, &terms, err));
    out->cell = terms.cell;
    out->row = terms.row;
    out->first_cell = term_table_first(terms.cell, b->base->most);
    out->first_row = term_table_first(terms.row, b->base->most);
    if (b->lanes && lane_columns_has_values(b->lanes) && b->base->most <= SLAB_MOST_ROWS)
        CHECK(rounded_terms_find(b->rounded, terms.cell, terms.row, &out->rounded, err));
    out->constant = b->margin - terms.penalty;
    for (size_t i = 0; i < b->base->n_apart; i++)
        out->constant += term_table_at(terms.cell, b->base->apart[i]) - term_table_at(terms.row, b->base->apart[i]);
    return STATUS_OK;
}

/* In four sums, so that additions overlap. */
static double sum_first(const double *values, const uint32_t *tallies, size_t n) {
    double a = 0, b = 0, c = 0, d = 0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a += values[tallies[i]];
        b += values[tallies[i + 1]];
        c += values[tallies[i + 2]];
        d += values[tallies[i + 3]];
    }
    for (; i < n; i++)
        a += values[tallies[i]];
    return (a + b) + (c + d);
}

static double sum_terms(term_table *table, const double *first, const uint32_t *tallies, size_t n) {
    double sum = 0;
    if (first)
        return sum_first(first, tallies, n);
    for (size_t i = 0; i < n; i++)
        sum += term_table_at(table, tallies[i]);
    return sum;
}

/* Of one state of the new parent: the cells' terms less those of the strata. */
static double sum_state(row_bounds *b, const kind_terms *terms, const uint32_t *cells) {
    size_t at = 0;
    for (size_t j = 0; j < b->base->n_strata; j++) {
        uint32_t rows = 0;
        for (; at < b->base->starts[j + 1]; at++)
            rows += cells[at];
        b->rows[j] = rows;
    }
    return sum_terms(terms->cell, terms->first_cell, cells, b->base->n_cells) -
           sum_terms(terms->row, terms->first_row, b->rows, b->base->n_strata);
}

/* All columns of a block: others of them will be asked for. */
static status count_block(row_bounds *b, size_t index, error_info *err) {
    const column_block *block = column_blocks_at(b->blocks, index);
    counts_base base = {
        .n = b->base->n_cells, .n_words = b->base->n_words, .tally = b->base->tally, .bits = b->base->spare};
    shared_rows *shared = &b->shared[index];
    if (shared->serial == b->serial)
        return STATUS_OK;
    shared->serial = 0;
    base.serial = b->serial;
    CHECK(column_base_set(&b->cells, b->blocks, &base, err));
    CHECK(ARRAY_RESERVE(shared->counts, shared->capacity, b->base->n_cells * block->n_counts, err));
    column_blocks_cross(b->blocks, index, &b->cells, shared->counts);
    shared->serial = b->serial;
    return STATUS_OK;
}

/* Into `common`: the rows of each cell that have a state. */
static status count_state(row_bounds *b, size_t extra, size_t state, uint32_t *common, error_info *err) {
    size_t n = (b->base->n_cells + ROW_GROUP - 1) / ROW_GROUP * ROW_GROUP, first, step;
    if (b->blocks && column_blocks_find(b->blocks, extra, &first, &step)) {
        size_t index = extra / COLUMN_BLOCK, n_counts = column_blocks_at(b->blocks, index)->n_counts;
        CHECK(count_block(b, index, err));
        for (size_t i = 0; i < b->base->n_cells; i++)
            common[i] = b->shared[index].counts[i * n_counts + first + state * step];
    } else {
        pair_tables_count_sets(b->tables, extra, state, b->base->spare, n, common);
    }
    return STATUS_OK;
}

status row_bounds_with(row_bounds *b, size_t extra, double *out, error_info *err) {
    size_t n_vectors = pair_tables_vectors(b->tables, extra), r = dataset_state_count(b->scorer->data, extra);
    size_t n = (b->base->n_cells + ROW_GROUP - 1) / ROW_GROUP * ROW_GROUP;
    uint32_t *common = b->common, *rest = common + n;
    kind_terms *terms = &b->by_states[r <= ROW_MOST_STATES ? r : 0];
    *out = INFINITY;
    if (n_vectors == 0 || r > ROW_MOST_STATES)
        return STATUS_OK;
    if (!terms->is_known)
        CHECK(find_terms(b, r, terms, err));
    if (isinf(terms->constant))
        return STATUS_OK;
    memcpy(rest, b->base->tally, b->base->n_cells * sizeof *rest);
    *out = terms->constant;
    for (size_t k = 0; k < n_vectors; k++) {
        CHECK(count_state(b, extra, k, common, err));
        for (size_t i = 0; i < b->base->n_cells; i++)
            rest[i] -= common[i];
        *out += sum_state(b, terms, common);
    }
    *out += sum_state(b, terms, rest);
    return STATUS_OK;
}

/* --- the bounds of a block --- */

/* How many strata from the first on are counted in one go. */
static size_t count_tile(const row_bounds *b, const pair_block *block, size_t first) {
    size_t most = TILE / (PAIR_BLOCK_COLUMNS * (block->n_states - 1)), end = first + 1;
    most = most < PAIR_MOST_STRATA_CELLS ? most : PAIR_MOST_STRATA_CELLS;
    while (end < b->base->n_strata && b->base->starts[end + 1] - b->base->starts[first] <= most)
        end++;
    return end - first;
}

static kind_terms *terms_of(row_bounds *b, size_t declared) {
    return &b->by_states[declared <= ROW_MOST_STATES ? declared : 0];
}

/* Terms of whole numbers or, else, of doubles in one piece; without either, nothing is known of the lanes. */
static bool has_terms(const kind_terms *terms, bool is_rounded) {
    return !isinf(terms->constant) && (is_rounded || (terms->first_cell && terms->first_row));
}

/* Finds the terms of a block's lanes; into `*is_rounded`: all of which something is known have them in whole numbers.
 */
static status find_lane_terms(row_bounds *b, size_t index, bool *is_rounded, error_info *err) {
    for (size_t k = b->first_run[index]; k < b->first_run[index + 1]; k++) {
        size_t r = b->runs[k].declared;
        kind_terms *terms = terms_of(b, r);
        if (r <= ROW_MOST_STATES && !terms->is_known)
            CHECK(find_terms(b, r, terms, err));
        *is_rounded = *is_rounded && (isinf(terms->constant) || terms->rounded);
    }
    return STATUS_OK;
}

/* Makes the sums those of the slab; of every cell at once, as each row is in one. */
static status add_rows(row_bounds *b, size_t slab, size_t n_states, error_info *err) {
    size_t n_words = b->base->sum_starts[b->base->sets.n] * (n_states - 1);
    if (b->slab == slab)
        return STATUS_OK;
    if (n_words > b->sums_capacity) {
        free(b->sums);
        b->sums_capacity = 0;
        b->slab = SIZE_MAX;
        CHECK_ALLOC(b->sums = bit_vectors_allocate(n_words, 1));
        b->sums_capacity = n_words;
    }
    lane_columns_add_rows(b->lanes, slab, &b->base->sets, b->sums);
    b->slab = slab;
    return STATUS_OK;
}

/* The slab that a block's cells are counted by; SIZE_MAX: by none. */
static size_t slab_of(const row_bounds *b, size_t index) {
    return b->base->n_cells >= b->base->slab_cells ? lane_columns_slab(b->lanes, index) : SIZE_MAX;
}

static void count_tile_cells(row_bounds *b, size_t index, const pair_strata *tile) {
    const pair_block *block = lane_columns_at(b->lanes, index);
    size_t n_sets = block->n_states - 1;
    if (slab_of(b, index) == SIZE_MAX) {
        pair_block_count_strata(block, tile, b->counts);
        return;
    }
    lane_columns_spread(b->lanes, index, b->sums + b->base->sum_starts[tile->starts[0]] * n_sets, tile->tallies,
                        tile->n_cells, b->counts);
    pair_block_complete_strata(block, tile, b->counts);
}

static void add_tile(row_bounds *b, size_t index, const pair_strata *tile, double *sums) {
    const pair_block *block = lane_columns_at(b->lanes, index);
    count_tile_cells(b, index, tile);
    for (size_t k = b->first_run[index]; k < b->first_run[index + 1]; k++) {
        const lane_run *run = &b->runs[k];
        const kind_terms *terms = terms_of(b, run->declared);
        if (has_terms(terms, false))
            pair_block_add_values(block, tile, b->counts, run->first, run->end, terms->first_cell, terms->first_row,
                                  sums);
    }
}

static void sum_tiles(row_bounds *b, size_t index, double *sums) {
    const pair_block *block = lane_columns_at(b->lanes, index);
    for (size_t k = b->first_run[index]; k < b->first_run[index + 1]; k++) {
        const kind_terms *terms = terms_of(b, b->runs[k].declared);
        for (size_t i = b->runs[k].first; i < b->runs[k].end; i++)
            sums[i] = has_terms(terms, false) ? terms->constant : INFINITY;
    }
    for (size_t stratum = 0, n; stratum < b->base->n_strata; stratum += n) {
        const uint32_t *starts = b->base->starts + stratum;
        pair_strata tile = {b->base->spare + starts[0] * b->base->n_words, b->base->tally + starts[0], starts, 0, 0};
        n = count_tile(b, block, stratum);
        tile.n_strata = n;
        tile.n_cells = starts[n] - starts[0];
        add_tile(b, index, &tile, sums);
    }
}

/* Bounds that are coarser by their roundings, and take a fraction of the time. */
static void sum_rounded(row_bounds *b, size_t index, double *sums) {
    row_strata strata = {b->base->tally, b->base->starts, b->base->stratum_rows, b->base->n_strata};
    _Alignas(64) int32_t whole[PAIR_BLOCK_COLUMNS] = {0};
    for (size_t k = b->first_run[index]; k < b->first_run[index + 1]; k++) {
        const kind_terms *terms = terms_of(b, b->runs[k].declared);
        double scale = has_terms(terms, true) ? 1 / terms->rounded->unit : 0;
        if (scale > 0)
            lane_columns_sum_values(b->lanes, index, b->sums, &strata, terms->rounded, whole);
        for (size_t i = b->runs[k].first; i < b->runs[k].end; i++)
            sums[i] = terms->constant + whole[i] * scale;
    }
}

status row_bounds_block(row_bounds *b, size_t index, double *out, error_info *err) {
    const pair_block *block = lane_columns_at(b->lanes, index);
    size_t slab = slab_of(b, index);
    bool is_rounded = slab != SIZE_MAX && block->n_states <= SLAB_MOST_STATES;
    CHECK(find_lane_terms(b, index, &is_rounded, err));
    if (slab != SIZE_MAX)
        CHECK(add_rows(b, slab, block->n_states, err));
    if (is_rounded)
        sum_rounded(b, index, out);
    else
        sum_tiles(b, index, out);
    return STATUS_OK;
}
