/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals with equal counts as far as ties allow: equal values stay together, so k intervals may become fewer. Fu
 * 2005, II.2.
 */
#include "discretizers/base/cut_rules.h"
#include "discretizers/base/discretizer.h"

enum { CUT_NEAREST, CUT_QUANTILE7 };

typedef struct {
    int k, cut;
} eqfreq_options;

static const option_spec options[] = {
    {OPT_INT, "k", offsetof(eqfreq_options, k), 3, 2, 256, "intervals", NULL},
    {OPT_CHOICE, "cut", offsetof(eqfreq_options, cut), CUT_NEAREST, 0, 0,
     "midpoint at the count nearest to a k-th, or the quantile of type 7 itself", "nearest|quantile7"},
    {0},
};

static status fit_column(const void *opts, const sorted_column *s, random_key key, double *thresholds,
                         size_t *n_thresholds, error_info *err) {
    const eqfreq_options *o = opts;
    (void)key;
    (void)err;
    *n_thresholds = o->cut == CUT_NEAREST ? cut_nearest_counts(s, (size_t)o->k, thresholds)
                                          : cut_quantiles(s, (size_t)o->k, thresholds);
    return STATUS_OK;
}

const discretizer discretizer_eqfreq = {
    .name = "eqfreq",
    .summary = "k intervals with equal counts, as far as ties allow",
    .citation = "Fu 2005, thesis, II.2; Dougherty, Kohavi, Sahami 1995, ICML",
    .version = 1,
    .options = options,
    .options_size = sizeof(eqfreq_options),
    .fit_column = fit_column,
};
