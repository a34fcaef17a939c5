/* SPDX-License-Identifier: GPL-3.0-or-later */
/* d-separation as reachability: Koller and Friedman 2009, Probabilistic Graphical Models, algorithm 3.1. */
#include "core/graph/dag_internal.h"

#include <stdlib.h>

enum { GIVEN = 1, LEADS_TO_GIVEN = 2, CAME_UP = 4, CAME_DOWN = 8 }; /* facts of a node, as bits */

/* A trail that arrives at a node came up from a child or down from a parent. */
typedef struct {
    size_t node;
    int came;
} arrival;

typedef struct {
    const dag *g;
    unsigned char *facts;
    arrival *stack; /* at most two arrivals a node */
    size_t n_stack;
} walk;

static void walk_clear(walk *w) {
    free(w->facts);
    free(w->stack);
}

static status check_query(const dag *g, size_t x, size_t y, const size_t *z, size_t n_z, error_info *err) {
    if (x >= g->n_nodes || y >= g->n_nodes)
        return error_set(err, STATUS_INVALID, "nodes %zu and %zu: there are only %zu nodes, from 0 on", x, y,
                         g->n_nodes);
    if (x == y)
        return error_set(err, STATUS_INVALID, "node %zu is asked to be separated from itself", x);
    for (size_t k = 0; k < n_z; k++) {
        if (z[k] >= g->n_nodes)
            return error_set(err, STATUS_INVALID, "given node %zu: there are only %zu nodes, from 0 on", z[k],
                             g->n_nodes);
        if (z[k] == x || z[k] == y)
            return error_set(err, STATUS_INVALID, "node %zu is both asked about and given", z[k]);
    }
    return STATUS_OK;
}

static void arrive(walk *w, size_t node, int came) {
    if (w->facts[node] & came)
        return;
    w->facts[node] = (unsigned char)(w->facts[node] | came);
    w->stack[w->n_stack++] = (arrival){node, came};
}

static void mark_ancestors(walk *w, const size_t *z, size_t n_z) {
    for (size_t k = 0; k < n_z; k++) {
        w->facts[z[k]] |= GIVEN;
        arrive(w, z[k], LEADS_TO_GIVEN);
    }
    while (w->n_stack > 0) {
        const index_list *up = &w->g->parents[w->stack[--w->n_stack].node];
        for (size_t k = 0; k < up->count; k++)
            arrive(w, up->items[k], LEADS_TO_GIVEN);
    }
}

static void arrive_at_all(walk *w, const index_list *nodes, int came) {
    for (size_t k = 0; k < nodes->count; k++)
        arrive(w, nodes->items[k], came);
}

/* Where an active trail may go on: through a node that is not given, or up again from a collider that leads to one. */
static void go_on(walk *w, arrival at) {
    bool given = w->facts[at.node] & GIVEN;
    if (at.came == CAME_UP && !given) {
        arrive_at_all(w, &w->g->parents[at.node], CAME_UP);
        arrive_at_all(w, &w->g->children[at.node], CAME_DOWN);
    } else if (at.came == CAME_DOWN) {
        if (!given)
            arrive_at_all(w, &w->g->children[at.node], CAME_DOWN);
        if (w->facts[at.node] & LEADS_TO_GIVEN)
            arrive_at_all(w, &w->g->parents[at.node], CAME_UP);
    }
}

status dag_is_separated(const dag *g, size_t x, size_t y, const size_t *z, size_t n_z, bool *separated,
                        error_info *err) {
    AUTO(walk_clear) walk w = {.g = g};

    CHECK(check_query(g, x, y, z, n_z, err));
    CHECK_ALLOC(w.facts = calloc(g->n_nodes, sizeof *w.facts));
    CHECK_ALLOC(w.stack = calloc(g->n_nodes, 2 * sizeof *w.stack));
    mark_ancestors(&w, z, n_z);
    arrive(&w, x, CAME_UP);
    while (w.n_stack > 0 && !(w.facts[y] & (CAME_UP | CAME_DOWN)))
        go_on(&w, w.stack[--w.n_stack]);
    *separated = !(w.facts[y] & (CAME_UP | CAME_DOWN));
    return STATUS_OK;
}
