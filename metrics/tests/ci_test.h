/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Conditional independence tests: G2 and Pearson's X2 on discrete data, Fisher's z and Student's t of partial
 * correlations on continuous data, and one of non-linear dependence on any.
 */
#ifndef BNB_METRICS_TESTS_CI_TEST_H
#define BNB_METRICS_TESTS_CI_TEST_H

#include "core/base/options.h"
#include "core/base/status.h"
#include "core/data/dataset.h"
#include "core/run/run_context.h"
#include "metrics/tests/association.h"

#include <stdint.h>

/** Degrees of freedom (specs: ci_tests, section 3). */
enum ci_df { CI_DF_FULL, CI_DF_ADJ, CI_DF_STECK, CI_DF_SGS, CI_DF_OBSERVED };
#define CI_DF_CHOICES "full|adj|steck|sgs|observed"

/** The alternative of a test of partial correlation: both signs, or the one that is seen. */
enum ci_tail { CI_TAIL_TWO, CI_TAIL_ONE };
#define CI_TAIL_CHOICES "two|one"

/** Features of the ends of rcit: of each alone (RCoT), or of each with the set (RCIT). */
enum ci_variant { CI_VARIANT_RCOT, CI_VARIANT_RCIT };
#define CI_VARIANT_CHOICES "rcot|rcit"

/** How the tail of a weighted sum of chi-squares is taken (metrics/tests/weighted_chi_square.h). */
#define CI_APPROXIMATION_CHOICES "lpb|hbe|sw"

typedef struct {
    int df;            /* enum ci_df; of g2 and x2 */
    double alpha;      /* level, (0, 1): dependent iff p <= alpha */
    double min_rows;   /* of g2, x2: reliable iff n >= min_rows * r_x * r_y * prod r_z; 0: every test is reliable */
    int tail;          /* enum ci_tail; of zf and cor */
    int features;      /* of rcit, 1 or more: random features of x and of y */
    int set_features;  /* the same of the set */
    int feature_seed;  /* they are drawn from this seed */
    int variant;       /* enum ci_variant; of rcit */
    int approximation; /* enum weighted_chi_square_tail; of rcit */
} ci_test_options;

/** An entry of the registry: g2, x2, bayes, zf, cor, rcit. */
typedef struct ci_test_kind ci_test_kind;

size_t ci_test_kind_count(void);
const ci_test_kind *ci_test_kind_at(size_t i);
const char *ci_test_kind_name(const ci_test_kind *kind);
const char *ci_test_kind_summary(const ci_test_kind *kind);
const char *ci_test_kind_citation(const ci_test_kind *kind);
int ci_test_kind_accepts(const ci_test_kind *kind); /* data_kinds, ored */
/** On a ci_test_options: those that the kind heeds. */
const option_spec *ci_test_kind_options(const ci_test_kind *kind);
BNB_MUST_CHECK status ci_test_kind_find(const char *name, const ci_test_kind **out, error_info *err);

typedef struct {
    double statistic; /* g2, x2, rcit: >= 0; zf: atanh(r) sqrt(df), cor: r, with the sign of the dependence; bayes: log
                         odds */
    double df;        /* whole number >= 0; zf: n - |z| - 3; cor: n - |z| - 2; rcit: pairs of features */
    double p_value, log_p; /* log_p does not underflow; of bayes the probability of independence */
    bool is_reliable;      /* enough rows; the numbers are there in any case */
} ci_result;

typedef struct ci_test ci_test;

/**
 * An evaluator on `data` (borrowed). `tally` (borrowed, may be NULL) counts. One a thread.
 * @return STATUS_INVALID: data of a kind that the test does not take; a value that is not finite: which, and where.
 */
BNB_MUST_CHECK status ci_test_create(const ci_test_kind *kind, const ci_test_options *options, const dataset *data,
                                     statistics_count *tally, ci_test **out, error_info *err);
void ci_test_destroy(ci_test *t);

/**
 * The test of x and y given z in full. x, y, z distinct columns. A pair with df 0 has statistic 0 and p 1, and so has
 * one of which a column does not vary, or not once z is known.
 * Source: Spirtes, Glymour, Scheines 2000, ch. 5; adj: Tsamardinos and Borboudakis 2010.
 */
BNB_MUST_CHECK status ci_test_evaluate(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, ci_result *out,
                                       error_info *err);

/**
 * The same as an association at level alpha, with a cache keyed by {x, y} and the set z: what learners call.
 * `*reliable` is false where the test is not performed for lack of rows (counted as skipped).
 * Cheaper when consecutive calls share y and z and vary x.
 */
BNB_MUST_CHECK status ci_test_associate(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                                        association *out, error_info *err);

/** From here on nothing is kept: for a search that never asks twice, where a cache of millions would only cost time. */
void ci_test_forgo_cache(ci_test *t);

/** What a column's margin adds to every table without condition that the column is part of. */
typedef struct {
    int64_t information; /* in the evaluator's own unit */
    size_t n_seen;       /* states with rows */
} ci_margin;

/** Of the rows by state of a column with r states; of g2 and x2 alone. */
ci_margin ci_test_margin(const ci_test *t, const uint32_t *rows, size_t r);

/**
 * The association of two columns without condition, of a table that was counted elsewhere
 * (core/counting/pair_tables.h): cells[i * r_y + j], with both margins. What ci_test_associate would say, of g2 to the
 * last bit; but neither reliability nor the tally is looked at. For passes over all pairs, by g2 and x2 alone.
 */
association ci_test_judge_pair(ci_test *t, const uint32_t *cells, size_t r_x, size_t r_y, const ci_margin *x,
                               const ci_margin *y);

/** The evaluator behind the interface of constraint-based learners. */
association_source ci_test_as_source(ci_test *t);

/**
 * Is the pair dependent given z? Counted as ci_test_associate. Where bounds answer, no table of all the columns is
 * made: with I in nats, I(x;y|S) >= I(x;y|A) - I(x;S without A|A) for any part A of S, and the same with y for x, and a
 * set has no more degrees of freedom than its configurations that are there allow. The terms of smaller sets are shared
 * by many tests. What is dependent by a bound is so by the test; G2 alone has bounds.
 */
BNB_MUST_CHECK status ci_test_decide(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable,
                                     verdict *out, error_info *err);

/** The association of a test that ci_test_decide decided: not counted again. */
BNB_MUST_CHECK status ci_test_resolve(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, association *out,
                                      error_info *err);

/** A hint that makes no difference but to time: the tests that follow are about these columns, distinct and few. */
void ci_test_attend(ci_test *t, const size_t *columns, size_t n_columns);

decision_source ci_test_as_decisions(ci_test *t);

/** log of the upper tail of the chi-square distribution: finite wherever the tail is positive, however small. */
double chi_square_log_tail(double statistic, double df);

#endif
