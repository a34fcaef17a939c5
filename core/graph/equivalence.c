/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPDAG of a DAG: Chickering 1995, A transformational characterization of equivalent Bayesian network structures,
 * UAI, pp. 87-98: Order-Edges and Label-Edges.
 */
#include "core/graph/equivalence.h"

#include <stdint.h>
#include <stdlib.h>

typedef enum { UNKNOWN, COMPELLED, REVERSIBLE } edge_label;

/* The edges into node y are numbered first[y] .. first[y + 1] - 1, by the position of the tail, highest first. */
typedef struct {
    const dag *g;
    size_t n_nodes;
    size_t *order, *position;
    size_t *first;
    size_t *tails;         /* of each edge */
    unsigned char *labels; /* edge_label of each edge */
    size_t *edge_from;     /* edge_from[w]: the edge w -> y of the node y at work, if it is one (see edge_between) */
} labelling;

static void labelling_clear(labelling *l) {
    free(l->order);
    free(l->position);
    free(l->first);
    free(l->tails);
    free(l->labels);
    free(l->edge_from);
}

/* Order-Edges. A node's children, met in falling position of the parent, fill their groups in the order wanted. */
static status number_edges(labelling *l, error_info *err) {
    AUTO_FREE size_t *next = NULL;

    CHECK_ALLOC(next = calloc(l->n_nodes + 1, sizeof *next));
    CHECK(dag_topological_order(l->g, l->order, err));
    for (size_t k = 0; k < l->n_nodes; k++) {
        size_t n_parents;
        (void)dag_parents(l->g, k, &n_parents);
        l->position[l->order[k]] = k;
        l->first[k + 1] = l->first[k] + n_parents;
        next[k] = l->first[k];
    }
    for (size_t k = l->n_nodes; k-- > 0;) {
        size_t n_children;
        const size_t *children = dag_children(l->g, l->order[k], &n_children);
        for (size_t c = 0; c < n_children; c++)
            l->tails[next[children[c]]++] = l->order[k];
    }
    return STATUS_OK;
}

static status labelling_init(labelling *l, const dag *g, error_info *err) {
    size_t n = dag_node_count(g), m = dag_arc_count(g);

    *l = (labelling){.g = g, .n_nodes = n};
    CHECK_ALLOC(l->order = calloc(n + 1, sizeof *l->order));
    CHECK_ALLOC(l->position = calloc(n + 1, sizeof *l->position));
    CHECK_ALLOC(l->first = calloc(n + 1, sizeof *l->first));
    CHECK_ALLOC(l->tails = calloc(m + 1, sizeof *l->tails));
    CHECK_ALLOC(l->labels = calloc(m + 1, sizeof *l->labels));
    CHECK_ALLOC(l->edge_from = calloc(n + 1, sizeof *l->edge_from));
    return number_edges(l, err);
}

/* The number of the edge w -> y, where y is the node whose edge_from entries were set last; else SIZE_MAX. */
static size_t edge_between(const labelling *l, size_t w, size_t y) {
    size_t edge = l->edge_from[w];
    return edge >= l->first[y] && edge < l->first[y + 1] && l->tails[edge] == w ? edge : SIZE_MAX;
}

static void label_unknown_into(labelling *l, size_t y, edge_label label) {
    for (size_t e = l->first[y]; e < l->first[y + 1]; e++) {
        if (l->labels[e] == UNKNOWN)
            l->labels[e] = (unsigned char)label;
    }
}

/* Compelled edges w -> x pass on to w -> y; false where w is no parent of y, and then all edges
 * into y are compelled. */
static bool pass_on(labelling *l, size_t x, size_t y) {
    for (size_t e = l->first[x]; e < l->first[x + 1]; e++) {
        if (l->labels[e] != COMPELLED)
            continue;
        size_t to_y = edge_between(l, l->tails[e], y);
        if (to_y == SIZE_MAX) {
            for (size_t k = l->first[y]; k < l->first[y + 1]; k++)
                l->labels[k] = COMPELLED;
            return false;
        }
        l->labels[to_y] = COMPELLED;
    }
    return true;
}

/* Is there a parent of y other than x that is no parent of x? Counted, so that it takes one pass over x's parents. */
static bool has_parent_of_its_own(const labelling *l, size_t x, size_t y) {
    size_t shared = 0;
    for (size_t e = l->first[x]; e < l->first[x + 1]; e++)
        shared += edge_between(l, l->tails[e], y) != SIZE_MAX;
    return shared + 1 < l->first[y + 1] - l->first[y];
}

/* Label-Edges, for the edges into y. */
static void label_edges_into(labelling *l, size_t y) {
    for (size_t e = l->first[y]; e < l->first[y + 1]; e++)
        l->edge_from[l->tails[e]] = e;
    for (size_t e = l->first[y]; e < l->first[y + 1]; e++) {
        size_t x = l->tails[e];
        if (l->labels[e] == UNKNOWN && pass_on(l, x, y))
            label_unknown_into(l, y, has_parent_of_its_own(l, x, y) ? COMPELLED : REVERSIBLE);
    }
}

status cpdag_from_dag(const dag *g, pdag **out, error_info *err) {
    AUTO_PTR(pdag_destroy) pdag *pattern = NULL;
    AUTO(labelling_clear) labelling l = {0};

    CHECK(labelling_init(&l, g, err));
    for (size_t k = 0; k < l.n_nodes; k++)
        label_edges_into(&l, l.order[k]);
    CHECK(pdag_from_dag(g, &pattern, err));
    for (size_t y = 0; y < l.n_nodes; y++) {
        for (size_t e = l.first[y]; e < l.first[y + 1]; e++) {
            if (l.labels[e] == REVERSIBLE)
                CHECK(pdag_set_edge(pattern, l.tails[e], y, EDGE_UNDIRECTED, err));
        }
    }
    *out = TAKE(pattern);
    return STATUS_OK;
}

status pdag_pattern(const pdag *g, pdag **out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *member = NULL;

    CHECK(pdag_extend(g, &member, err));
    if (member)
        CHECK(cpdag_from_dag(member, out, err));
    else
        CHECK(pdag_copy(g, out, err));
    return STATUS_OK;
}

status pdag_compared(const pdag *g, graph_kind kind, pdag **out, error_info *err) {
    AUTO_PTR(dag_destroy) dag *as_dag = NULL;

    if (kind != GRAPH_DAG)
        return pdag_copy(g, out, err);
    CHECK(pdag_to_dag(g, &as_dag, err));
    return cpdag_from_dag(as_dag, out, err);
}
