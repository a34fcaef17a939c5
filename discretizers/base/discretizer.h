/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A discretizer: an entry in the registry, as learners are. Adding one is one file and one line in registry.def. */
#ifndef BNB_DISCRETIZERS_BASE_DISCRETIZER_H
#define BNB_DISCRETIZERS_BASE_DISCRETIZER_H

#include "core/base/options.h"
#include "core/base/random.h"
#include "core/data/dataset.h"
#include "core/run/run_context.h"
#include "discretizers/base/policy.h"
#include "discretizers/base/sorted_column.h"
#include "learners/base/learner.h"

/**
 * A learner of discrete data, as an integrated discretizer calls it: once for each policy that it tries. It takes its
 * own deadline and random stream, and counts what it computes; learner_within takes them from the run context.
 */
typedef struct {
    void *self;
    graph_kind returns; /* not a skeleton */
    status (*learn)(void *self, const dataset *discrete, learner_result *result, error_info *err);
} inner_learner;

/** A learner of the registry inside an integrated discretizer. Borrows all. Statistics add up in the context over all
 * turns; a learner's own trace is left out. */
typedef struct {
    const learner *kind;
    const void *options;
    run_context *ctx;
    double cpu_s; /* of learning graphs, so far */
} learner_within;

/** `l` outlives it. */
inner_learner inner_learner_of(learner_within *l);

/** Intervals that an option may ask for at most. */
enum { DISCRETIZER_MOST_INTERVALS = 256 };

typedef struct discretizer discretizer;

/** A discretizer has `fit_column` where it looks at one column at a time, else `fit`. */
struct discretizer {
    const char *name;
    const char *const *aliases; /* NULL-terminated, or NULL */
    const char *summary;        /* one line, no full stop */
    const char *citation;
    int version; /* raised when results change: part of a stored result's key */
    const option_spec *options;
    size_t options_size;
    bool is_random; /* fit_column draws numbers by its key */
    /**
     * The thresholds of a sorted column that is not constant, rising, fewer than DISCRETIZER_MOST_INTERVALS; equal ones
     * become one. The key is of the run and the column's name, so no result depends on the order of columns.
     */
    status (*fit_column)(const void *options, const sorted_column *s, random_key key, double *thresholds,
                         size_t *n_thresholds, error_info *err);
    /** Sets the thresholds of every continuous column; `out` is initialised for the data's columns. */
    status (*fit)(const discretizer *self, const dataset *data, const void *options, run_context *ctx, cut_policy *out,
                  error_info *err);
    /** Of an integrated discretizer, which alternates with structure learning; NULL elsewhere. Its `fit` does the same
     * with hc. */
    status (*integrate)(const discretizer *self, const dataset *data, const void *options, const inner_learner *inner,
                        run_context *ctx, cut_policy *policy, learner_result *result, error_info *err);
    const struct integrated_method *method; /* for these two alone */
};

/** An options struct on the heap with initial values; NULL without memory. free() it. */
void *discretizer_options_create(const discretizer *d);

/**
 * Finds the policy for the data. A constant column gets no threshold, hence one state; data without a continuous column
 * get a policy without thresholds. Where columns are cut each for itself, ctx->n_threads threads take them in turns.
 * @return STATUS_INVALID: no rows, or a value that is NaN or infinite (the message names column and row).
 */
BNB_MUST_CHECK status discretizer_fit(const discretizer *d, const dataset *data, const void *options, run_context *ctx,
                                      cut_policy *out, error_info *err);

/**
 * Finds policy and graph with an integrated discretizer: `result` is that of `inner` on the data under `policy`. At
 * the deadline of `ctx` the best pair so far, marked cut short. Counts threshold evaluations and policy scores in
 * `ctx`, and tells its trace the figures outer_iterations, threshold_evaluations, policy_scores, discretization_calls
 * (their sum), column_searches and loop_guard (1 where a limit or a cycle ended the alternation), and the series
 * policy_score, discretization_calls and statistics by turn.
 * @return as discretizer_fit; STATUS_INVALID where `d` is not integrated, or the learner gives a skeleton
 */
BNB_MUST_CHECK status discretizer_integrate(const discretizer *d, const dataset *data, const void *options,
                                            const inner_learner *inner, run_context *ctx, cut_policy *policy,
                                            learner_result *result, error_info *err);

#endif
