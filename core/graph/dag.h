/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A directed graph on the nodes 0 .. n-1 that is acyclic at every moment. Parent and child lists: O(n + arcs) memory.
 * Not for two threads at once, even where both only ask dag_reaches: path searches share scratch space of the graph.
 */
#ifndef BNB_CORE_GRAPH_DAG_H
#define BNB_CORE_GRAPH_DAG_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct dag dag;

BNB_MUST_CHECK status dag_create(size_t n_nodes, dag **out, error_info *err);
BNB_MUST_CHECK status dag_copy(const dag *g, dag **out, error_info *err);

/**
 * The DAG of the arcs from[k] -> to[k], in any order. O(n log n + arcs): where many arcs come at once, this and not
 * dag_add_arc a hundred thousand times.
 * @return STATUS_INVALID: a node out of range, an arc twice, a cycle (the message names a node on it).
 */
BNB_MUST_CHECK status dag_from_arcs(size_t n_nodes, const size_t *from, const size_t *to, size_t n_arcs, dag **out,
                                    error_info *err);
void dag_destroy(dag *g); /* NULL is fine */
AUTO_PTR_OF(dag, dag_destroy)

size_t dag_node_count(const dag *g);
size_t dag_arc_count(const dag *g);
bool dag_has_arc(const dag *g, size_t from, size_t to);

/** The parents (children) of a node, which must be in range, in ascending order; valid until g changes. */
const size_t *dag_parents(const dag *g, size_t node, size_t *count);
const size_t *dag_children(const dag *g, size_t node, size_t *count);

/** dag_parents of the node is asked soon: fetches them. */
void dag_foresee_parents(const dag *g, size_t node);

/**
 * Adds the arc from -> to. O(arcs) at worst, for the search for a cycle; a topological order that is kept up to date
 * (Pearce and Kelly 2006) bounds the search, and an arc that agrees with it costs none.
 * @return STATUS_INVALID if a node is out of range, or the arc exists or would close a cycle: g is unchanged.
 */
BNB_MUST_CHECK status dag_add_arc(dag *g, size_t from, size_t to, error_info *err);

/** STATUS_INVALID if there is no such arc. */
BNB_MUST_CHECK status dag_remove_arc(dag *g, size_t from, size_t to, error_info *err);

/** True if a directed path leads from `from` to `to`; a node reaches itself. O(arcs) at worst: a search from both ends
 * within the order, see dag_add_arc. */
bool dag_reaches(const dag *g, size_t from, size_t to);

/** How many arcs dag_reaches and dag_reaches_otherwise have looked at so far: what they took. */
size_t dag_search_steps(const dag *g);

/** True if a path other than the arc x -> y, which is there, leads from x to y. By one search, as dag_reaches. */
bool dag_reaches_otherwise(const dag *g, size_t x, size_t y);

/** Scratch space for searches of a thread of its own. */
typedef struct dag_search dag_search;
BNB_MUST_CHECK status dag_search_create(size_t n_nodes, dag_search **out, error_info *err);
void dag_search_destroy(dag_search *s); /* NULL is fine */
AUTO_PTR_OF(dag_search, dag_search_destroy)

/** dag_reaches, where other threads may ask too, each with its own scratch, as long as g does not change. */
bool dag_reaches_by(const dag *g, dag_search *search, size_t from, size_t to);

/** Adds the node and all that reach it to `bits`, 64 nodes a word; who reaches a node that is in them must be, too.
 * `list` has room for n. */
void dag_mark_above(const dag *g, size_t node, uint64_t *bits, size_t *list);

/** Likewise the node and all that it reaches. */
void dag_mark_below(const dag *g, size_t node, uint64_t *bits, size_t *list);

/** The topological order that is kept, by place, and the place of a node in it; until g changes. */
const size_t *dag_kept_order(const dag *g);
size_t dag_place(const dag *g, size_t node);

/** A topological order of the nodes, ties by index, into `order` (n entries). */
BNB_MUST_CHECK status dag_topological_order(const dag *g, size_t *order, error_info *err);

/**
 * True into `*separated` if x and y are d-separated given z (Pearl 1988); x, y distinct and outside z. O(n + arcs).
 */
BNB_MUST_CHECK status dag_is_separated(const dag *g, size_t x, size_t y, const size_t *z, size_t n_z, bool *separated,
                                       error_info *err);

#endif
