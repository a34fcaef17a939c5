/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metrics/prediction/fit_options.h"

#include "metrics/prediction/network_fit.h"

static const option_spec discrete_rows[] = {
    {OPT_REAL, "ess", offsetof(fit_options, ess), 1, 1e-16, 1e12, "equivalent sample size of the BDeu prior", NULL},
    {OPT_CHOICE, "estimate", offsetof(fit_options, estimate), FIT_BDEU, 0, 0,
     "posterior mean under the BDeu prior, or shares", "bdeu|mle"},
    {0},
};

static const option_spec continuous_rows[] = {
    {OPT_CHOICE, "variance", offsetof(fit_options, variance), SCORE_VARIANCE_UNBIASED, 0, 0,
     "residual variance: unbiased S/(n-m-1) with m parents, or mle S/n", "unbiased|mle"},
    {0},
};

const option_spec *fit_options_for(const dataset *data, fit_options *options) {
    const option_spec *rows = dataset_is_discrete(data) ? discrete_rows : continuous_rows;
    options_set_initial(rows, options);
    return rows;
}
