/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scores of continuous data, short. */
#ifndef BNB_TESTS_METRICS_GAUSSIAN_SCORE_SUPPORT_H
#define BNB_TESTS_METRICS_GAUSSIAN_SCORE_SUPPORT_H

#include "metrics/scores/gaussian_score.h"
#include "tests/support/gaussian_support.h"

#include "core/run/run_context.h"
#include "learners/base/learner.h"
#include "learners/registry.h"
#include "metrics/scores/score.h"

static inline score *make_score(const char *name, const char *option, const dataset *data, statistics_count *tally) {
    const score_kind *kind = NULL;
    double options[8];
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_kind_find(name, &kind, &err), &err);
    options_set_initial(kind->options, options);
    if (option)
        assert_ok(options_set_pair(kind->options, options, option, &err), &err);
    assert_ok(score_create(kind, options, data, tally, &s, &err), &err);
    return s;
}

static inline double node(score *s, size_t x, const size_t *parents, size_t n) {
    double value = (double)NAN;
    error_info err = {0};
    assert_ok(score_node(s, x, parents, n, &value, &err), &err);
    return value;
}

static const char *const gaussian_kinds[] = {"loglik-g", "aic-g", "bic-g", "bge"};

enum { N_GAUSSIAN = sizeof gaussian_kinds / sizeof *gaussian_kinds };

static inline double total(score *s, const dag *g) {
    double value;
    error_info err = {0};
    assert_ok(score_dag(s, g, &value, NULL, &err), &err);
    return value;
}

static inline learner_result learn(const char *name, const char *scoring, const dataset *data) {
    const learner *l = NULL;
    learner_result result = {0};
    run_context ctx;
    error_info err = {0};
    void *options;
    assert_ok(learner_find(name, &l, &err), &err);
    assert_non_null(options = learner_options_create(l));
    assert_ok(options_set(l->options, options, "score", scoring, &err), &err);
    if (strcmp(name, "gts") == 0) /* as the reference does */
        assert_ok(options_set(l->options, options, "patience", "100", &err), &err);
    run_context_init(&ctx, 1);
    assert_ok(learner_run(l, data, options, &ctx, &result, &err), &err);
    assert_true(ctx.scores.computed > 0);
    assert_string_equal(result.score_name, scoring);
    free(options);
    return result;
}

#endif
