/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A declared test of an experiment, computed from its results: Friedman's on mean ranks, or Wilcoxon's on pairs. */
#ifndef BNB_PARTS_TESTS_SIGNIFICANCE_H
#define BNB_PARTS_TESTS_SIGNIFICANCE_H

#include "core/base/text.h"
#include "document/document.h"
#include "metrics/statistics/friedman.h"
#include "parts/figures/outputs.h"
#include "parts/figures/published.h"
#include "parts/figures/published_verdicts.h"
#include "store/store.h"

/** A learner among others at one sample size. */
typedef struct {
    size_t learner;    /* of `significance.learners` */
    double mean_rank;  /* 1 is the best */
    double z, p_value; /* against the control: the best, or the one declared; 0 and 1 there */
    double adjusted;   /* by the post-hoc procedure; of Nemenyi's the p-value of the pair with the control */
    bool is_control;
    rank_mark mark;           /* MARK_ALIKE: not significantly different from the control */
    size_t n_failed;          /* places on which it failed and was ranked last */
    double published_rank;    /* NAN where there is none */
    rank_mark published_mark; /* MARK_NONE where there is none */
} ranked_learner;

/** Friedman's test at one sample size: blocks are places, a place being a network at a noise level. */
typedef struct {
    size_t samples;
    size_t n_blocks; /* places that entered */
    bool has_test;   /* at least one block and two learners; else nothing below counts */
    friedman_result test;
    size_t n_learners;
    ranked_learner *learners;   /* in declared order */
    double critical_difference; /* of Nemenyi's test at the declared level */
} rank_comparison;

/** Where pairs come from. */
typedef struct {
    size_t place; /* of the outputs; n_places: all */
    size_t size;
} pair_cell;

/** One learner against another in one cell. */
typedef struct {
    size_t n_pairs, n;        /* pairs; of them with a difference */
    size_t n_failed;          /* pairs in which one failed, worse than every result */
    double w_plus;            /* of first minus second, larger being better */
    double p_better, p_worse; /* one-sided; of a two-sided test both are its p */
    double adjusted;
    char verdict;   /* '+' first is better, '-' worse, '~' neither; '?' no pairs */
    char published; /* the same; '\0' where there is none */
} pair_verdict;

/** Borrows spec and outputs, owns the rest; zero-initialise. */
typedef struct {
    const test_spec *spec;
    const experiment_outputs *outputs;
    size_t n_learners;
    char **learners; /* ids, borrowed from the outputs; the array is owned */
    char *title;
    size_t n_places;
    char **places; /* names: networks, or with several noise levels a network at each */
    /* friedman */
    size_t n_groups;
    rank_comparison *groups;
    /* wilcoxon: pair p and cell c at verdicts[p * n_cells + c] */
    size_t n_cells, n_pairs;
    pair_cell *cells;
    size_t (*pairs)[2]; /* first and second, of `learners` */
    pair_verdict *verdicts;
    size_t n_family;              /* tests that the correction counts */
    size_t n_score_rows;          /* 0 with a reference; else one a place, or one for all */
    long *scores;                 /* n_score_rows x n_learners: significantly better minus significantly worse */
    bool *has_score;              /* false where no verdict of it was possible */
    double *published_scores;     /* NAN where there is none */
    size_t n_published, n_agreed; /* verdicts or marks that the paper has too; those alike */
    size_t n_notes;
    char **notes;
} significance;

/**
 * @param published, scores NULL: none
 * @return STATUS_INVALID: a learner of the spec that the experiment lacks. STATUS_MEMORY.
 *
 * Friedman: each network's value is the mean over its replicates; ranks and failures as parts/figures/block_means.h
 * says; mean ranks, comparisons with the control by z = difference / sqrt(k (k+1) / (6 N)), two-sided, adjusted over
 * the k - 1 of them (Demsar 2006). Wilcoxon: metrics/statistics/wilcoxon.h on the pairs of each cell; with
 * FAILURES_WORST a pair in which one failed has the largest difference of all, else it is left out; one-sided tests
 * take the smaller p of both directions (Vandel et al. 2012, section 4.2); the family of the correction is every pair
 * in every cell, run or not.
 */
BNB_MUST_CHECK status significance_compute(const experiment_outputs *outputs, const test_spec *spec,
                                           const job_record *records, size_t n_records,
                                           const published_verdicts *published, const published_table *scores,
                                           significance *out, error_info *err);
void significance_clear(significance *s);

/** Whether anything could be tested. */
bool significance_has_results(const significance *s);

/** Heading, grids and notes. */
void significance_append_document(const significance *s, document *d);

/** One line a learner and size, or a pair and cell; numbers in full. The second: one line a score. */
void significance_append_csv(const significance *s, text_buffer *out);
void significance_append_scores_csv(const significance *s, text_buffer *out);

/** An object with all figures. */
BNB_MUST_CHECK status significance_append_json(const significance *s, text_buffer *out, error_info *err);

#endif
