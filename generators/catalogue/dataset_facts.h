/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What can be said of a data set by counting: Table V-10 of Fu 2005. */
#ifndef BNB_GENERATORS_CATALOGUE_DATASET_FACTS_H
#define BNB_GENERATORS_CATALOGUE_DATASET_FACTS_H

#include "core/data/dataset.h"

typedef struct {
    size_t rows, discrete, continuous; /* columns of either kind */
    /* numbers of distinct values of the continuous columns; 0 without one */
    size_t distinct_min, distinct_max;
    double distinct_mean;
} dataset_facts;

/** Adds a continuous column of so many distinct values. */
void dataset_facts_add(dataset_facts *f, size_t n_distinct);

/** Distinct values of a column, of a discrete one those that occur. STATUS_MEMORY. O(n log n). */
BNB_MUST_CHECK status dataset_count_distinct(const dataset *data, size_t column, size_t *out, error_info *err);

BNB_MUST_CHECK status dataset_measure(const dataset *data, dataset_facts *out, error_info *err);

#endif
