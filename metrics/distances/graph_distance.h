/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How far a learned graph is from the true one: edge errors and the structural Hamming distances, named. */
#ifndef BNB_METRICS_DISTANCES_GRAPH_DISTANCE_H
#define BNB_METRICS_DISTANCES_GRAPH_DISTANCE_H

#include "core/base/status.h"
#include "core/graph/pdag.h"

typedef struct {
    /* skeleton */
    size_t true_edges, tp, fp, fn; /* fp = extra, fn = missing */
    double tn;                     /* n (n - 1) / 2 - tp - fp - fn */
    /* on the patterns of both */
    size_t misoriented;  /* adjacent in both, marks differ */
    size_t shd;          /* fp + fn + misoriented: Tsamardinos, Brown, Aliferis 2006, Alg. 4 */
    size_t shd_fu;       /* Fu 2005, V.1.2: a directed edge that is extra or missing costs 2 */
    size_t shd_skeleton; /* fp + fn: Vandel et al. 2012, Table 4 */
    /* on the graphs as they are; an undirected edge where the other is directed counts 1 */
    size_t shd_raw; /* `shd_dag` where both are DAGs */
} graph_distance;

/**
 * Compares two graphs on the same nodes. Patterns: pdag_pattern of each (core/graph/equivalence.h), so that a DAG is
 * compared as its CPDAG, as bnlearn's shd does. A skeleton, a CPDAG and a PC result whose v-structures contradict each
 * other are their own pattern, so they are compared as they are; only a PDAG that could be completed is.
 * @return STATUS_INVALID if the numbers of nodes differ.
 */
BNB_MUST_CHECK status graph_distance_measure(const pdag *learned, const pdag *truth, graph_distance *out,
                                             error_info *err);

#endif
