/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Markov equivalence: the CPDAG of a DAG, Meek's rules, and a DAG in the class of a PDAG. */
#ifndef BNB_CORE_EQUIVALENCE_H
#define BNB_CORE_EQUIVALENCE_H

#include "core/dag.h"
#include "core/pdag.h"

/**
 * The CPDAG of the DAG's equivalence class: compelled arcs directed, reversible ones undirected. O(n + arcs x in-degree).
 * Source: Chickering, A transformational characterization of equivalent Bayesian network structures, UAI 1995.
 */
BNB_MUST_CHECK status cpdag_from_dag(const dag *g, pdag **out, error_info *err);

/**
 * A DAG with the same skeleton, v-structures and directed edges as the PDAG; `*out` is NULL where none exists.
 * Source: Dor and Tarsi 1992, UCLA Cognitive Systems Laboratory R-185; lowest node first.
 */
BNB_MUST_CHECK status pdag_extend(const pdag *g, dag **out, error_info *err);

/**
 * A DAG for scoring a PDAG that may have no consistent extension: Dor and Tarsi; else without the directions of edges
 * that lie on directed cycles; else the skeleton oriented along an order that keeps as many arrows as a greedy
 * removal of sinks does. `*fallback` is 0, 1 or 2 accordingly.
 */
BNB_MUST_CHECK status pdag_extend_anyway(const pdag *g, dag **out, int *fallback, error_info *err);

/** Meek's rules R1 to R4 (Meek 1995, UAI) to closure, in place. Never turns a directed edge. */
BNB_MUST_CHECK status pdag_close_meek(pdag *g, error_info *err);

/**
 * What the graph means as an equivalence class, for SHD: the CPDAG if all edges are directed and acyclic; the CPDAG of
 * its consistent extension if it has one and every edge is not undirected alone (a skeleton stays as it is); else a copy.
 */
BNB_MUST_CHECK status pdag_pattern(const pdag *g, pdag **out, error_info *err);

#endif
