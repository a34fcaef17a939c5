/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/single_tests.h"

#include "core/base/array.h"
#include "core/base/bits.h"
#include "metrics/tests/lane_groups_internal.h"
#include "metrics/tests/leading_tests_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    L = PAIR_BLOCK_COLUMNS,
    TILE = PAIR_BLOCK_TILE,
    FEWEST = 16,         /* columns that are worth the lanes */
    MOST_ROWS = 1 << 11, /* of more, what is saved is little beside the counting itself */
    MOST_COUNTS = 256,   /* by cell and state: the rows themselves are read in less time than more of them are made */
};

#define NO_LANE UINT32_MAX

/* What is known of a group's columns, and of them and the present pair. */
typedef struct {
    float own[L]; /* by lane: the sum of N log N over the table of x and the column, less that over the margin of the
                     column, wrong by pair_block_error at most */
    uint64_t turns[L / TILE]; /* of which the sums are */
    double error;
} group_sums;

struct single_tests {
    const pair_column *columns;
    double *margins; /* by column: the sum of N log N over its states */
    size_t n_rows;
    double fixed_error, error_a_term; /* of a sum */
    double term_of_all;               /* N log N of all rows */
    size_t x, *pool, n_pool, pool_capacity;
    size_t found; /* the place that was found last */
    bool is_laid, has_lanes, is_led;
    uint32_t *places;   /* by place in the pool: group and lane */
    uint32_t *at_lanes; /* by group and lane: the place in the pool */
    single_pair *pairs; /* by place in the pool */
    single_run *runs;
    uint16_t *marks;      /* by run */
    uint64_t *members;    /* of the pool, a bit a column, while there are lanes */
    leading_finding *led; /* by place in the pool */
    size_t places_capacity, at_lanes_capacity, pairs_capacity, runs_capacity, marks_capacity, led_capacity;
    lane_groups groups;
    group_sums *known; /* by group */
    size_t known_capacity;
    uint32_t firsts[PAIR_MOST_CROSS_CELLS], seconds[PAIR_MOST_CROSS_CELLS];
    pair_cross cross;
    uint64_t turn;
    uint32_t *scratch;
    leading_tests *leading;
};

void single_tests_destroy(single_tests *t) {
    if (!t)
        return;
    lane_groups_clear(&t->groups);
    free(t->known);
    free(t->pool);
    free(t->places);
    free(t->at_lanes);
    free(t->led);
    free(t->pairs);
    free(t->runs);
    free(t->marks);
    free(t->members);
    free(t->margins);
    free(t->scratch);
    leading_tests_destroy(t->leading);
    free(t);
}

static double term(double n) {
    return n > 0 ? n * log(n) : 0;
}

static size_t member_words(const single_tests *t) {
    return dataset_column_count(pair_tables_data(t->groups.tables)) / 64 + 1;
}

static status sum_margins(single_tests *t, error_info *err) {
    size_t p = dataset_column_count(pair_tables_data(t->groups.tables));
    CHECK_ALLOC(t->margins = calloc(p + 1, sizeof *t->margins));
    t->term_of_all = term((double)t->n_rows);
    for (size_t i = 0; i < p; i++) {
        for (size_t k = 0; k < t->columns[i].n_states; k++)
            t->margins[i] += term(t->columns[i].margin[k]);
    }
    return STATUS_OK;
}

status single_tests_create(const pair_tables *tables, single_tests **out, error_info *err) {
    AUTO_PTR(single_tests_destroy) single_tests *t = calloc(1, sizeof *t);
    CHECK_ALLOC(t);
    t->groups.tables = tables;
    t->columns = pair_tables_columns(tables);
    t->n_rows = dataset_row_count(pair_tables_data(tables));
    t->fixed_error = pair_block_error(tables, 1);
    t->error_a_term = pair_block_error(tables, 2) - t->fixed_error;
    CHECK_ALLOC(t->scratch = aligned_alloc(64, PAIR_STRATA_SCRATCH * sizeof *t->scratch));
    if (t->n_rows <= MOST_ROWS) {
        CHECK(leading_tests_create(tables, &t->leading, err));
        CHECK(sum_margins(t, err));
        CHECK_ALLOC(t->members = calloc(member_words(t), sizeof *t->members));
    }
    *out = TAKE(t);
    return STATUS_OK;
}

const pair_column *single_tests_columns(const single_tests *t) {
    return t->columns;
}

