/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Directs a skeleton by what separated its pairs: v-structures first, then Meek's rules. */
#ifndef BNB_LEARNERS_CONSTRAINT_ORIENTATION_H
#define BNB_LEARNERS_CONSTRAINT_ORIENTATION_H

#include "core/graph/pdag.h"
#include "learners/constraint/separating_sets.h"
#include "learners/constraint/triple_verdicts.h"

/**
 * What becomes of an edge that two v-structures point in opposite directions, which tests on samples bring about: the
 * first one's direction stays; the last one's stays; or it is marked at both ends, and an edge marked so counts as
 * undirected from there on (Meek's rules may still direct it).
 */
typedef enum { CONFLICTS_FIRST, CONFLICTS_LAST, CONFLICTS_BIDIRECTED } conflict_rule;
#define CONFLICTS_CHOICES "first|last|bidirected"

/**
 * X -> Z <- Y for every X - Z - Y in the skeleton where X and Y are not adjacent and Z is not in their separating set;
 * a pair without a set in `sets` counts as separated by the empty one. In ascending order of X, then Z, then Y > X
 * (with CONFLICTS_BIDIRECTED that order does not matter); were Z outermost, "last" would favour arrows into late
 * columns, and repositories list parents before children. Each of the two edges goes by the rule for itself.
 *
 * @param g  undirected edges alone; changed in place, on failure maybe in part
 */
BNB_MUST_CHECK status orient_colliders(pdag *g, const separating_sets *sets, conflict_rule rule, error_info *err);

/**
 * The same, and then Meek's rules (core/graph/equivalence.h) to closure; an edge that they force both ways stays
 * undirected. The result may have no consistent extension, and directed cycles too, where v-structures contradict each
 * other.
 */
BNB_MUST_CHECK status orient_skeleton(pdag *g, const separating_sets *sets, conflict_rule rule, error_info *err);

/**
 * The same by verdicts on the triples of the skeleton: X -> Z <- Y where they say collider; of a triple that is unknown
 * neither the v-structures nor Meek's rules make anything.
 */
BNB_MUST_CHECK status orient_by_verdicts(pdag *g, const triple_verdicts *verdicts, conflict_rule rule, error_info *err);

#endif
