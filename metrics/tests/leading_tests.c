/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/leading_tests_internal.h"

#include "core/base/array.h"
#include "core/base/bits.h"
#include "core/counting/bit_vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { L = PAIR_BLOCK_COLUMNS, TILE = PAIR_BLOCK_TILE, CELLS = PAIR_MOST_STRATA_CELLS };

/* The columns that are still open, lanes of the pool's groups at first, then of groups of their own. */
typedef struct {
    const lane_groups *groups;
    const uint32_t *places; /* by group and lane */
    uint64_t *open;         /* by group, a bit a lane */
    size_t n_open, n_lanes; /* n_lanes: open ones when they were laid */
} open_lanes;

struct leading_tests {
    const pair_tables *tables;
    size_t n_rows, n_words;
    /* the column that is given, with x: rows by states, those of a state of the column given side by side */
    uint64_t *cells;
    uint32_t tallies[CELLS], starts[CELLS + 1];
    pair_strata strata;
    double own; /* the sum of N log N over the cells, less that over the strata */
    open_lanes lanes;
    size_t open_capacity;
    lane_groups own_groups;
    uint32_t *own_places, *left_open;
    size_t own_places_capacity, left_open_capacity;
    uint64_t *all, *left, *parts; /* all rows; a set of them; those of each state of a column */
    uint32_t *scratch;
    float *sums, *zeros;
    uint32_t *adjusted;
};

void leading_tests_destroy(leading_tests *t) {
    if (!t)
        return;
    lane_groups_clear(&t->own_groups);
    free(t->lanes.open);
    free(t->own_places);
    free(t->left_open);
    free(t->cells);
    free(t->all);
    free(t->left);
    free(t->parts);
    free(t->scratch);
    free(t->sums);
    free(t->zeros);
    free(t->adjusted);
    free(t);
}

static status allocate(leading_tests *t, error_info *err) {
    CHECK_ALLOC(t->cells = bit_vectors_allocate(CELLS, t->n_words));
    CHECK_ALLOC(t->all = bit_vectors_allocate(1, t->n_words));
    CHECK_ALLOC(t->left = bit_vectors_allocate(1, t->n_words));
    CHECK_ALLOC(t->parts = bit_vectors_allocate(PAIR_MOST_STATES, t->n_words));
    CHECK_ALLOC(t->scratch = aligned_alloc(64, PAIR_STRATA_SCRATCH * sizeof *t->scratch));
    CHECK_ALLOC(t->sums = aligned_alloc(64, L * sizeof *t->sums));
    CHECK_ALLOC(t->zeros = aligned_alloc(64, TILE * sizeof *t->zeros));
    CHECK_ALLOC(t->adjusted = aligned_alloc(64, L * sizeof *t->adjusted));
    return STATUS_OK;
}

status leading_tests_create(const pair_tables *tables, leading_tests **out, error_info *err) {
    leading_tests *t = calloc(1, sizeof *t);
    status st;
    CHECK_ALLOC(t);
    t->tables = t->own_groups.tables = tables;
    t->n_rows = dataset_row_count(pair_tables_data(tables));
    t->n_words = pair_tables_word_count(tables);
    st = allocate(t, err);
    if (st != STATUS_OK) {
        leading_tests_destroy(t);
        return st;
    }
    memset(t->zeros, 0, TILE * sizeof *t->zeros);
    memset(t->all, 0, t->n_words * sizeof *t->all);
    for (size_t i = 0; i < t->n_rows; i++)
        bits_add(t->all, i);
    *out = t;
    return STATUS_OK;
}

/* --- the column that is given --- */

static double term(double n) {
    return n * log(n);
}

/* The rows by state of z, and those by state of x. */
static void make_cells(leading_tests *t, size_t x, size_t z) {
    uint32_t of_states[PAIR_MOST_STATES];
    size_t n_strata, n = 0;
    memcpy(t->left, t->all, t->n_words * sizeof *t->left);
    n_strata = pair_tables_split(t->tables, t->left, z, t->parts, of_states);
    t->own = 0;
    for (size_t i = 0; i < n_strata; i++) {
        t->starts[i] = (uint32_t)n;
        t->own -= term(of_states[i]);
        n += pair_tables_split(t->tables, t->parts + i * t->n_words, x, t->cells + n * t->n_words, t->tallies + n);
    }
    t->starts[n_strata] = (uint32_t)n;
    for (size_t i = 0; i < n; i++)
        t->own += term(t->tallies[i]);
    t->strata = (pair_strata){t->cells, t->tallies, t->starts, n, n_strata};
}

/* False where z has no bit vectors, or x and z have too many states. */
static bool turn_to(leading_tests *t, size_t x, size_t z) {
    const pair_column *columns = pair_tables_columns(t->tables);
    if (!columns[z].bits ||
        (size_t)columns[x].n_states * columns[z].n_states >= CELLS) /* splitting has room for one more */
        return false;
    make_cells(t, x, z);
    return true;
}

/* --- lanes --- */

static bool open_pool(leading_tests *t, const leading_pool *pool) {
    open_lanes *o = &t->lanes;
    if (ARRAY_RESERVE(o->open, t->open_capacity, pool->groups->n, NULL) != STATUS_OK)
        return false;
    o->groups = pool->groups;
    o->places = pool->places;
    o->n_open = 0;
    for (size_t g = 0; g < pool->groups->n; g++) {
        const lane_group *group = &pool->groups->items[g];
        o->open[g] = 0;
        for (size_t i = 0; i < group->n; i++)
            o->open[g] |= (uint64_t)(group->columns[i] > pool->x) << i;
        o->n_open += (size_t)__builtin_popcountll(o->open[g]);
    }
    o->n_lanes = o->n_open;
    return true;
}

