/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources of the independence tests share: the evaluator, and tests without cache and counters. */
#ifndef BNB_METRICS_TESTS_CI_TEST_INTERNAL_H
#define BNB_METRICS_TESTS_CI_TEST_INTERNAL_H

#include "core/counting/counts.h"
#include "core/counting/strata.h"
#include "metrics/numerics/set_terms_internal.h"
#include "metrics/numerics/whole_terms_internal.h"
#include "metrics/tests/answer_cache_internal.h"
#include "metrics/tests/ci_bounds_internal.h"
#include "metrics/tests/ci_test.h"
#include "metrics/tests/survey_rows_internal.h"
#include "metrics/tests/set_lattice_internal.h"
#include "metrics/tests/single_tests.h"

/** A test on contingency tables. */
typedef struct table_test {
    /** The terms of one stratum: cells of r_x columns of r_y, with the margins, n rows in all. */
    double (*exact)(const uint32_t *cells, const uint32_t *x_margin, const uint32_t *y_margin, size_t r_x, size_t r_y,
                    double n);
    /** The same of a stratum of a sparse table; x is the extra column, y the first. */
    double (*exact_sparse)(const strata_reader *s);
    bool is_g2;
} table_test;

/** A test that is no sum over the cells of a table. `state` is the test's own. */
typedef struct ci_evaluator {
    /** Makes `*state`, NULL before; the caller closes it, after a failure too. `ctx`: the threads; NULL: one. */
    status (*open)(const void *options, const dataset *data, const run_context *ctx, void **state, error_info *err);
    /** Enough rows to perform tests given so many columns? No fewer columns need more. */
    bool (*has_enough_rows)(const void *state, size_t n_z);
    /** All but is_reliable. */
    status (*evaluate)(void *state, size_t x, size_t y, const size_t *z, size_t n_z, ci_result *out, error_info *err);
    void (*close)(void *state); /* NULL is fine */
    /** As decision_source.separate at level alpha, without counting; there are enough rows. NULL: not offered. */
    status (*separate)(void *state, double alpha, const separation_task *task, separation *out, error_info *err);
    /** For another thread: a state of its own that borrows what both only read; `state` may be in use meanwhile. NULL:
     * there can be no other. */
    status (*twin)(const void *state, void **out, error_info *err);
} ci_evaluator;

/** The tests that are expected: see ci_expected.c. */
typedef struct {
    bool is_expected;
    double n_before; /* tests until the lattice is worth it */
    size_t target, n_members, members[LATTICE_MOST_MEMBERS], most;
    const set_lattice *lattice; /* NULL: not counted; its own, or another's */
    set_lattice own;
    work_sharing sharing;
} hub;

/** Critical values are kept below these degrees of freedom, of which a test may meet few and far between. */
enum { CI_TEST_MOST_CRITICAL = 1 << 16, CI_TEST_CRITICAL_BLOCK = 64 };

struct ci_test {
    const ci_test_kind *kind;
    const ci_evaluator *evaluator; /* the kind's */
    double alpha;
    double *n_states; /* by column */
    double most_states;
    double min_rows; /* of tests on tables, and so is: */
    int df;          /* enum ci_df */
    bool is_g2;
    const dataset *data;
    statistics_count *tally;
    statistics_count own_tally;
    void *state; /* of the kind's evaluator; what follows down to the cache is of tests on tables alone */
    counts *counts;
    whole_terms terms;
    bool borrows_terms;
    /* By pair and set; nothing, where none is kept. Of a dependent pair log p (below 0) and the statistic; of an
       independent one 0 and -1; of one that is known to be dependent and no more, the most degrees of freedom (above 0)
       and the least statistic. */
    answer_cache answers;
    bool keeps_answers;
    uint32_t *key;
    uint32_t *x_margin, *y_margin; /* of one stratum of a dense table */
    strata_reader strata;          /* of a sparse one */
    /* By degrees of freedom, 0 where not yet computed, in blocks that are NULL before first use. */
    double *critical[CI_TEST_MOST_CRITICAL / CI_TEST_CRITICAL_BLOCK];
    float *limits; /* see ci_test_limits: the first n_limits by degrees of freedom, then constant ones */
    size_t n_limits;
    pair_survey survey;
    bool borrows_survey;
    survey_rows surveyed;
    size_t focus; /* the column that the present tests are about; p: none */
    hub hub;
    ci_bounds *bounds;     /* NULL before first use */
    distinct_rows *rows;   /* NULL before first use */
    single_tests *singles; /* NULL: not used, as then: */
    struct single_kinds *kinds;
};

/** Is the test performed? */
bool ci_test_has_enough_rows(const ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z);

