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
    for (size_t i = 0; i < 2; i++) {
        CHECK_ALLOC(g->ways[i].visit = calloc(n_nodes + 1, sizeof *g->ways[i].visit));
        CHECK_ALLOC(g->ways[i].queue = calloc(n_nodes + 1, sizeof *g->ways[i].queue));
        CHECK_ALLOC(g->ways[i].from = calloc(n_nodes + 1, sizeof *g->ways[i].from));
    }
    CHECK_ALLOC(g->level = calloc(n_nodes + 1, sizeof *g->level));
    CHECK_ALLOC(g->raised = calloc(n_nodes + 1, sizeof *g->raised));
    CHECK_ALLOC(g->is_raised = calloc(n_nodes + 1, sizeof *g->is_raised));
    return ges_class_init(&g->class, n_nodes, err);
}

void ges_graph_clear(ges_graph *g) {
    ges_class_clear(&g->class);
    free(g->changed);
    for (size_t i = 0; i < 2; i++) {
        free(g->ways[i].visit);
        free(g->ways[i].queue);
        free(g->ways[i].from);
    }
    free(g->level);
    free(g->raised);
    free(g->is_raised);
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

/* --- levels --- */

static void look_at_edges(ges_graph *g, size_t node) {
    if (g->is_raised[node])
        return;
    g->is_raised[node] = true;
    g->raised[(g->next_raised + g->n_raised++) % g->n_nodes] = node;
}

static void raise(ges_graph *g, size_t node, uint32_t least) {
    if (g->level[node] >= least)
        return;
    g->level[node] = least;
    look_at_edges(g, node);
}

static void raise_along(ges_graph *g, size_t node, const pdag_edge *edge) {
    if (edge->kind == EDGE_IN)
        raise(g, node, g->level[edge->node] + 1);
    else
        raise(g, edge->node, g->level[node] + (edge->kind == EDGE_OUT));
    if (edge->kind == EDGE_UNDIRECTED)
        raise(g, node, g->level[edge->node]);
}

/* Levels are raised alone, and come to rest: no cycle of a CPDAG has an arrow. */
static void raise_levels(ges_graph *g) {
    for (size_t i = 0; i < g->n_changed; i++)
        look_at_edges(g, g->changed[i]);
    while (g->n_raised > 0) {
        size_t count, node = g->raised[g->next_raised];
        const pdag_edge *edges = pdag_edges(g->class.cpdag, node, &count);
        g->is_raised[node] = false;
        g->next_raised = (g->next_raised + 1) % g->n_nodes;
        g->n_raised--;
        for (size_t i = 0; i < count; i++)
            raise_along(g, node, &edges[i]);
    }
}

/* --- paths --- */

static void start_round(ges_graph *g) {
    if (++g->round == 0) { /* once in four billion searches */
        for (size_t i = 0; i < 2; i++)
            memset(g->ways[i].visit, 0, g->n_nodes * sizeof *g->ways[i].visit);
        g->round = 1;
    }
}

static void begin_way(ges_way *w, size_t node, uint32_t round, const size_t *blocked, size_t n_blocked) {
    for (size_t i = 0; i < n_blocked; i++)
        w->visit[blocked[i]] = round;
    w->visit[node] = round;
    w->from[node] = node;
    w->head = 0;
    w->tail = 1;
    w->n_edges = 0;
    w->queue[0] = node;
}

/* Does a node's level lie beyond that of the end, on the way along edges that are not `against` it? */
static bool is_beyond(const ges_graph *g, size_t node, edge_kind against, size_t end) {
    return against == EDGE_IN ? g->level[node] > g->level[end] : g->level[node] < g->level[end];
}

/* Goes on by one node, along edges that are not `against` it; true where it meets the other way, at `meeting`. */
static bool advance(ges_graph *g, ges_way *w, const ges_way *other, edge_kind against, size_t end) {
    size_t count, node = w->queue[w->head++];
    const pdag_edge *edges = pdag_edges(g->class.cpdag, node, &count);
    w->n_edges += count;
    for (size_t i = 0; i < count; i++) {
        size_t z = edges[i].node;
        if (edges[i].kind == against || w->visit[z] == g->round || is_beyond(g, z, against, end))
            continue;
        w->visit[z] = g->round;
        w->from[z] = node;
        w->queue[w->tail++] = z;
        if (other->visit[z] == g->round) {
            g->meeting = z;
            return true;
        }
    }
    return false;
}

bool ges_graph_reaches(ges_graph *g, size_t y, size_t x, const size_t *blocked, size_t n_blocked) {
    ges_way *down = &g->ways[0], *up = &g->ways[1];
    if (g->level[y] > g->level[x])
        return false;
    start_round(g);
    begin_way(down, y, g->round, blocked, n_blocked);
    begin_way(up, x, g->round, blocked, n_blocked);
    while (down->head < down->tail && up->head < up->tail) {
        bool meets =
            down->n_edges <= up->n_edges ? advance(g, down, up, EDGE_IN, x) : advance(g, up, down, EDGE_OUT, y);
        if (meets)
            return true;
    }
    return false;
}

size_t ges_graph_path(const ges_graph *g, size_t y, size_t x, size_t *out) {
    size_t n = 0, at;
    for (size_t z = g->meeting; z != x; z = g->ways[1].from[z])
        n++;
    at = n;
    for (size_t z = g->meeting; z != x; z = g->ways[1].from[z])
        out[--at] = z;
    for (size_t z = g->meeting; z != y;)
        out[n++] = z = g->ways[0].from[z];
    return n;
}

/* --- operators --- */

/* Insert: NA(Y, X) and T. Delete: NA(Y, X) but for H, and X where it is a neighbour. In `queue`; the size. */
static size_t list_parents_to_be(ges_graph *g, ges_phase phase, const ges_operator *op) {
    size_t *before = g->ways[0].queue, n_shared = ges_graph_shared(g, op->y, op->x, before), n = 0;
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
    CHECK(ges_class_turn(&g->class, op->y, g->ways[0].queue, n, err));
    CHECK(phase == GES_INSERT ? ges_class_add(&g->class, op->x, op->y, err)
                              : ges_class_remove(&g->class, op->x, op->y, err));
    ges_class_changes(&g->class, g->changed, &g->n_changed);
    raise_levels(g);
    return STATUS_OK;
}
