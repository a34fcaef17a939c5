/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Directed cycles of a pdag, for the files of this folder. */
#ifndef BNB_CORE_GRAPH_PDAG_CYCLES_INTERNAL_H
#define BNB_CORE_GRAPH_PDAG_CYCLES_INTERNAL_H

#include "core/graph/pdag.h"

/**
 * Numbers the strongly connected components of the directed part into `component` (n entries): a directed edge lies on
 * a directed cycle if both ends have the same number. O(n + edges). Source: Tarjan 1972, SIAM J. Computing 1(2).
 */
BNB_MUST_CHECK status pdag_components(const pdag *g, size_t *component, error_info *err);

#endif
