/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The representation of a dag, for the files of this folder that implement it. */
#ifndef BNB_CORE_GRAPH_DAG_INTERNAL_H
#define BNB_CORE_GRAPH_DAG_INTERNAL_H

#include "core/graph/dag.h"
#include "core/graph/index_list.h"

#include <stdint.h>

/** Scratch space of path searches, n entries each. */
struct dag_search {
    uint32_t *marks; /* a node is marked if its entry equals `stamp`: clearing all marks is one addition */
    uint32_t stamp;
    size_t n_steps; /* arcs that searches for a path looked at */
    size_t *queue;
    size_t *nodes;
    uint64_t *before, *after; /* a bit a place of the order; 0 between calls */
};

/** `position` is a topological order at every moment, `node_at` its inverse; searches stay within a window of it. */
struct dag {
    size_t n_nodes, n_arcs;
    index_list *parents, *children;
    size_t *position, *node_at;
    dag_search *search; /* behind a pointer, since questions on a const dag use it too */
};

/**
 * Makes room in the order for from -> to, so that `from` comes before `to`; false if a path leads from `to` to `from`,
 * and then nothing has changed. Source: Pearce and Kelly 2006, ACM J. Experimental Algorithmics 11, 1.7.
 */
bool dag_order_before(dag *g, size_t from, size_t to);

/** Sorts a dag whose lists were filled without care for the order. STATUS_INVALID if they hold a cycle. */
BNB_MUST_CHECK status dag_order_all(dag *g, error_info *err);

#endif
