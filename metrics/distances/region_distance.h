/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * How well the area around a variable is found by breadth-first search, averaged over all variables: Tsamardinos,
 * Aliferis, Statnikov, Brown 2003, Scaling-Up Bayesian Network Learning to Thousands of Variables Using Local Learning
 * Techniques (Vanderbilt University), Experiment 3 and Table 3.
 */
#ifndef BNB_METRICS_DISTANCES_REGION_DISTANCE_H
#define BNB_METRICS_DISTANCES_REGION_DISTANCE_H

#include "core/base/status.h"
#include "core/graph/pdag.h"

/** What the search for each variable found, one list after the other: that of v is members[starts[v]] ..
 * members[starts[v + 1] - 1]. Borrowed. */
typedef struct {
    size_t n_variables;
    const size_t *starts; /* n_variables + 1 */
    const size_t *members;
} region_lists;

/** Means over the variables that have an edge in the true graph; NAN without any. */
typedef struct {
    double sensitivity, specificity, distance;
} region_average;

enum { REGION_DEPTHS = 4 };

/**
 * For every variable T and depth d = 1 .. REGION_DEPTHS two sets of edges: the region found holds v - w for each w in
 * the list of each v that a walk along lists reaches from T in fewer than d steps (what mmbn-local returns); the true
 * area A(T, d) the edges of `truth` with an end fewer than d steps from T. Sensitivity is the share of A(T, d) that is
 * in the region; specificity the share of all other pairs of variables that is not; distance that from both being one.
 *
 * @param[out] out  depth d at out[d - 1]
 * @return STATUS_INVALID if the numbers of variables differ. STATUS_MEMORY: O(n + edges of a region).
 */
BNB_MUST_CHECK status region_distance_measure(const region_lists *found, const pdag *truth,
                                              region_average out[REGION_DEPTHS], error_info *err);

#endif
