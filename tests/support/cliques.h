/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Cliques of a graph, for tests. */
#ifndef BNB_TESTS_SUPPORT_CLIQUES_H
#define BNB_TESTS_SUPPORT_CLIQUES_H

#include "core/graph/pdag.h"

/** Is each pair of the nodes adjacent? */
static inline bool is_clique(const pdag *g, const size_t *nodes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            if (pdag_edge_between(g, nodes[i], nodes[k]) == EDGE_NONE)
                return false;
        }
    }
    return true;
}

#endif
