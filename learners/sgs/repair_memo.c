/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcomes of repairs, of the last step and of this one. An entry of the last step is valid as long as no node that the
 * repair looked at has got other parents; what a step recalls or keeps is there for the next, and the rest is
 * forgotten.
 */
#include "learners/sgs/repair_memo_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    sgs_move move;
    bool is_valid;
} outcome;

/*
 * Of one step: entries, the sets of nodes that they met, and where they are by hash (their number, and one more). The
 * table is emptied at every step, which is why its slots are smaller than those of core/base/hash.
 */
typedef struct {
    size_t n, capacity, n_slots; /* n_slots: a power of two */
    outcome *entries;
    uint64_t *met;
    uint32_t *slots;
} step;

struct repair_memo {
    size_t n_words;
    step last, now;
};

static void step_clear(step *s) {
    free(s->entries);
    free(s->met);
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

status repair_memo_create(size_t n, repair_memo **out, error_info *err) {
    CHECK_ALLOC(*out = calloc(1, sizeof **out));
    (*out)->n_words = (n + 63) / 64;
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

static bool has_met(const repair_memo *o, size_t entry, size_t node) {
    return o->now.met[entry * o->n_words + node / 64] >> node % 64 & 1;
}

void repair_memo_forget_around(repair_memo *o, const ancestry *above, size_t node) {
    for (size_t i = 0; i < o->now.n; i++) {
        outcome *e = &o->now.entries[i];
        if (e->is_valid && (has_met(o, i, node) ||
                            (ancestry_reaches(above, e->move.to, node) && ancestry_reaches(above, node, e->move.from))))
            e->is_valid = false;
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
    CHECK_ALLOC(s->met = calloc(n_slots / 2 * n_words, sizeof *s->met));
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

bool repair_memo_knows(const repair_memo *o, const sgs_move *m) {
    return find_entry(o, m) > 0;
}

bool repair_memo_recall(repair_memo *o, sgs_move *m) {
    size_t place = find_entry(o, m);
    if (place == 0)
        return false;
    *m = o->last.entries[place - 1].move;
    repair_memo_keep(o, m, o->last.met + (place - 1) * o->n_words);
    return true;
}

void repair_memo_keep(repair_memo *o, const sgs_move *m, const uint64_t *met) {
    step *s = &o->now;
    s->slots[find_slot(s, m)] = (uint32_t)s->n + 1;
    memcpy(s->met + s->n * o->n_words, met, o->n_words * sizeof *met);
    s->entries[s->n++] = (outcome){*m, true};
}
