/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rows drawn from a network. */
#ifndef BNB_GENERATORS_SAMPLING_SAMPLING_H
#define BNB_GENERATORS_SAMPLING_SAMPLING_H

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/models/bayes_net.h"

/**
 * Forward sampling: row-major, each row in topological order, one uniform number a variable, so that a longer sample
 * begins with the shorter one. Column i is node i. A state of probability zero is never drawn.
 *
 * The state is the smallest k whose cumulative sum exceeds the number; where rounding leaves none, the last one of
 * positive probability. Up to eight states the sums are compared one by one; past that a guide table a row of each
 * table tells where to begin (Chen and Asau 1974, AIIE Trans. 6(2)); where a table has more rows than are drawn,
 * nothing is prepared for it. All three give the same state. O(n_rows * nodes) but for the last, which adds up to
 * n_states a draw.
 * @return STATUS_MEMORY; STATUS_INVALID where a node has no table.
 */
BNB_MUST_CHECK status sample_network(const bayes_net *net, size_t n_rows, random_stream *random, dataset **out,
                                     error_info *err);

#endif
