/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Sums of values of counts over tables that lie side by side in lanes. */
#ifndef BNB_CORE_COUNTING_LANE_VALUES_INTERNAL_H
#define BNB_CORE_COUNTING_LANE_VALUES_INTERNAL_H

#include "core/counting/lane_kernels_internal.h"

/** Tables in strata, complete: by cell or stratum, state, and lane. */
typedef struct {
    const uint32_t *counts;  /* of the cells, of all states but the last */
    const uint32_t *rest;    /* of the cells, of the last */
    const uint32_t *margins; /* of the strata, of all states */
    size_t n_cells, n_strata, r;
} lane_values;

/** Makes the rest and the margins of the tiles in use. starts[0] may be other than 0: counts and tallies begin with
 * that cell. */
void lane_values_complete(const lane_strata *t, uint32_t *rest, uint32_t *margins);

/** Adds, by lane from `first` to `end` - 1, the sum of cell[N] over all cells less that of row[N] over all margins. */
void lane_values_add(const lane_values *v, size_t first, size_t end, const double *cell, const double *row,
                     double *sums);

#endif
