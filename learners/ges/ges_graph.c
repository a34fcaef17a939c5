/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators of GES on a CPDAG: Chickering, JMLR 3 (2002), Theorems 15 and 17 (when an insertion and a deletion are
 * valid) and the construction behind them. There is a member of the class in which the operator is an arc more, or one
 * less: where NA(Y, X) and T, or NA(Y, X) without H, are parents of Y, and its other neighbours are children. The class
 * of that DAG is the next state. `changed` lists the nodes with other parents or undirected neighbours.
 */
#include "learners/ges/ges_graph_internal.h"

#include "core/base/array.h"

#include <stdlib.h>
#include <string.h>

status ges_graph_init(ges_graph *g, size_t n_nodes, error_info *err) {
    g->n_nodes = n_nodes;
    CHECK_ALLOC(g->changed = calloc(n_nodes + 1, sizeof *g->changed));
    CHECK_ALLOC(g->visit = calloc(n_nodes + 1, sizeof *g->visit));
    CHECK_ALLOC(g->queue = calloc(n_nodes + 1, sizeof *g->queue));
    CHECK_ALLOC(g->from = calloc(n_nodes + 1, sizeof *g->from));
    return ges_class_init(&g->class, n_nodes, err);
}

void ges_graph_clear(ges_graph *g) {
    ges_class_clear(&g->class);
    free(g->changed);
    free(g->visit);
    free(g->queue);
    free(g->from);
    *g = (ges_graph){0};
}

size_t ges_graph_shared(const ges_graph *g, size_t y, size_t x, size_t *out) {
    size_t n_y, n_x, n = 0, k = 0;
    const pdag_edge *at_y = pdag_edges(g->class.cpdag, y, &n_y), *at_x = pdag_edges(g->class.cpdag, x, &n_x);
    for (size_t i = 0; i < n_y; i++) {
        if (at_y[i].kind != EDGE_UNDIRECTED)
            continue;
        while (k < n_x && at_x[k].node < at_y[i].node)
            k++;
        if (k < n_x && at_x[k].node == at_y[i].node)
            out[n++] = at_y[i].node;
    }
    return n;
}

/* --- paths --- */

static void start_round(ges_graph *g) {
    if (++g->round == 0) { /* once in four billion searches */
        memset(g->visit, 0, g->n_nodes * sizeof *g->visit);
        g->round = 1;
    }
}

bool ges_graph_reaches(ges_graph *g, size_t y, size_t x, const size_t *blocked, size_t n_blocked) {
    size_t head = 0, tail = 0;
    start_round(g);
    for (size_t i = 0; i < n_blocked; i++)
        g->visit[blocked[i]] = g->round;
    g->visit[y] = g->round;
    g->queue[tail++] = y;
    while (head < tail) {
        size_t count;
        size_t node = g->queue[head++];
        const pdag_edge *edges = pdag_edges(g->class.cpdag, node, &count);
        for (size_t i = 0; i < count; i++) {
            size_t z = edges[i].node;
            if (edges[i].kind == EDGE_IN || g->visit[z] == g->round)
                continue;
            g->from[z] = node;
            if (z == x)
                return true;
            g->visit[z] = g->round;
            g->queue[tail++] = z;
        }
    }
    return false;
}

size_t ges_graph_path(const ges_graph *g, size_t y, size_t x, size_t *out) {
    size_t n = 0;
    while (x != y)
        out[n++] = x = g->from[x];
    return n;
}

/* --- operators --- */

/* Insert: NA(Y, X) and T. Delete: NA(Y, X) but for H, and X where it is a neighbour. In `queue`; the size. */
static size_t list_parents_to_be(ges_graph *g, ges_phase phase, const ges_operator *op) {
    size_t *before = g->queue, n_shared = ges_graph_shared(g, op->y, op->x, before), n = 0;
    if (phase == GES_INSERT) {
        if (op->n_set > 0)
            memcpy(before + n_shared, op->set, op->n_set * sizeof *before);
        return n_shared + op->n_set;
    }
    for (size_t i = 0; i < n_shared; i++) {
        if (!array_has_size(op->set, op->n_set, before[i]))
            before[n++] = before[i];
    }
    if (pdag_edge_between(g->class.cpdag, op->x, op->y) == EDGE_UNDIRECTED)
        before[n++] = op->x;
    return n;
}

status ges_graph_apply(ges_graph *g, ges_phase phase, const ges_operator *op, error_info *err) {
    size_t n = list_parents_to_be(g, phase, op);
    CHECK(ges_class_turn(&g->class, op->y, g->queue, n, err));
    CHECK(phase == GES_INSERT ? ges_class_add(&g->class, op->x, op->y, err)
                              : ges_class_remove(&g->class, op->x, op->y, err));
    ges_class_changes(&g->class, g->changed, &g->n_changed);
    return STATUS_OK;
}
