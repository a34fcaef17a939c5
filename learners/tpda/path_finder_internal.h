/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The nodes that lie on a simple path between two nodes of an undirected graph. */
#ifndef BNB_LEARNERS_TPDA_PATH_FINDER_INTERNAL_H
#define BNB_LEARNERS_TPDA_PATH_FINDER_INTERNAL_H

#include "core/graph/pdag.h"

typedef struct path_finder path_finder;

BNB_MUST_CHECK status path_finder_create(size_t n_nodes, path_finder **out, error_info *err);
void path_finder_destroy(path_finder *f);
AUTO_PTR_OF(path_finder, path_finder_destroy)

/**
 * For each node of `g`, whatever the direction of its edges, whether it lies between x and y on a simple path of two
 * edges or more: neither the edge x - y nor x and y themselves count. Valid until the next call. `*count` of them.
 * O(edges within reach): they are the nodes that share a biconnected component with the edge x - y, were it there
 * (Hopcroft and Tarjan 1973, Comm. ACM 16).
 */
const bool *path_finder_find(path_finder *f, const pdag *g, size_t x, size_t y, size_t *count);

#endif
