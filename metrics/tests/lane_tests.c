/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/lane_tests.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { L = PAIR_BLOCK_COLUMNS, FEWEST = 24 /* columns that are worth the lanes */ };

/* Columns of equal numbers of states, and the sums for the present set. */
typedef struct {
    pair_block block;
    size_t columns[L], n;
    float *sums; /* L of either, on 64 bytes */
    uint32_t *adjusted;
    double error;
    uint64_t turn; /* of which the sums are */
} lane_group;

struct lane_tests {
    const pair_tables *tables;
    const pair_column *columns;
    size_t p;
    size_t *attended, n_attended; /* the last hint, of which the lanes are to be made where `is_stale` */
    bool is_stale;
    lane_group *groups;
    size_t n_groups, capacity;
    size_t n_lanes, target; /* of the lanes that there are */
    uint32_t *places;       /* by column: group and lane, of those that have one */
    uint32_t *scratch;
    uint64_t turn;
};

void lane_tests_destroy(lane_tests *t) {
    if (!t)
        return;
    for (size_t i = 0; i < t->capacity; i++) {
        pair_block_clear(&t->groups[i].block);
        free(t->groups[i].sums);
        free(t->groups[i].adjusted);
    }
    free(t->groups);
    free(t->attended);
    free(t->places);
    free(t->scratch);
    free(t);
}

status lane_tests_create(const pair_tables *tables, lane_tests **out, error_info *err) {
    AUTO_PTR(lane_tests_destroy) lane_tests *t = calloc(1, sizeof *t);
    CHECK_ALLOC(t);
    t->tables = tables;
    t->columns = pair_tables_columns(tables);
    t->p = dataset_column_count(pair_tables_data(tables));
    CHECK_ALLOC(t->attended = calloc(t->p + 1, sizeof *t->attended));
    CHECK_ALLOC(t->places = calloc(t->p + 1, sizeof *t->places));
    CHECK_ALLOC(t->scratch = aligned_alloc(64, PAIR_STRATA_SCRATCH * sizeof *t->scratch));
    *out = TAKE(t);
    return STATUS_OK;
}

/* Lanes stay while half of them are of use: candidates only leave. */
void lane_tests_attend(lane_tests *t, const size_t *columns, size_t n_columns) {
    bool is_covered = t->n_groups > 0 && !t->is_stale && columns[0] == t->target && 2 * n_columns >= t->n_lanes;
    if (is_covered)
        return;
    t->n_attended = n_columns;
    memcpy(t->attended, columns, n_columns * sizeof *columns);
    t->is_stale = true;
}

void lane_tests_turn(lane_tests *t) {
    t->turn++;
}

/* --- lanes --- */

/* The next group, empty; NULL without memory. */
static lane_group *add_group(lane_tests *t) {
    lane_group *g;
    if (t->n_groups == t->capacity) {
        size_t capacity = 2 * t->capacity + 8;
        lane_group *more = realloc(t->groups, capacity * sizeof *more);
        if (!more)
            return NULL;
        memset(more + t->capacity, 0, (capacity - t->capacity) * sizeof *more);
        t->groups = more;
        t->capacity = capacity;
    }
    g = &t->groups[t->n_groups];
    if (!g->sums)
        g->sums = aligned_alloc(64, L * sizeof *g->sums);
    if (!g->adjusted)
        g->adjusted = aligned_alloc(64, L * sizeof *g->adjusted);
    if (!g->sums || !g->adjusted)
        return NULL;
    t->n_groups++;
    g->n = 0;
    g->turn = 0;
    return g;
}

/* Puts the attended columns with so many states into groups. */
static bool group_columns(lane_tests *t, size_t n_states) {
    lane_group *g = NULL;
    for (size_t i = 1; i < t->n_attended; i++) {
        size_t x = t->attended[i];
        if (!t->columns[x].bits || t->columns[x].n_states != n_states)
            continue;
        if ((!g || g->n == L) && !(g = add_group(t)))
            return false;
        t->places[x] = (uint32_t)((t->n_groups - 1) * L + g->n);
        g->columns[g->n++] = x;
        t->n_lanes++;
    }
    return true;
}

/* Without memory there are no lanes, and every test is made. */
static void build(lane_tests *t) {
    bool has[PAIR_MOST_STATES + 1] = {false}, is_good = t->n_attended >= FEWEST;
    t->is_stale = false;
    t->n_groups = t->n_lanes = 0;
    t->target = t->attended[0];
    for (size_t i = 1; is_good && i < t->n_attended; i++) {
        const pair_column *c = &t->columns[t->attended[i]];
        if (c->bits)
            has[c->n_states] = true;
    }
    for (size_t r = 1; is_good && r <= PAIR_MOST_STATES; r++)
        is_good = !has[r] || group_columns(t, r);
    for (size_t i = 0; is_good && i < t->n_groups; i++) {
        lane_group *g = &t->groups[i];
        if (i + 1 < t->n_groups)
            pair_block_foresee(t->tables, g[1].columns, g[1].n);
        is_good = pair_block_begin(&g->block, t->tables, g->columns, g->n, NULL) == STATUS_OK;
    }
    if (!is_good)
        t->n_groups = t->n_lanes = 0;
}

/* The group that has the column; NULL where none has. */
static lane_group *find_group(const lane_tests *t, size_t x, size_t *lane) {
    size_t group = t->places[x] / L;
    *lane = t->places[x] % L;
    if (group >= t->n_groups || *lane >= t->groups[group].n || t->groups[group].columns[*lane] != x)
        return NULL;
    return &t->groups[group];
}

bool lane_tests_sum(lane_tests *t, const pair_strata *strata, size_t x, lane_sum *out) {
    lane_group *g;
    size_t lane;
    if (t->is_stale)
        build(t);
    if (strata->n_cells > PAIR_MOST_STRATA_CELLS || !(g = find_group(t, x, &lane)))
        return false;
    if (g->turn != t->turn) {
        size_t n_terms = (strata->n_cells + strata->n_strata) * g->block.n_states;
        pair_block_sum_strata(&g->block, strata, t->scratch, g->sums, g->adjusted);
        g->error = 2 * pair_block_error(t->tables, n_terms);
        g->turn = t->turn;
    }
    *out = (lane_sum){g->sums[lane], g->error, g->adjusted[lane]};
    return true;
}
