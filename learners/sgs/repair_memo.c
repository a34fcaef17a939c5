/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcomes of repairs. One is valid as long as no node that the repair read, and that a head of its arcs reaches, has
 * got other parents: only such a node lies on paths that close a cycle. A step reads the lists of moves in their order
 * and makes anew what a change has touched, which is little.
 */
#include "learners/sgs/repair_memo_internal.h"

#include "core/base/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    bool is_valid;         /* else the place is not in use */
    uint32_t head, number; /* the move, by its head and its number there; number: the next place of those not in use */
    size_t n_operations, n_deletions;
    uint64_t change;
} outcome;

#define NO_PLACE UINT32_MAX

struct repair_memo {
    size_t n, n_words; /* n_words: of a set of nodes; a trail is two of them */
    repair_list *lists;
    outcome *outcomes; /* by place */
    uint64_t *trails;
    size_t n_outcomes, capacity, trail_capacity;
    uint32_t unused; /* the first place of those not in use */
};

void repair_memo_destroy(repair_memo *o) {
    if (!o)
        return;
    for (size_t x = 0; o->lists && x < o->n; x++)
        free(o->lists[x].stars);
    free(o->lists);
    free(o->outcomes);
    free(o->trails);
    free(o);
}

AUTO_PTR_OF(repair_memo, repair_memo_destroy)

status repair_memo_create(size_t n, size_t n_words, repair_memo **out, error_info *err) {
    AUTO_PTR(repair_memo_destroy) repair_memo *o = NULL;
    CHECK_ALLOC(o = calloc(1, sizeof *o));
    o->n = n;
    o->n_words = n_words;
    o->unused = NO_PLACE;
    CHECK_ALLOC(o->lists = calloc(n + 1, sizeof *o->lists));
    *out = TAKE(o);
    return STATUS_OK;
}

static void empty_list(repair_list *list) {
    list->is_known = false;
    list->n = 0;
}

void repair_memo_forget_all(repair_memo *o) {
    for (size_t x = 0; x < o->n; x++)
        empty_list(&o->lists[x]);
    o->n_outcomes = 0;
    o->unused = NO_PLACE;
}

static uint64_t *trail_at(const repair_memo *o, size_t place) {
    return o->trails + 2 * o->n_words * place;
}

static bool is_reached(const repair_memo *o, const uint64_t *heads, const ancestry *above, size_t node) {
    for (size_t w = 0; w < o->n_words; w++) {
        for (uint64_t rest = heads[w]; rest; rest &= rest - 1) {
            if (ancestry_reaches(above, 64 * w + (size_t)__builtin_ctzll(rest), node))
                return true;
        }
    }
    return false;
}

static bool has_read(const repair_memo *o, size_t place, size_t node) {
    return trail_at(o, place)[node / 64] >> node % 64 & 1;
}

/* A later path to a node that was read may come by what is above it now. */
static bool read_above(const repair_memo *o, size_t place, const ancestry *above, size_t node) {
    const uint64_t *row = ancestry_row(above, node);
    uint64_t *read = trail_at(o, place);
    for (size_t w = 0; row && w < ancestry_row_words(above); w++)
        read[w] |= row[w];
    return row != NULL;
}

static void forget(repair_memo *o, repair_star *star) {
    if (star->place == NO_PLACE)
        return;
    o->outcomes[star->place] = (outcome){.number = o->unused};
    o->unused = star->place;
    star->place = NO_PLACE;
    star->gain = (double)NAN;
}

void repair_memo_forget_around(repair_memo *o, const ancestry *above, size_t node) {
    for (size_t i = 0; i < o->n_outcomes; i++) {
        const outcome *e = &o->outcomes[i];
        if (!e->is_valid || !has_read(o, i, node))
            continue;
        if (is_reached(o, trail_at(o, i) + o->n_words, above, node) || !read_above(o, i, above, node))
            forget(o, &o->lists[e->head].stars[e->number]);
    }
}

void repair_memo_forget_head(repair_memo *o, size_t node) {
    repair_list *list = &o->lists[node];
    for (size_t i = 0; i < list->n; i++)
        forget(o, &list->stars[i]);
    empty_list(list);
}

repair_list *repair_memo_list(repair_memo *o, size_t node) {
    return &o->lists[node];
}

status repair_list_add(repair_list *list, size_t from, size_t exchanged, double first, error_info *err) {
    repair_star star = {.from = (uint32_t)from,
                        .exchanged = exchanged == SGS_NONE ? SGS_NO_PARENT : (uint32_t)exchanged,
                        .place = NO_PLACE,
                        .first = first,
                        .gain = (double)NAN};
    return ARRAY_PUSH(list->stars, list->n, list->capacity, err, star);
}

void repair_memo_recall(const repair_memo *o, size_t i, sgs_move *m) {
    const repair_star *star = &o->lists[m->to].stars[i];
    const outcome *e = &o->outcomes[star->place];
    m->gain = star->gain;
    m->n_operations = e->n_operations;
    m->n_deletions = e->n_deletions;
    m->change = e->change;
}

/* A place for an outcome. */
static status take_place(repair_memo *o, uint32_t *out, error_info *err) {
    if (o->unused != NO_PLACE) {
        *out = o->unused;
        o->unused = o->outcomes[*out].number;
        return STATUS_OK;
    }
    if (o->n_outcomes == NO_PLACE)
        return error_out_of_memory(err);
    CHECK(ARRAY_RESERVE(o->trails, o->trail_capacity, (o->n_outcomes + 1) * 2 * o->n_words, err));
    CHECK(ARRAY_ROOM(o->outcomes, o->n_outcomes, o->capacity, err));
    *out = (uint32_t)o->n_outcomes++;
    return STATUS_OK;
}

status repair_memo_keep(repair_memo *o, size_t i, const sgs_move *m, const uint64_t *trail, error_info *err) {
    repair_star *star = &o->lists[m->to].stars[i];
    if (star->place == NO_PLACE)
        CHECK(take_place(o, &star->place, err));
    star->gain = m->gain;
    memcpy(trail_at(o, star->place), trail, 2 * o->n_words * sizeof *trail);
    o->outcomes[star->place] = (outcome){.is_valid = true,
                                         .head = (uint32_t)m->to,
                                         .number = (uint32_t)i,
                                         .n_operations = m->n_operations,
                                         .n_deletions = m->n_deletions,
                                         .change = m->change};
    return STATUS_OK;
}
