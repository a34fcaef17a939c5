/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/counting/lane_columns.h"

#include "core/counting/bit_vectors.h"
#include "core/counting/slab_kernels_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    WASTE = 2, /* so many lanes a column are too many */
    SLAB_FEWEST_COLUMNS = 64
};

_Static_assert((int)LANE_SLAB_ROWS < 1 << (int)SLAB_MOST_BITS, "numbers of rows");
_Static_assert((int)PAIR_BLOCK_COLUMNS == (int)SLAB_LANES, "a word a block");

/* Where the bits of a block are. */
typedef struct {
    size_t slab, place;
} slab_place;

typedef struct {
    size_t n_vectors; /* of a column */
    uint64_t *rows;   /* by vector and row; the last of each has no ones */
    uint64_t *totals; /* by vector and bit of the number: the ones of all rows */
} slab;

struct lane_columns {
    pair_block *blocks;
    size_t n_blocks, n_rows;
    const slab_kernels *kernels;
    slab_place *places; /* by block */
    slab *slabs;
    size_t n_slabs;
    size_t *columns; /* of the blocks, in order of the lanes */
    size_t *loose, n_loose;
};

void lane_columns_destroy(lane_columns *c) {
    if (!c)
        return;
    for (size_t i = 0; c->blocks && i < c->n_blocks; i++)
        pair_block_clear(&c->blocks[i]);
    for (size_t i = 0; c->slabs && i < c->n_slabs; i++) {
        free(c->slabs[i].rows);
        free(c->slabs[i].totals);
    }
    free(c->blocks);
    free(c->places);
    free(c->slabs);
    free(c->columns);
    free(c->loose);
    free(c);
}

typedef struct {
    size_t n_states, column;
    uint32_t label;
} entry;

static int by_states_and_label(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->n_states != y->n_states)
        return x->n_states < y->n_states ? -1 : 1;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return x->column < y->column ? -1 : 1;
}

/* Those that have vectors, in order; the others become loose. */
static status list_columns(lane_columns *c, const pair_tables *t, const uint32_t *labels, entry *out, size_t *n,
                           error_info *err) {
    size_t p = dataset_column_count(pair_tables_data(t));
    CHECK_ALLOC(c->loose = calloc(p + 1, sizeof *c->loose));
    *n = 0;
    for (size_t i = 0; i < p; i++) {
        if (pair_tables_vectors(t, i) > 0)
            out[(*n)++] = (entry){pair_tables_columns(t)[i].n_states, i, labels[i]};
        else
            c->loose[c->n_loose++] = i;
    }
    qsort(out, *n, sizeof *out, by_states_and_label);
    return STATUS_OK;
}

static size_t end_of_block(const entry *columns, size_t n, size_t first) {
    size_t end = first + 1;
    while (end < n && end - first < PAIR_BLOCK_COLUMNS && columns[end].n_states == columns[first].n_states)
        end++;
    return end;
}

static size_t count_blocks(const entry *columns, size_t n) {
    size_t n_blocks = 0;
    for (size_t first = 0; first < n; first = end_of_block(columns, n, first))
        n_blocks++;
    return n_blocks;
}

static status fill(lane_columns *c, const pair_tables *t, const entry *columns, size_t n, error_info *err) {
    CHECK_ALLOC(c->blocks = calloc(count_blocks(columns, n) + 1, sizeof *c->blocks));
    CHECK_ALLOC(c->columns = calloc(n + 1, sizeof *c->columns));
    for (size_t i = 0; i < n; i++)
        c->columns[i] = columns[i].column;
    for (size_t first = 0, end; first < n; first = end) {
        end = end_of_block(columns, n, first);
        CHECK(pair_block_begin(&c->blocks[c->n_blocks++], t, c->columns + first, end - first, err));
    }
    return STATUS_OK;
}

/* --- slabs --- */

/* Bit j of word i and bit i of word j change places: Warren, Hacker's Delight, sec. 7-3. */
static void turn(uint64_t *words) {
    uint64_t mask = UINT32_MAX;
    for (size_t j = 32; j > 0; j /= 2, mask ^= mask << j) {
        for (size_t k = 0; k < 64; k = ((k | j) + 1) & ~j) {
            uint64_t changed = ((words[k] >> j) ^ words[k | j]) & mask;
            words[k] ^= changed << j;
            words[k | j] ^= changed;
        }
    }
}

