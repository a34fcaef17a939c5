/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A discretization policy as a result: of each column that was continuous, its thresholds and a histogram. */
#ifndef BNB_PARTS_FIGURES_POLICY_TEXT_H
#define BNB_PARTS_FIGURES_POLICY_TEXT_H

#include "core/base/text.h"

typedef struct {
    char *name;
    size_t n_thresholds;
    double *thresholds; /* ascending; a value that equals one is above it */
    double low, high;   /* the smallest and the largest value of the training data */
    size_t n_bins;      /* of equal width from low to high; the last one holds high; 1 where all values are equal */
    uint64_t *bins;     /* values of the training data in each */
} policy_column;

/** Owns everything; zero-initialise. */
typedef struct {
    size_t n_columns;
    policy_column *columns;
} policy_table;

enum { POLICY_BINS = 60, POLICY_MOST_BINS = 10000 };

void policy_table_clear(policy_table *t);

/** Adds a column with its name and copies of the thresholds; the histogram is that of `n` finite values. */
BNB_MUST_CHECK status policy_table_add(policy_table *t, const char *name, const double *thresholds, size_t n_thresholds,
                                       const double *values, size_t n, error_info *err);

/** The column of that name, or NULL. */
const policy_column *policy_table_find(const policy_table *t, const char *name);

/**
 * Appends CSV: `column,states,thresholds,low,high,histogram`, a row a column; thresholds and counts are joined by '|',
 * numbers in full precision.
 */
void policy_table_append_csv(const policy_table *t, text_buffer *out);

/** Reads what policy_table_append_csv wrote. STATUS_PARSE: anything else. */
BNB_MUST_CHECK status policy_table_parse(const char *text, policy_table *out, error_info *err);

#endif
