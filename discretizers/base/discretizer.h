/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A discretizer: an entry in the registry, as learners are. Adding one is one file and one line in registry.def. */
#ifndef BNB_DISCRETIZERS_BASE_DISCRETIZER_H
#define BNB_DISCRETIZERS_BASE_DISCRETIZER_H

#include "core/base/options.h"
#include "core/data/dataset.h"
#include "core/run/run_context.h"
#include "discretizers/base/policy.h"
#include "learners/base/learner.h"

/**
 * A learner of discrete data, as an integrated discretizer calls it: once for each policy that it tries. What it
 * counts, its deadline and its random stream are its own affair (inner_learner.h takes them from the run context).
 */
typedef struct {
    void *self;
    graph_kind returns; /* not a skeleton */
    status (*learn)(void *self, const dataset *discrete, learner_result *result, error_info *err);
} inner_learner;

typedef struct {
    const char *name;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *summary;        /* one line, no full stop */
    const char *citation;
    int version; /* raised when results change: part of a stored result's key */
    const option_spec *options;
    size_t options_size;
    /** Sets the thresholds of every continuous column; `out` is initialised for the data's columns. */
    status (*fit)(const dataset *data, const void *options, run_context *ctx, cut_policy *out, error_info *err);
    /** Of an integrated discretizer, which alternates with structure learning; NULL elsewhere. Its `fit` does the same
     * with hc. */
    status (*integrate)(const dataset *data, const void *options, const inner_learner *inner, run_context *ctx,
                        cut_policy *policy, learner_result *result, error_info *err);
} discretizer;

/** An options struct on the heap with initial values; NULL without memory. free() it. */
void *discretizer_options_create(const discretizer *d);

/**
 * Finds the policy for the data. A constant column gets no threshold, hence one state; data without a continuous column
 * get a policy without thresholds.
 * @return STATUS_INVALID: no rows, or a value that is NaN or infinite (the message names column and row).
 */
BNB_MUST_CHECK status discretizer_fit(const discretizer *d, const dataset *data, const void *options, run_context *ctx,
                                      cut_policy *out, error_info *err);

/**
 * Finds policy and graph with an integrated discretizer: `result` is that of `inner` on the data under `policy`. At
 * the deadline of `ctx` the best pair so far, marked cut short. Counts threshold evaluations and policy scores in
 * `ctx`, and tells its trace the figures outer_iterations, threshold_evaluations, policy_scores, discretization_calls
 * (their sum) and loop_guard (1 where a limit or a cycle ended the alternation), and the series policy_score by turn.
 * @return as discretizer_fit; STATUS_INVALID where `d` is not integrated, or the learner gives a skeleton
 */
BNB_MUST_CHECK status discretizer_integrate(const discretizer *d, const dataset *data, const void *options,
                                            const inner_learner *inner, run_context *ctx, cut_policy *policy,
                                            learner_result *result, error_info *err);

#endif