/* The places that are open, ascending in each group. */
static size_t list_open(const open_lanes *o, uint32_t *out) {
    size_t n = 0;
    for (size_t g = 0; g < o->groups->n; g++) {
        for (uint64_t left = o->open[g]; left; left &= left - 1)
            out[n++] = o->places[g * L + (size_t)__builtin_ctzll(left)];
    }
    return n;
}

/* Lays those that are open side by side. False without memory. */
static bool lay_open(leading_tests *t, const leading_pool *pool) {
    open_lanes *o = &t->lanes;
    size_t n = o->n_open;
    if (ARRAY_RESERVE(t->left_open, t->left_open_capacity, n, NULL) != STATUS_OK)
        return false;
    (void)list_open(o, t->left_open);
    lane_groups_empty(&t->own_groups);
    for (size_t i = 0; i < n; i++) {
        uint32_t lane;
        if (!lane_groups_put(&t->own_groups, pool->columns[t->left_open[i]], &lane) ||
            ARRAY_RESERVE(t->own_places, t->own_places_capacity, t->own_groups.n * L, NULL) != STATUS_OK)
            return false;
        t->own_places[lane] = t->left_open[i];
    }
    if (!lane_groups_fill(&t->own_groups) ||
        ARRAY_RESERVE(o->open, t->open_capacity, t->own_groups.n, NULL) != STATUS_OK)
        return false;
    for (size_t g = 0; g < t->own_groups.n; g++)
        o->open[g] = UINT64_MAX >> (L - t->own_groups.items[g].n);
    o->groups = &t->own_groups;
    o->places = t->own_places;
    o->n_lanes = n;
    return true;
}

/* --- tests --- */

/* A place that is given, and what is found of others. */
typedef struct {
    leading_tests *t;
    const leading_pool *pool;
    const single_limits *limits;
    size_t given;
    leading_finding *out;
} passage;

/* Lanes of a tile, a bit a lane. */
typedef struct {
    uint32_t above, below;
} tile_masks;

/* What is between has to be tested. */
static tile_masks judge_tile(leading_tests *t, const pair_block *b, size_t first, const float *limits, size_t most) {
    size_t n_terms = (t->strata.n_cells + t->strata.n_strata) * (b->n_states + 1) + 2;
    float own = (float)t->own, error = (float)(2 * pair_block_error(t->tables, n_terms));
    float low = own - error - 4e-6F * limits[most], high = own + error;
    pair_block_sum_tile(b, &t->strata, first, t->scratch, t->sums, t->adjusted);
    return (tile_masks){pair_block_above(b, t->sums, t->zeros, limits, t->adjusted, high),
                        ~pair_block_above(b, t->sums, t->zeros, limits, t->adjusted, low)};
}

static void note(const passage *p, size_t group, size_t first, tile_masks found) {
    open_lanes *o = &p->t->lanes;
    for (uint32_t left = (uint32_t)(o->open[group] >> first) & ((1U << TILE) - 1); left; left &= left - 1) {
        size_t i = (size_t)__builtin_ctz(left), place = o->places[group * L + first + i];
        leading_finding *f = &p->out[place];
        if (place == p->given)
            continue;
        f->told |= (uint16_t)((found.above >> i & 1) << p->given);
        f->is_separated = found.below >> i & 1;
        o->open[group] &= ~((uint64_t)f->is_separated << (first + i));
        o->n_open -= f->is_separated;
        f->n_done = (uint8_t)(p->given + !f->is_separated);
    }
}

static void pass_group(const passage *p, size_t group) {
    leading_tests *t = p->t;
    const pair_column *columns = pair_tables_columns(t->tables);
    const pair_block *b = &t->lanes.groups->items[group].block;
    size_t r_x = columns[p->pool->x].n_states, r_z = columns[p->pool->columns[p->given]].n_states;
    size_t most = (r_x - 1) * (b->n_states - 1) * r_z;
    const float *limits = p->limits->get(p->limits->self, r_x, b->n_states, r_z);
    for (size_t first = 0; limits && first < L; first += TILE) {
        if (t->lanes.open[group] >> first & ((1U << TILE) - 1))
            note(p, group, first, judge_tile(t, b, first, limits, most));
    }
}

void leading_tests_find(leading_tests *t, const leading_pool *pool, const single_limits *limits, leading_finding *out) {
    enum { FEWEST = 8 }; /* lanes that are worth a column's cells */
    passage p = {t, pool, limits, 0, out};
    memset(out, 0, pool->n_columns * sizeof *out);
    if (!open_pool(t, pool))
        return;
    for (; p.given < LEADING_MOST && p.given < pool->n_columns && t->lanes.n_open >= FEWEST; p.given++) {
        if (!turn_to(t, pool->x, pool->columns[p.given]))
            break;
        for (size_t g = 0; g < t->lanes.groups->n; g++)
            pass_group(&p, g);
        if (t->lanes.n_open * 4 <= t->lanes.n_lanes * 3 && !lay_open(t, pool))
            break;
    }
}
