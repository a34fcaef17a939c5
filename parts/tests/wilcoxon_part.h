/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A declared test of Wilcoxon's on pairs of learners. */
#ifndef BNB_PARTS_TESTS_WILCOXON_PART_H
#define BNB_PARTS_TESTS_WILCOXON_PART_H

#include "parts/tests/significance.h"

/** What the pairs are. */
typedef enum {
    PAIRS_REPLICATES, /* of one network and size: a verdict each */
    PAIRS_DATA_SETS,  /* all networks and replicates of a size */
    PAIRS_NETWORKS    /* the networks of a size, each by the mean over its replicates */
} test_pairs;

typedef enum { ONE_SIDED, TWO_SIDED } test_alternative; /* ONE_SIDED: in both directions */
typedef enum { CORRECTION_BONFERRONI, CORRECTION_HOLM, CORRECTION_BH, CORRECTION_NONE } test_correction;

typedef struct {
    test_spec shared;
    char *reference; /* pairs with this learner alone; NULL: all pairs */
    test_alternative alternative;
    test_pairs pairs;
    test_correction correction; /* over all pairs of learners and all cells */
    size_t n_comparisons;       /* the size of that family; 0: as many as there are */
    char *published_scores;     /* a file with the sums of the verdicts */
} wilcoxon_spec;

/**
 * metrics/statistics/wilcoxon.h on the pairs of each cell; with FAILURES_WORST a pair in which one failed has the
 * largest difference of all, else it is left out; one-sided tests take the smaller p of both directions (Vandel et al.
 * 2012, section 4.2); the family of the correction is every pair in every cell, run or not.
 *
 * @param published, scores NULL: none
 * @return STATUS_INVALID: a learner of the spec that the experiment lacks. STATUS_MEMORY.
 */
BNB_MUST_CHECK status wilcoxon_compute(const experiment_outputs *outputs, const wilcoxon_spec *spec,
                                       const job_record *records, size_t n_records, const published_table *published,
                                       const published_table *scores, significance *out, error_info *err);

#endif