static bool reserve(single_tests *t, size_t n) {
    return ARRAY_RESERVE(t->pool, t->pool_capacity, n, NULL) == STATUS_OK &&
           ARRAY_RESERVE(t->places, t->places_capacity, n, NULL) == STATUS_OK &&
           ARRAY_RESERVE(t->pairs, t->pairs_capacity, n, NULL) == STATUS_OK &&
           ARRAY_RESERVE(t->led, t->led_capacity, n, NULL) == STATUS_OK &&
           ARRAY_RESERVE(t->runs, t->runs_capacity, n / SINGLE_RUN + 1, NULL) == STATUS_OK &&
           ARRAY_RESERVE(t->marks, t->marks_capacity, n / SINGLE_RUN + 1, NULL) == STATUS_OK;
}

void single_tests_attend(single_tests *t, size_t x, const size_t *pool, size_t n_pool) {
    t->n_pool = 0;
    t->is_laid = false;
    t->found = 0;
    if (n_pool < FEWEST || !reserve(t, n_pool))
        return;
    t->x = x;
    memcpy(t->pool, pool, n_pool * sizeof *pool);
    t->n_pool = n_pool;
}

/* --- lanes --- */

/* Asks the caches for what will be read of a place of the pool. */
static void foresee(const single_tests *t, size_t place) {
    if (place >= t->n_pool)
        return;
    __builtin_prefetch(&t->columns[t->pool[place]]);
    __builtin_prefetch(&t->margins[t->pool[place]]);
}

static bool group_pool(single_tests *t) {
    enum { AHEAD = 16 };
    for (size_t i = 0; i < t->n_pool; i++) {
        const pair_column *c = &t->columns[t->pool[i]];
        foresee(t, i + AHEAD);
        __builtin_prefetch(c->margin); /* for the tables with x */
        t->places[i] = NO_LANE;
        if (c->bits && c->n_states > 1 && !lane_groups_put(&t->groups, t->pool[i], &t->places[i]))
            return false;
    }
    return true;
}

static bool make_sums(single_tests *t) {
    if (ARRAY_RESERVE(t->known, t->known_capacity, t->groups.n, NULL) != STATUS_OK ||
        ARRAY_RESERVE(t->at_lanes, t->at_lanes_capacity, t->groups.n * L, NULL) != STATUS_OK)
        return false;
    for (size_t i = 0; i < t->groups.n; i++)
        memset(t->known[i].turns, 0, sizeof t->known[i].turns);
    return true;
}

/* As pair_block_error. */
static double error_of(const single_tests *t, size_t n_terms) {
    return t->fixed_error + t->error_a_term * (double)n_terms;
}

/* Of a place that has a lane. */
static double own_sum(const single_tests *t, size_t place) {
    return t->known[t->places[place] / L].own[t->places[place] % L];
}

static single_pair bound_pair(const single_tests *t, size_t place) {
    const pair_column *c = &t->columns[t->pool[place]];
    size_t n_states = c->n_states;
    double error = error_of(t, n_states * t->columns[t->x].n_states + 2), sum;
    if (t->places[place] == NO_LANE)
        return (single_pair){-INFINITY, INFINITY, (uint32_t)n_states, c->bits != NULL};
    sum = own_sum(t, place) + t->term_of_all - t->margins[t->x];
    return (single_pair){sum - error, sum + error, (uint32_t)n_states, true};
}

static void sum_group(const single_tests *t, lane_group *g, group_sums *out) {
    const float *sums;
    pair_block_count(&g->block, t->x);
    sums = pair_block_sum_terms(&g->block);
    for (size_t i = 0; i < g->n; i++)
        out->own[i] = (float)(sums[i] - t->margins[g->columns[i]]);
}

/* Every column of the pool with x. */
static void sum_pairs(single_tests *t) {
    for (size_t i = 0; i < t->groups.n; i++)
        sum_group(t, &t->groups.items[i], &t->known[i]);
    for (size_t i = 0; i < t->n_pool; i++)
        t->pairs[i] = bound_pair(t, i);
}

static void note_places(single_tests *t) {
    for (size_t i = 0; i < t->n_pool; i++) {
        if (t->places[i] != NO_LANE)
            t->at_lanes[t->places[i]] = (uint32_t)i;
    }
}

