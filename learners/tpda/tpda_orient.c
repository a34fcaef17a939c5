/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * OrientEdges of TPDA: Cheng, Greiner, Kelly, Bell, Liu 2002: colliders by the cuts of pairs that are not adjacent,
 * then every edge that would make another collider or a directed cycle is turned away from it, until nothing changes.
 * An edge that has a direction keeps it.
 */
#include "learners/tpda/tpda_internal.h"

#include <stdlib.h>

typedef struct {
    pdag *g;
    const tpda_pair *pairs;
    size_t n_pairs, n;
    size_t *stack, *seen_at, search; /* of directed paths: seen in the search of that number */
    bool has_changed;
} orienter;

int tpda_pair_compare(const void *p, const void *q) {
    const tpda_pair *a = p, *b = q;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

static const tpda_pair *find_pair(const orienter *o, size_t x, size_t y) {
    tpda_pair wanted = {.x = x, .y = y};
    return o->n_pairs ? bsearch(&wanted, o->pairs, o->n_pairs, sizeof wanted, tpda_pair_compare) : NULL;
}

/* x < y are not adjacent. What nothing separated (the search was cut short) says nothing. */
static bool is_collider(const orienter *o, size_t x, size_t z, size_t y) {
    const tpda_pair *pair = find_pair(o, x, y);
    if (pair && !pair->is_separated)
        return false;
    for (size_t i = 0; pair && i < pair->n_cut; i++) {
        if (pair->cut[i] == z)
            return false;
    }
    return true;
}

static status orient(orienter *o, size_t from, size_t to, error_info *err) {
    if (pdag_edge_between(o->g, from, to) != EDGE_UNDIRECTED)
        return STATUS_OK;
    CHECK(pdag_set_edge(o->g, from, to, EDGE_OUT, err));
    o->has_changed = true;
    return STATUS_OK;
}

static status orient_colliders_at(orienter *o, size_t z, error_info *err) {
    size_t degree;
    const pdag_edge *edges = pdag_edges(o->g, z, &degree);
    for (size_t i = 0; i < degree; i++) {
        for (size_t j = i + 1; j < degree; j++) {
            size_t x = edges[i].node, y = edges[j].node;
            if (pdag_edge_between(o->g, x, y) != EDGE_NONE || !is_collider(o, x, z, y))
                continue;
            CHECK(orient(o, x, z, err));
            CHECK(orient(o, y, z, err));
            edges = pdag_edges(o->g, z, &degree);
        }
    }
    return STATUS_OK;
}

/* a -> b, b - c, a and c not adjacent: b -> c, else it would be one more collider. */
static status orient_away_from(orienter *o, size_t b, error_info *err) {
    size_t degree;
    const pdag_edge *edges = pdag_edges(o->g, b, &degree);
    for (size_t i = 0; i < degree; i++) {
        for (size_t j = 0; edges[i].kind == EDGE_IN && j < degree; j++) {
            if (edges[j].kind != EDGE_UNDIRECTED || pdag_edge_between(o->g, edges[i].node, edges[j].node) != EDGE_NONE)
                continue;
            CHECK(orient(o, b, edges[j].node, err));
            edges = pdag_edges(o->g, b, &degree);
        }
    }
    return STATUS_OK;
}

static bool has_directed_path(orienter *o, size_t from, size_t to) {
    size_t depth = 0;
    o->search++;
    o->stack[depth++] = from;
    o->seen_at[from] = o->search;
    while (depth > 0) {
        size_t node = o->stack[--depth], n_edges;
        const pdag_edge *edges = pdag_edges(o->g, node, &n_edges);
        if (node == to)
            return true;
        for (size_t i = 0; i < n_edges; i++) {
            if (edges[i].kind == EDGE_OUT && o->seen_at[edges[i].node] != o->search) {
                o->seen_at[edges[i].node] = o->search;
                o->stack[depth++] = edges[i].node;
            }
        }
    }
    return false;
}

/* a - b with a directed path from a to b: a -> b, else there would be a cycle. */
static status orient_along_paths(orienter *o, size_t a, error_info *err) {
    size_t degree;
    const pdag_edge *edges = pdag_edges(o->g, a, &degree);
    for (size_t i = 0; i < degree; i++) {
        if (edges[i].kind != EDGE_UNDIRECTED || !has_directed_path(o, a, edges[i].node))
            continue;
        CHECK(orient(o, a, edges[i].node, err));
        edges = pdag_edges(o->g, a, &degree);
    }
    return STATUS_OK;
}

status tpda_orient(pdag *g, const tpda_pair *pairs, size_t n_pairs, error_info *err) {
    size_t n = pdag_node_count(g);
    AUTO_FREE size_t *stack = calloc(n + 1, sizeof *stack), *seen_at = calloc(n + 1, sizeof *seen_at);
    orienter o = {g, pairs, n_pairs, n, stack, seen_at, .has_changed = true};
    CHECK_ALLOC(stack);
    CHECK_ALLOC(seen_at);
    for (size_t z = 0; z < o.n; z++)
        CHECK(orient_colliders_at(&o, z, err));
    while (o.has_changed) {
        o.has_changed = false;
        for (size_t v = 0; v < o.n; v++)
            CHECK(orient_away_from(&o, v, err));
        for (size_t v = 0; v < o.n; v++)
            CHECK(orient_along_paths(&o, v, err));
    }
    return STATUS_OK;
}
