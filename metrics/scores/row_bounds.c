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
#include "core/base/bits.h"
#include "core/counting/bit_vectors.h"
#include "core/counting/column_blocks.h"
#include "metrics/scores/score_internal.h"
#include "metrics/scores/rounded_terms_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CELLS = 512,  /* that are counted */
    ALL_CELLS = 64,    /* up to so many, cells of configurations with one state of x are counted too */
    SLAB_CELLS = 8,    /* from so many on, all are counted by one pass over the rows */
    ROUNDED_CELLS = 4, /* the same, where terms are looked up in whole numbers */
    GROUP = 8,         /* vectors that are counted together */
    MOST_STATES = 32,
    REST_ROWS = 16, /* that are added up in the time that a number is taken off in, or more */
    TILE = 4096     /* numbers that are counted for a block at a time: they stay in the first cache */
};

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
    size_t n_words, slab_cells;
    double margin;
    /* the base */
    size_t x, n_parents;
    double q;
    size_t n_cells, n_strata;
    uint64_t *bits, *spare;             /* cells x n_words */
    size_t capacity, spare_capacity;    /* vectors */
    uint32_t tally[MOST_CELLS + GROUP]; /* by cell */
    uint32_t starts[MOST_CELLS + 1];    /* stratum i is cells starts[i] .. starts[i + 1] - 1 */
    uint32_t stratum_rows[MOST_CELLS];
    uint32_t most;                             /* rows of the largest stratum that is counted */
    uint32_t apart[MOST_CELLS], n_apart;       /* tallies of the cells that are not counted */
    kind_terms by_states[MOST_STATES + 1];     /* by declared states of the new parent */
    uint32_t rows[MOST_CELLS];                 /* by stratum, of one state of the new parent */
    uint32_t common[(MOST_CELLS + GROUP) * 2]; /* with a state of the new parent, and with its last */
    uint64_t serial;                           /* of the base */
    column_base cells;
    shared_rows *shared; /* by block of columns */
    /* of blocks of lanes */
    lane_run *runs; /* of all blocks; those of block i from first_run[i] to first_run[i + 1] - 1 */
    size_t *first_run;
    uint32_t *counts;
    uint32_t *listed; /* rows, those of one cell after the other */
    row_sets sets;    /* the cells, and the rows of none */
    size_t slab;      /* of which `sums` are what cells and columns share; SIZE_MAX: of none */
    uint64_t *sums;
    size_t sums_capacity;
    size_t sum_starts[MOST_CELLS + 1]; /* by cell: words, for each state of the columns but the last */
    rounded_terms *rounded;
};

void row_bounds_destroy(row_bounds *b) {
    if (!b)
        return;
    for (size_t i = 0; b->shared && i < column_blocks_count(b->blocks); i++)
        free(b->shared[i].counts);
    free(b->shared);
    column_base_clear(&b->cells);
    free(b->bits);
    free(b->spare);
    free(b->runs);
    free(b->first_run);
    free(b->counts);
    free(b->listed);
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
    b->slab_cells = lane_columns_has_values(b->lanes) ? ROUNDED_CELLS : SLAB_CELLS;
    CHECK(rounded_terms_create(n_rows < SLAB_MOST_ROWS ? (uint32_t)n_rows : SLAB_MOST_ROWS, &b->rounded, err));
    CHECK_ALLOC(b->listed = calloc(n_rows + MOST_CELLS * 8, sizeof *b->listed));
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
    b->n_words = pair_tables_word_count(tables);
    b->margin = 1e-6 + 1e-13 * n * log(n);
    if (lanes)
        CHECK(init_blocks(b, err));
    if (blocks)
        CHECK_ALLOC(b->shared = calloc(column_blocks_count(blocks) + 1, sizeof *b->shared));
    *out = TAKE(b);
    return STATUS_OK;
}

/* --- the cells --- */