static void bound_runs(single_tests *t) {
    for (size_t first = 0; first < t->n_pool; first += SINGLE_RUN) {
        single_run run = {-INFINITY, 0};
        for (size_t i = first; i < t->n_pool && i < first + SINGLE_RUN; i++) {
            run.most = fmax(run.most, t->pairs[i].most);
            run.states |= bit_of(t->pairs[i].n_states);
        }
        t->runs[first / SINGLE_RUN] = run;
    }
}

static void mark_members(single_tests *t) {
    memset(t->members, 0, member_words(t) * sizeof *t->members);
    for (size_t i = 0; i < t->n_pool; i++)
        bits_add(t->members, t->pool[i]);
}

/* Without memory there are no lanes. */
static void lay(single_tests *t) {
    bool is_worth_it = t->n_rows <= MOST_ROWS && t->columns[t->x].bits;
    t->is_laid = true;
    lane_groups_empty(&t->groups);
    t->has_lanes = is_worth_it && group_pool(t) && make_sums(t) && lane_groups_fill(&t->groups);
    if (!t->has_lanes)
        return;
    note_places(t);
    sum_pairs(t);
    bound_runs(t);
    mark_members(t);
    t->is_led = false;
}

bool single_tests_are_about(single_tests *t, size_t x, const size_t *pool, size_t n_pool) {
    if (t->x != x || t->n_pool != n_pool || n_pool == 0 || t->pool[0] != pool[0] ||
        t->pool[n_pool - 1] != pool[n_pool - 1])
        return false;
    if (!t->is_laid)
        lay(t);
    return t->has_lanes;
}

/* --- a pair --- */

bool single_tests_turn(single_tests *t, size_t y, const counts_base *base) {
    t->turn++;
    if (base->n == 0 || base->n > PAIR_MOST_CROSS_CELLS)
        return false;
    for (size_t i = 0; i < base->n; i++) {
        t->firsts[i] = base->cell[i] % (uint32_t)base->r_first;
        t->seconds[i] = base->cell[i] / (uint32_t)base->r_first;
    }
    t->cross = (pair_cross){base->bits, base->tally, t->firsts, t->seconds, base->n, t->columns[y].n_states};
    return true;
}

bool single_tests_find(single_tests *t, size_t column, size_t *place) {
    if (t->pool[t->found] > column)
        t->found = 0;
    while (t->found + 1 < t->n_pool && t->pool[t->found] < column)
        t->found++;
    *place = t->found;
    return t->pool[t->found] == column;
}

const single_pair *single_tests_pairs(const single_tests *t) {
    return t->pairs;
}

const leading_finding *single_tests_lead(single_tests *t, const single_limits *limits) {
    leading_pool pool = {t->x, t->pool, t->n_pool, &t->groups, t->at_lanes};
    if (!t->is_led)
        leading_tests_find(t->leading, &pool, limits, t->led);
    t->is_led = true;
    return t->led;
}

const single_run *single_tests_runs(const single_tests *t) {
    return t->runs;
}

bool single_tests_has(const single_tests *t, size_t column) {
    return bits_have(t->members, column);
}

static size_t terms_of(const single_tests *t, size_t r) {
    size_t r_x = t->columns[t->x].n_states, r_y = t->cross.r_second;
    return r * (r_x * r_y + r_x + r_y + 1);
}

uint16_t *single_tests_marks(single_tests *t) {
    return t->marks;
}

bool single_tests_sum(single_tests *t, size_t place, single_tile *out) {
    size_t lane = t->places[place] % L, tile = lane / TILE, first = tile * TILE;
    lane_group *g;
    group_sums *known;
    if (t->places[place] == NO_LANE)
        return false;
    g = &t->groups.items[t->places[place] / L];
    known = &t->known[t->places[place] / L];
    if (t->cross.n_cells * (g->block.n_states - 1) > MOST_COUNTS)
        return false;
    out->is_new = known->turns[tile] != t->turn;
    if (out->is_new) {
        pair_block_sum_given(&g->block, &t->cross, first, t->scratch, g->sums, g->adjusted);
        known->error = 3 * error_of(t, terms_of(t, g->block.n_states) + 2);
        known->turns[tile] = t->turn;
    }
    out->block = &g->block;
    out->sums = g->sums + first;
    out->own = known->own + first;
    out->error = known->error;
    out->adjusted = g->adjusted + first;
    out->places = t->at_lanes + t->places[place] / TILE * TILE;
    out->n_lanes = g->n - first < TILE ? g->n - first : TILE;
    out->lane = lane - first;
    return true;
}
