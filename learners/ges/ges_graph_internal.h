/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The state of GES, a CPDAG: what makes an operator valid, and what it does. Chickering 2002, JMLR 3, 507-554. */
#ifndef BNB_LEARNERS_GES_GES_GRAPH_INTERNAL_H
#define BNB_LEARNERS_GES_GES_GRAPH_INTERNAL_H

#include "learners/ges/ges_labels_internal.h"

#include <stdint.h>

typedef enum { GES_INSERT, GES_DELETE } ges_phase;

/** Insert(X, Y, T) or Delete(X, Y, H). */
typedef struct {
    size_t x, y;
    const size_t *set; /* T or H, ascending */
    size_t n_set;
} ges_operator;

/** One end of a path search. */
typedef struct {
    uint32_t *visit; /* equal to `round` where reached or blocked */
    size_t *from;    /* of nodes that were reached: the node before */
    size_t *queue, head, tail;
    size_t n_edges; /* that were looked at */
} ges_way;

/** Zero-initialise. */
typedef struct {
    ges_class class;
    size_t n_nodes;
    size_t *changed; /* by the last operator: the nodes with other parents or undirected neighbours, ascending */
    size_t n_changed;
    ges_way ways[2]; /* of path searches: from y along the arrows, and from x against them */
    uint32_t round;
    uint32_t *level; /* of a node: lower than where its arrows lead, the same as across its undirected edges */
    size_t *raised, n_raised, next_raised; /* a ring of nodes whose edges are to be looked at, n_nodes at most */
    bool *is_raised;                       /* among them */
    size_t meeting;                        /* of both ways, where the last search found a path */
} ges_graph;

/** The graph without edges. */
BNB_MUST_CHECK status ges_graph_init(ges_graph *g, size_t n_nodes, error_info *err);
void ges_graph_clear(ges_graph *g);

/** NA(Y, X): the undirected neighbours of y that are adjacent to x, ascending into `out` (room for y's degree). */
size_t ges_graph_shared(const ges_graph *g, size_t y, size_t x, size_t *out);

/** Does a semi-directed path lead from y to x past all nodes of `blocked`? O(n + edges) at worst: of the nodes between
 * them, by their levels. */
bool ges_graph_reaches(ges_graph *g, size_t y, size_t x, const size_t *blocked, size_t n_blocked);

/** The path that the last ges_graph_reaches(g, y, x) found, from x's predecessor back to y, into `out` (n entries). */
size_t ges_graph_path(const ges_graph *g, size_t y, size_t x, size_t *out);

/**
 * Applies a valid operator and makes the graph a CPDAG again: a consistent extension, and its class.
 * O(n + edges). STATUS_BUG where the operator was not valid and there is no extension. Unchanged on error.
 */
BNB_MUST_CHECK status ges_graph_apply(ges_graph *g, ges_phase phase, const ges_operator *op, error_info *err);

#endif
