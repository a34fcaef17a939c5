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
    size_t shd_skeleton;           /* fp + fn: Vandel et al. 2012, Table 4 */
    /* a DAG, learned or true, as its CPDAG; all else as it is */
    size_t misoriented; /* adjacent in both, marks differ */
    size_t shd;         /* fp + fn + misoriented: Tsamardinos, Brown, Aliferis 2006, Alg. 4 */
    size_t shd_fu;      /* Fu 2005, V.1.2: a directed edge that is extra or missing costs 2 */
    /* the learned PDAG completed as well: bnlearn */
    size_t shd_extended;
    /* on the graphs as they are; an undirected edge where the other is directed counts 1 */
    size_t shd_raw; /* `shd_dag` where both are DAGs */
} graph_distance;

/**
 * Compares two graphs on the same nodes; an edge that is directed in one and undirected in the other counts as one that
 * is reversed does. The PDAG of PC or TPDA is compared as it is, whether or not a DAG agrees with it, except for
 * shd_extended (pdag_pattern, core/graph/equivalence.h).
 *
 * @return STATUS_INVALID if the numbers of nodes differ, or a graph is meant as a DAG and is none.
 */
BNB_MUST_CHECK status graph_distance_measure(const pdag *learned, graph_kind kind, const pdag *truth,
                                             graph_kind kind_of_truth, graph_distance *out, error_info *err);

#endif