/** What one walk over a table finds: the statistic, and what the degrees of freedom are made of. */
typedef struct {
    double statistic;              /* of terms that are not those of G2 */
    int64_t information;           /* half of G2, in units of the terms */
    int64_t cells, with_x, with_y; /* of the information, what the cells give, and what the margins take */
    double rows, columns;          /* cells of the margins that have rows */
    double observed_strata;
    double zero_expected; /* cells of observed strata whose expectation is 0 */
    double adjusted;      /* sum of (rows - 1)(columns - 1) */
    double positive;      /* cells with rows */
    double steck;         /* sum of nz(cells) - nz(rows) - nz(columns) + 1 */
} table_sums;

/** What is known of a test of G2 before its p-value. */
typedef struct {
    double statistic, df;
    bool is_clearly_dependent; /* far enough from the critical value that rounding does not matter */
} table_judgement;

/** Of a table of r_x by r_y under q configurations of the set: of its sums the information is read, and what the
 * degrees of freedom are made of: observed_strata, zero_expected, adjusted, steck. */
void ci_test_judge_sums(ci_test *t, const table_sums *sums, double r_x, double r_y, double q, table_judgement *out);
/** The same of a table of two columns, as ci_test_judge_pair. */
void ci_test_begin_pair(ci_test *t, const uint32_t *cells, size_t r_x, size_t r_y, const ci_margin *x,
                        const ci_margin *y, table_judgement *out);
association ci_test_finish_judgement(ci_test *t, const table_judgement *j);

/** True, and *reliable, or a test that is counted as skipped. */
bool ci_test_is_performed(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z, bool *reliable);

/** Are there enough rows for a table of so many cells? */
static inline bool ci_test_has_rows_for(const ci_test *t, double cells) {
    return (double)dataset_row_count(t->data) >= t->min_rows * cells;
}

/** Are there for every pair of columns? A survey of an evaluator is made where there are. */
static inline bool ci_test_has_rows_for_pairs(const ci_test *t) {
    return t->evaluator || ci_test_has_rows_for(t, t->most_states * t->most_states);
}

/** True of tests that a survey has performed. */
static inline bool ci_test_has_surveyed(const ci_test *t, size_t n_z) {
    return n_z == 0 && pair_survey_was_made(&t->survey);
}

/** True if a survey says that the pair is independent. */
static inline bool ci_test_is_known_zero(const ci_test *t, size_t x, size_t y, size_t n_z) {
    return ci_test_has_surveyed(t, n_z) && !pair_survey_is_dependent(&t->survey, x, y);
}

/** Are answers given so many columns kept? Pairs are counted by the survey, and then cheap to compute again. */
static inline bool ci_test_keeps(const ci_test *t, size_t n_z) {
    return t->keeps_answers && !ci_test_has_surveyed(t, n_z);
}

/** Counts a test that is performed; `known`: it was before. */
static inline void ci_test_count(ci_test *t, size_t n_z, bool known) {
    t->tally->requests++;
    t->tally->computed += !known && !ci_test_has_surveyed(t, n_z); /* a survey has counted its pairs */
}

/** See decision_source. */
size_t ci_test_most_separated(const ci_test *t);

/** As ci_test_separate, of a task of size 1, by t->singles. */
BNB_MUST_CHECK status ci_singles_separate(ci_test *t, const separation_task *task, separation *out, error_info *err);

/** What a test on a table finds. */
typedef struct {
    double statistic, df;
    set_term cells, with_x, with_y, alone; /* of all the columns; of the set, with one of the pair and alone */
} ci_measurement;

/** Of a test on tables; counted by nobody, and not kept. */
BNB_MUST_CHECK status ci_test_measure_table(ci_test *t, size_t x, size_t y, const size_t *z, size_t n_z,
                                            ci_measurement *out, error_info *err);

/** The association of such a measurement. */
association ci_test_judge(ci_test *t, double statistic, double df);

/**
 * The association, counted by nobody, and kept under the key of that length in t->key, in place of what is there;
 * `measured` (may be NULL): what it was made of, of a test on tables.
 */
BNB_MUST_CHECK status ci_test_compute_and_keep(ci_test *t, size_t n_key, size_t x, size_t y, const size_t *z,
                                               size_t n_z, association *out, ci_measurement *measured, error_info *err);

/** The statistic at which p = alpha, df whole and at least 1; 0 where it is not tabulated. */
double ci_test_critical_value(ci_test *t, double df);

/** By whole degrees of freedom up to `most`, adjusted to the states that have rows, what half of a statistic has to
 * exceed to make a pair dependent, and a millionth more; valid until the next call. NULL where it is not known, as past
 * CI_TEST_MOST_LIMIT. */
enum { CI_TEST_MOST_LIMIT = 255 };
const float *ci_test_limits(ci_test *t, size_t most);

static inline association ci_test_unpack(const tuple_value *known) {
    return (association){known->b < 0, known->a, known->b};
}

/** True if no more is known of the test than that the pair is dependent. */
static inline bool ci_test_is_bound(const tuple_value *known) {
    return known->a > 0;
}

#endif
