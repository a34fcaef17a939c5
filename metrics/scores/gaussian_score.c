/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores of linear-Gaussian networks. Likelihoods: each node regressed on its parents, with an intercept. BGe: Geiger,
 * Heckerman, UAI 1994, and Annals of Statistics 30 (2002) 1412-1440; with the prior matrix as corrected by Kuipers,
 * Moffa, Heckerman, Annals of Statistics 42 (2014) 1689-1691, the prior's mean that of the sample.
 */
#include "metrics/scores/gaussian_family_internal.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    gaussian_moments *moments;
    gaussian_family family;
    double n_rows;
    double penalty;    /* of a parameter; likelihoods alone */
    bool is_unbiased;  /* likelihoods alone */
    double aw;         /* less the number of columns: BGe alone, as what follows */
    double *constants; /* by number of parents */
} gaussian_scorer;

/* Of a column's sum of squares no more than this is left: likelihoods have no bound there, and BGe no digits. */
static const double singular = 1e-12, no_digits = 1e-14;

static void close_scorer(void *state) {
    gaussian_scorer *s = state;
    if (!s)
        return;
    gaussian_family_clear(&s->family);
    gaussian_moments_destroy(s->moments);
    free(s->constants);
    free(s);
}

static status open_scorer(const dataset *data, double tolerance, gaussian_scorer **out, error_info *err) {
    status st = STATUS_OK;
    gaussian_scorer *s = NULL;
    TRY_ALLOC(s = calloc(1, sizeof *s));
    TRY(gaussian_moments_create(data, &s->moments, err));
    s->n_rows = (double)dataset_row_count(data);
    s->family.moments = s->moments;
    s->family.tolerance = tolerance;
    *out = s;
    s = NULL;
cleanup:
    close_scorer(s);
    return st;
}

/* --- likelihoods -----------------------------------------------------------------------------------------------------
 */

static status open_likelihood(const score_options *options, const dataset *data, double penalty, void **state,
                              error_info *err) {
    gaussian_scorer *s = NULL;
    CHECK(open_scorer(data, singular, &s, err));
    s->penalty = penalty;
    s->is_unbiased = options->variance == SCORE_VARIANCE_UNBIASED;
    *state = s;
    return STATUS_OK;
}

static status open_loglik(const score_options *options, const dataset *data, void **state, error_info *err) {
    return open_likelihood(options, data, 0, state, err);
}

static status open_aic(const score_options *options, const dataset *data, void **state, error_info *err) {
    return open_likelihood(options, data, 1, state, err);
}

static status open_bic(const score_options *options, const dataset *data, void **state, error_info *err) {
    return open_likelihood(options, data, log((double)dataset_row_count(data)) / 2, state, err);
}

/* An intercept, a variance, and a coefficient a parent. */
static status likelihood_node(void *state, size_t x, const size_t *parents, size_t n_parents, double *out,
                              error_info *err) {
    gaussian_scorer *s = state;
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

const score_evaluator score_gaussian_loglik = {open_loglik, likelihood_node, close_scorer};
const score_evaluator score_gaussian_aic = {open_aic, likelihood_node, close_scorer};
const score_evaluator score_gaussian_bic = {open_bic, likelihood_node, close_scorer};

/* --- BGe -------------------------------------------------------------------------------------------------------------
 */

static double log_gamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

/* What does not depend on the data, for each number of parents. */
static status make_constants(gaussian_scorer *s, double am, size_t n_columns, error_info *err) {
    double n = s->n_rows, log_t = log(s->family.ridge);
    if (!(s->constants = calloc(n_columns, sizeof *s->constants)))
        return error_out_of_memory(err);
    for (size_t i = 0; i < n_columns; i++) {
        double p = (double)i, df = s->aw + p;
        s->constants[i] = (log(am / (n + am)) + (df + 1) * (p + 1) * log_t - df * p * log_t - n * log(M_PI)) / 2 +
                          log_gamma((n + df + 1) / 2) - log_gamma((df + 1) / 2);
    }
    return STATUS_OK;
}

static status open_bge(const score_options *options, const dataset *data, void **state, error_info *err) {
    status st = STATUS_OK;
    size_t p = dataset_column_count(data);
    double am = options->am, aw = options->aw > 0 ? options->aw : (double)p + 2;
    gaussian_scorer *s = NULL;
    if (!(am > 0))
        return error_set(err, STATUS_INVALID, "am is %g; it must be positive", am);
    if (!(aw > (double)p + 1))
        return error_set(err, STATUS_INVALID,
                         "aw is %g; on %zu columns it must be more than %zu, or 0, which stands for %zu", aw, p, p + 1,
                         p + 2);
    TRY(open_scorer(data, no_digits, &s, err));
    s->aw = aw - (double)p;
    s->family.ridge = am * (s->aw - 1) / (am + 1);
    TRY(make_constants(s, am, p, err));
    *state = s;
    s = NULL;
cleanup:
    close_scorer(s);
    return st;
}

static status bge_node(void *state, size_t x, const size_t *parents, size_t n_parents, double *out, error_info *err) {
    gaussian_scorer *s = state;
    double df = s->n_rows + s->aw + (double)n_parents, residual, log_det;
    CHECK(gaussian_family_regress(&s->family, x, parents, n_parents, &residual, &log_det, err));
    /* df/2 log|R_P| - (df + 1)/2 log|R_F|, where |R_F| = |R_P| residual */
    *out = residual > 0 ? s->constants[n_parents] - (log_det + (df + 1) * log(residual)) / 2 : -INFINITY;
    return STATUS_OK;
}

const score_evaluator score_bge = {open_bge, bge_node, close_scorer};
