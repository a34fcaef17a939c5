/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Rows drawn from a linear-Gaussian network. */
#ifndef BNB_GENERATORS_SAMPLING_GAUSSIAN_SAMPLING_H
#define BNB_GENERATORS_SAMPLING_GAUSSIAN_SAMPLING_H

#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/models/gaussian_net.h"

/**
 * Forward sampling: row-major, each row in topological order, one normal deviate a variable, so that a longer sample
 * begins with the shorter one. Column i is node i. O(n_rows * (nodes + arcs)).
 * @return STATUS_INVALID: the terms are so large that a value is no longer finite. STATUS_MEMORY.
 */
BNB_MUST_CHECK status sample_gaussian_network(const gaussian_net *net, size_t n_rows, random_stream *random,
                                              dataset **out, error_info *err);

#endif
