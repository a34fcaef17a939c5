/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What score_bound.c keeps between its calls: how the rows lie in the configurations of the last family. */
#ifndef BNB_METRICS_SCORES_SCORE_BOUNDS_INTERNAL_H
#define BNB_METRICS_SCORES_SCORE_BOUNDS_INTERNAL_H

#include "core/base/status.h"
#include "core/data/dataset.h"

#include <stdint.h>

enum { SCORE_BOUNDS_KINDS = 64 }; /* state counts for which the part of the unmixed configurations is kept */

typedef struct score_bounds {
    bool has_base, can_count;
    size_t n_tried, n_saved; /* bounds for this base, and those that decided */
    size_t x, n_parents;
    size_t *parents; /* of the base */
    size_t n_rows;
    uint32_t *stratum; /* by row: configuration, numbered by first appearance */
    uint32_t *map;
    size_t map_capacity;
    uint32_t *tally, *state; /* by stratum: rows; the state of x in its first row, or MIXED */
    size_t n_strata;
    /* the rows of mixed configurations */
    size_t n_mixed_rows, n_mixed;
    uint32_t *row, *row_stratum, *row_state;
    uint32_t *histogram;
    size_t histogram_capacity;
    /* the part of the unmixed configurations by the states of the new parent */
    size_t n_kinds, kind[SCORE_BOUNDS_KINDS];
    double unmixed[SCORE_BOUNDS_KINDS];
} score_bounds;

BNB_MUST_CHECK status score_bounds_create(const dataset *data, score_bounds **out, error_info *err);
void score_bounds_destroy(score_bounds *b); /* NULL is fine */
AUTO_PTR_OF(score_bounds, score_bounds_destroy)

#endif
