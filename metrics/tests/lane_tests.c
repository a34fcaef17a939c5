/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/lane_tests.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    L = PAIR_BLOCK_COLUMNS,
    FEWEST = 24,    /* columns that are worth the lanes */
    MOST_GONE = 16, /* columns that are passed by in search of the one that is asked about */
    AHEAD = 16      /* columns that the caches are asked for before they are looked at */
};

/* Columns of equal numbers of states, and what is known of them given the present set. */
typedef struct {
    pair_block block;
    size_t columns[L], n;
    float *sums; /* L of either, on 64 bytes */
    uint32_t *adjusted;
    lane_answer *answers;
    uint64_t turn; /* of which they are */
} lane_group;

typedef struct {
    uint32_t column, place; /* group and lane */
} lane_entry;

struct lane_tests {
    const pair_tables *tables;
    const pair_column *columns;
    size_t p;
    size_t *attended, n_attended; /* the last hint, of which the lanes are to be made where `is_stale` */
    bool is_stale;
    lane_group *groups;
    size_t n_groups, capacity;
    size_t n_lanes, target; /* of the lanes that there are */
    lane_entry *entries;    /* of the lanes, in the order in which their columns were attended */
    size_t next;            /* entry that will be asked about, as it seems */
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
        free(t->groups[i].answers);
    }
    free(t->groups);
    free(t->attended);
    free(t->entries);
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
    CHECK_ALLOC(t->entries = calloc(t->p + 1, sizeof *t->entries));
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
    t->next = 0;
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
    if (!g->answers)
        g->answers = calloc(L, sizeof *g->answers);
    if (!g->sums || !g->adjusted || !g->answers)
        return NULL;
    t->n_groups++;
    g->n = 0;
    g->turn = 0;
    return g;
}

/* Puts the attended columns into groups by number of states. */
static bool group_columns(lane_tests *t) {
    size_t last[PAIR_MOST_STATES + 1] = {0}; /* by number of states: the last group's number and one */
    for (size_t i = 1; i < t->n_attended; i++) {
        size_t x = t->attended[i], r = t->columns[x].n_states;
        lane_group *g;
        __builtin_prefetch(&t->columns[t->attended[i + AHEAD < t->n_attended ? i + AHEAD : i]]);
        if (!t->columns[x].bits)
            continue;
        if (last[r] == 0 || t->groups[last[r] - 1].n == L) {
            if (!add_group(t))
                return false;
            last[r] = t->n_groups;
        }
        g = &t->groups[last[r] - 1];
        t->places[x] = (uint32_t)((last[r] - 1) * L + g->n);
        t->entries[t->n_lanes++] = (lane_entry){(uint32_t)x, t->places[x]};
        g->columns[g->n++] = x;
    }
    return true;
}

static bool fill_groups(lane_tests *t) {
    for (size_t i = 0; i < t->n_groups; i++) {
        lane_group *g = &t->groups[i];
        if (i + 1 < t->n_groups)
            pair_block_foresee(t->tables, g[1].columns, g[1].n);
        if (pair_block_begin(&g->block, t->tables, g->columns, g->n, NULL) != STATUS_OK)
            return false;
    }
    return true;
}

/* Without memory there are no lanes, and every test is made. */
static void build(lane_tests *t) {
    t->is_stale = false;
    t->n_groups = t->n_lanes = t->next = 0;
    t->target = t->attended[0];
    if (t->n_attended < FEWEST || (group_columns(t) && fill_groups(t)))
        return;
    t->n_groups = t->n_lanes = 0;
}

static lane_place place_at(const lane_tests *t, uint32_t place) {
    return (lane_place){place / L, place % L, t->groups[place / L].block.n_states};
}

/* Those that are no longer asked about are passed by. */
static bool find_in_order(lane_tests *t, size_t x, lane_place *out) {
    for (size_t i = t->next; i < t->n_lanes && i - t->next <= MOST_GONE; i++) {
        if (t->entries[i].column == x) {
            t->next = i + 1;
            *out = place_at(t, t->entries[i].place);
            return true;
        }
    }
    return false;
}

bool lane_tests_find(lane_tests *t, size_t x, lane_place *out) {
    size_t group;
    if (t->is_stale)
        build(t);
    if (find_in_order(t, x, out))
        return true;
    group = t->places[x] / L;
    if (group >= t->n_groups || t->places[x] % L >= t->groups[group].n ||
        t->groups[group].columns[t->places[x] % L] != x)
        return false;
    *out = place_at(t, t->places[x]);
    return true;
}

static void judge_group(lane_tests *t, lane_group *g, const pair_strata *strata, const lane_judge *judge) {
    size_t n_terms = (strata->n_cells + strata->n_strata) * g->block.n_states;
    lane_sums sums = {g->sums, g->adjusted, 2 * pair_block_error(t->tables, n_terms), g->n, g->block.n_states};
    pair_block_sum_strata(&g->block, strata, t->scratch, g->sums, g->adjusted);
    judge->judge(judge->self, &sums, g->answers);
    g->turn = t->turn;
}

const lane_answer *lane_tests_answer(lane_tests *t, const pair_strata *strata, const lane_place *place,
                                     const lane_judge *judge) {
    lane_group *g = &t->groups[place->group];
    if (g->turn != t->turn)
        judge_group(t, g, strata, judge);
    return &g->answers[place->lane];
}
