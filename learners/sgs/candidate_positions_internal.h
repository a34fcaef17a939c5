/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The nodes that may become parents of x, by position: all n, or the candidates of a plan. */
#ifndef BNB_LEARNERS_SGS_CANDIDATE_POSITIONS_INTERNAL_H
#define BNB_LEARNERS_SGS_CANDIDATE_POSITIONS_INTERNAL_H

#include "core/base/array.h"
#include "learners/sgs/sgs_search.h"

static inline size_t candidate_count(const sgs_plan *plan, size_t n, size_t x) {
    return plan->candidates ? plan->n_candidates[x] : n;
}

/** Their number where y is none. */
static inline size_t candidate_position(const sgs_plan *plan, size_t n, size_t x, size_t y) {
    size_t at, n_candidates = candidate_count(plan, n, x);
    if (!plan->candidates)
        return y;
    at = array_count_below(plan->candidates[x], n_candidates, y);
    return at < n_candidates && plan->candidates[x][at] == y ? at : n_candidates;
}

#endif
