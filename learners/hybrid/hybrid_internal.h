/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What MMHC and PMMHC share: a greedy search that adds arcs along the edges of a skeleton alone. */
#ifndef BNB_LEARNERS_HYBRID_HYBRID_INTERNAL_H
#define BNB_LEARNERS_HYBRID_HYBRID_INTERNAL_H

#include "learners/greedy/greedy_search.h"

/** The second phase: with a TABU list as published, or plain hill climbing, as some programs have it. */
enum { HYBRID_TABU, HYBRID_HC };

/* The row for a member `phase2` of the struct `type`. */
#define HYBRID_ROW(type)                                                                                               \
    {                                                                                                                  \
        OPT_CHOICE, "phase2", offsetof(type, phase2), HYBRID_TABU, 0, 0,                                               \
            "search of the second phase: with a TABU list, or hill climbing", "tabu|hc"                                \
    }

/** Fills `result`; the search is cut short if phase one was. */
BNB_MUST_CHECK status hybrid_search(const dataset *data, const pdag *skeleton, bool is_cut_short,
                                    const greedy_options *options, int phase2, run_context *ctx, learner_result *result,
                                    error_info *err);

#endif
