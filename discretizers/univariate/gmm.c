/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes by a mixture of two to four normal distributions: Vignes et al. 2011, PLoS ONE 6:e29165, which Vandel et al.
 * 2012 use. gmm cuts between the components of the mixture with the best BIC. adaptive does so where a variable has
 * several modes, and cuts one with a single mode by the adapted k-means, in three classes. The test of unimodality is
 * not published; this one asks for a better BIC than that of one normal distribution, and for two local maxima of that
 * mixture's density, since skewness alone makes a second component worth while.
 */
#include "discretizers/base/discretizer.h"
#include "discretizers/base/partition.h"
#include "discretizers/univariate/mixture.h"

enum { UNIMODAL_CLASSES = 3 };

typedef struct {
    int most, starts;
    double least_share;
    bool favour4;
    double most_extreme_share; /* of adaptive alone */
} gmm_options;

/* clang-format off */
#define GMM_ROWS                                                                                                       \
    {OPT_INT, "most", offsetof(gmm_options, most), 4, 2, MIXTURE_MOST, "components of the mixture at most", NULL},     \
    {OPT_INT, "starts", offsetof(gmm_options, starts), 2, 0, 1000,                                                     \
     "random starts of the mixture, besides three that are not", NULL},                                                \
    {OPT_REAL, "least_share", offsetof(gmm_options, least_share), 0.05, 0, 0.5,                                        \
     "of the values that a class must hold", NULL},                                                                    \
    {OPT_BOOL, "favour4", offsetof(gmm_options, favour4), false, 0, 0,                                                 \
     "four components where their BIC is within 2 of the best", NULL}
/* clang-format on */

static const option_spec gmm_rows[] = {GMM_ROWS, {0}};

static const option_spec adaptive_rows[] = {
    GMM_ROWS,
    {OPT_REAL, "most_extreme_share", offsetof(gmm_options, most_extreme_share), 0.3, 0, 1,
     "of the values that the lowest and the highest of three classes may hold", NULL},
    {0},
};

/* The mixtures of 1 .. most components, at their number. */
typedef struct {
    mixture of[MIXTURE_MOST + 1];
} gmm_fits;

static status fit_mixtures(const gmm_options *o, const sorted_column *s, random_key key, gmm_fits *out,
                           error_info *err) {
    for (size_t m = 1; m <= (size_t)o->most; m++) {
        random_stream random;
        random_stream_init(&random, random_key_number(key, m));
        CHECK(mixture_fit(s, m, (size_t)o->starts, &random, &out->of[m], err));
    }
    return STATUS_OK;
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

/* Between the classes of the best mixture; how many. */
static size_t cut_mixture(const gmm_options *o, const sorted_column *s, const gmm_fits *fits, double *thresholds) {
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

static status fit_gmm(const void *opts, const sorted_column *s, random_key key, double *thresholds,
                      size_t *n_thresholds, error_info *err) {
    gmm_fits fits;
    CHECK(fit_mixtures(opts, s, key, &fits, err));
    *n_thresholds = cut_mixture(opts, s, &fits, thresholds);
    return STATUS_OK;
}

static bool is_multimodal(const gmm_options *o, const gmm_fits *fits, size_t n) {
    for (size_t m = 2; m <= (size_t)o->most; m++) {
        if (mixture_bic(&fits->of[m], n) > mixture_bic(&fits->of[1], n) && mixture_mode_count(&fits->of[m]) >= 2)
            return true;
    }
    return false;
}

static status cut_unimodal(const gmm_options *o, const sorted_column *s, double *thresholds, size_t *n_thresholds,
                           error_info *err) {
    size_t below[UNIMODAL_CLASSES], n = 0;
    CHECK(partition_by_shares(s, UNIMODAL_CLASSES, o->least_share, o->most_extreme_share, below, &n, err));
    for (size_t i = 0; i < n; i++)
        thresholds[i] = sorted_column_threshold(s, below[i]);
    *n_thresholds = n;
    return STATUS_OK;
}

static status fit_adaptive(const void *opts, const sorted_column *s, random_key key, double *thresholds,
                           size_t *n_thresholds, error_info *err) {
    const gmm_options *o = opts;
    gmm_fits fits;
    CHECK(fit_mixtures(o, s, key, &fits, err));
    *n_thresholds = is_multimodal(o, &fits, s->n) ? cut_mixture(o, s, &fits, thresholds) : 0;
    return *n_thresholds ? STATUS_OK : cut_unimodal(o, s, thresholds, n_thresholds, err);
}

const discretizer discretizer_gmm = {
    .name = "gmm",
    .summary = "the components of a mixture of 2 to 4 normal distributions, as many as BIC chooses",
    .citation = "Vignes et al. 2011, PLoS ONE 6:e29165",
    .version = 1,
    .options = gmm_rows,
    .options_size = sizeof(gmm_options),
    .is_random = true,
    .fit_column = fit_gmm,
};

const discretizer discretizer_adaptive = {
    .name = "adaptive",
    .aliases = (const char *const[]){"vignes", NULL},
    .summary = "2 to 4 classes: k-means where a column has one mode, a mixture of normal distributions elsewhere",
    .citation = "Vignes et al. 2011, PLoS ONE 6:e29165; Vandel, Mangin, de Givry 2012",
    .version = 1,
    .options = adaptive_rows,
    .options_size = sizeof(gmm_options),
    .is_random = true,
    .fit_column = fit_adaptive,
};
