/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A graph on the nodes 0 .. n-1 with directed and undirected edges, at most one a pair: what learners return (a DAG,
 * a CPDAG or a skeleton) and what metrics compare. Adjacency lists: O(n + edges) memory.
 */
#ifndef BNB_CORE_GRAPH_PDAG_H
#define BNB_CORE_GRAPH_PDAG_H

#include "core/base/status.h"
#include "core/graph/dag.h"

#include <stdbool.h>

typedef struct pdag pdag;

/** The edge of a pair (a, b), seen from a. */
typedef enum { EDGE_NONE, EDGE_OUT /* a -> b */, EDGE_IN /* a <- b */, EDGE_UNDIRECTED } edge_kind;

/** One entry of a node's list. */
typedef struct {
    size_t node;
    edge_kind kind; /* seen from the node whose list it is */
} pdag_edge;

BNB_MUST_CHECK status pdag_create(size_t n_nodes, pdag **out, error_info *err);
BNB_MUST_CHECK status pdag_copy(const pdag *g, pdag **out, error_info *err);
void pdag_destroy(pdag *g); /* NULL is fine */
AUTO_PTR_OF(pdag, pdag_destroy)

size_t pdag_node_count(const pdag *g);
size_t pdag_edge_count(const pdag *g);
size_t pdag_directed_count(const pdag *g);

/** The edges at a node, which must be in range, in ascending order of the other node; valid until g changes. */
const pdag_edge *pdag_edges(const pdag *g, size_t node, size_t *count);
edge_kind pdag_edge_between(const pdag *g, size_t a, size_t b); /* seen from a */

/**
 * Makes the pair's edge what `kind` says, seen from a; EDGE_NONE removes it.
 * @return STATUS_INVALID: out of range, or a == b. STATUS_MEMORY. g is unchanged on error.
 */
BNB_MUST_CHECK status pdag_set_edge(pdag *g, size_t a, size_t b, edge_kind kind, error_info *err);

/** The edge of a pair, seen from a. */
typedef struct {
    size_t a, b;
    edge_kind kind;
} pdag_pair;

/**
 * The graph of these edges, in any order. O(n + edges log edges): where many edges come at once, this and not
 * pdag_set_edge a hundred thousand times.
 * @return STATUS_INVALID: out of range, a == b, or two edges of one pair. EDGE_NONE is passed over.
 */
BNB_MUST_CHECK status pdag_from_pairs(size_t n_nodes, const pdag_pair *pairs, size_t n_pairs, pdag **out,
                                      error_info *err);

/** The same edges between the same nodes. */
bool pdag_is_equal(const pdag *a, const pdag *b);

/** Every arc of the DAG as a directed edge. */
BNB_MUST_CHECK status pdag_from_dag(const dag *g, pdag **out, error_info *err);

/** The DAG, if every edge is directed and there is no cycle; else STATUS_INVALID with what is in the way. */
BNB_MUST_CHECK status pdag_to_dag(const pdag *g, dag **out, error_info *err);

/** Every edge undirected. */
BNB_MUST_CHECK status pdag_skeleton(const pdag *g, pdag **out, error_info *err);

/**
 * What a graph is meant as. GRAPH_CPDAG: an equivalence class of DAGs, or what a learner on a sample takes for one: PC
 * and TPDA may return directed and undirected edges that no DAG agrees with.
 */
typedef enum { GRAPH_DAG, GRAPH_CPDAG, GRAPH_SKELETON } graph_kind;

/** "dag", "cpdag", "skeleton". */
const char *graph_kind_name(graph_kind kind);

/** By that name; false where there is none. */
bool graph_kind_find(const char *name, graph_kind *out);

/**
 * What a graph of which nothing is said looks like: directed edges without a cycle, or none at all, are a DAG,
 * undirected edges alone a skeleton, all else a CPDAG.
 */
BNB_MUST_CHECK status pdag_kind(const pdag *g, graph_kind *out, error_info *err);

#endif
