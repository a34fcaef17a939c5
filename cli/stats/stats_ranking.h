/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Columns ranked in every row: what friedman, nemenyi and ranks of `bnbench stats` start from. */
#ifndef BNB_CLI_STATS_STATS_RANKING_H
#define BNB_CLI_STATS_STATS_RANKING_H

#include "cli/stats/stats.h"

#include "metrics/statistics/rank_statistics.h"

#include <jansson.h>

/** Arrays of k columns; zero-initialise but for `s`. */
typedef struct {
    stats_call *s;
    size_t k, n_blocks;
    rank_rule rule;
    stats_values v;
    double *mean_ranks; /* k */
    size_t *order;      /* columns by mean rank, the best first */
    friedman_result test;
    int post_hoc;
    size_t control;
    double *z, *p, *adjusted; /* k; of the control 0, 1, 1 */
    double critical_difference;
    size_t n_groups;
    rank_group *groups;
} stats_ranking;

/** Ranks the columns as the options say, or takes the mean ranks of the only row with --blocks. */
BNB_MUST_CHECK status stats_rank_columns(stats_ranking *r, error_info *err);
void stats_ranking_clear(stats_ranking *r);

/** Puts `ranks` (by column) and `n`. */
BNB_MUST_CHECK status stats_put_ranks(json_t *answer, const stats_ranking *r, error_info *err);

/** A remark on missing values. */
void stats_say_missing(const stats_ranking *r);

#endif
