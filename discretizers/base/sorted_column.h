/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A continuous column in order, and where a cut may lie: only between values that differ. */
#ifndef BNB_DISCRETIZERS_BASE_SORTED_COLUMN_H
#define BNB_DISCRETIZERS_BASE_SORTED_COLUMN_H

#include "core/data/dataset.h"

/** Zero-initialise. */
typedef struct {
    size_t n;       /* rows */
    double *values; /* ascending; -0 as 0 */
    uint32_t *rows; /* rows[i] holds values[i]; equal values by row */
    size_t n_cuts;  /* distinct values less one */
    size_t *cuts;   /* ascending: a cut with that many values below it */
} sorted_column;

BNB_MUST_CHECK status sorted_column_init(sorted_column *s, const double *values, size_t n, error_info *err);
void sorted_column_clear(sorted_column *s);

/** The threshold of a cut: with `below` values below it. */
double sorted_column_threshold(const sorted_column *s, size_t below);

/** The place of the first cut with at least `below` values below it; n_cuts where there is none. */
size_t sorted_column_first_cut(const sorted_column *s, size_t below);

/** How many values lie below `bound`. */
size_t sorted_column_below(const sorted_column *s, double bound);

#endif
