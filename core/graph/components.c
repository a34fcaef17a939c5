/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/graph/components.h"

#include <stdbool.h>
#include <stdlib.h>

/* A depth-first search with a stack of its own: a path of 500,000 nodes is too deep for recursion. */
typedef struct {
    const void *graph;
    components_edge edge;
    size_t *visit; /* when a node was met, from 1; 0: not yet */
    size_t *low;   /* the earliest open visit that it leads to */
    size_t *next;  /* which of its edges is looked at next */
    size_t *path;  /* the nodes being explored, the deepest last */
    size_t *open;  /* met, component not closed yet */
    bool *is_open;
    size_t n_path, n_open, n_visits, n_closed;
    size_t *order, *ends, n_components;
} search;

static void search_clear(search *s) {
    free(s->visit);
    free(s->low);
    free(s->next);
    free(s->path);
    free(s->open);
    free(s->is_open);
}

static void enter(search *s, size_t node) {
    s->visit[node] = s->low[node] = ++s->n_visits;
    s->path[s->n_path++] = node;
    s->open[s->n_open++] = node;
    s->is_open[node] = true;
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
            s->is_open[closed] = false;
            s->order[s->n_closed++] = closed;
        } while (closed != node);
        s->ends[s->n_components++] = s->n_closed;
    }
    s->n_path--;
    if (s->n_path > 0)
        lower(&s->low[s->path[s->n_path - 1]], s->low[node]);
}

static void explore(search *s, size_t root) {
    enter(s, root);
    while (s->n_path > 0) {
        size_t node = s->path[s->n_path - 1], to = s->edge(s->graph, node, &s->next[node]);
        if (to == COMPONENTS_NO_EDGE)
            leave(s, node);
        else if (s->visit[to] == 0)
            enter(s, to);
        else if (s->is_open[to])
            lower(&s->low[node], s->visit[to]);
    }
}

status components_find(const void *graph, size_t n, components_edge edge, size_t *order, size_t *ends,
                       size_t *n_components, error_info *err) {
    AUTO(search_clear) search s = {.graph = graph, .edge = edge, .order = order, .ends = ends};
    CHECK_ALLOC(s.visit = calloc(n + 1, sizeof *s.visit));
    CHECK_ALLOC(s.low = calloc(n + 1, sizeof *s.low));
    CHECK_ALLOC(s.next = calloc(n + 1, sizeof *s.next));
    CHECK_ALLOC(s.path = calloc(n + 1, sizeof *s.path));
    CHECK_ALLOC(s.open = calloc(n + 1, sizeof *s.open));
    CHECK_ALLOC(s.is_open = calloc(n + 1, sizeof *s.is_open));
    for (size_t i = 0; i < n; i++) {
        if (s.visit[i] == 0)
            explore(&s, i);
    }
    *n_components = s.n_components;
    return STATUS_OK;
}
