/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals of equal width between the least and the greatest value: Fu 2005, II.2. An interval holds its lower end,
 * and not its upper one but for the last.
 */
#include "discretizers/base/cut_rules.h"
#include "discretizers/base/discretizer.h"

#include <math.h>

typedef struct {
    int k;
    bool drop_empty;
} eqwidth_options;

static const option_spec options[] = {
    {OPT_INT, "k", offsetof(eqwidth_options, k), 3, 2, 256, "intervals", NULL},
    {OPT_BOOL, "drop_empty", offsetof(eqwidth_options, drop_empty), false, 0, 0,
     "an interval without a value joins the one below it", NULL},
    {0},
};

static bool has_value_between(const sorted_column *s, double from, double to) {
    size_t first = sorted_column_below(s, from);
    return first < s->n && s->values[first] < to;
}

static size_t without_empty(const sorted_column *s, double *thresholds, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        double end = i + 1 < n ? thresholds[i + 1] : INFINITY;
        if (has_value_between(s, thresholds[i], end))
            thresholds[kept++] = thresholds[i];
    }
    return kept;
}

static status fit_column(const void *opts, const sorted_column *s, random_key key, double *thresholds,
                         size_t *n_thresholds, error_info *err) {
    const eqwidth_options *o = opts;
    size_t n = cut_equal_width(s, (size_t)o->k, thresholds);
    (void)key;
    (void)err;
    *n_thresholds = o->drop_empty ? without_empty(s, thresholds, n) : n;
    return STATUS_OK;
}

const discretizer discretizer_eqwidth = {
    .name = "eqwidth",
    .summary = "k intervals of equal width",
    .citation = "Fu 2005, thesis, II.2; Dougherty, Kohavi, Sahami 1995, ICML",
    .version = 1,
    .options = options,
    .options_size = sizeof(eqwidth_options),
    .fit_column = fit_column,
};
