/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/pdag_cycles_internal.h"

#include <stdlib.h>

/* Tarjan's depth-first search with a stack of its own: a path of 500,000 nodes is too deep for recursion. */
typedef struct {
    const pdag *g;
    size_t *visit;     /* when a node was met, from 1; 0: not yet */
    size_t *low;       /* the earliest open visit that it leads to */
    size_t *next;      /* which of its edges is looked at next */
    size_t *path;      /* the nodes being explored, the deepest last */
    size_t *open;      /* met, component not closed yet */
    size_t *component; /* SIZE_MAX: still open or not met */
    size_t n_path, n_open, n_visits, n_components;
} search;

static status search_init(search *s, const pdag *g, size_t *component, error_info *err) {
    size_t n = pdag_node_count(g);

    *s = (search){.g = g, .component = component};
    CHECK_ALLOC(s->visit = calloc(n + 1, sizeof *s->visit));
    CHECK_ALLOC(s->low = calloc(n + 1, sizeof *s->low));
    CHECK_ALLOC(s->next = calloc(n + 1, sizeof *s->next));
    CHECK_ALLOC(s->path = calloc(n + 1, sizeof *s->path));
    CHECK_ALLOC(s->open = calloc(n + 1, sizeof *s->open));
    for (size_t i = 0; i < n; i++)
        component[i] = (size_t)-1;
    return STATUS_OK;
}

static void search_clear(search *s) {
    free(s->visit);
    free(s->low);
    free(s->next);
    free(s->path);
    free(s->open);
}

static void enter(search *s, size_t node) {
    s->visit[node] = s->low[node] = ++s->n_visits;
    s->path[s->n_path++] = node;
    s->open[s->n_open++] = node;
}

static void lower(size_t *low, size_t value) {
    if (value < *low)
        *low = value;
}

/* The node's edges are done: close its component if it is the root of one, and go back to its predecessor. */
static void leave(search *s, size_t node) {
    if (s->low[node] == s->visit[node]) {
        size_t closed;
        do {
            closed = s->open[--s->n_open];
            s->component[closed] = s->n_components;
        } while (closed != node);
        s->n_components++;
    }
    s->n_path--;
    if (s->n_path > 0)
        lower(&s->low[s->path[s->n_path - 1]], s->low[node]);
}

static void explore(search *s, size_t root) {
    enter(s, root);
    while (s->n_path > 0) {
        size_t node = s->path[s->n_path - 1], count;
        const pdag_edge *edges = pdag_edges(s->g, node, &count);
        if (s->next[node] == count) {
            leave(s, node);
            continue;
        }
        const pdag_edge *edge = &edges[s->next[node]++];
        if (edge->kind != EDGE_OUT)
            continue;
        if (s->visit[edge->node] == 0)
            enter(s, edge->node);
        else if (s->component[edge->node] == (size_t)-1)
            lower(&s->low[node], s->visit[edge->node]);
    }
}

status pdag_components(const pdag *g, size_t *component, error_info *err) {
    AUTO(search_clear) search s = {0};

    CHECK(search_init(&s, g, component, err));
    for (size_t i = 0; i < pdag_node_count(g); i++) {
        if (s.visit[i] == 0)
            explore(&s, i);
    }
    return STATUS_OK;
}
