/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Greedy search over DAGs by single arcs: hill climbing, and with a TABU list of structures (GTS). The second phase of
 * the hybrid learners too.
 */
#ifndef BNB_LEARNERS_GREEDY_GREEDY_SEARCH_H
#define BNB_LEARNERS_GREEDY_GREEDY_SEARCH_H

#include "core/base/options.h"
#include "core/data/dataset.h"
#include "core/graph/pdag.h"
#include "core/run/run_context.h"
#include "learners/base/learner.h"
#include "metrics/scores/bdeu.h"
#include "metrics/scores/score.h"

/** The options of every learner that searches with a score; part of its options struct. */
typedef struct {
    option_choice score;  /* of the registry of scores */
    double ess;           /* of the score and of the structure prior */
    int prior;            /* enum score_prior */
    double prior_parents; /* of SCORE_PRIOR_BINOMIAL */
    int max_parents;      /* -1: no limit */
} greedy_options;

/* One row a line. */
/* clang-format off */

/** The rows for the score of a `greedy_options` member `search` of the struct `type`. */
#define SCORE_OPTION_ROWS(type, initial_ess)                                                                           \
    {.kind = OPT_CHOSEN, .name = "score", .offset = offsetof(type, search.score), .help = "what is maximised",         \
     .of = &score_registry},                                                                                           \
    BDEU_OPTION_ROWS(type, search.ess, search.prior, search.prior_parents, initial_ess)

/** And for all of it. */
#define GREEDY_OPTION_ROWS(type)                                                                                       \
    SCORE_OPTION_ROWS(type, 10),                                                                                       \
    {OPT_INT, "max_parents", offsetof(type, search.max_parents), -1, -1, 1000000,                                      \
     "most parents of a node; -1: no limit", NULL}

/* clang-format on */

/** The GTS of Friedman, Nachman, Pe'er 1999 as Tsamardinos et al. 2006 use it: 100 structures, 15 changes without a new
 * best. */
enum { GREEDY_TABU_LENGTH = 100, GREEDY_TABU_PATIENCE = 15 };

typedef struct {
    greedy_options options;
    const pdag *allowed; /* arcs are added along its edges alone, in both directions; NULL: between any two nodes */
    const size_t *const *candidates; /* instead of `allowed`: the nodes that may be parents of y, ascending; or NULL */
    const size_t *n_candidates;
    const dag *start;   /* where the search starts, its arcs within what is allowed; NULL: the graph without arcs */
    score *scorer;      /* of these options and data: lends its cache; NULL: one is made, that counts in ctx->scores */
    size_t tabu_length; /* structures on the TABU list; 0: plain hill climbing */
    size_t tabu_patience; /* changes without a new best score before the search stops */
} greedy_search_plan;

/** "bdeu", "k2", ...: static text. */
const char *greedy_score_name(const greedy_options *options);

/** The scorer of these options on `data`, counting in ctx->scores. */
BNB_MUST_CHECK status greedy_scorer_create(const dataset *data, const greedy_options *options, run_context *ctx,
                                           score **out, error_info *err);

/** Fills `result` with what a search with these options has found; the graph is copied. */
BNB_MUST_CHECK status greedy_report(const greedy_options *options, const dag *found, double total, bool is_cut_short,
                                    learner_result *result, error_info *err);

/**
 * Searches from `start`; fills graph, score and is_cut_short of `result`.
 *
 * Moves: add, delete, reverse an arc. The best legal one is taken; among those within SCORE_TOLERANCE of the best, the
 * lowest (kind, from, to), additions first. Plain hill climbing stops when none gains more than the tolerance; with a
 * TABU list the best move to a structure that is not on it is taken, whatever its sign. A reversal needs both
 * directions to be allowed. At the deadline the best graph so far is returned.
 *
 * ctx->scores counts what a search asks for that scores every legal move, whether a score was counted from the data or
 * a bound decided: `requests` every family that it asks for, once for each time that its head has these parents;
 * `computed` the distinct ones.
 *
 * @return STATUS_INVALID: `start` has an arc that is not allowed.
 */
BNB_MUST_CHECK status greedy_search(const dataset *data, const greedy_search_plan *plan, run_context *ctx,
                                    learner_result *result, error_info *err);

#endif
