/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What the integrated discretizers share: LearnHybridBN and LearnDP of Fu 2005, III.1. A method is a score of (graph,
 * policy) that is a sum over families and intervals; larger is better in all of them.
 */
#ifndef BNB_DISCRETIZERS_INTEGRATED_INTEGRATED_INTERNAL_H
#define BNB_DISCRETIZERS_INTEGRATED_INTEGRATED_INTERNAL_H

#include "core/graph/dag.h"
#include "core/run/crew.h"
#include "discretizers/base/discretizer.h"
#include "discretizers/base/sorted_column.h"
#include "discretizers/integrated/increments.h"

enum { INITIAL_EQFREQ, INITIAL_EQWIDTH };
enum { ACCEPT_SUM, ACCEPT_LOCAL };

typedef struct {
    int k, initial;
    double ess;
    int min_levels, acceptance, max_iterations, max_visits, turns;
} integrated_options;

/* One row a line. */
/* clang-format off */
#define INTEGRATED_OPTION_ROWS                                                                                         \
    {OPT_INT, "k", offsetof(integrated_options, k), 3, 2, 256, "intervals to begin with", NULL},                       \
    {OPT_CHOICE, "initial", offsetof(integrated_options, initial), INITIAL_EQFREQ, 0, 0, "how these are cut",          \
     "eqfreq|eqwidth"},                                                                                                \
    {OPT_REAL, "ess", offsetof(integrated_options, ess), 1, 1e-16, 1e12,                                               \
     "equivalent sample size of BDeu, where the policy is scored with it and in the hc that `discretize` runs", NULL}, \
    {OPT_INT, "min_levels", offsetof(integrated_options, min_levels), 1, 1, 256,                                       \
     "intervals that a column gets at least, where its values allow", NULL},                                           \
    {OPT_INT, "max_iterations", offsetof(integrated_options, max_iterations), 50, 1, 1000000,                          \
     "most turns of graph and policy", NULL},                                                                          \
    {OPT_INT, "max_visits", offsetof(integrated_options, max_visits), 100, 1, 1000000,                                 \
     "most visits in a turn, times the number of variables", NULL},                                                    \
    {OPT_INT, "turns", offsetof(integrated_options, turns), 0, 0, 1000000,                                             \
     "so many turns, unless one changes nothing, and the best pair of all; 0: to the end that the method sets itself", \
     .is_later = true}
/* clang-format on */

/** The most configurations that the score of a family counts; larger numbers would overflow. */
#define INTEGRATED_MOST_CONFIGURATIONS 1e100

typedef struct integration integration;

/** The functions of a count in the score of a family: sum over cells less sum over rows less sum over the states'
 * totals, plus the constant. */
typedef struct {
    const double *cell, *row; /* increments */
    const double *margin;     /* NULL: nothing */
    double constant;
} policy_terms;

typedef struct integrated_method {
    bool is_additive; /* the functions of a count do not depend on the number of levels: an interval that is not split
                         keeps the gain of each of its cuts */
    bool stops_at_same_graph; /* else: where the score does not rise, and the pair before is the result */
    /** For a family of r states and q configurations of its parents. */
    status (*terms)(const integration *in, increment_tables *tables, double r, double q, policy_terms *out,
                    error_info *err);
    /** What an interval with n rows adds; NULL: nothing. */
    double (*interval)(const integration *in, size_t n, double width);
    /** What the number of intervals of a column adds, of which u values differ; NULL: nothing. */
    double (*column)(const integration *in, size_t n_levels, size_t u);
    /** What a node adds to the score of the whole, and no policy changes; NULL: nothing. */
    double (*node)(const integration *in, size_t n_parents, size_t n_states, bool is_continuous);
} integrated_method;

/** The methods of friedman.c, monti.c and steck.c. */
extern const integrated_method integrated_friedman, integrated_monti, integrated_steck;

/** Graph and policy while they alternate. */
struct integration {
    const integrated_method *method;
    const integrated_options *options;
    const dataset *data;
    run_context *ctx;
    size_t n_rows, n_columns;
    sorted_column *sorted; /* of each continuous column */
    uint32_t **states;     /* of each column: the state of each row under the policy */
    size_t *n_states;
    cut_policy policy;
    const dag *graph; /* borrowed */
    increment_tables *tables;
    double *log_gamma; /* of 1 .. n_rows; of 0: infinity */
    bool is_expired, hit_guard;
    crew *threads;                   /* they search columns for thresholds side by side */
    increment_tables **their_tables; /* by thread but the caller's, at its place less one */
};

/** `in` is zero before; integration_clear in any case. The policy is the initial one. */
BNB_MUST_CHECK status integration_init(integration *in, const integrated_method *method,
                                       const integrated_options *options, const dataset *data, run_context *ctx,
                                       error_info *err);
void integration_clear(integration *in);

bool integration_is_continuous(const integration *in, size_t column);

/** Sets the policy of a continuous column, and the states of its rows. */
BNB_MUST_CHECK status integration_set(integration *in, size_t column, const double *thresholds, size_t n,
                                      error_info *err);

/** The score of the graph and the policy. Larger is better. */
BNB_MUST_CHECK status integration_score(integration *in, double *out, error_info *err);

/** True if `score` is above `than` by more than rounding. */
bool integration_improves(double score, double than);

/** Thresholds of a column. Zero-initialise; free `thresholds`. */
typedef struct {
    double *thresholds;
    size_t n;
    double score;    /* of the column: everything in the score of the whole that its policy changes, and constants */
    bool is_expired; /* the deadline was there first: not to be used */
    uint64_t threshold_evaluations, policy_scores; /* that it took to find them */
} column_candidate;

/** The score of a column, as in column_candidate, under other thresholds or its own. Threads with tables of their own
 * may score and search columns side by side; the caller counts. */
BNB_MUST_CHECK status integration_score_column(const integration *in, increment_tables *tables, size_t column,
                                               const double *thresholds, size_t n, double *out, error_info *err);

/**
 * LearnVariableDP: thresholds are added one by one to none, always the best midpoint, while the score rises. O(n_rows
 * (1 + children)) each.
 */
BNB_MUST_CHECK status integration_search_column(const integration *in, increment_tables *tables, size_t column,
                                                column_candidate *out, error_info *err);

/** LearnDP: a policy for the graph. At the deadline sets is_expired; the policy is no worse than before. */
BNB_MUST_CHECK status integration_learn_policy(integration *in, error_info *err);

/** LearnHybridBN, the `integrate` of a discretizer; its `fit` does the same with hc and BDeu of the options' ess. */
BNB_MUST_CHECK status integrated_run(const discretizer *self, const dataset *data, const void *options,
                                     const inner_learner *inner, run_context *ctx, cut_policy *policy,
                                     learner_result *result, error_info *err);
BNB_MUST_CHECK status integrated_fit(const discretizer *self, const dataset *data, const void *opts, run_context *ctx,
                                     cut_policy *policy, error_info *err);

/** The terms of BDeu with the options' ess. */
BNB_MUST_CHECK status integrated_bdeu_terms(const integration *in, increment_tables *tables, double r, double q,
                                            policy_terms *out, error_info *err);

#endif
