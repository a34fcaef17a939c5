/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Conditional independence tests: G2 and Pearson's X2 on discrete data, Fisher's z and Student's t of partial
 * correlations on continuous data, and one of non-linear dependence on any.
 */
#ifndef BNB_METRICS_TESTS_CI_TEST_H
#define BNB_METRICS_TESTS_CI_TEST_H

#include "core/base/options.h"
#include "core/base/status.h"
#include "core/counting/pair_tables.h"
#include "core/data/dataset.h"
#include "core/run/crew.h"
#include "core/run/run_context.h"
#include "metrics/tests/association.h"

#include <stdint.h>

/** A test: an entry of the registry. Adding one is one file and one line in registry.def. */
typedef struct {
    const char *name;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *summary;        /* one line, no full stop */
    const char *citation;
    int accepts;                /* data_kinds, ored */
    int is_usual_for;           /* those on which learners take it unless another is named; of one test each */
    const option_spec *options; /* on a struct that begins with its level, a double `alpha`: see CI_LEVEL_ROW */
    size_t options_size;
    const struct table_test *of_tables; /* one of these two: see ci_test_internal.h */
    const struct ci_evaluator *evaluator;
} ci_test_kind;

/** The row for the level, the first member of a test's options. */
#define CI_LEVEL_ROW(type, member, initial, help)                                                                      \
    { OPT_REAL, "alpha", offsetof(type, member), initial, 1e-300, 0.999999, help, NULL }

/** The level of a test's options. */
static inline double ci_test_level(const void *options) {
    return *(const double *)options;
}

extern const registry ci_test_registry;

const ci_test_kind *ci_test_kind_at(size_t i);
BNB_MUST_CHECK status ci_test_kind_find(const char *name, const ci_test_kind **out, error_info *err);

/** Whether other threads can have the same test: true of those on tables, and by partial correlations. Others call
 * BLAS, which not every build lets two threads do. */
bool ci_test_kind_has_twins(const ci_test_kind *kind);

/** The place in the registry of the test that is usual for this kind of data. */
size_t ci_test_usual_place(int data_kind);

typedef struct {
    double statistic; /* g2, x2, rcit: >= 0; zf: atanh(r) sqrt(df), cor: r, with the sign of the dependence; bayes: log
                         odds */
    double df;        /* whole number >= 0; zf: n - |z| - 3; cor: n - |z| - 2; rcit: pairs of features */
    double p_value, log_p; /* log_p does not underflow; of bayes the probability of independence */
    bool is_reliable;      /* enough rows; the numbers are there in any case */
} ci_result;

typedef struct ci_test ci_test;

/**
 * An evaluator on `data` (borrowed). `options`: those of the kind's table. `tally` (borrowed, may be NULL) counts. One
 * a thread.
 * @return STATUS_INVALID: an option out of range; data of a kind that the test does not take; a value that is not
 * finite: which, and where.
 */
BNB_MUST_CHECK status ci_test_create(const ci_test_kind *kind, const void *options, const dataset *data,
                                     statistics_count *tally, ci_test **out, error_info *err);

/** The same, prepared by ctx->n_threads. */
BNB_MUST_CHECK status ci_test_create_within(const ci_test_kind *kind, const void *options, const dataset *data,
                                            const run_context *ctx, statistics_count *tally, ci_test **out,
                                            error_info *err);

/** The same test of the same data, for another thread: what it reads and never changes is `like`'s, which must outlive
 * it and may be in use meanwhile. It keeps no answers. Of a kind that has twins. */
BNB_MUST_CHECK status ci_test_create_beside(const ci_test *like, statistics_count *tally, ci_test **out,
                                            error_info *err);
void ci_test_destroy(ci_test *t);
AUTO_PTR_OF(ci_test, ci_test_destroy)

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

/**
 * Says that every pair of columns will be asked without condition, but those of which one is left out (by column; NULL:
 * none). G2, where there are many, and tests by partial correlations find at once which are dependent, and count them
 * all as computed. It makes no difference to any answer.
 * @param tables of the same data, whose rows are not listed yet: that is done here, where it helps, and nobody else may
 * read them meanwhile; NULL: it makes its own
 * @param threads that do it; NULL: ctx->n_threads of its own
 */
BNB_MUST_CHECK status ci_test_survey(ci_test *t, const bool *left_out, pair_tables *tables, const run_context *ctx,
                                     crew *threads, error_info *err);

