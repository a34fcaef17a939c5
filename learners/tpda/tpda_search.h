/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Three-Phase Dependency Analysis on any source of mutual information: Cheng, Greiner, Kelly, Bell, Liu, Learning
 * Bayesian networks from data: an information-theory based approach, Artif. Intell. 137 (2002) 43-90.
 */
#ifndef BNB_LEARNERS_TPDA_TPDA_SEARCH_H
#define BNB_LEARNERS_TPDA_TPDA_SEARCH_H

#include "core/graph/pdag.h"
#include "core/run/crew.h"
#include "core/run/run_context.h"
#include "metrics/numerics/information.h"

typedef struct {
    double threshold; /* in the source's unit: what exceeds it is a dependence */
    bool is_monotone; /* the last phase searches greedily, trusting in monotone faithfulness; else exhaustively */
    bool by_union;    /* sets are sought among the neighbours of both nodes at once, not of each in turn */
    /* The same values as the source's, a source for each thread: of pairs without condition, which are asked once each,
       and of what the source will be asked soon, if it offers `compute`. None: the source is asked. Borrowed, as are
       the threads, of which there are as many */
    const information_source *of_threads;
    size_t n_of_threads;
    crew *threads;
} tpda_rules;

/**
 * Drafting, thickening, thinning twice, orientation; ties between pairs go to the lowest indices. A pair is asked as
 * (lower, higher), and the sets are ascending. At the deadline the graph so far is oriented as far as it goes.
 */
BNB_MUST_CHECK status tpda_search(const information_source *source, size_t n_nodes, const tpda_rules *rules,
                                  run_context *ctx, pdag **out, bool *is_cut_short, error_info *err);

#endif
