/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Strongly connected components of any directed graph: sets of nodes in which each leads to each. */
#ifndef BNB_CORE_GRAPH_COMPONENTS_H
#define BNB_CORE_GRAPH_COMPONENTS_H

#include "core/base/status.h"

#include <stddef.h>

/** The end of the edge number `*k`, from 0, of `node`, and `*k` moves to the next; COMPONENTS_NO_EDGE behind the last.
 */
typedef size_t (*components_edge)(const void *graph, size_t node, size_t *k);
#define COMPONENTS_NO_EDGE ((size_t)-1)

/**
 * Component by component, each behind those that it leads to: `order` lists the n nodes, component c of `*n_components`
 * ends in front of order[ends[c]]. Both have room for n. O(n + edges). Source: Tarjan 1972, SIAM J. Computing 1(2).
 */
BNB_MUST_CHECK status components_find(const void *graph, size_t n, components_edge edge, size_t *order, size_t *ends,
                                      size_t *n_components, error_info *err);

#endif
