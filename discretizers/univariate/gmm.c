/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The most probable component of a mixture of normal distributions: Vignes et al. 2011, PLoS ONE 6:e29165. */
#include "discretizers/base/column_fit.h"
#include "discretizers/base/discretizer.h"
#include "discretizers/univariate/gmm_internal.h"

typedef struct {
    gmm_options gmm;
} only_gmm_options;

static const option_spec options[] = {
    GMM_OPTION_ROWS(only_gmm_options),
    {0},
};

status gmm_fit_all(const gmm_options *o, const sorted_column *s, const char *name, uint64_t seed, gmm_fits *out,
                   error_info *err) {
    status st = STATUS_OK;
    for (size_t m = 1; m <= (size_t)o->most && st == STATUS_OK; m++) {
        random_stream random;
        random_stream_init(&random, random_key_number(random_key_text(random_key_of(seed), name), m));
        st = mixture_fit(s, m, (size_t)o->starts, &random, &out->of[m], err);
    }
    return st;
}

typedef struct {
    size_t below[MIXTURE_MOST], n;
    double bic;
} gmm_cuts;

/* The best BIC among the mixtures whose most probable component changes at all. */
static const gmm_cuts *choose(const gmm_options *o, const gmm_cuts *cuts) {
    const gmm_cuts *best = NULL, *four = &cuts[MIXTURE_MOST];
    for (size_t m = 2; m <= (size_t)o->most; m++) {
        if (cuts[m].n > 0 && (!best || cuts[m].bic > best->bic))
            best = &cuts[m];
    }
    return best && o->favour4 && o->most == MIXTURE_MOST && four->n > 0 && four->bic >= best->bic - 2 ? four : best;
}

size_t gmm_thresholds(const gmm_options *o, const sorted_column *s, const gmm_fits *fits, double *thresholds) {
    gmm_cuts cuts[MIXTURE_MOST + 1] = {0};
    const gmm_cuts *best;
    for (size_t m = 2; m <= (size_t)o->most; m++) {
        mixture_cuts(&fits->of[m], s, o->least_share, cuts[m].below, &cuts[m].n);
        cuts[m].bic = mixture_bic(&fits->of[m], s->n);
    }
    best = choose(o, cuts);
    for (size_t i = 0; best && i < best->n; i++)
        thresholds[i] = sorted_column_threshold(s, best->below[i]);
    return best ? best->n : 0;
}

typedef struct {
    const gmm_options *options;
    uint64_t seed;
} gmm_job;

static status fit_column(const void *self, const sorted_column *s, const char *name, double *thresholds,
                         size_t *n_thresholds, error_info *err) {
    const gmm_job *job = self;
    gmm_fits fits;
    status st = gmm_fit_all(job->options, s, name, job->seed, &fits, err);
    if (st == STATUS_OK)
        *n_thresholds = gmm_thresholds(job->options, s, &fits, thresholds);
    return st;
}

static status fit(const dataset *data, const void *opts, run_context *ctx, cut_policy *out, error_info *err) {
    gmm_job job = {&((const only_gmm_options *)opts)->gmm, random_next(&ctx->random)};
    return fit_columns(data, &(column_fitter){&job, MIXTURE_MOST, fit_column}, out, err);
}

const discretizer discretizer_gmm = {
    .name = "gmm",
    .summary = "the components of a mixture of 2 to 4 normal distributions, as many as BIC chooses",
    .citation = "Vignes et al. 2011, PLoS ONE 6:e29165",
    .version = 1,
    .options = options,
    .options_size = sizeof(only_gmm_options),
    .fit = fit,
};