static status reserve(row_bounds *b, uint64_t **bits, size_t *capacity, size_t n, error_info *err) {
    if (n <= *capacity)
        return STATUS_OK;
    free(*bits);
    *capacity = 0;
    CHECK_ALLOC(*bits = aligned_alloc(64, n * b->n_words * sizeof **bits));
    *capacity = n;
    return STATUS_OK;
}

/* Splits every stratum by one more parent; false where they are too many. */
static status split_strata(row_bounds *b, size_t column, bool *fits, error_info *err) {
    size_t n = 0, r = dataset_state_count(b->scorer->seen, column);
    uint32_t tally[MOST_STATES];
    uint64_t *bits = b->bits;
    size_t capacity = b->capacity;
    *fits = r <= MOST_STATES && b->n_strata * r <= 4 * MOST_CELLS;
    if (!*fits)
        return STATUS_OK;
    CHECK(reserve(b, &b->spare, &b->spare_capacity, b->n_strata * r, err));
    for (size_t i = 0; i < b->n_strata; i++)
        n += pair_tables_split(b->tables, b->bits + i * b->n_words, column, b->spare + n * b->n_words, tally);
    b->bits = b->spare;
    b->capacity = b->spare_capacity;
    b->spare = bits;
    b->spare_capacity = capacity;
    b->n_strata = n;
    *fits = n <= MOST_CELLS;
    return STATUS_OK;
}

/* The first vector becomes that of all rows. */
static void fill_rows(row_bounds *b) {
    size_t n_rows = dataset_row_count(b->scorer->seen);
    memset(b->bits, 0, b->n_words * sizeof *b->bits);
    for (size_t i = 0; i < n_rows / 64; i++)
        b->bits[i] = UINT64_MAX;
    if (n_rows % 64 != 0)
        b->bits[n_rows / 64] = bit_of(n_rows) - 1;
}

static status begin_strata(row_bounds *b, error_info *err) {
    CHECK(reserve(b, &b->bits, &b->capacity, 1, err));
    fill_rows(b);
    b->n_strata = 1;
    return STATUS_OK;
}

/* What a stratum was before it was split, which emptied it. */
static void join_parts(const row_bounds *b, const uint64_t *parts, size_t n, uint64_t *stratum) {
    for (size_t i = 0; i < n; i++, parts += b->n_words) {
        for (size_t w = 0; w < b->n_words; w++)
            stratum[w] |= parts[w];
    }
}

/* The strata split by x: those of one state stay as they are, or are left out, as those of one row always are. */
static status split_by_child(row_bounds *b, bool leaves_out, bool *fits, error_info *err) {
    size_t r = dataset_state_count(b->scorer->seen, b->x), n_strata = 0;
    *fits = r <= MOST_STATES;
    if (!*fits)
        return STATUS_OK;
    CHECK(reserve(b, &b->spare, &b->spare_capacity, MOST_CELLS + r + GROUP, err));
    b->n_cells = b->n_apart = b->most = 0;
    for (size_t i = 0; i < b->n_strata && *fits; i++) {
        uint32_t tally[MOST_STATES + 1], rows = 0;
        uint64_t *stratum = b->bits + i * b->n_words, *parts = b->spare + b->n_cells * b->n_words;
        size_t n = pair_tables_split(b->tables, stratum, b->x, parts, tally);
        join_parts(b, parts, n, stratum);
        if (n == 1 && (leaves_out || tally[0] == 1)) {
            b->apart[b->n_apart++] = tally[0];
            continue;
        }
        for (size_t k = 0; k < n && b->n_cells < MOST_CELLS; k++)
            rows += b->tally[b->n_cells++] = tally[k];
        b->stratum_rows[n_strata] = rows;
        b->starts[++n_strata] = (uint32_t)b->n_cells;
        b->most = rows > b->most ? rows : b->most;
        *fits = b->n_cells < MOST_CELLS;
    }
    b->n_strata = n_strata;
    return STATUS_OK;
}

