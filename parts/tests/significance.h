/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A declared test of an experiment, computed from its results: Friedman's on mean ranks, or Wilcoxon's on pairs. */
#ifndef BNB_PARTS_TESTS_SIGNIFICANCE_H
#define BNB_PARTS_TESTS_SIGNIFICANCE_H

#include "core/base/text.h"
#include "document/document.h"
#include "metrics/statistics/friedman.h"
#include "parts/figures/aggregate.h"
#include "parts/figures/published.h"
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
    size_t row;               /* of the published file; meaningless without a mark */
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
    size_t row;     /* of the published file; meaningless without a published verdict */
} pair_verdict;

/** What every test has. Strings are owned; NULL where not declared. */
typedef struct {
    char *id, *title;
    char *metric;
    size_t n_learners;
    char **learners; /* these alone, in this order; none: all that are not hidden */
    double alpha;
    failure_policy failures;
    char *published;        /* a file of results/published/ with marks or verdicts */
    char *published_metric; /* the metric's name there; NULL: any */
} test_spec;

struct test_method;

/** Borrows spec and outputs, owns the rest; zero-initialise. */
typedef struct {
    const test_spec *spec;
    const struct test_method *method; /* of its kind */
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
    bool is_by_place;             /* a cell is a place at a size; else all places at a size */
    size_t n_score_rows;          /* 0 with a reference; else one a place, or one for all */
    long *scores;                 /* n_score_rows x n_learners: significantly better minus significantly worse */
    bool *has_score;              /* false where no verdict of it was possible */
    double *published_scores;     /* NAN where there is none */
    size_t *score_rows;           /* of their file; meaningless where there is none */
    size_t n_published, n_agreed; /* verdicts or marks that the paper has too; those alike */
    size_t n_notes;
    char **notes;
} significance;

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
