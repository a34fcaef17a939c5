/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The best single parents of every column: each pair of columns is counted once, by all threads. */
#ifndef BNB_METRICS_SCORES_SINGLE_PARENTS_H
#define BNB_METRICS_SCORES_SINGLE_PARENTS_H

#include "core/counting/pair_tables.h"
#include "core/run/crew.h"
#include "metrics/scores/score.h"

/** A parent, and the score of a column with it. */
typedef struct {
    double with;
    uint32_t node;
    uint32_t note; /* whoever keeps it may write here; 0 at first */
} scored_parent;

typedef struct {
    size_t most;          /* parents that are kept for a column */
    scored_parent *found; /* `most` for each column, of which the first n_found are parents: the best first */
    size_t *n_found;
    double *rest; /* by column: no other single parent scores more; -INFINITY: or gains more than was asked for */
} single_parents;

void single_parents_clear(single_parents *p);

/** Whether the survey pays: a score of tables, and neither few columns nor columns of many states. */
bool single_parents_can_survey(const score *s);

/** Whether it pays on few columns, too: of many rows all pairs are counted in one pass. */
bool single_parents_can_survey_rows(const pair_tables *tables);

/**
 * The `most` best single parents of each column that gain more than `least`.
 * @param tables  those of score_make_tables
 * @param alone   the score of each column without parents
 * @param ctx     says how many threads, and when the deadline is
 * @param threads do it with the caller; NULL: threads of their own
 * @param[out] is_cut_short the deadline came first: `out` is empty
 */
BNB_MUST_CHECK status single_parents_survey(const score *s, const pair_tables *tables, const double *alone,
                                            double least, size_t most, const run_context *ctx, crew *threads,
                                            single_parents *out, bool *is_cut_short, error_info *err);

/**
 * Clears bit x of row y where x < y as the single parent of y gains no less than `least`; each row has a word for 64
 * columns. The `most` best of these parents, of those that gain more, go to `out`. Arguments as above; where it is cut
 * short, some bits are cleared.
 */
BNB_MUST_CHECK status single_parents_mark(const score *s, const pair_tables *tables, const double *alone, double least,
                                          size_t most, const run_context *ctx, uint64_t *rows, single_parents *out,
                                          bool *is_cut_short, error_info *err);

#endif