/* Cells cost little where terms are looked up in whole numbers. */
static bool counts_all(const row_bounds *b) {
    return b->lanes && lane_columns_has_values(b->lanes) && b->most <= SLAB_MOST_ROWS;
}

/* Without all strata of one state of x only where the cells that have rows are many. */
static status split_cells(row_bounds *b, bool *fits, error_info *err) {
    size_t n_strata = b->n_strata;
    CHECK(split_by_child(b, false, fits, err));
    if (*fits && (b->n_cells <= ALL_CELLS || counts_all(b)))
        return STATUS_OK;
    b->n_strata = n_strata;
    return split_by_child(b, true, fits, err);
}

static size_t list_set(const row_bounds *b, const uint64_t *bits, uint32_t *out) {
    size_t n = 0;
    for (size_t w = 0; w < b->n_words; w++) {
        for (uint64_t left = bits[w]; left != 0; left &= left - 1)
            out[n++] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(left));
    }
    while (n % 8 != 0)
        out[n++] = lane_columns_no_row(b->lanes);
    return n;
}

/* The rows of no cell, in place of the strata. */
static const uint64_t *find_uncounted(row_bounds *b) {
    fill_rows(b);
    for (size_t i = 0; i < b->n_cells; i++) {
        for (size_t w = 0; w < b->n_words; w++)
            b->bits[w] &= ~b->spare[i * b->n_words + w];
    }
    return b->bits;
}

static size_t largest_cell(const row_bounds *b, uint32_t *n_rows) {
    size_t largest = 0;
    *n_rows = 0;
    for (size_t i = 0; i < b->n_cells; i++) {
        *n_rows += b->tally[i];
        largest = b->tally[i] > b->tally[largest] ? i : largest;
    }
    return largest;
}

/* The cells as sets, of which a large one is what the others leave of all rows: then those of no cell are a set too. */
static void choose_sets(row_bounds *b) {
    uint32_t n_counted, n_uncounted;
    size_t largest = largest_cell(b, &n_counted);
    n_uncounted = (uint32_t)dataset_row_count(b->scorer->seen) - n_counted;
    b->sets = (row_sets){b->listed, b->tally, b->n_cells, b->n_cells};
    if (b->tally[largest] > REST_ROWS * (b->n_cells + 1) + n_uncounted) {
        b->tally[b->n_cells] = n_uncounted;
        b->sets.n += n_uncounted > 0;
        b->sets.rest = largest;
    }
}

/* The rows of the sets, and where their sums will be. */
static void list_rows(row_bounds *b) {
    const uint64_t *uncounted;
    size_t n = 0, words = 0;
    choose_sets(b);
    uncounted = b->sets.n > b->n_cells ? find_uncounted(b) : NULL;
    for (size_t i = 0; i < b->sets.n; i++) {
        if (i != b->sets.rest)
            n += list_set(b, i < b->n_cells ? b->spare + i * b->n_words : uncounted, b->listed + n);
        b->sum_starts[i] = words;
        words += lane_columns_sum_words(&(row_sets){NULL, &b->tally[i], 1, 1});
    }
    b->sum_starts[b->sets.n] = words;
    b->slab = SIZE_MAX;
}

/* Counting by bits against a pass over the rows, in times for one row. */
static bool is_cheap(const row_bounds *b) {
    return (double)b->n_cells * 2 * (2 + 0.15 * (double)b->n_words) < 1.5 * (double)dataset_row_count(b->scorer->seen);
}

