/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the sources that compute and show a test share. */
#ifndef BNB_PARTS_TESTS_SIGNIFICANCE_INTERNAL_H
#define BNB_PARTS_TESTS_SIGNIFICANCE_INTERNAL_H

#include "metrics/distances/metric.h"
#include "parts/figures/aggregate.h"
#include "parts/tests/significance.h"

typedef struct {
    const experiment_outputs *view; /* outputs with the learners that are compared */
    const test_spec *spec;
    const metric_info *info;
    const published_verdicts *published;
    const published_table *published_scores;
    result_grid grid;
    metric_values values; /* failures not imputed but by their limits */
} test_work;

BNB_MUST_CHECK status significance_rank(const test_work *w, significance *s, error_info *err);
BNB_MUST_CHECK status significance_pair(const test_work *w, significance *s, error_info *err);

BNB_MUST_CHECK status significance_add_notes(const test_work *w, significance *s, error_info *err);

/** "all", or the network of a cell. */
const char *pair_cell_network(const significance *s, const pair_cell *cell);

/** The same of a row of scores. */
const char *score_row_network(const significance *s, size_t row);

#endif
