/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log-likelihood of continuous data, each column regressed on its parents with an intercept by least squares, and
 * what takes a penalty off it for each of the m + 2 parameters of a family of m parents: half a log n (Schwarz, Annals
 * of Statistics 6 (1978) 461-464), or one (Akaike, IEEE Trans. Automatic Control 19 (1974) 716-723). The
 * residual variance is S / (n - m - 1) at first, by which the likelihood stays below its maximum, or S / n, by which it
 * is at its maximum and Markov equivalent DAGs score alike.
 */
#include "metrics/scores/gaussian_score.h"

#include "metrics/scores/gaussian_family_internal.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>

static const option_spec options[] = {
    {OPT_CHOICE, "variance", offsetof(gaussian_score_options, variance), 0, 0, 0,
     "residual variance: unbiased S/(n-m-1) with m parents, or mle S/n", "unbiased|mle"},
    {0},
};

/* Where parents leave no larger share of a column's sum of squares, the likelihood has no bound. */
static const double singular = 1e-12;

typedef struct {
    gaussian_family family;
    double n_rows;
    double penalty; /* of a parameter */
    bool is_unbiased;
} likelihood;

static void close_likelihood(void *state) {
    likelihood *s = state;
    if (s)
        gaussian_family_clear(&s->family);
    free(s);
}

static status open_likelihood(const void *opts, const dataset *data, const run_context *ctx, double penalty,
                              void **state, error_info *err) {
    const gaussian_score_options *o = opts;
    likelihood *s = calloc(1, sizeof *s);
    CHECK_ALLOC(*state = s);
    s->n_rows = (double)dataset_row_count(data);
    s->penalty = penalty;
    s->is_unbiased = o->variance == SCORE_VARIANCE_UNBIASED;
    return gaussian_family_init(&s->family, data, ctx, singular, err);
}

static status twin_likelihood(const void *state, void **out, error_info *err) {
    const likelihood *s = state;
    likelihood *t;
    CHECK_ALLOC(*out = t = malloc(sizeof *t));
    *t = (likelihood){gaussian_family_twin(&s->family), s->n_rows, s->penalty, s->is_unbiased};
    return STATUS_OK;
}

static status open_loglik(const void *opts, const dataset *data, const run_context *ctx, void **state,
                          error_info *err) {
    return open_likelihood(opts, data, ctx, 0, state, err);
}

static status open_aic(const void *opts, const dataset *data, const run_context *ctx, void **state, error_info *err) {
    return open_likelihood(opts, data, ctx, 1, state, err);
}

static status open_bic(const void *opts, const dataset *data, const run_context *ctx, void **state, error_info *err) {
    return open_likelihood(opts, data, ctx, log((double)dataset_row_count(data)) / 2, state, err);
}

/* An intercept, a variance, and a coefficient a parent. */
static status score_family(void *state, size_t x, const size_t *parents, size_t n_parents, double *out,
                           error_info *err) {
    likelihood *s = state;
    double divisor = s->is_unbiased ? s->n_rows - (double)n_parents - 1 : s->n_rows, residual, ignored, variance;
    CHECK(gaussian_family_regress(&s->family, x, parents, n_parents, &residual, &ignored, err));
    if (!(residual > 0) || !(divisor > 0)) {
        *out = -INFINITY;
        return STATUS_OK;
    }
    variance = residual / divisor;
    *out = -s->n_rows / 2 * log(2 * M_PI * variance) - divisor / 2 - s->penalty * ((double)n_parents + 2);
    return STATUS_OK;
}

const score_kind score_loglik_g = {
    .name = "loglik-g",
    .aliases = (const char *const[]){"ll-g", NULL},
    .summary = "Gaussian log-likelihood of least-squares regressions; at its maximum with variance=mle",
    .citation = "Fisher 1922, Phil. Trans. R. Soc. A 222",
    .is_equivalent = true,
    .accepts = DATA_CONTINUOUS,
    .options = options,
    .options_size = sizeof(gaussian_score_options),
    .evaluator = &(const score_evaluator){open_loglik, score_family, close_likelihood, twin_likelihood},
};

const score_kind score_aic_g = {
    .name = "aic-g",
    .summary = "Gaussian log-likelihood less one a parameter",
    .citation = "Akaike 1974, IEEE Trans. Automatic Control 19",
    .is_equivalent = true,
    .accepts = DATA_CONTINUOUS,
    .options = options,
    .options_size = sizeof(gaussian_score_options),
    .evaluator = &(const score_evaluator){open_aic, score_family, close_likelihood, twin_likelihood},
};

const score_kind score_bic_g = {
    .name = "bic-g",
    .aliases = (const char *const[]){"mdl-g", NULL},
    .summary = "Gaussian log-likelihood less half a log n a parameter",
    .citation = "Schwarz 1978, Annals of Statistics 6",
    .is_equivalent = true,
    .accepts = DATA_CONTINUOUS,
    .options = options,
    .options_size = sizeof(gaussian_score_options),
    .evaluator = &(const score_evaluator){open_bic, score_family, close_likelihood, twin_likelihood},
};