status row_bounds_set(row_bounds *b, size_t x, const size_t *parents, size_t n_parents, bool *is_of_use,
                      error_info *err) {
    const dataset *seen = b->scorer->seen;
    double q = 1;
    *is_of_use = true;
    b->serial++;
    b->x = x;
    b->n_parents = n_parents;
    memset(b->by_states, 0, sizeof b->by_states);
    b->by_states[0].constant = INFINITY; /* of more than MOST_STATES */
    CHECK(begin_strata(b, err));
    for (size_t i = 0; i < n_parents && *is_of_use; i++) {
        q *= (double)dataset_state_count(b->scorer->data, parents[i]);
        if (dataset_state_count(seen, parents[i]) > 1)
            CHECK(split_strata(b, parents[i], is_of_use, err));
    }
    b->q = q;
    if (*is_of_use)
        CHECK(split_cells(b, is_of_use, err));
    if (*is_of_use) {
        size_t rest = (GROUP - b->n_cells % GROUP) % GROUP;
        memset(b->spare + b->n_cells * b->n_words, 0, rest * b->n_words * sizeof *b->spare);
        *is_of_use = is_cheap(b);
    }
    if (*is_of_use && b->lanes && b->n_cells >= b->slab_cells)
        list_rows(b);
    return STATUS_OK;
}

/* --- a bound --- */

static status find_terms(row_bounds *b, size_t r, kind_terms *out, error_info *err) {
    score *s = b->scorer;
    family_terms terms;
    double q = b->q * (double)r;
    bool is_scored = q * (double)dataset_state_count(s->data, b->x) <= SCORE_MAX_CELLS;
    out->is_known = true;
    out->constant = INFINITY;
    if (!is_scored)
        return STATUS_OK;
    CHECK(score_terms(s, b->x, q, b->n_parents + 1, &terms, err));
    out->cell = terms.cell;
    out->row = terms.row;
    out->first_cell = term_table_first(terms.cell, b->most);
    out->first_row = term_table_first(terms.row, b->most);
    if (b->lanes && lane_columns_has_values(b->lanes) && b->most <= SLAB_MOST_ROWS)
        CHECK(rounded_terms_find(b->rounded, terms.cell, terms.row, &out->rounded, err));
    out->constant = b->margin - terms.penalty;
    for (size_t i = 0; i < b->n_apart; i++)
        out->constant += term_table_at(terms.cell, b->apart[i]) - term_table_at(terms.row, b->apart[i]);
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
    for (size_t j = 0; j < b->n_strata; j++) {
        uint32_t rows = 0;
        for (; at < b->starts[j + 1]; at++)
            rows += cells[at];
        b->rows[j] = rows;
    }
    return sum_terms(terms->cell, terms->first_cell, cells, b->n_cells) -
           sum_terms(terms->row, terms->first_row, b->rows, b->n_strata);
}

/* All columns of a block: others of them will be asked for. */
static status count_block(row_bounds *b, size_t index, error_info *err) {
    const column_block *block = column_blocks_at(b->blocks, index);
    counts_base base = {.n = b->n_cells, .n_words = b->n_words, .tally = b->tally, .bits = b->spare};
    shared_rows *shared = &b->shared[index];
    if (shared->serial == b->serial)
        return STATUS_OK;
    shared->serial = 0;
    base.serial = b->serial;
    CHECK(column_base_set(&b->cells, b->blocks, &base, err));
    CHECK(ARRAY_RESERVE(shared->counts, shared->capacity, b->n_cells * block->n_counts, err));
    column_blocks_cross(b->blocks, index, 0, block->n_groups, &b->cells, shared->counts);
    shared->serial = b->serial;
    return STATUS_OK;
}

/* Into `common`: the rows of each cell that have a state. */
static status count_state(row_bounds *b, size_t extra, size_t state, uint32_t *common, error_info *err) {
    size_t n = (b->n_cells + GROUP - 1) / GROUP * GROUP, first, step;
    if (b->blocks && column_blocks_find(b->blocks, extra, &first, &step)) {
        size_t index = extra / COLUMN_BLOCK, n_counts = column_blocks_at(b->blocks, index)->n_counts;
        CHECK(count_block(b, index, err));
        for (size_t i = 0; i < b->n_cells; i++)
            common[i] = b->shared[index].counts[i * n_counts + first + state * step];
    } else {
        pair_tables_count_sets(b->tables, extra, state, b->spare, n, common);
    }
    return STATUS_OK;
}

