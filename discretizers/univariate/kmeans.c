/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The adapted k-means of Vignes et al. 2011, PLoS ONE 6:e29165: three classes, none below 5 % of the values, the
 * extreme ones at most 30 %. Solved exactly, which one dimension allows.
 */
#include "discretizers/base/discretizer.h"
#include "discretizers/base/partition.h"

typedef struct {
    int k;
    double least_share, most_extreme_share;
} kmeans_options;

enum { MOST_CLASSES = 64 };

static const option_spec options[] = {
    {OPT_INT, "k", offsetof(kmeans_options, k), 3, 2, MOST_CLASSES, "classes", NULL},
    {OPT_REAL, "least_share", offsetof(kmeans_options, least_share), 0.05, 0, 0.5,
     "of the values that a class must hold, where ties allow", NULL},
    {OPT_REAL, "most_extreme_share", offsetof(kmeans_options, most_extreme_share), 0.3, 0, 1,
     "of the values that the lowest and the highest class may hold, where k is 3 or more and ties allow", NULL},
    {0},
};

static status fit_column(const void *opts, const sorted_column *s, random_key key, double *thresholds,
                         size_t *n_thresholds, error_info *err) {
    const kmeans_options *o = opts;
    size_t below[MOST_CLASSES], n = 0;
    (void)key;
    CHECK(partition_by_shares(s, (size_t)o->k, o->least_share, o->most_extreme_share, below, &n, err));
    for (size_t i = 0; i < n; i++)
        thresholds[i] = sorted_column_threshold(s, below[i]);
    *n_thresholds = n;
    return STATUS_OK;
}

const discretizer discretizer_kmeans = {
    .name = "kmeans",
    .summary = "k classes with the least sum of squares, bounded in size",
    .citation = "Vignes et al. 2011, PLoS ONE 6:e29165; Wang and Song 2011, The R Journal 3(2)",
    .version = 1,
    .options = options,
    .options_size = sizeof(kmeans_options),
    .fit_column = fit_column,
};
