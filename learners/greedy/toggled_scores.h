/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The scores of each node with one node more or less among its parents, kept from when they are first asked for until
 * the node's parents change. The threads of the run context find them side by side, where the score has twins; scores
 * and counters are those of one thread.
 */
#ifndef BNB_LEARNERS_GREEDY_TOGGLED_SCORES_H
#define BNB_LEARNERS_GREEDY_TOGGLED_SCORES_H

#include "core/graph/dag.h"
#include "core/run/run_context.h"
#include "learners/greedy/delta_ahead_internal.h"
#include "metrics/scores/score.h"
#include "metrics/scores/scored_extras.h"
#include "metrics/scores/single_parents.h"

#include <stdint.h>

/** Where local scores come from: a score on data, or an oracle. */
typedef struct {
    void *context;
    status (*node)(void *context, size_t y, const size_t *parents, size_t n_parents, double *out, error_info *err);
    status (*node_with)(void *context, size_t y, const size_t *parents, size_t n_parents, size_t extra, double *out,
                        error_info *err);
    score *by_tables; /* the score that is asked, where it can be surveyed; NULL: unknown */
} local_scorer;

/** `s` as a source; borrowed. */
local_scorer local_scorer_of(score *s);

/** Of half a sparse row so many scores are kept, once there are twice as many. */
enum { TOGGLED_SCORES_KEPT = 16 };

/** The scores of a node with one of these toggled among its parents. */
typedef struct {
    size_t n, capacity;
    scored_parent *scores; /* by ascending node */
    double rest;           /* of what was asked for and is not kept, none that may be added scores more */
} known_row;

typedef struct {
    size_t n, n_words;
    local_scorer scorer;
    run_context *ctx;
    const dag *graph;
    double *with;          /* row y: the score of y with x toggled among its parents; NaN: not asked for yet */
    known_row *known;      /* instead, where it is sparse: of row y those with lower x, then those with higher x */
    bool keeps_all;        /* of a sparse one, too; the caller sets it */
    uint64_t *asked;       /* beside it, row y: bit x where the score was asked for, known or not */
    pair_tables *tables;   /* NULL, as the next: scores are asked for one by one */
    scored_extras *extras; /* of several columns as the next parent at once */
    delta_ahead *ahead;    /* what other threads find beforehand; NULL: there are none */
    size_t *scratch;
} toggled_scores;

/**
 * Of all nodes of `graph`, which is borrowed; nothing is known. `is_sparse`: of each node the best few are kept
 * (toggled_scores_prune), beside a bit for each that was asked for; the scorer has `by_tables`. `s` is zero before;
 * toggled_scores_clear in any case.
 */
BNB_MUST_CHECK status toggled_scores_init(toggled_scores *s, const dag *graph, const local_scorer *scorer,
                                          bool is_sparse, run_context *ctx, error_info *err);
void toggled_scores_clear(toggled_scores *s);

/** The parents of y changed. */
void toggled_scores_forget(toggled_scores *s, size_t y);

/** The score of y with x toggled among its parents; NaN where it is not known. */
double toggled_scores_with(const toggled_scores *s, size_t x, size_t y);

/** Asks for one that is not known, and keeps it. */
BNB_MUST_CHECK status toggled_scores_find(toggled_scores *s, size_t x, size_t y, double *with, error_info *err);

/** What is known of y and each of n others, which ascend, all lower or all higher; NaN where it is not known. */
void toggled_scores_look_up(const toggled_scores *s, size_t y, const size_t *others, size_t n, double *out);

/**
 * The same, after those that were not asked for are found, several at once, where that costs less than one by one; else
 * they stay NaN, as they do once the deadline has passed. None of the others is a parent of y.
 */
BNB_MUST_CHECK status toggled_scores_find_some(toggled_scores *s, size_t y, const size_t *others, size_t n, double *out,
                                               error_info *err);

/** Of a sparse one: was that asked for since the parents of y changed? What is not known any more can be found again.
 */
bool toggled_scores_was_asked(const toggled_scores *s, size_t x, size_t y);

/** No node of that half (0: lower, 1: higher) that was asked for and is not known scores more; -INFINITY: all are. */
double toggled_scores_rest(const toggled_scores *s, size_t half, size_t y);

/**
 * Of a sparse one: finds again what of n others was asked for and is not known; they are all nodes of that half that
 * may be parents of y as far as bans go. Nothing is counted. Arguments as of toggled_scores_find_some; some stay NaN.
 */
BNB_MUST_CHECK status toggled_scores_recall(toggled_scores *s, size_t half, size_t y, const size_t *others, size_t n,
                                            double *out, error_info *err);

/** What is to stay known, whatever it is. */
typedef struct {
    const void *of;
    bool (*stays)(const void *of, size_t x, size_t y);
} pruning_rule;

/** Keeps the best few of a half of a sparse row, and what stays. Where it is not sparse, all stay. */
void toggled_scores_prune(toggled_scores *s, size_t half, size_t y, const pruning_rule *rule);

/** Where there is `ahead`: whether enough of those of y with a node of [first, end) lack to be found at once. */
bool toggled_scores_lack_many(const toggled_scores *s, size_t y, size_t first, size_t end);

/**
 * Where there is `ahead`, between delta_ahead_forget and delta_ahead_begin: other threads are to find those that lack
 * of y and each of n others, which ascend, none of them a parent of y.
 * @param[out] known n numbers: as of toggled_scores_look_up
 */
BNB_MUST_CHECK status toggled_scores_foresee(toggled_scores *s, size_t y, const size_t *others, size_t n, double *known,
                                             error_info *err);

/** Of a sparse one: all x < y have been asked for as the first parent of y, which is counted; the best are known. */
BNB_MUST_CHECK status toggled_scores_pass_lower(toggled_scores *s, const single_parents *best, error_info *err);

/** Keeps what somebody else found. */
BNB_MUST_CHECK status toggled_scores_keep(toggled_scores *s, size_t x, size_t y, double with, error_info *err);

/** All that is known of a node. Zero before; saved_row_clear in any case. */
typedef struct {
    double *with; /* as in toggled_scores: these, or the others */
    known_row known[2];
    uint64_t *asked;
} saved_row;

void saved_row_clear(saved_row *row);

/** Out, over what was saved there before, and back in after changes that have been undone. */
BNB_MUST_CHECK status toggled_scores_save_row(const toggled_scores *s, size_t y, saved_row *out, error_info *err);
BNB_MUST_CHECK status toggled_scores_restore_row(toggled_scores *s, size_t y, const saved_row *row, error_info *err);

#endif
