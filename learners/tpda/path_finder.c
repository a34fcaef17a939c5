/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes between two nodes, by biconnected components: Hopcroft, Tarjan 1973, Comm. ACM 16. A depth-first walk from y,
 * as if over the edge x - y, keeps a stack of the nodes whose component is not complete; a subtree with no way past its
 * parent is taken off, and what is left at the end lies on a simple path from y to x.
 */
#include "learners/tpda/path_finder_internal.h"

#include <stdlib.h>

/* One step of the depth-first walk: a node, and which of its neighbours comes next. */
typedef struct {
    size_t node, next;
} frame;

struct path_finder {
    size_t n, n_seen, n_kept, depth, clock;
    size_t *entered; /* when the walk came to a node; 0: it has not */
    size_t *low;     /* the earliest entered that its subtree has an edge to */
    size_t *seen;    /* nodes to forget before the next call */
    size_t *kept;    /* stack of the nodes whose component is not complete */
    frame *frames;
    bool *is_between;
};

void path_finder_destroy(path_finder *f) {
    if (!f)
        return;
    free(f->entered);
    free(f->low);
    free(f->seen);
    free(f->kept);
    free(f->frames);
    free(f->is_between);
    free(f);
}

status path_finder_create(size_t n_nodes, path_finder **out, error_info *err) {
    AUTO_PTR(path_finder_destroy) path_finder *f = NULL;
    CHECK_ALLOC(f = calloc(1, sizeof *f));
    f->n = n_nodes;
    CHECK_ALLOC(f->entered = calloc(n_nodes + 1, sizeof *f->entered));
    CHECK_ALLOC(f->low = calloc(n_nodes + 1, sizeof *f->low));
    CHECK_ALLOC(f->seen = calloc(n_nodes + 1, sizeof *f->seen));
    CHECK_ALLOC(f->kept = calloc(n_nodes + 1, sizeof *f->kept));
    CHECK_ALLOC(f->frames = calloc(n_nodes + 1, sizeof *f->frames));
    CHECK_ALLOC(f->is_between = calloc(n_nodes + 1, sizeof *f->is_between));
    *out = TAKE(f);
    return STATUS_OK;
}

static void forget(path_finder *f) {
    for (size_t i = 0; i < f->n_seen; i++) {
        f->entered[f->seen[i]] = 0;
        f->is_between[f->seen[i]] = false;
    }
    f->n_seen = f->n_kept = f->depth = f->clock = 0;
}

static void enter(path_finder *f, size_t node) {
    f->entered[node] = f->low[node] = ++f->clock;
    f->seen[f->n_seen++] = node;
    f->kept[f->n_kept++] = node;
    f->frames[f->depth++] = (frame){node, 0};
}

/* Hands the node's low up; a subtree with no way past its parent is a component that x is not in. */
static void leave(path_finder *f) {
    size_t node = f->frames[--f->depth].node, parent;
    if (f->depth == 0)
        return;
    parent = f->frames[f->depth - 1].node;
    if (f->low[node] < f->low[parent])
        f->low[parent] = f->low[node];
    if (f->low[node] >= f->entered[parent]) {
        while (f->kept[--f->n_kept] != node) {
        }
    }
}

/* Walks from y, as if it had been reached by the edge x - y. */
static void walk(path_finder *f, const pdag *g, size_t x, size_t y) {
    f->entered[x] = ++f->clock;
    f->seen[f->n_seen++] = x;
    enter(f, y);
    while (f->depth > 0) {
        frame *top = &f->frames[f->depth - 1];
        size_t n_edges, from = top->node, to;
        const pdag_edge *edges = pdag_edges(g, from, &n_edges);
        size_t parent = f->depth > 1 ? f->frames[f->depth - 2].node : x;
        if (top->next == n_edges) {
            leave(f);
            continue;
        }
        to = edges[top->next++].node;
        if (to == parent)
            continue;
        if (f->entered[to] == 0)
            enter(f, to);
        else if (f->entered[to] < f->low[from])
            f->low[from] = f->entered[to];
    }
}

const bool *path_finder_find(path_finder *f, const pdag *g, size_t x, size_t y, size_t *count) {
    forget(f);
    walk(f, g, x, y);
    *count = 0;
    for (size_t i = 0; i < f->n_kept; i++) {
        if (f->kept[i] != y) {
            f->is_between[f->kept[i]] = true;
            ++*count;
        }
    }
    return f->is_between;
}
