/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Decomposable scores of a DAG on data, in nats, larger is better; a cache and counters in front. */
#ifndef BNB_METRICS_SCORES_SCORE_H
#define BNB_METRICS_SCORES_SCORE_H

#include "core/base/options.h"
#include "core/base/status.h"
#include "core/data/dataset.h"
#include "core/graph/dag.h"
#include "core/run/run_context.h"
#include "metrics/numerics/kernel_features.h"

/** Each kind reads members of its own; `options_set_initial` on its options table fills those. */
typedef struct {
    double ess;                  /* equivalent sample size: BDeu, and the kappa prior; > 0 */
    int prior;                   /* enum score_prior */
    int variance;                /* enum score_variance: loglik-g, aic-g, bic-g */
    double am, aw;               /* BGe: weights of the prior's mean and covariance, am > 0; aw 0: columns + 2 */
    kernel_options kernel;       /* kgv */
    const run_context *deadline; /* kgv: whose deadline ends a long preparation; NULL: none */
} score_options;

/** Structure prior: none, or log(1 / (ess + 1)) an arc (Heckerman, Geiger, Chickering 1995, kappa = 1 / (ess + 1)). */
enum score_prior { SCORE_PRIOR_UNIFORM, SCORE_PRIOR_KAPPA };

/** The residual variance of a node with m parents on n rows, of the residual sum of squares S: S/(n-m-1) or S/n. */
enum score_variance { SCORE_VARIANCE_UNBIASED, SCORE_VARIANCE_MLE };

/** An entry of the registry: bdeu, bic, bic-g, ... */
typedef struct score_kind score_kind;

size_t score_kind_count(void);
const score_kind *score_kind_at(size_t i);
const char *score_kind_name(const score_kind *kind);
const char *score_kind_summary(const score_kind *kind);
const char *score_kind_citation(const score_kind *kind);

/** Options for `options_set` on a score_options; scores without options have an empty table. */
const option_spec *score_kind_options(const score_kind *kind);

/** By name or alias; STATUS_INVALID with a suggestion. */
BNB_MUST_CHECK status score_kind_find(const char *name, const score_kind **out, error_info *err);

/** True if Markov equivalent DAGs score alike (all but k2). */
bool score_kind_is_equivalent(const score_kind *kind);

/** The kinds of data that it takes: data_kinds, ored. */
int score_kind_accepts(const score_kind *kind);

typedef struct score score;

/**
 * An evaluator on `data` (borrowed, outlives it). `tally` (borrowed, may be NULL) counts requests and computations
 * (cache misses). One a thread.
 * @return STATUS_INVALID: an option out of range, or data that this kind of score does not take: which column it is.
 */
BNB_MUST_CHECK status score_create(const score_kind *kind, const score_options *options, const dataset *data,
                                   statistics_count *tally, score **out, error_info *err);
void score_destroy(score *s);

/**
 * The local score of x given its parents.
 *
 * @param parents  n_parents distinct columns other than x; their order does not matter
 * @param[out] out finite, or -INFINITY where q_i r_i passes 2^62, or a Gaussian family is singular; untouched on error
 * O(n) and less; O(1) when it was asked before.
 */
BNB_MUST_CHECK status score_node(score *s, size_t x, const size_t *parents, size_t n_parents, double *out,
                                 error_info *err);

/**
 * The same for parents + extra. Cheaper when consecutive calls share x and parents: the counting is shared.
 */
BNB_MUST_CHECK status score_node_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra,
                                      double *out, error_info *err);

/** score_node_with for a family that was not asked for before: not looked up in the cache, and not kept there. */
BNB_MUST_CHECK status score_node_fresh(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra,
                                       double *out, error_info *err);

/**
 * An upper bound of score_node_with for any `extra` of r declared states, from the family without it: the score if
 * `extra` told the states of x apart wherever the parents do not. -INFINITY where q_i r_i passes 2^62; INFINITY for
 * scores that are no sum over a table: nothing is known of them beforehand.
 * Neither looked up nor counted in the tally. O(table) after the first call for the same x and parents.
 */
BNB_MUST_CHECK status score_ceiling_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t r,
                                         double *out, error_info *err);

/**
 * score_node_fresh where the score may lie above `floor`; else, with *is_exact false, an upper bound of it that does
 * not, which is found by counting only the rows of configurations in which x has more than one state, and is not
 * counted in the tally. Consecutive calls should share x and parents.
 */
BNB_MUST_CHECK status score_node_above(score *s, size_t x, const size_t *parents, size_t n_parents, size_t extra,
                                       double floor, double *out, bool *is_exact, error_info *err);

/** Adds to the tally: scores that a bound has decided count as if computed, those that the caller has kept as asked
 * for.
 */
void score_count(score *s, uint64_t requests, uint64_t computed);

/** True if at most one state of the column occurs; false for scores that are no sum over a table. */
bool score_is_constant(const score *s, size_t column);

/**
 * score_node_with for any such column (one that score_is_constant knows) of r declared states: it splits nothing, and
 * all score alike. Not counted in the tally.
 */
BNB_MUST_CHECK status score_constant_with(score *s, size_t x, const size_t *parents, size_t n_parents, size_t r,
                                          double *out, error_info *err);

/** Sum over the nodes; node i of the DAG is column i. `by_node` (n entries) may be NULL. */
BNB_MUST_CHECK status score_dag(score *s, const dag *g, double *total, double *by_node, error_info *err);

/** Scores closer than this tie; moves must gain more. (specs: 1e-9 absolute.) */
#define SCORE_TOLERANCE 1e-9

#endif
