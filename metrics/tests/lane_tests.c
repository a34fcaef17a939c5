/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/tests/lane_tests.h"

#include "core/base/array.h"
#include "metrics/tests/lane_groups_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    L = PAIR_BLOCK_COLUMNS,
    FEWEST = 24,    /* columns that are worth the lanes */
    MOST_GONE = 16, /* columns that are passed by in search of the one that is asked about */
    AHEAD = 16      /* columns that the caches are asked for before they are looked at */
};

/* What is known of a group's columns given the present set. */
typedef struct {
    quick_answer answers[L];
    uint64_t turn; /* of which they are */
} group_answers;

typedef struct {
    uint32_t column, place; /* group and lane */
} lane_entry;

struct lane_tests {
    const pair_tables *tables;
    const pair_column *columns;
    size_t p;
    size_t *attended, n_attended; /* the last hint, of which the lanes are to be made where `is_stale` */
    bool is_stale;
    lane_groups groups;
    group_answers *known; /* by group */
    size_t known_capacity;
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
    lane_groups_clear(&t->groups);
    free(t->known);
    free(t->attended);
    free(t->entries);
    free(t->places);
    free(t->scratch);
    free(t);
}

status lane_tests_create(const pair_tables *tables, lane_tests **out, error_info *err) {
    AUTO_PTR(lane_tests_destroy) lane_tests *t = calloc(1, sizeof *t);
    CHECK_ALLOC(t);
    t->tables = t->groups.tables = tables;
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
    bool is_covered = t->groups.n > 0 && !t->is_stale && columns[0] == t->target && 2 * n_columns >= t->n_lanes;
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

static bool group_columns(lane_tests *t) {
    for (size_t i = 1; i < t->n_attended; i++) {
        size_t x = t->attended[i];
        __builtin_prefetch(&t->columns[t->attended[i + AHEAD < t->n_attended ? i + AHEAD : i]]);
        if (!t->columns[x].bits)
            continue;
        if (!lane_groups_put(&t->groups, x, &t->places[x]))
            return false;
        t->entries[t->n_lanes++] = (lane_entry){(uint32_t)x, t->places[x]};
    }
    return true;
}

static bool make_answers(lane_tests *t) {
    if (ARRAY_RESERVE(t->known, t->known_capacity, t->groups.n, NULL) != STATUS_OK)
        return false;
    for (size_t i = 0; i < t->groups.n; i++)
        t->known[i].turn = 0;
    return true;
}

static void forget(lane_tests *t) {
    lane_groups_empty(&t->groups);
    t->n_lanes = t->next = 0;
}

/* Without memory there are no lanes, and every test is made. */
static void build(lane_tests *t) {
    t->is_stale = false;
    forget(t);
    t->target = t->attended[0];
    if (t->n_attended >= FEWEST && !(group_columns(t) && make_answers(t) && lane_groups_fill(&t->groups)))
        forget(t);
}

static lane_place place_at(const lane_tests *t, uint32_t place) {
    return (lane_place){place / L, place % L, t->groups.items[place / L].block.n_states};
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
    if (group >= t->groups.n || t->places[x] % L >= t->groups.items[group].n ||
        t->groups.items[group].columns[t->places[x] % L] != x)
        return false;
    *out = place_at(t, t->places[x]);
    return true;
}

void lane_judge_block(const lane_judge *judge, const pair_block *block, const pair_strata *strata, uint32_t *scratch,
                      float *sums, uint32_t *adjusted, quick_answer *out) {
    size_t n_terms = (strata->n_cells + strata->n_strata) * block->n_states;
    lane_sums all = {sums, adjusted, 2 * pair_block_error(block->tables, n_terms), block->n_columns, block->n_states};
    pair_block_sum_strata(block, strata, scratch, sums, adjusted);
    judge->judge(judge->self, &all, out);
}

const quick_answer *lane_tests_answer(lane_tests *t, const pair_strata *strata, const lane_place *place,
                                      const lane_judge *judge) {
    group_answers *known = &t->known[place->group];
    if (known->turn != t->turn) {
        const lane_group *g = &t->groups.items[place->group];
        lane_judge_block(judge, &g->block, strata, t->scratch, g->sums, g->adjusted, known->answers);
        known->turn = t->turn;
    }
    return &known->answers[place->lane];
}
