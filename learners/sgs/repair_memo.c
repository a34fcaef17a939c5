/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcomes of repairs, of the last step and of this one. An entry of the last step is valid as long as no node that the
 * repair read, and that a head of its arcs reaches, has got other parents: only such a node lies on paths that close a
 * cycle. What a step recalls or keeps is there for the next, and the rest is forgotten.
 */
#include "learners/sgs/repair_memo_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    sgs_move move;
    bool is_valid;
} outcome;

/*
 * Of one step: entries, their trails, and where they are by hash (their number, and one more). The
 * table is emptied at every step, which is why its slots are smaller than those of core/base/hash.
 */
typedef struct {
    size_t n, capacity, n_slots; /* n_slots: a power of two */
    outcome *entries;
    uint64_t *trails;
    uint32_t *slots;
} step;

struct repair_memo {
    size_t n_words; /* of a set of nodes; a trail is two of them */
    step last, now;
};

static void step_clear(step *s) {
    free(s->entries);
    free(s->trails);
    free(s->slots);
    *s = (step){0};
}

void repair_memo_destroy(repair_memo *o) {
    if (!o)
        return;
    step_clear(&o->last);
    step_clear(&o->now);
    free(o);
}

status repair_memo_create(size_t n_words, repair_memo **out, error_info *err) {
    CHECK_ALLOC(*out = calloc(1, sizeof **out));
    (*out)->n_words = n_words;
    return STATUS_OK;
}

static void step_empty(step *s) {
    s->n = 0;
    if (s->slots)
        memset(s->slots, 0, s->n_slots * sizeof *s->slots);
}

void repair_memo_forget_all(repair_memo *o) {
    step_empty(&o->last);
    step_empty(&o->now);
}

static uint64_t *trail_of(const repair_memo *o, const step *s, size_t entry) {
    return s->trails + 2 * o->n_words * entry;
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

static bool has_read(const repair_memo *o, size_t entry, size_t node) {
    return trail_of(o, &o->now, entry)[node / 64] >> node % 64 & 1;
}

/* A later path to a node that was read may come by what is above it now. */
static bool read_above(const repair_memo *o, size_t entry, const ancestry *above, size_t node) {
    const uint64_t *row = ancestry_row(above, node);
    uint64_t *read = trail_of(o, &o->now, entry);
    for (size_t w = 0; row && w < ancestry_row_words(above); w++)
        read[w] |= row[w];
    return row != NULL;
}

void repair_memo_forget_around(repair_memo *o, const ancestry *above, size_t node) {
    for (size_t i = 0; i < o->now.n; i++) {
        outcome *e = &o->now.entries[i];
        if (e->is_valid && has_read(o, i, node))
            e->is_valid =
                !is_reached(o, trail_of(o, &o->now, i) + o->n_words, above, node) && read_above(o, i, above, node);
    }
}

static status step_reserve(step *s, size_t n, size_t n_words, error_info *err) {
    size_t n_slots = 64;
    if (n <= s->capacity)
        return STATUS_OK;
    while (n_slots < 2 * n)
        n_slots *= 2;
    step_clear(s);
    CHECK_ALLOC(s->entries = calloc(n_slots / 2, sizeof *s->entries));
    CHECK_ALLOC(s->trails = calloc(n_slots / 2 * 2 * n_words, sizeof *s->trails));
    CHECK_ALLOC(s->slots = calloc(n_slots, sizeof *s->slots));
    s->n_slots = n_slots;
    s->capacity = n_slots / 2;
    return STATUS_OK;
}

status repair_memo_begin_step(repair_memo *o, size_t n_moves, error_info *err) {
    step former = o->last;
    o->last = o->now;
    o->now = former;
    step_empty(&o->now);
    return n_moves > UINT32_MAX / 4 ? error_out_of_memory(err) : step_reserve(&o->now, n_moves, o->n_words, err);
}

static bool is_same_move(const sgs_move *a, const sgs_move *b) {
    return a->from == b->from && a->to == b->to && a->exchanged == b->exchanged;
}

/* The slot of the move, or the free one where it would go. */
static size_t find_slot(const step *s, const sgs_move *m) {
    uint64_t hash =
        (m->from * 0x9e3779b97f4a7c15u) ^ (m->to * 0xc2b2ae3d27d4eb4fu) ^ (m->exchanged * 0x165667b19e3779f9u);
    size_t slot = (hash ^ hash >> 32) & (s->n_slots - 1);
    while (s->slots[slot] && !is_same_move(&s->entries[s->slots[slot] - 1].move, m))
        slot = (slot + 1) & (s->n_slots - 1);
    return slot;
}

/* The entry of the last step, and one; 0 where there is none that holds. */
static size_t find_entry(const repair_memo *o, const sgs_move *m) {
    size_t place = o->last.n ? o->last.slots[find_slot(&o->last, m)] : 0;
    return place > 0 && o->last.entries[place - 1].is_valid ? place : 0;
}

bool repair_memo_recall(repair_memo *o, sgs_move *m) {
    size_t place = find_entry(o, m);
    if (place == 0)
        return false;
    *m = o->last.entries[place - 1].move;
    repair_memo_keep(o, m, trail_of(o, &o->last, place - 1));
    return true;
}

void repair_memo_keep(repair_memo *o, const sgs_move *m, const uint64_t *trail) {
    step *s = &o->now;
    s->slots[find_slot(s, m)] = (uint32_t)s->n + 1;
    memcpy(s->trails + 2 * o->n_words * s->n, trail, 2 * o->n_words * sizeof *trail);
    s->entries[s->n++] = (outcome){*m, true};
}
