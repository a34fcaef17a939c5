/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two to four classes by the shape of a gene's distribution: Vignes et al. 2011, PLoS ONE 6:e29165, which Vandel et al.
 * 2012 use. A variable whose best mixture has several modes is cut between the components of the mixture; one with a
 * single mode by the adapted k-means, in three classes. The test of unimodality is not published; this one asks for a
 * better BIC than that of one normal distribution, and for two local maxima of that mixture's density, since skewness
 * alone makes a second component worth while.
 */
#include "discretizers/base/column_fit.h"
#include "discretizers/base/discretizer.h"
#include "discretizers/base/partition.h"
#include "discretizers/univariate/gmm_internal.h"

typedef struct {
    gmm_options gmm;
    double most_extreme_share;
} adaptive_options;

enum { UNIMODAL_CLASSES = 3 };

static const option_spec options[] = {
    GMM_OPTION_ROWS(adaptive_options),
    {OPT_REAL, "most_extreme_share", offsetof(adaptive_options, most_extreme_share), 0.3, 0, 1,
     "of the values that the lowest and the highest of three classes may hold", NULL},
    {0},
};

static bool is_multimodal(const gmm_options *o, const gmm_fits *fits, size_t n) {
    for (size_t m = 2; m <= (size_t)o->most; m++) {
        if (mixture_bic(&fits->of[m], n) > mixture_bic(&fits->of[1], n) && mixture_mode_count(&fits->of[m]) >= 2)
            return true;
    }
    return false;
}

static status cut_unimodal(const adaptive_options *o, const sorted_column *s, double *thresholds, size_t *n_thresholds,
                           error_info *err) {
    size_t below[UNIMODAL_CLASSES], n = 0;
    CHECK(partition_by_shares(s, UNIMODAL_CLASSES, o->gmm.least_share, o->most_extreme_share, below, &n, err));
    for (size_t i = 0; i < n; i++)
        thresholds[i] = sorted_column_threshold(s, below[i]);
    *n_thresholds = n;
    return STATUS_OK;
}

typedef struct {
    const adaptive_options *options;
    uint64_t seed;
} adaptive_job;

static status fit_column(const void *self, const sorted_column *s, const char *name, double *thresholds,
                         size_t *n_thresholds, error_info *err) {
    const adaptive_job *job = self;
    const gmm_options *o = &job->options->gmm;
    gmm_fits fits;
    status st = gmm_fit_all(o, s, name, job->seed, &fits, err);
    size_t n = 0;
    if (st != STATUS_OK)
        return st;
    if (is_multimodal(o, &fits, s->n))
        n = gmm_thresholds(o, s, &fits, thresholds);
    if (n == 0)
        return cut_unimodal(job->options, s, thresholds, n_thresholds, err);
    *n_thresholds = n;
    return STATUS_OK;
}

static status fit(const dataset *data, const void *opts, run_context *ctx, cut_policy *out, error_info *err) {
    adaptive_job job = {opts, random_next(&ctx->random)};
    return fit_columns(data, &(column_fitter){&job, MIXTURE_MOST, fit_column}, out, err);
}

static const char *const aliases[] = {"vignes", NULL};

const discretizer discretizer_adaptive = {
    .name = "adaptive",
    .aliases = aliases,
    .summary = "2 to 4 classes: k-means where a column has one mode, a mixture of normal distributions elsewhere",
    .citation = "Vignes et al. 2011, PLoS ONE 6:e29165; Vandel, Mangin, de Givry 2012",
    .version = 1,
    .options = options,
    .options_size = sizeof(adaptive_options),
    .fit = fit,
};
