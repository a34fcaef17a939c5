/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last structures of a search (Friedman, Nachman, Pe'er 1999, UAI). What is kept of each is the change that made it
 * of the one before, and a hash: the exclusive or of a word for each arc in which it differs from the first (Zobrist
 * 1970). Whether a change of the newest leads back to one is asked of the hashes first, and then of the changes since,
 * so no two structures are confused.
 */
#include "learners/greedy/tabu_list_internal.h"

#include <stdlib.h>

/* The arcs that are there afterwards and were not before, or the other way round. */
typedef struct {
    size_t n;
    uint64_t arcs[2]; /* from << 32 | to */
} arc_change;

/* A ring: in place i, a structure's hash and the change that made it. */
struct tabu_list {
    uint64_t *hashes;
    arc_change *changes;
    size_t length, used;
    size_t last; /* the newest */
};

static uint64_t arc_code(size_t from, size_t to) {
    return (uint64_t)from << 32 | (uint64_t)to;
}

static uint64_t arc_word(uint64_t code) {
    code = (code ^ (code >> 30)) * 0xBF58476D1CE4E5B9u + 0x9E3779B97F4A7C15u;
    code = (code ^ (code >> 27)) * 0x94D049BB133111EBu;
    return code ^ (code >> 31);
}

void tabu_list_destroy(tabu_list *t) {
    if (!t)
        return;
    free(t->hashes);
    free(t->changes);
    free(t);
}

status tabu_list_create(size_t length, tabu_list **out, error_info *err) {
    AUTO_PTR(tabu_list_destroy) tabu_list *t = NULL;
    CHECK_ALLOC(t = calloc(1, sizeof *t));
    t->length = length;
    t->used = 1;
    CHECK_ALLOC(t->hashes = calloc(length, sizeof *t->hashes));
    CHECK_ALLOC(t->changes = calloc(length, sizeof *t->changes));
    *out = TAKE(t);
    return STATUS_OK;
}

static arc_change change_of(const arc_move *m) {
    uint64_t arc = arc_code(m->from, m->to);
    if (m->kind == ARC_REVERSE)
        return (arc_change){2, {arc, arc_code(m->to, m->from)}};
    return (arc_change){1, {arc, 0}};
}

static uint64_t hash_after(const tabu_list *t, const arc_change *c) {
    uint64_t hash = t->hashes[t->last];
    for (size_t i = 0; i < c->n; i++)
        hash ^= arc_word(c->arcs[i]);
    return hash;
}

void tabu_list_push(tabu_list *t, const arc_move *m) {
    arc_change change = change_of(m);
    uint64_t hash = hash_after(t, &change);
    t->last = (t->last + 1) % t->length;
    t->used += t->used < t->length;
    t->hashes[t->last] = hash;
    t->changes[t->last] = change;
}

/* --- what is on the list --- */

static size_t before(const tabu_list *t, size_t place) {
    return (place > 0 ? place : t->length) - 1;
}

static bool has_arc(const arc_change *c, uint64_t arc) {
    return (c->n > 0 && c->arcs[0] == arc) || (c->n > 1 && c->arcs[1] == arc);
}

/* Do the changes since a place, and then this one, undo each other in the arc? */
static bool is_undone(const tabu_list *t, size_t since, const arc_change *c, uint64_t arc) {
    bool is_changed = has_arc(c, arc);
    for (size_t i = t->last; i != since; i = before(t, i))
        is_changed ^= has_arc(&t->changes[i], arc);
    return !is_changed;
}

static bool are_undone(const tabu_list *t, size_t since, const arc_change *c, const arc_change *of) {
    for (size_t i = 0; i < of->n; i++) {
        if (!is_undone(t, since, c, of->arcs[i]))
            return false;
    }
    return true;
}

static bool leads_to(const tabu_list *t, const arc_change *c, size_t place) {
    if (!are_undone(t, place, c, c))
        return false;
    for (size_t i = t->last; i != place; i = before(t, i)) {
        if (!are_undone(t, place, c, &t->changes[i]))
            return false;
    }
    return true;
}

bool tabu_list_has(const tabu_list *t, const arc_move *m) {
    arc_change change = change_of(m);
    uint64_t hash = hash_after(t, &change);
    for (size_t i = 0; i < t->used; i++) {
        if (t->hashes[i] == hash && leads_to(t, &change, i))
            return true;
    }
    return false;
}
