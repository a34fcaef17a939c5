/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/leading_tests_internal.h"

#include "core/counting/bit_vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { L = PAIR_BLOCK_COLUMNS, TILE = PAIR_BLOCK_TILE, CELLS = PAIR_MOST_STRATA_CELLS };

/* What is known of the lanes of a tile. */
typedef struct {
    size_t tile; /* of all groups' tiles, and one; 0: none */
    double error;
    float sums[TILE];
    uint32_t adjusted[TILE];
} tile_sums;

/* A column that is given, with x. */
typedef struct {
    bool is_made, has_cells;
    uint64_t *bits; /* of the cells, by state of the column */
    uint32_t tallies[CELLS], starts[CELLS + 1];
    pair_strata strata;
    double own;                            /* the sum of N log N over the cells, less that over the strata */
    tile_sums known[PAIR_MOST_STATES + 1]; /* by states of the lanes' columns */
} given;

struct leading_tests {
    const pair_tables *tables;
    size_t x, n_rows, n_words;
    given items[LEADING_MOST];
    uint64_t *all, *left, *parts; /* all rows; a set of them; those of each state of a column */
    uint32_t *scratch;
    float *sums;
    uint32_t *adjusted;
};

void leading_tests_destroy(leading_tests *t) {
    if (!t)
        return;
    for (size_t i = 0; i < LEADING_MOST; i++)
        free(t->items[i].bits);
    free(t->all);
    free(t->left);
    free(t->parts);
    free(t->scratch);
    free(t->sums);
    free(t->adjusted);
    free(t);
}

static status allocate(leading_tests *t, error_info *err) {
    for (size_t i = 0; i < LEADING_MOST; i++)
        CHECK_ALLOC(t->items[i].bits = bit_vectors_allocate(CELLS, t->n_words));
    CHECK_ALLOC(t->all = bit_vectors_allocate(1, t->n_words));
    CHECK_ALLOC(t->left = bit_vectors_allocate(1, t->n_words));
    CHECK_ALLOC(t->parts = bit_vectors_allocate(PAIR_MOST_STATES, t->n_words));
    CHECK_ALLOC(t->scratch = aligned_alloc(64, PAIR_STRATA_SCRATCH * sizeof *t->scratch));
    CHECK_ALLOC(t->sums = aligned_alloc(64, L * sizeof *t->sums));
    CHECK_ALLOC(t->adjusted = aligned_alloc(64, L * sizeof *t->adjusted));
    return STATUS_OK;
}

status leading_tests_create(const pair_tables *tables, leading_tests **out, error_info *err) {
    leading_tests *t = calloc(1, sizeof *t);
    status st;
    CHECK_ALLOC(t);
    t->tables = tables;
    t->n_rows = dataset_row_count(pair_tables_data(tables));
    t->n_words = pair_tables_word_count(tables);
    st = allocate(t, err);
    if (st != STATUS_OK) {
        leading_tests_destroy(t);
        return st;
    }
    memset(t->all, 0, t->n_words * sizeof *t->all);
    for (size_t i = 0; i < t->n_rows; i++)
        t->all[i / 64] |= UINT64_C(1) << i % 64;
    *out = t;
    return STATUS_OK;
}

void leading_tests_turn(leading_tests *t, size_t x) {
    t->x = x;
    for (size_t i = 0; i < LEADING_MOST; i++)
        t->items[i].is_made = false;
}

static double term(double n) {
    return n * log(n);
}

/* The rows by state of z, and those by state of x. */
static void make_cells(leading_tests *t, given *g, size_t z) {
    uint32_t of_states[PAIR_MOST_STATES];
    size_t n_strata, n = 0;
    memcpy(t->left, t->all, t->n_words * sizeof *t->left);
    n_strata = pair_tables_split(t->tables, t->left, z, t->parts, of_states);
    g->own = 0;
    for (size_t i = 0; i < n_strata; i++) {
        g->starts[i] = (uint32_t)n;
        g->own -= term(of_states[i]);
        n += pair_tables_split(t->tables, t->parts + i * t->n_words, t->x, g->bits + n * t->n_words, g->tallies + n);
    }
    g->starts[n_strata] = (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        g->own += term(g->tallies[i]);
    g->strata = (pair_strata){g->bits, g->tallies, g->starts, n, n_strata};
}

static void make(leading_tests *t, given *g, size_t z) {
    const pair_column *columns = pair_tables_columns(t->tables);
    g->is_made = true;
    g->has_cells = columns[t->x].n_states * columns[z].n_states < CELLS; /* splitting has room for one more */
    for (size_t r = 0; r <= PAIR_MOST_STATES; r++)
        g->known[r].tile = 0;
    if (g->has_cells)
        make_cells(t, g, z);
}

static void sum_tile(leading_tests *t, const given *g, const lane_group *group, size_t first, tile_sums *out) {
    size_t n_terms = (g->strata.n_cells + g->strata.n_strata) * (group->block.n_states + 1);
    pair_block_sum_tile(&group->block, &g->strata, first, t->scratch, t->sums, t->adjusted);
    memcpy(out->sums, t->sums, sizeof out->sums);
    memcpy(out->adjusted, t->adjusted, sizeof out->adjusted);
    out->error = 2 * pair_block_error(t->tables, n_terms);
}

bool leading_tests_sum(leading_tests *t, size_t place, size_t z, const lane_group *g, size_t number, size_t lane,
                       single_sum *out) {
    size_t tile = number * (L / TILE) + lane / TILE + 1;
    given *of = &t->items[place];
    tile_sums *known = &of->known[g->block.n_states];
    if (!of->is_made)
        make(t, of, z);
    if (!of->has_cells)
        return false;
    if (known->tile != tile) {
        sum_tile(t, of, g, lane / TILE * TILE, known);
        known->tile = tile;
    }
    *out = (single_sum){(double)known->sums[lane % TILE] - of->own, known->error, known->adjusted[lane % TILE]};
    return true;
}
