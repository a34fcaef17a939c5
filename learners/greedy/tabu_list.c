/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last structures of a search (Friedman, Nachman, Pe'er 1999, UAI). A structure is its arcs in ascending order, and
 * a hash that is the exclusive or of a word an arc (Zobrist 1970): whether a change of the newest leads back to one is
 * asked of the hashes first, and then of the arcs, so no two structures are confused.
 */
#include "learners/greedy/tabu_list_internal.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

/* A structure is its arcs, ascending; the hash is the exclusive or of the arcs' words (Zobrist 1970). */
typedef struct {
    uint64_t hash;
    size_t n_arcs, capacity;
    uint64_t *arcs; /* from << 32 | to, ascending */
} structure;

struct tabu_list {
    structure *ring;
    size_t length, used, next;
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
    for (size_t i = 0; t->ring && i < t->length; i++)
        free(t->ring[i].arcs);
    free(t->ring);
    free(t);
}

status tabu_list_create(size_t length, tabu_list **out, error_info *err) {
    AUTO_PTR(tabu_list_destroy) tabu_list *t = NULL;
    CHECK_ALLOC(t = calloc(1, sizeof *t));
    t->length = length;
    CHECK_ALLOC(t->ring = calloc(length, sizeof *t->ring));
    *out = TAKE(t);
    return STATUS_OK;
}

/* The change that a move makes. */
typedef struct {
    bool drops, adds;
    uint64_t drop, add; /* arcs */
} arc_change;

static arc_change change_of(const arc_move *m) {
    uint64_t arc = arc_code(m->from, m->to);
    switch (m->kind) {
    case ARC_ADD:
        return (arc_change){.adds = true, .add = arc};
    case ARC_DELETE:
        return (arc_change){.drops = true, .drop = arc};
    case ARC_REVERSE:
        break;
    }
    return (arc_change){true, true, arc, arc_code(m->to, m->from)};
}

static uint64_t hash_after(const structure *s, const arc_change *c) {
    return s->hash ^ (c->drops ? arc_word(c->drop) : 0) ^ (c->adds ? arc_word(c->add) : 0);
}

/* --- what is on the list --- */

/* The next structure of the ring is filled in: it is the newest now. */
static void advance(tabu_list *t) {
    t->last = t->next;
    t->next = (t->next + 1) % t->length;
    t->used += t->used < t->length;
}

status tabu_list_push(tabu_list *t, const dag *g, error_info *err) {
    structure *s = &t->ring[t->next];
    CHECK(ARRAY_RESERVE(s->arcs, s->capacity, dag_arc_count(g) + 1, err));
    s->hash = s->n_arcs = 0;
    for (size_t from = 0; from < dag_node_count(g); from++) {
        size_t n_children;
        const size_t *children = dag_children(g, from, &n_children);
        for (size_t i = 0; i < n_children; i++) {
            s->arcs[s->n_arcs] = arc_code(from, children[i]);
            s->hash ^= arc_word(s->arcs[s->n_arcs++]);
        }
    }
    advance(t);
    return STATUS_OK;
}

/* How many arcs come before this one. */
static size_t place_of(const structure *s, uint64_t arc) {
    size_t at;
    ARRAY_FIND_PLACE(at, s->n_arcs, s->arcs[at] < arc);
    return at;
}

/* There is room for one arc more. */
static void change_arcs(structure *s, const arc_change *c) {
    if (c->drops) {
        size_t at = place_of(s, c->drop);
        s->n_arcs--;
        memmove(s->arcs + at, s->arcs + at + 1, (s->n_arcs - at) * sizeof *s->arcs);
    }
    if (c->adds) {
        size_t at = place_of(s, c->add);
        memmove(s->arcs + at + 1, s->arcs + at, (s->n_arcs - at) * sizeof *s->arcs);
        s->arcs[at] = c->add;
        s->n_arcs++;
    }
}

status tabu_list_push_moved(tabu_list *t, const arc_move *m, error_info *err) {
    const structure *newest = &t->ring[t->last];
    structure *s = &t->ring[t->next];
    arc_change change = change_of(m);
    uint64_t hash = hash_after(newest, &change);
    CHECK(ARRAY_RESERVE(s->arcs, s->capacity, newest->n_arcs + 1, err));
    if (s != newest && newest->n_arcs > 0)
        memcpy(s->arcs, newest->arcs, newest->n_arcs * sizeof *s->arcs);
    s->n_arcs = newest->n_arcs;
    s->hash = hash;
    change_arcs(s, &change);
    advance(t);
    return STATUS_OK;
}

/* The changed structure's arcs one by one, ascending, against those of `other`. */
static bool is_changed_into(const structure *from, const arc_change *c, const structure *other) {
    size_t i = 0, j = 0;
    bool adds = c->adds;
    while (i < from->n_arcs || adds) {
        uint64_t arc;
        if (adds && (i == from->n_arcs || c->add < from->arcs[i])) {
            arc = c->add;
            adds = false;
        } else {
            arc = from->arcs[i++];
            if (c->drops && arc == c->drop)
                continue;
        }
        if (j == other->n_arcs || other->arcs[j++] != arc)
            return false;
    }
    return j == other->n_arcs;
}

bool tabu_list_has(const tabu_list *t, const arc_move *m) {
    const structure *now = &t->ring[t->last];
    arc_change change = change_of(m);
    uint64_t hash = hash_after(now, &change);
    for (size_t i = 0; i < t->used; i++) {
        if (t->ring[i].hash == hash && is_changed_into(now, &change, &t->ring[i]))
            return true;
    }
    return false;
}