/** Can there be a survey of these data? Not of other tests than named above, nor of few columns. */
bool ci_test_can_survey(const ci_test *t);

/**
 * The same by parts, where there are more pairs than fit into memory: the pairs of each column from `first` up to
 * end - 1 with all columns after it. What a part before has found is forgotten. Who goes from part to part asks about
 * a column before `first` only with what depends on it. ctx->tell hears what is done of the part.
 * @param tables  as above
 */
BNB_MUST_CHECK status ci_test_survey_part(ci_test *t, size_t first, size_t end, pair_tables *tables,
                                          const run_context *ctx, error_info *err);

/** The end of a part that begins at `first` and fits into a quarter of a gigabyte; all columns where they fit. */
size_t ci_test_survey_end(const ci_test *t, size_t first);

/** How many pairs such a part counts as computed. */
uint64_t ci_test_count_pairs(const ci_test *t, size_t first, size_t end);

/** True where a survey has found which pairs are dependent. */
bool ci_test_was_surveyed(const ci_test *t);

/** The same pairs are known to another evaluator of the same test on the same data, which must not outlive this one. */
void ci_test_share_survey(const ci_test *t, ci_test *with);

/**
 * What bounds are made of is known to this one and to others, in other threads, that learn of it: of tests of the same
 * kind on the same data. This one is told before they are, and outlives them.
 */
BNB_MUST_CHECK status ci_test_lend_terms(ci_test *t, error_info *err);
BNB_MUST_CHECK status ci_test_borrow_terms(ci_test *t, const ci_test *from, error_info *err);

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

/**
 * A hint that makes no difference but to time: the tests that follow are about these columns, distinct and few, and the
 * first of them is the y of every pair.
 */
void ci_test_attend(ci_test *t, const size_t *columns, size_t n_columns);

/** Likewise: a test of the column and the present y comes soon. */
void ci_test_approach(const ci_test *t, size_t column);

/**
 * Tests of a task given single columns are answered at once from here on where the pool is what was attended with x,
 * but for those of an evaluator that keeps answers. `tables` are of the same data, and must outlive the evaluator.
 */
BNB_MUST_CHECK status ci_test_use_lanes(ci_test *t, const pair_tables *tables, error_info *err);

/** Of the tests since the last release only those will be asked again: a promise. */
void ci_test_release(ci_test *t, const later_tests *later);

/**
 * All tests of a task, as ci_test_decide would answer them one by one, and counted like those: `computed` leaves out
 * the sets that were asked before, and counts up to 2^64 - 1. Of tests by partial correlation, and not answered where
 * columns are close to collinear; and see ci_test_use_lanes. Nothing goes into the cache.
 */
BNB_MUST_CHECK status ci_test_separate(ci_test *t, const separation_task *task, separation *out, error_info *err);
/** See decision_source; what is known at once is what a survey has found. */
size_t ci_test_screen(ci_test *t, size_t target, const size_t *columns, size_t n_columns, size_t *left);
bool ci_test_may_depend(const ci_test *t, size_t x, size_t y);
size_t ci_test_count_dependent(ci_test *t, size_t x);
bool ci_test_repeat(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z);
BNB_MUST_CHECK status ci_test_expect(ci_test *t, size_t target, const size_t *members, size_t n_members, size_t most,
                                     bool is_certain, error_info *err);
bool ci_test_can_expect(const ci_test *t, size_t target, const size_t *members, size_t n_members, size_t most);
bool ci_test_expects_later(const ci_test *t);
void ci_test_expect_as(ci_test *t, const ci_test *other);
bool ci_test_depends_always(ci_test *t, size_t member, uint64_t others, size_t n_given);
bool ci_test_depends(ci_test *t, size_t member, uint64_t given, verdict *out);
void ci_test_share(ci_test *t, work_sharing sharing);
void ci_test_tally(ci_test *t, uint64_t n_asked, uint64_t n_new);

decision_source ci_test_as_decisions(ci_test *t);

/** log of the upper tail of the chi-square distribution: finite wherever the tail is positive, however small. */
double chi_square_log_tail(double statistic, double df);

/** At least that, in the time of one logarithm: Chernoff's bound. */
double chi_square_log_tail_bound(double statistic, double df);

/** The statistic with that log of the upper tail: log_p < 0, finite; df > 0. */
double chi_square_critical_value(double log_p, double df);

#endif
