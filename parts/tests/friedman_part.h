/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A declared Friedman test. */
#ifndef BNB_PARTS_TESTS_FRIEDMAN_PART_H
#define BNB_PARTS_TESTS_FRIEDMAN_PART_H

#include "parts/base/part_output.h"
#include "parts/tests/significance.h"

/** What follows Friedman's test: comparisons with a control, adjusted, or Nemenyi's of all pairs. */
typedef enum { POST_HOC_HOLM, POST_HOC_BONFERRONI, POST_HOC_BH, POST_HOC_NEMENYI, POST_HOC_NONE } post_hoc_kind;

typedef struct {
    test_spec shared;
    post_hoc_kind post_hoc;
    char *control; /* compare with this learner; NULL: with the best */
} friedman_spec;

/**
 * Each network's value is the mean over its replicates; ranks and failures as parts/figures/block_means.h says; mean
 * ranks, comparisons with the control by z = difference / sqrt(k (k+1) / (6 N)), two-sided, adjusted over the k - 1 of
 * them (Demsar 2006).
 *
 * @param published NULL: none
 * @return STATUS_INVALID: a learner of the spec that the experiment lacks. STATUS_MEMORY.
 */
BNB_MUST_CHECK status friedman_compute(const experiment_outputs *outputs, const friedman_spec *spec,
                                       const job_record *records, size_t n_records, const published_table *published,
                                       significance *out, error_info *err);

/** The outcome of a declared test with the published ones; a note and `*is_there` false where there is none. */
BNB_MUST_CHECK status friedman_make(const part_context *c, const friedman_spec *spec, part_output *out, significance *s,
                                    bool *is_there, error_info *err);

#endif
