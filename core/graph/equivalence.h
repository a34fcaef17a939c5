/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Markov equivalence: the CPDAG of a DAG, Meek's rules, and a DAG in the class of a PDAG. */
#ifndef BNB_CORE_GRAPH_EQUIVALENCE_H
#define BNB_CORE_GRAPH_EQUIVALENCE_H

#include "core/graph/dag.h"
#include "core/graph/pdag.h"

/**
 * The CPDAG of the DAG's equivalence class: compelled arcs directed, reversible ones undirected. O(n + arcs x
 * in-degree). Source: Chickering, A transformational characterization of equivalent Bayesian network structures, UAI
 * 1995.
 */
BNB_MUST_CHECK status cpdag_from_dag(const dag *g, pdag **out, error_info *err);

/**
 * A DAG with the same skeleton, v-structures and directed edges as the PDAG; `*out` is NULL where none exists.
 * O(edges x degree x log degree) at worst. Source: Dor and Tarsi 1992, UCLA Cognitive Systems Laboratory R-185; of the
 * nodes that may be removed the lowest first.
 */
BNB_MUST_CHECK status pdag_extend(const pdag *g, dag **out, error_info *err);

/** The graph itself where it is a DAG, else what pdag_extend gives. STATUS_INVALID: a directed cycle, or there is none.
 */
BNB_MUST_CHECK status pdag_orient(const pdag *g, dag **out, error_info *err);

/**
 * A DAG for scoring a PDAG that may have no consistent extension: Dor and Tarsi; else without the directions of edges
 * that lie on directed cycles; else the skeleton oriented along an order that keeps as many arrows as a greedy
 * removal of sinks does. `*fallback` is 0, 1 or 2 accordingly.
 */
BNB_MUST_CHECK status pdag_extend_anyway(const pdag *g, dag **out, int *fallback, error_info *err);

/** The lowest node on a cycle of directed edges; the number of nodes where there is none. O(n + edges). */
BNB_MUST_CHECK status pdag_find_cycle(const pdag *g, size_t *node, error_info *err);

/**
 * Meek's rules R1 to R4 (Meek 1995, UAI) to closure, in place. Never turns a directed edge. Works in rounds: what the
 * rules say of the graph as it stands is applied together, so the result does not depend on how nodes are numbered. An
 * edge that they force both ways (which a graph with a consistent extension never has) stays undirected.
 */
BNB_MUST_CHECK status pdag_close_meek(pdag *g, error_info *err);

/** Of x - z - y, x and y not adjacent and z no v-structure as far as arrows tell: might it be one all the same? */
typedef struct {
    const void *self;
    bool (*is_doubtful)(const void *self, size_t x, size_t z, size_t y);
} pdag_doubts;

/** The same, but that the rules draw no conclusions from triples that are doubtful: R1, R3 and R4 rest on one each. */
BNB_MUST_CHECK status pdag_close_meek_with_doubts(pdag *g, const pdag_doubts *doubts, error_info *err);

/**
 * What the structural Hamming distance compares of a graph of that kind: of a DAG its CPDAG, of all else a copy.
 * @return STATUS_INVALID: it is meant as a DAG and is none.
 */
BNB_MUST_CHECK status pdag_compared(const pdag *g, graph_kind kind, pdag **out, error_info *err);

/**
 * A PDAG completed: the CPDAG of its consistent extension where it has one, else a copy. So a CPDAG stays as it is, and
 * so does a skeleton: where it has an extension, that one has no v-structure.
 */
BNB_MUST_CHECK status pdag_pattern(const pdag *g, pdag **out, error_info *err);

#endif
