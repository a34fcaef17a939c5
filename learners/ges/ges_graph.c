/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators of GES on a CPDAG: Chickering, JMLR 3 (2002), Theorems 15 and 17 (when an insertion and a deletion are
 * valid) and the construction behind them. An operator marks a partially directed graph; a consistent extension of it,
 * and the class of that, is the next state. After each operator the graph is a CPDAG, and `changed` lists the nodes
 * with other parents or undirected neighbours.
 */
#include "learners/ges/ges_graph_internal.h"

#include "core/graph/equivalence.h"

#include <stdlib.h>
#include <string.h>

status ges_graph_init(ges_graph *g, size_t n_nodes, error_info *err) {
    g->n_nodes = n_nodes;
    CHECK_ALLOC(g->changed = calloc(n_nodes + 1, sizeof *g->changed));
    CHECK_ALLOC(g->visit = calloc(n_nodes + 1, sizeof *g->visit));
    CHECK_ALLOC(g->queue = calloc(n_nodes + 1, sizeof *g->queue));
    CHECK_ALLOC(g->from = calloc(n_nodes + 1, sizeof *g->from));
    return pdag_create(n_nodes, &g->cpdag, err);
}

void ges_graph_clear(ges_graph *g) {
    pdag_destroy(g->cpdag);
    free(g->changed);
    free(g->visit);
    free(g->queue);
    free(g->from);
    *g = (ges_graph){0};
}

size_t ges_graph_shared(const ges_graph *g, size_t y, size_t x, size_t *out) {
    size_t n_y, n_x, n = 0, k = 0;
    const pdag_edge *at_y = pdag_edges(g->cpdag, y, &n_y), *at_x = pdag_edges(g->cpdag, x, &n_x);
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
        const pdag_edge *edges = pdag_edges(g->cpdag, node, &count);
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

static status mark_insert(pdag *p, const ges_operator *op, error_info *err) {
    CHECK(pdag_set_edge(p, op->x, op->y, EDGE_OUT, err));
    for (size_t i = 0; i < op->n_set; i++)
        CHECK(pdag_set_edge(p, op->set[i], op->y, EDGE_OUT, err));
    return STATUS_OK;
}

static status mark_delete(pdag *p, const ges_operator *op, error_info *err) {
    CHECK(pdag_set_edge(p, op->x, op->y, EDGE_NONE, err));
    for (size_t i = 0; i < op->n_set; i++) {
        CHECK(pdag_set_edge(p, op->y, op->set[i], EDGE_OUT, err));
        if (pdag_edge_between(p, op->x, op->set[i]) == EDGE_UNDIRECTED)
            CHECK(pdag_set_edge(p, op->x, op->set[i], EDGE_OUT, err));
    }
    return STATUS_OK;
}

/* The next edge from i on that is no arrow out of the node. */
static size_t skip_children(const pdag_edge *edges, size_t count, size_t i) {
    while (i < count && edges[i].kind == EDGE_OUT)
        i++;
    return i;
}

static bool has_same_parents_and_neighbours(const pdag *a, const pdag *b, size_t node) {
    size_t n_a, n_b, i, k;
    const pdag_edge *at_a = pdag_edges(a, node, &n_a), *at_b = pdag_edges(b, node, &n_b);
    i = skip_children(at_a, n_a, 0);
    k = skip_children(at_b, n_b, 0);
    while (i < n_a && k < n_b && at_a[i].node == at_b[k].node && at_a[i].kind == at_b[k].kind) {
        i = skip_children(at_a, n_a, i + 1);
        k = skip_children(at_b, n_b, k + 1);
    }
    return i == n_a && k == n_b;
}

static void replace(ges_graph *g, pdag *next) {
    g->n_changed = 0;
    for (size_t i = 0; i < g->n_nodes; i++) {
        if (!has_same_parents_and_neighbours(g->cpdag, next, i))
            g->changed[g->n_changed++] = i;
    }
    pdag_destroy(g->cpdag);
    g->cpdag = next;
}

status ges_graph_apply(ges_graph *g, ges_phase phase, const ges_operator *op, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *marked = NULL;
    pdag *next = NULL;
    AUTO_PTR(dag_destroy) dag *member = NULL;
    CHECK(pdag_copy(g->cpdag, &marked, err));
    CHECK(phase == GES_INSERT ? mark_insert(marked, op, err) : mark_delete(marked, op, err));
    CHECK(pdag_extend(marked, &member, err));
    if (!member)
        return error_set(err, STATUS_BUG, "%s of %zu, %zu leaves a graph without a consistent extension",
                         phase == GES_INSERT ? "insertion" : "deletion", op->x, op->y);
    CHECK(cpdag_from_dag(member, &next, err));
    replace(g, next);
    return STATUS_OK;
}
