/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of score: which functions of a count, which penalty. */
#include "metrics/scores/score_internal.h"

#include "core/base/text.h"

#include <math.h>
#include <string.h>

static status choose_bdeu(score *s, double r, double q, family_terms *out, error_info *err) {
    CHECK(term_tables_gamma(s->terms, s->options.ess / (q * r), &out->cell, err));
    return term_tables_gamma(s->terms, s->options.ess / q, &out->row, err);
}

static status choose_k2(score *s, double r, double q, family_terms *out, error_info *err) {
    (void)q;
    CHECK(term_tables_gamma(s->terms, 1, &out->cell, err));
    return term_tables_gamma(s->terms, r, &out->row, err);
}

static status choose_loglik(score *s, double r, double q, family_terms *out, error_info *err) {
    (void)r;
    (void)q;
    (void)err;
    out->cell = out->row = s->n_log_n;
    return STATUS_OK;
}

static status choose_aic(score *s, double r, double q, family_terms *out, error_info *err) {
    out->penalty = q * (r - 1);
    return choose_loglik(s, r, q, out, err);
}

static status choose_bic(score *s, double r, double q, family_terms *out, error_info *err) {
    size_t n = dataset_row_count(s->data);
    out->penalty = n > 1 ? q * (r - 1) * log((double)n) / 2 : 0;
    return choose_loglik(s, r, q, out, err);
}

#define PRIOR_OPTION                                                                                                   \
    {                                                                                                                  \
        OPT_CHOICE, "prior", offsetof(score_options, prior), 0, 0, 0, "structure prior; kappa: log(1/(ess+1)) an arc", \
            "uniform|kappa"                                                                                            \
    }

static const option_spec bdeu_options[] = {
    {OPT_REAL, "ess", offsetof(score_options, ess), 1, 1e-16, 1e12, "equivalent sample size", NULL},
    PRIOR_OPTION,
    {0},
};

static const option_spec no_options[] = {{0}};

static const option_spec gaussian_options[] = {
    {OPT_CHOICE, "variance", offsetof(score_options, variance), 0, 0, 0,
     "residual variance: unbiased S/(n-m-1) with m parents, or mle S/n", "unbiased|mle"},
    {0},
};

static const option_spec bge_options[] = {
    {OPT_REAL, "am", offsetof(score_options, am), 1, 1e-12, 1e12, "weight of the prior mean, in rows", NULL},
    {OPT_REAL, "aw", offsetof(score_options, aw), 0, 0, 1e12,
     "degrees of freedom of the prior covariance, more than columns + 1; 0: columns + 2", NULL},
    {0},
};

static const option_spec kernel_option_rows[] = {KERNEL_OPTION_ROWS(score_options, kernel), {0}};

static const score_kind kinds[] = {
    {"bdeu", "bde", "Bayesian Dirichlet, equivalent, uniform",
     "Heckerman, Geiger, Chickering 1995, Machine Learning 20; Buntine 1991", true, bdeu_options, choose_bdeu,
     DATA_DISCRETE, NULL},
    {"k2", NULL, "Bayesian Dirichlet with every hyper-parameter one", "Cooper and Herskovits 1992, Machine Learning 9",
     false, no_options, choose_k2, DATA_DISCRETE, NULL},
    {"bic", "mdl", "log-likelihood less half a log n a parameter", "Schwarz 1978, Annals of Statistics 6", true,
     no_options, choose_bic, DATA_DISCRETE, NULL},
    {"aic", NULL, "log-likelihood less one a parameter", "Akaike 1974, IEEE Trans. Automatic Control 19", true,
     no_options, choose_aic, DATA_DISCRETE, NULL},
    {"loglik", "ll", "log-likelihood at its maximum", "Fisher 1922, Phil. Trans. R. Soc. A 222", true, no_options,
     choose_loglik, DATA_DISCRETE, NULL},
    {"loglik-g", "ll-g", "Gaussian log-likelihood at its maximum", "Fisher 1922, Phil. Trans. R. Soc. A 222", true,
     gaussian_options, NULL, DATA_CONTINUOUS, &score_gaussian_loglik},
    {"aic-g", NULL, "Gaussian log-likelihood less one a parameter", "Akaike 1974, IEEE Trans. Automatic Control 19",
     true, gaussian_options, NULL, DATA_CONTINUOUS, &score_gaussian_aic},
    {"bic-g", "mdl-g", "Gaussian log-likelihood less half a log n a parameter", "Schwarz 1978, Annals of Statistics 6",
     true, gaussian_options, NULL, DATA_CONTINUOUS, &score_gaussian_bic},
    {"bge", NULL, "Bayesian Gaussian, equivalent (normal-Wishart prior)",
     "Geiger, Heckerman 1994, UAI; Kuipers, Moffa, Heckerman 2014, Annals of Statistics 42", true, bge_options, NULL,
     DATA_CONTINUOUS, &score_bge},
    {"kgv", "bach", "mutual information in the feature space of a kernel, less half a log n a pair of features",
     "Bach and Jordan 2003, NIPS 15", true, kernel_option_rows, NULL, DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
     &score_kernel},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

size_t score_kind_count(void) {
    return N_KINDS;
}

const score_kind *score_kind_at(size_t i) {
    return &kinds[i];
}

const char *score_kind_name(const score_kind *kind) {
    return kind->name;
}

const char *score_kind_summary(const score_kind *kind) {
    return kind->summary;
}

const char *score_kind_citation(const score_kind *kind) {
    return kind->citation;
}

const option_spec *score_kind_options(const score_kind *kind) {
    return kind->options;
}

bool score_kind_is_equivalent(const score_kind *kind) {
    return kind->is_equivalent;
}

int score_kind_accepts(const score_kind *kind) {
    return kind->accepts;
}

static status unknown_kind(const char *name, const char *const *names, error_info *err) {
    const char *near = text_nearest(name, names, N_KINDS);
    text_buffer list = {0};
    status st;
    if (near)
        return error_set(err, STATUS_INVALID, "unknown score '%s'; did you mean '%s'?", name, near);
    for (size_t i = 0; i < N_KINDS; i++)
        text_append_format(&list, "%s%s", i ? ", " : "", names[i]);
    st = error_set(err, STATUS_INVALID, "unknown score '%s'; there are %s", name, list.data ? list.data : "others");
    text_buffer_clear(&list);
    return st;
}

status score_kind_find(const char *name, const score_kind **out, error_info *err) {
    const char *names[N_KINDS];
    for (size_t i = 0; i < N_KINDS; i++) {
        names[i] = kinds[i].name;
        if (strcmp(name, kinds[i].name) == 0 || (kinds[i].alias && strcmp(name, kinds[i].alias) == 0)) {
            *out = &kinds[i];
            return STATUS_OK;
        }
    }
    return unknown_kind(name, names, err);
}
