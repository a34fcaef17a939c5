/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The blocks of a comparison by ranks: one for each element of a group (a network at a sample size), a learner's value
 * being the mean over the block's data sets.
 */
#ifndef BNB_PARTS_FIGURES_BLOCK_MEANS_H
#define BNB_PARTS_FIGURES_BLOCK_MEANS_H

#include "parts/figures/aggregate.h"

typedef struct {
    size_t n_takers;
    size_t *takers; /* learners that take part */
    size_t n_blocks;
    size_t *elements;   /* n_blocks: which element of the group it is */
    size_t *n_used;     /* n_blocks: data sets that entered */
    double *values;     /* n_blocks x n_takers; NAN: failed, to be ranked last */
    size_t *n_failed;   /* n_blocks x n_takers: data sets of the block on which it failed */
    size_t n_data_sets; /* sum of n_used */
} block_means;

/**
 * With FAILURES_WORST a learner that failed on any data set of a block has failed there, and one that failed everywhere
 * still takes part; else a data set without a value of every learner that takes part is left out, as
 * data_set_is_kept says. What has not run is left out in any case; a block without a data set is none.
 *
 * @param metric as metric_values_create made it, with any policy
 */
BNB_MUST_CHECK status block_means_create(const metric_values *metric, const grid_element *elements, size_t n_elements,
                                         failure_policy policy, block_means *out, error_info *err);
void block_means_clear(block_means *b);

/** The figures of a group as group_compare gives them, each the learner's mean rank over the blocks; 1 is the best. */
BNB_MUST_CHECK status group_mean_ranks(const metric_values *metric, const grid_element *elements, size_t n_elements,
                                       failure_policy policy, bool more_is_better, group_figure *figures,
                                       group_summary *summary, error_info *err);

#endif
