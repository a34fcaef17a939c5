/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of score: which functions of a count, which penalty. */
#include "metrics/score_internal.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

static status choose_bdeu(score *s, double r, double q, family_terms *out, error_info *err) {
    status st = STATUS_OK;
    TRY(term_tables_gamma(s->terms, s->options.ess / (q * r), &out->cell, err));
    TRY(term_tables_gamma(s->terms, s->options.ess / q, &out->row, err));
cleanup:
    return st;
}

static status choose_k2(score *s, double r, double q, family_terms *out, error_info *err) {
    status st = STATUS_OK;
    (void)q;
    TRY(term_tables_gamma(s->terms, 1, &out->cell, err));
    TRY(term_tables_gamma(s->terms, r, &out->row, err));
cleanup:
    return st;
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

static const score_kind kinds[] = {
    {"bdeu", "bde", "Bayesian Dirichlet, equivalent, uniform",
     "Heckerman, Geiger, Chickering 1995, Machine Learning 20; Buntine 1991", true, bdeu_options, choose_bdeu},
    {"k2", NULL, "Bayesian Dirichlet with every hyper-parameter one", "Cooper and Herskovits 1992, Machine Learning 9",
     false, no_options, choose_k2},
    {"bic", "mdl", "log-likelihood less half a log n a parameter", "Schwarz 1978, Annals of Statistics 6", true,
     no_options, choose_bic},
    {"aic", NULL, "log-likelihood less one a parameter", "Akaike 1974, IEEE Trans. Automatic Control 19", true,
     no_options, choose_aic},
    {"loglik", "ll", "log-likelihood at its maximum", "Fisher 1922, Phil. Trans. R. Soc. A 222", true, no_options,
     choose_loglik},
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

status score_kind_find(const char *name, const score_kind **out, error_info *err) {
    const char *names[N_KINDS];
    const char *near;
    for (size_t i = 0; i < N_KINDS; i++) {
        names[i] = kinds[i].name;
        if (strcmp(name, kinds[i].name) == 0 || (kinds[i].alias && strcmp(name, kinds[i].alias) == 0)) {
            *out = &kinds[i];
            return STATUS_OK;
        }
    }
    near = text_nearest(name, names, N_KINDS);
    return error_set(err, STATUS_INVALID, "unknown score '%s'%s%s%s", name,
                     near ? "; did you mean '"
                          : "; there are bdeu, "
                            "k2, bic, aic, loglik",
                     near ? near : "", near ? "'?" : "");
}