/* One state of the columns of a block. */
static void turn_block(const lane_columns *c, const pair_tables *t, size_t block, size_t state) {
    const pair_block *b = &c->blocks[block];
    const slab_place *at = &c->places[block];
    uint64_t *rows = c->slabs[at->slab].rows + state * (c->n_rows + 1) * SLAB_WORDS + at->place;
    for (size_t first = 0; first < c->n_rows; first += 64) {
        size_t skipped = state * pair_tables_word_count(t) + first / 64;
        uint64_t words[64] = {0};
        for (size_t lane = 0; lane < b->n_columns; lane++)
            words[lane] = pair_tables_columns(t)[b->columns[lane]].bits[skipped];
        turn(words);
        for (size_t i = 0; i < 64 && first + i < c->n_rows; i++)
            rows[(first + i) * SLAB_WORDS] = words[i];
    }
}

static void lay_totals(const lane_columns *c, const pair_tables *t, size_t block, size_t state) {
    const pair_block *b = &c->blocks[block];
    const slab_place *at = &c->places[block];
    uint64_t *totals = c->slabs[at->slab].totals + state * SLAB_MOST_BITS * SLAB_WORDS + at->place;
    for (size_t lane = 0; lane < b->n_columns; lane++) {
        uint64_t total = pair_tables_columns(t)[b->columns[lane]].margin[state];
        for (size_t i = 0; i < SLAB_MOST_BITS; i++)
            totals[i * SLAB_WORDS] |= (total >> i & 1) << lane;
    }
}

static size_t end_of_slab(const lane_columns *c, size_t first, size_t *n_columns) {
    size_t end = first;
    *n_columns = 0;
    while (end < c->n_blocks && end - first < SLAB_WORDS && c->blocks[end].n_states == c->blocks[first].n_states)
        *n_columns += c->blocks[end++].n_columns;
    return end;
}

/* Without ones. */
static status make_rows(size_t n, uint64_t **out, error_info *err) {
    CHECK_ALLOC(*out = bit_vectors_allocate(n, SLAB_WORDS));
    memset(*out, 0, n * SLAB_WORDS * sizeof **out);
    return STATUS_OK;
}

static status make_slab(lane_columns *c, const pair_tables *t, size_t first, size_t end, error_info *err) {
    slab *s = &c->slabs[c->n_slabs];
    s->n_vectors = c->blocks[first].n_states - 1;
    c->n_slabs++;
    CHECK(make_rows(s->n_vectors * (c->n_rows + 1), &s->rows, err));
    CHECK(make_rows(s->n_vectors * SLAB_MOST_BITS, &s->totals, err));
    for (size_t i = first; i < end; i++) {
        c->places[i] = (slab_place){c->n_slabs - 1, i - first};
        for (size_t k = 0; k < s->n_vectors; k++) {
            turn_block(c, t, i, k);
            lay_totals(c, t, i, k);
        }
    }
    return STATUS_OK;
}

static status make_slabs(lane_columns *c, const pair_tables *t, error_info *err) {
    c->n_rows = dataset_row_count(pair_tables_data(t));
    c->kernels = slab_kernels_choose();
    CHECK_ALLOC(c->places = calloc(c->n_blocks + 1, sizeof *c->places));
    CHECK_ALLOC(c->slabs = calloc(c->n_blocks + 1, sizeof *c->slabs));
    for (size_t first = 0, end, n_columns; first < c->n_blocks; first = end) {
        end = end_of_slab(c, first, &n_columns);
        for (size_t i = first; i < end; i++)
            c->places[i].slab = SIZE_MAX;
        if (c->n_rows <= LANE_SLAB_ROWS && n_columns >= SLAB_FEWEST_COLUMNS)
            CHECK(make_slab(c, t, first, end, err));
    }
    return STATUS_OK;
}

size_t lane_columns_slab(const lane_columns *c, size_t block) {
    return c->places[block].slab;
}

uint32_t lane_columns_no_row(const lane_columns *c) {
    return (uint32_t)c->n_rows;
}

size_t lane_columns_sum_words(const row_sets *sets) {
    size_t n_bits = 0;
    for (size_t i = 0; i < sets->n; i++)
        n_bits += slab_bits_of(sets->tallies[i]);
    return n_bits * SLAB_WORDS;
}

static void invert(uint64_t *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        words[i] = ~words[i];
}

/* The numbers of one state in the rest are what the other sets leave of all rows: -1 - ((-1 - all) + others), of which
 * only the bits that they take are made. */
