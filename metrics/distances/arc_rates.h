/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Arcs found one by one: for a true graph that may hold cycles, and for filters of candidate parents. */
#ifndef BNB_METRICS_DISTANCES_ARC_RATES_H
#define BNB_METRICS_DISTANCES_ARC_RATES_H

#include "core/base/status.h"
#include "core/graph/pdag.h"

/** An undirected edge stands for both of its arcs. */
typedef struct {
    size_t true_arcs, learned_arcs, found;
} arc_rates;

/**
 * Counts the arcs a -> b of `arcs` (n_arcs, distinct; a and b may both be joined to each other) among those of
 * `learned`.
 * @return STATUS_INVALID: an arc is out of range.
 */
BNB_MUST_CHECK status arc_rates_measure(const pdag *learned, const pdag_pair *arcs, size_t n_arcs, arc_rates *out,
                                        error_info *err);

/** 0 where nothing was learned. */
double arc_precision(const arc_rates *r);

/** NAN where there is no true arc. */
double arc_recall(const arc_rates *r);

#endif
