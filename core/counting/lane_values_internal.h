/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sums of values of counts over tables that lie side by side in lanes. */
#ifndef BNB_CORE_COUNTING_LANE_VALUES_INTERNAL_H
#define BNB_CORE_COUNTING_LANE_VALUES_INTERNAL_H

#include "core/counting/lane_kernels_internal.h"

/** Tables in strata, complete (lane_kernels.complete): by cell or stratum, state, and lane. */
typedef struct {
    const uint32_t *counts;  /* of the cells, of all states but the last */
    const uint32_t *rest;    /* of the cells, of the last */
    const uint32_t *margins; /* of the strata, of all states */
    size_t n_cells, n_strata, r;
} lane_values;

/** Adds, by lane from `first` to `end` - 1, the sum of cell[N] over all cells less that of row[N] over all margins. */
void lane_values_add(const lane_values *v, size_t first, size_t end, const double *cell, const double *row,
                     double *sums);

#endif