static void leave_rest(const lane_columns *c, size_t index, size_t state, const row_sets *sets, uint64_t *sums) {
    const slab *s = &c->slabs[index];
    size_t n_rest = slab_bits_of(sets->tallies[sets->rest]);
    row_sets before = {NULL, sets->tallies, sets->rest, sets->rest};
    uint64_t *rest = sums + lane_columns_sum_words(&before) * s->n_vectors + state * n_rest * SLAB_WORDS;
    memcpy(rest, s->totals + state * SLAB_MOST_BITS * SLAB_WORDS, n_rest * SLAB_WORDS * sizeof *rest);
    invert(rest, n_rest * SLAB_WORDS);
    for (size_t i = 0; i < sets->n; i++) {
        size_t n_bits = slab_bits_of(sets->tallies[i]);
        if (i != sets->rest)
            c->kernels->add_number(sums + state * n_bits * SLAB_WORDS, n_bits, n_rest, rest);
        sums += s->n_vectors * n_bits * SLAB_WORDS;
    }
    invert(rest, n_rest * SLAB_WORDS);
}

/* Asks for the same rows of the next slab. */
static void add_set(const lane_columns *c, size_t index, const uint32_t *rows, uint32_t tally, uint64_t *sums) {
    const slab *s = &c->slabs[index], *next = s + (index + 1 < c->n_slabs);
    size_t n_bits = slab_bits_of(tally), n_vector = (c->n_rows + 1) * SLAB_WORDS;
    for (size_t k = 0; k < s->n_vectors; k++) {
        const uint64_t *ahead = next->rows + (k < next->n_vectors ? k * n_vector : 0);
        c->kernels->add_rows(s->rows + k * n_vector, rows, row_sets_room(tally), n_bits, ahead, sums);
        sums += n_bits * SLAB_WORDS;
    }
}

void lane_columns_add_rows(const lane_columns *c, size_t index, const row_sets *sets, uint64_t *sums) {
    const uint32_t *rows = sets->rows;
    uint64_t *at = sums;
    for (size_t i = 0; i < sets->n; i++) {
        if (i != sets->rest) {
            add_set(c, index, rows, sets->tallies[i], at);
            rows += row_sets_room(sets->tallies[i]);
        }
        at += c->slabs[index].n_vectors * slab_bits_of(sets->tallies[i]) * SLAB_WORDS;
    }
    for (size_t k = 0; k < c->slabs[index].n_vectors && sets->rest < sets->n; k++)
        leave_rest(c, index, k, sets, sums);
}

void lane_columns_spread(const lane_columns *c, size_t block, const uint64_t *sums, const uint32_t *tallies, size_t n,
                         uint32_t *counts) {
    const slab_place *at = &c->places[block];
    for (size_t i = 0; i < n; i++) {
        size_t n_bits = slab_bits_of(tallies[i]);
        for (size_t k = 0; k < c->slabs[at->slab].n_vectors; k++) {
            c->kernels->spread(sums + at->place, n_bits, counts);
            sums += n_bits * SLAB_WORDS;
            counts += SLAB_LANES;
        }
    }
}

bool lane_columns_has_values(const lane_columns *c) {
    return c->kernels->sum_values != NULL;
}

void lane_columns_sum_values(const lane_columns *c, size_t block, const uint64_t *sums, const row_strata *strata,
                             const slab_values *values, int32_t *out) {
    const slab_place *at = &c->places[block];
    slab_strata t = {sums + at->place, strata->tallies, strata->starts,
                     strata->rows,     strata->n,       c->slabs[at->slab].n_vectors + 1};
    c->kernels->sum_values(&t, values, out);
}

uint64_t lane_columns_above(const lane_columns *c, const double *values, size_t n, double from, double least) {
    return c->kernels->above(values, n, from, least);
}

/* --- all of them --- */

status lane_columns_create(const pair_tables *tables, const uint32_t *labels, lane_columns **out, error_info *err) {
    AUTO_PTR(lane_columns_destroy) lane_columns *c = NULL;
    AUTO_FREE entry *columns = calloc(dataset_column_count(pair_tables_data(tables)) + 1, sizeof *columns);
    size_t n = 0;
    *out = NULL;
    CHECK_ALLOC(columns);
    CHECK_ALLOC(c = calloc(1, sizeof *c));
    CHECK(list_columns(c, tables, labels, columns, &n, err));
    if (n == 0 || count_blocks(columns, n) * PAIR_BLOCK_COLUMNS > WASTE * n)
        return STATUS_OK;
    CHECK(fill(c, tables, columns, n, err));
    CHECK(make_slabs(c, tables, err));
    *out = TAKE(c);
    return STATUS_OK;
}

size_t lane_columns_count(const lane_columns *c) {
    return c->n_blocks;
}

const pair_block *lane_columns_at(const lane_columns *c, size_t block) {
    return &c->blocks[block];
}

const size_t *lane_columns_loose(const lane_columns *c, size_t *n) {
    *n = c->n_loose;
    return c->loose;
}
