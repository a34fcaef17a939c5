/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rows drawn from a network. */
#ifndef BNB_GENERATORS_SAMPLING_H
#define BNB_GENERATORS_SAMPLING_H

#include "core/bayes_net.h"
#include "core/dataset.h"
#include "core/random.h"

/**
 * Forward sampling: row-major, each row in topological order, one uniform number a variable, so that a longer sample
 * begins with the shorter one. Column i is node i. A state of probability zero is never drawn.
 * O(n_rows * nodes) with a guide table a row of each table (Chen and Asau 1974).
 */
BNB_MUST_CHECK status sample_network(const bayes_net *net, size_t n_rows, random_stream *random, dataset **out,
                                     error_info *err);

#endif
