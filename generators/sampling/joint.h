/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The joint distribution of a few variables of a network. */
#ifndef BNB_GENERATORS_SAMPLING_JOINT_H
#define BNB_GENERATORS_SAMPLING_JOINT_H

#include "core/base/random.h"
#include "core/models/bayes_net.h"

#include <stdbool.h>

/** What an exact computation may cost before it is given up. */
typedef struct {
    size_t max_nodes; /* ancestors of the variables, themselves among them */
    size_t max_cells; /* of any factor on the way */
} joint_limits;

/**
 * P(nodes) by variable elimination among their ancestors, always the variable that leaves the smallest factor next
 * (Zhang and Poole 1994; Koller and Friedman 2009, algorithm 9.1 with min-weight). Tables of other nodes may be
 * missing.
 *
 * @param nodes       n distinct nodes, n > 0
 * @param[out] joint  as many cells as they have joint states; the first node varies fastest
 * @param[out] done   false where a limit would be passed; `joint` is then untouched
 */
BNB_MUST_CHECK status joint_exact(const bayes_net *net, const size_t *nodes, size_t n, const joint_limits *limits,
                                  double *joint, bool *done, error_info *err);

/**
 * The same estimated from n_samples forward samples of the ancestors, 1e-6 added to every joint state and the whole
 * scaled to one, so that no state that could occur is left out.
 */
BNB_MUST_CHECK status joint_sampled(const bayes_net *net, const size_t *nodes, size_t n, size_t n_samples,
                                    random_stream *random, double *joint, error_info *err);

#endif
