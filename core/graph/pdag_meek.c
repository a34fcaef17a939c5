/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meek 1995, Causal inference and causal explanation with background knowledge, UAI, pp. 403-410: rules R1 to R4. */
#include "core/graph/equivalence.h"
#include "core/graph/index_list.h"

#include <stdlib.h>

typedef struct {
    size_t from, to;
} arrow;

/*
 * The nodes whose undirected edges are looked at in this round, and what the round found. The parents of each node are
 * kept apart: every rule starts from some, and a hub may have half a million edges that are none.
 */
typedef struct {
    pdag *g;
    const pdag_doubts *doubts; /* NULL: none */
    index_list *parents;
    size_t *active, n_active;
    unsigned char *is_active;
    arrow *found;
    size_t n_found;
} closure;

static void closure_clear(closure *c) {
    for (size_t i = 0; c->parents && i < pdag_node_count(c->g); i++)
        index_list_clear(&c->parents[i]);
    free(c->parents);
    free(c->active);
    free(c->is_active);
    free(c->found);
}

static bool is_undirected(const closure *c, size_t a, size_t b) {
    return pdag_edge_between(c->g, a, b) == EDGE_UNDIRECTED;
}

static bool points_to(const closure *c, size_t a, size_t b) {
    return pdag_edge_between(c->g, a, b) == EDGE_OUT;
}

static bool is_adjacent(const closure *c, size_t a, size_t b) {
    return pdag_edge_between(c->g, a, b) != EDGE_NONE;
}

/* x and y are not adjacent, and z is certain to be no v-structure between them. */
static bool is_certain_chain(const closure *c, size_t x, size_t z, size_t y) {
    return !is_adjacent(c, x, y) && !(c->doubts && c->doubts->is_doubtful(c->doubts->self, x, z, y));
}

/* R1: p -> a, a - b, p and b not adjacent. Else p -> a <- b would be a new v-structure. */
static bool rule_1(const closure *c, size_t a, size_t b) {
    for (size_t k = 0; k < c->parents[a].count; k++) {
        if (is_certain_chain(c, c->parents[a].items[k], a, b))
            return true;
    }
    return false;
}

/* R2: a -> p -> b, a - b. Else a cycle. */
static bool rule_2(const closure *c, size_t a, size_t b) {
    for (size_t k = 0; k < c->parents[b].count; k++) {
        if (points_to(c, a, c->parents[b].items[k]))
            return true;
    }
    return false;
}

/* R3: a - b, a - p -> b, a - q -> b, p and q not adjacent. Else a cycle or a new v-structure. */
static bool rule_3(const closure *c, size_t a, size_t b) {
    const index_list *parents = &c->parents[b];
    for (size_t k = 0; k < parents->count; k++) {
        size_t p = parents->items[k];
        if (!is_undirected(c, a, p))
            continue;
        for (size_t l = k + 1; l < parents->count; l++) {
            size_t q = parents->items[l];
            if (is_undirected(c, a, q) && is_certain_chain(c, p, a, q))
                return true;
        }
    }
    return false;
}

/* R4: a - b, a - p -> b, a - q -> p, b and q not adjacent. Needs arrows that were known beforehand. */
static bool rule_4(const closure *c, size_t a, size_t b) {
    for (size_t k = 0; k < c->parents[b].count; k++) {
        size_t p = c->parents[b].items[k];
        if (!is_undirected(c, a, p))
            continue;
        for (size_t l = 0; l < c->parents[p].count; l++) {
            size_t q = c->parents[p].items[l];
            if (is_undirected(c, a, q) && is_certain_chain(c, b, a, q))
                return true;
        }
    }
    return false;
}

/* Do the rules say a -> b? */
static bool is_forced(const closure *c, size_t a, size_t b) {
    return rule_1(c, a, b) || rule_2(c, a, b) || rule_3(c, a, b) || rule_4(c, a, b);
}

static status add_parent(closure *c, size_t parent, size_t node, error_info *err) {
    index_list *list = &c->parents[node];
    bool found;
    CHECK(index_list_reserve(list, list->count + 1, err));
    index_list_insert(list, index_list_find(list, parent, &found), parent);
    return STATUS_OK;
}

static status list_parents(closure *c, error_info *err) {
    for (size_t i = 0; i < pdag_node_count(c->g); i++) {
        size_t count;
        const pdag_edge *edges = pdag_edges(c->g, i, &count);
        for (size_t k = 0; k < count; k++) {
            if (edges[k].kind == EDGE_IN)
                CHECK(add_parent(c, edges[k].node, i, err));
        }
    }
    return STATUS_OK;
}

static void activate(closure *c, size_t node) {
    if (c->is_active[node])
        return;
    c->is_active[node] = 1;
    c->active[c->n_active++] = node;
}

/* An edge between two active nodes is looked at from the lower one. */
static void look_at(closure *c, size_t a) {
    size_t count;
    const pdag_edge *edges = pdag_edges(c->g, a, &count);
    for (size_t k = 0; k < count; k++) {
        size_t b = edges[k].node;
        if (edges[k].kind != EDGE_UNDIRECTED || (b < a && c->is_active[b]))
            continue;
        bool there = is_forced(c, a, b), back = is_forced(c, b, a);
        if (there != back)
            c->found[c->n_found++] = there ? (arrow){a, b} : (arrow){b, a};
    }
}

/* The rules that a new arrow can complete are about edges at its ends and at the nodes adjacent to both. */
static void activate_around(closure *c, arrow new_arrow) {
    size_t count;
    const pdag_edge *edges = pdag_edges(c->g, new_arrow.from, &count);
    activate(c, new_arrow.from);
    activate(c, new_arrow.to);
    for (size_t k = 0; k < count; k++) {
        if (is_adjacent(c, edges[k].node, new_arrow.to))
            activate(c, edges[k].node);
    }
}

static status apply_round(closure *c, error_info *err) {
    c->n_found = 0;
    for (size_t k = 0; k < c->n_active; k++)
        look_at(c, c->active[k]);
    for (size_t k = 0; k < c->n_active; k++)
        c->is_active[c->active[k]] = 0;
    c->n_active = 0;
    for (size_t k = 0; k < c->n_found; k++) {
        arrow new_arrow = c->found[k];
        CHECK(pdag_set_edge(c->g, new_arrow.from, new_arrow.to, EDGE_OUT, err));
        CHECK(add_parent(c, new_arrow.from, new_arrow.to, err));
        activate_around(c, new_arrow);
    }
    return STATUS_OK;
}

status pdag_close_meek(pdag *g, error_info *err) {
    return pdag_close_meek_with_doubts(g, NULL, err);
}

status pdag_close_meek_with_doubts(pdag *g, const pdag_doubts *doubts, error_info *err) {
    size_t n = pdag_node_count(g);
    AUTO(closure_clear) closure c = {.g = g, .doubts = doubts};

    CHECK_ALLOC(c.active = calloc(n + 1, sizeof *c.active));
    CHECK_ALLOC(c.is_active = calloc(n + 1, sizeof *c.is_active));
    CHECK_ALLOC(c.found = calloc(pdag_edge_count(g) - pdag_directed_count(g) + 1, sizeof *c.found));
    CHECK_ALLOC(c.parents = calloc(n + 1, sizeof *c.parents));
    CHECK(list_parents(&c, err));
    for (size_t i = 0; i < n; i++)
        activate(&c, i);
    while (c.n_active > 0)
        CHECK(apply_round(&c, err));
    return STATUS_OK;
}