status row_bounds_with(row_bounds *b, size_t extra, double *out, error_info *err) {
    size_t n_vectors = pair_tables_vectors(b->tables, extra), r = dataset_state_count(b->scorer->data, extra);
    size_t n = (b->n_cells + GROUP - 1) / GROUP * GROUP;
    uint32_t *common = b->common, *rest = common + n;
    kind_terms *terms = &b->by_states[r <= MOST_STATES ? r : 0];
    *out = INFINITY;
    if (n_vectors == 0 || r > MOST_STATES)
        return STATUS_OK;
    if (!terms->is_known)
        CHECK(find_terms(b, r, terms, err));
    if (isinf(terms->constant))
        return STATUS_OK;
    memcpy(rest, b->tally, b->n_cells * sizeof *rest);
    *out = terms->constant;
    for (size_t k = 0; k < n_vectors; k++) {
        CHECK(count_state(b, extra, k, common, err));
        for (size_t i = 0; i < b->n_cells; i++)
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
    while (end < b->n_strata && b->starts[end + 1] - b->starts[first] <= most)
        end++;
    return end - first;
}

static kind_terms *terms_of(row_bounds *b, size_t declared) {
    return &b->by_states[declared <= MOST_STATES ? declared : 0];
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
        if (r <= MOST_STATES && !terms->is_known)
            CHECK(find_terms(b, r, terms, err));
        *is_rounded = *is_rounded && (isinf(terms->constant) || terms->rounded);
    }
    return STATUS_OK;
}

/* Makes the sums those of the slab; of every cell at once, as each row is in one. */
static status add_rows(row_bounds *b, size_t slab, size_t n_states, error_info *err) {
    size_t n_words = b->sum_starts[b->sets.n] * (n_states - 1);
    if (b->slab == slab)
        return STATUS_OK;
    if (n_words > b->sums_capacity) {
        free(b->sums);
        b->sums_capacity = 0;
        b->slab = SIZE_MAX;
        CHECK_ALLOC(b->sums = bit_vectors_allocate(n_words, 1));
        b->sums_capacity = n_words;
    }
    lane_columns_add_rows(b->lanes, slab, &b->sets, b->sums);
    b->slab = slab;
    return STATUS_OK;
}

/* The slab that a block's cells are counted by; SIZE_MAX: by none. */
static size_t slab_of(const row_bounds *b, size_t index) {
    return b->n_cells >= b->slab_cells ? lane_columns_slab(b->lanes, index) : SIZE_MAX;
}

static void count_tile_cells(row_bounds *b, size_t index, const pair_strata *tile) {
    const pair_block *block = lane_columns_at(b->lanes, index);
    size_t n_sets = block->n_states - 1;
    if (slab_of(b, index) == SIZE_MAX) {
        pair_block_count_strata(block, tile, b->counts);
        return;
    }
    lane_columns_spread(b->lanes, index, b->sums + b->sum_starts[tile->starts[0]] * n_sets, tile->tallies,
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
    for (size_t stratum = 0, n; stratum < b->n_strata; stratum += n) {
        const uint32_t *starts = b->starts + stratum;
        pair_strata tile = {b->spare + starts[0] * b->n_words, b->tally + starts[0], starts, 0, 0};
        n = count_tile(b, block, stratum);
        tile.n_strata = n;
        tile.n_cells = starts[n] - starts[0];
        add_tile(b, index, &tile, sums);
    }
}

/* Bounds that are coarser by their roundings, and take a fraction of the time. */
static void sum_rounded(row_bounds *b, size_t index, double *sums) {
    row_strata strata = {b->tally, b->starts, b->stratum_rows, b->n_strata};
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
