/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registry of independence tests. */
#include "metrics/tests/ci_test_internal.h"
#include "metrics/tests/fisher_z_internal.h"
#include "metrics/tests/margaritis_internal.h"
#include "metrics/tests/rcit_internal.h"
#include "metrics/tests/weighted_chi_square.h"

#include <math.h>
#include <string.h>

/* Differences from expectation are small where the pair is nearly independent, and so is their rounding. */
static double g2_exact(const uint32_t *cells, const uint32_t *x_margin, const uint32_t *y_margin, size_t r_x,
                       size_t r_y, double n) {
    double sum = 0;
    for (size_t x = 0; x < r_x; x++) {
        for (size_t y = 0; y < r_y; y++) {
            double count = cells[x * r_y + y];
            if (count > 0)
                sum += count * log(count * n / ((double)x_margin[x] * (double)y_margin[y]));
        }
    }
    return 2 * sum;
}

static double x2_exact(const uint32_t *cells, const uint32_t *x_margin, const uint32_t *y_margin, size_t r_x,
                       size_t r_y, double n) {
    double sum = 0;
    for (size_t x = 0; x < r_x; x++) {
        for (size_t y = 0; y < r_y; y++) {
            double expected = (double)x_margin[x] * (double)y_margin[y] / n;
            double difference = cells[x * r_y + y] - expected;
            if (expected > 0)
                sum += difference * difference / expected;
        }
    }
    return sum;
}

#define ALPHA_ROW                                                                                                      \
    {                                                                                                                  \
        OPT_REAL, "alpha", offsetof(ci_test_options, alpha), 0.05, 1e-300, 0.999999,                                   \
            "level: dependent iff p <= alpha", NULL                                                                    \
    }

static const option_spec table_options[] = {
    ALPHA_ROW,
    {OPT_CHOICE, "df", offsetof(ci_test_options, df), CI_DF_ADJ, 0, 0, "degrees of freedom", CI_DF_CHOICES},
    {OPT_REAL, "min_rows", offsetof(ci_test_options, min_rows), 5, 0, 1e6,
     "rows a cell that make a test reliable; 0: every test is", NULL},
    {0},
};

static const option_spec correlation_options[] = {
    ALPHA_ROW,
    {OPT_CHOICE, "tail", offsetof(ci_test_options, tail), CI_TAIL_TWO, 0, 0,
     "p-value of both signs, or of the sign that is seen: half of it", CI_TAIL_CHOICES},
    {0},
};

static const option_spec bayes_options[] = {
    {OPT_REAL, "alpha", offsetof(ci_test_options, alpha), 0.5, 1e-300, 0.999999,
     "dependent iff the probability of independence is at most this", NULL},
    {0},
};

static const option_spec rcit_options[] = {
    ALPHA_ROW,
    {OPT_CHOICE, "variant", offsetof(ci_test_options, variant), CI_VARIANT_RCOT, 0, 0,
     "random features of each column alone, or of each with the set", CI_VARIANT_CHOICES},
    {OPT_INT, "features", offsetof(ci_test_options, features), 5, 1, 20, "random features of either column", NULL},
    {OPT_INT, "set_features", offsetof(ci_test_options, set_features), 100, 1, 2000,
     "random features of the set; a quarter of the rows at most", NULL},
    {OPT_INT, "feature_seed", offsetof(ci_test_options, feature_seed), 1, 0, 2147483647,
     "what the random features are drawn from", NULL},
    {OPT_CHOICE, "approximation", offsetof(ci_test_options, approximation), TAIL_LINDSAY_PILLA_BASAK, 0, 0,
     "p-value by a mixture of gammas, a shifted gamma, or a gamma", CI_APPROXIMATION_CHOICES},
    {0},
};

static const ci_test_kind kinds[] = {
    {.name = "g2",
     .alias = "mi",
     .summary = "log-likelihood ratio, 2 n times the conditional mutual information in nats",
     .citation = "Spirtes, Glymour, Scheines 2000, Causation, Prediction, and Search, ch. 5",
     .accepts = DATA_DISCRETE,
     .options = table_options,
     .exact = g2_exact,
     .is_g2 = true},
    {.name = "x2",
     .alias = "chi2",
     .summary = "Pearson's chi-square",
     .citation = "Pearson 1900, Philosophical Magazine 50",
     .accepts = DATA_DISCRETE,
     .options = table_options,
     .exact = x2_exact},
    {.name = "bayes",
     .alias = "margaritis",
     .summary = "log odds of dependence under uniform priors; the probability of independence for a p-value",
     .citation = "Margaritis, Thrun 2001, UAI",
     .accepts = DATA_DISCRETE,
     .options = bayes_options,
     .evaluator = &margaritis_evaluator},
    {.name = "zf",
     .alias = "fisher-z",
     .summary = "Fisher's z of the partial correlation, by the normal distribution",
     .citation = "Fisher 1921, Metron 1; Spirtes, Glymour, Scheines 2000, Causation, Prediction, and Search, ch. 5",
     .accepts = DATA_CONTINUOUS,
     .options = correlation_options,
     .evaluator = &fisher_z_evaluator},
    {.name = "cor",
     .alias = "student-t",
     .summary = "the partial correlation, by Student's t",
     .citation = "Fisher 1924, Metron 3",
     .accepts = DATA_CONTINUOUS,
     .options = correlation_options,
     .evaluator = &correlation_t_evaluator},
    {.name = "rcit",
     .alias = "rcot",
     .summary = "non-linear dependence: covariance of random Fourier features, those of the set regressed out",
     .citation = "Strobl, Zhang, Visweswaran 2019, Journal of Causal Inference 7",
     .accepts = DATA_DISCRETE | DATA_CONTINUOUS | DATA_MIXED,
     .options = rcit_options,
     .evaluator = &rcit_evaluator},
};

enum { N_KINDS = sizeof kinds / sizeof *kinds };

size_t ci_test_kind_count(void) {
    return N_KINDS;
}

const ci_test_kind *ci_test_kind_at(size_t i) {
    return &kinds[i];
}

const char *ci_test_kind_name(const ci_test_kind *kind) {
    return kind->name;
}

const char *ci_test_kind_summary(const ci_test_kind *kind) {
    return kind->summary;
}

const char *ci_test_kind_citation(const ci_test_kind *kind) {
    return kind->citation;
}

int ci_test_kind_accepts(const ci_test_kind *kind) {
    return kind->accepts;
}

const option_spec *ci_test_kind_options(const ci_test_kind *kind) {
    return kind->options;
}

static status unknown_kind(const char *name, error_info *err) {
    const char *names[N_KINDS];
    const char *near;
    text_buffer list = {0};
    status st;
    for (size_t i = 0; i < N_KINDS; i++) {
        names[i] = kinds[i].name;
        text_append_format(&list, "%s%s", i ? ", " : "", names[i]);
    }
    near = text_nearest(name, names, N_KINDS);
    if (near)
        st = error_set(err, STATUS_INVALID, "unknown test '%s'; did you mean '%s'?", name, near);
    else
        st = error_set(err, STATUS_INVALID, "unknown test '%s'; there are %s", name, list.data ? list.data : "none");
    text_buffer_clear(&list);
    return st;
}

status ci_test_kind_find(const char *name, const ci_test_kind **out, error_info *err) {
    for (size_t i = 0; i < N_KINDS; i++) {
        if (strcmp(name, kinds[i].name) == 0 || strcmp(name, kinds[i].alias) == 0) {
            *out = &kinds[i];
            return STATUS_OK;
        }
    }
    return unknown_kind(name, err);
}
