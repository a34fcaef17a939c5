/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a skeleton to a partially directed graph: Spirtes, Glymour, Scheines 2000, Causation, Prediction, and Search,
 * section 5.4.2, and the rules of Meek 1995 (UAI). Every triple X - Z - Y with X and Y apart is looked at once, and X
 * -> Z <- Y is made of it where Z did not separate them. Edges turn, but none comes or goes.
 */
#include "learners/constraint/orientation.h"

#include "core/base/array.h"
#include "core/graph/equivalence.h"

#include <stdlib.h>

typedef struct {
    size_t from, to;
} arrow;

typedef struct {
    pdag *g;
    const separating_sets *sets;     /* or ... */
    const triple_verdicts *verdicts; /* ... if not NULL */
    conflict_rule rule;
    arrow *clashes; /* arrows against one that is there already */
    size_t n_clashes, capacity;
} orientation;

static status point(orientation *o, size_t from, size_t to, error_info *err) {
    edge_kind kind = pdag_edge_between(o->g, from, to);
    if (kind == EDGE_UNDIRECTED || (kind == EDGE_IN && o->rule == CONFLICTS_LAST))
        return pdag_set_edge(o->g, from, to, EDGE_OUT, err);
    if (kind == EDGE_IN && o->rule == CONFLICTS_BIDIRECTED)
        return ARRAY_PUSH(o->clashes, o->n_clashes, o->capacity, err, (arrow){from, to});
    return STATUS_OK;
}

/* X - Z - Y with X < Y not adjacent, and Z in no set that separates them, or by the verdict. */
static bool is_collider(const orientation *o, size_t x, size_t z, size_t y) {
    if (x >= y || pdag_edge_between(o->g, x, y) != EDGE_NONE)
        return false;
    if (o->verdicts)
        return triple_verdicts_get(o->verdicts, x, z, y) == TRIPLE_COLLIDER;
    return !separating_sets_has(o->sets, x, y, z);
}

static size_t degree(const orientation *o, size_t node) {
    size_t count;
    (void)pdag_edges(o->g, node, &count);
    return count;
}

static size_t neighbour(const orientation *o, size_t node, size_t i) {
    size_t count;
    return pdag_edges(o->g, node, &count)[i].node;
}

/* Those of which x is the lower end. Edges turn, but who is whose neighbour stays. */
static status orient_from(orientation *o, size_t x, error_info *err) {
    for (size_t i = 0; i < degree(o, x); i++) {
        size_t z = neighbour(o, x, i);
        for (size_t j = 0; j < degree(o, z); j++) {
            size_t y = neighbour(o, z, j);
            if (!is_collider(o, x, z, y))
                continue;
            CHECK(point(o, x, z, err));
            CHECK(point(o, y, z, err));
        }
    }
    return STATUS_OK;
}

static status orient_all(orientation *o, error_info *err) {
    status st = STATUS_OK;
    for (size_t x = 0; x < pdag_node_count(o->g); x++)
        TRY(orient_from(o, x, err));
    for (size_t i = 0; i < o->n_clashes; i++)
        TRY(pdag_set_edge(o->g, o->clashes[i].from, o->clashes[i].to, EDGE_UNDIRECTED, err));
cleanup:
    free(o->clashes);
    return st;
}

status orient_colliders(pdag *g, const separating_sets *sets, conflict_rule rule, error_info *err) {
    return orient_all(&(orientation){.g = g, .sets = sets, .rule = rule}, err);
}

status orient_skeleton(pdag *g, const separating_sets *sets, conflict_rule rule, error_info *err) {
    CHECK(orient_colliders(g, sets, rule, err));
    return pdag_close_meek(g, err);
}

static bool is_doubtful(const void *self, size_t x, size_t z, size_t y) {
    return triple_verdicts_get(self, x, z, y) == TRIPLE_UNKNOWN;
}

status orient_by_verdicts(pdag *g, const triple_verdicts *verdicts, conflict_rule rule, error_info *err) {
    const pdag_doubts doubts = {verdicts, is_doubtful};
    CHECK(orient_all(&(orientation){.g = g, .verdicts = verdicts, .rule = rule}, err));
    return pdag_close_meek_with_doubts(g, &doubts, err);
}
