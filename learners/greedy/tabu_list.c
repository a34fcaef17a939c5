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

status tabu_list_push(tabu_list *t, const dag *g, error_info *err) {
    structure *s = &t->ring[t->next];
    uint64_t *arcs;
    CHECK(ARRAY_RESERVE(s->arcs, s->capacity, dag_arc_count(g) + 1, err));
    arcs = s->arcs;
    s->hash = s->n_arcs = 0;
    for (size_t from = 0; from < dag_node_count(g); from++) {
        size_t n_children;
        const size_t *children = dag_children(g, from, &n_children);
        for (size_t i = 0; i < n_children; i++) {
            arcs[s->n_arcs] = arc_code(from, children[i]);
            s->hash ^= arc_word(arcs[s->n_arcs++]);
        }
    }
    t->last = t->next;
    t->next = (t->next + 1) % t->length;
    t->used += t->used < t->length;
    return STATUS_OK;
}

/* The changed structure's arcs one by one, ascending, against those of `other`. */
static bool is_changed_into(const structure *from, uint64_t drop, uint64_t add, bool drops, bool adds,
                            const structure *other) {
    size_t i = 0, j = 0;
    while (i < from->n_arcs || adds) {
        uint64_t arc;
        if (adds && (i == from->n_arcs || add < from->arcs[i])) {
            arc = add;
            adds = false;
        } else {
            arc = from->arcs[i++];
            if (drops && arc == drop)
                continue;
        }
        if (j == other->n_arcs || other->arcs[j++] != arc)
            return false;
    }
    return j == other->n_arcs;
}

bool tabu_list_has(const tabu_list *t, const arc_change *change) {
    const structure *now = &t->ring[t->last];
    bool drops = change->drop_from != change->drop_to, adds = change->add_from != change->add_to;
    uint64_t drop = arc_code(change->drop_from, change->drop_to), add = arc_code(change->add_from, change->add_to);
    uint64_t hash = now->hash ^ (drops ? arc_word(drop) : 0) ^ (adds ? arc_word(add) : 0);
    for (size_t i = 0; i < t->used; i++) {
        if (t->ring[i].hash == hash && is_changed_into(now, drop, add, drops, adds, &t->ring[i]))
            return true;
    }
    return false;
}
