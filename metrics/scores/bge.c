/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * BGe: the probability of continuous data under a normal-Wishart prior: Geiger, Heckerman, UAI 1994, and Annals of
 * Statistics 30 (2002) 1412-1440; with the prior matrix as corrected by Kuipers, Moffa, Heckerman, Annals of Statistics
 * 42 (2014) 1689-1691, the prior's mean that of the sample. Markov equivalent DAGs score alike.
 */
#include "metrics/numerics/log_tail.h"
#include "metrics/scores/gaussian_family_internal.h"
#include "metrics/scores/gaussian_score.h"
#include "metrics/scores/score_internal.h"

#include <math.h>
#include <stdlib.h>

static const option_spec options[] = {
    {OPT_REAL, "am", offsetof(bge_options, am), 1, 1e-12, 1e12, "weight of the prior mean, in rows", NULL},
    {OPT_REAL, "aw", offsetof(bge_options, aw), 0, 0, 1e12,
     "degrees of freedom of the prior covariance, more than columns + 1; 0: columns + 2", NULL},
    {0},
};

/* Where parents leave no larger share of a column's sum of squares, what is left has no digits. */
static const double no_digits = 1e-14;

typedef struct {
    gaussian_family family;
    double n_rows;
    double aw;               /* less the number of columns */
    const double *constants; /* by number of parents */
    double *own_constants;   /* NULL: another's are used */
} bge;

static void close_bge(void *state) {
    bge *s = state;
    if (!s)
        return;
    gaussian_family_clear(&s->family);
    free(s->own_constants);
    free(s);
}

/* What does not depend on the data, for each number of parents. */
static status make_constants(bge *s, double am, size_t n_columns, error_info *err) {
    double n = s->n_rows, log_t = log(s->family.ridge);
    double *constants;
    CHECK_ALLOC(constants = s->own_constants = calloc(n_columns, sizeof *constants));
    s->constants = constants;
    for (size_t i = 0; i < n_columns; i++) {
        double p = (double)i, df = s->aw + p;
        constants[i] = (log(am / (n + am)) + (df + 1) * (p + 1) * log_t - df * p * log_t - n * log(M_PI)) / 2 +
                       log_gamma((n + df + 1) / 2) - log_gamma((df + 1) / 2);
    }
    return STATUS_OK;
}

static status open_bge(const void *opts, const dataset *data, const run_context *ctx, void **state, error_info *err) {
    const bge_options *o = opts;
    size_t p = dataset_column_count(data);
    double am = o->am, aw = o->aw > 0 ? o->aw : (double)p + 2;
    bge *s;
    if (!(am > 0))
        return error_set(err, STATUS_INVALID, "am is %g; it must be positive", am);
    if (!(aw > (double)p + 1))
        return error_set(err, STATUS_INVALID,
                         "aw is %g; on %zu columns it must be more than %zu, or 0, which stands for %zu", aw, p, p + 1,
                         p + 2);
    CHECK_ALLOC(*state = s = calloc(1, sizeof *s));
    CHECK(gaussian_family_init(&s->family, data, ctx, no_digits, err));
    s->n_rows = (double)dataset_row_count(data);
    s->aw = aw - (double)p;
    s->family.ridge = am * (s->aw - 1) / (am + 1);
    return make_constants(s, am, p, err);
}

static status twin_bge(const void *state, void **out, error_info *err) {
    const bge *s = state;
    bge *t;
    CHECK_ALLOC(*out = t = malloc(sizeof *t));
    *t = (bge){gaussian_family_twin(&s->family), s->n_rows, s->aw, s->constants, NULL};
    return STATUS_OK;
}

static status score_family(void *state, size_t x, const size_t *parents, size_t n_parents, double *out,
                           error_info *err) {
    bge *s = state;
    double df = s->n_rows + s->aw + (double)n_parents, residual, log_det;
    CHECK(gaussian_family_regress(&s->family, x, parents, n_parents, &residual, &log_det, err));
    /* df/2 log|R_P| - (df + 1)/2 log|R_F|, where |R_F| = |R_P| residual */
    *out = residual > 0 ? s->constants[n_parents] - (log_det + (df + 1) * log(residual)) / 2 : -INFINITY;
    return STATUS_OK;
}

const score_kind score_bge = {
    .name = "bge",
    .summary = "Bayesian Gaussian, equivalent (normal-Wishart prior)",
    .citation = "Geiger, Heckerman 1994, UAI; Kuipers, Moffa, Heckerman 2014, Annals of Statistics 42",
    .is_equivalent = true,
    .accepts = DATA_CONTINUOUS,
    .options = options,
    .options_size = sizeof(bge_options),
    .evaluator = &(const score_evaluator){open_bge, score_family, close_bge, twin_bge},
};
