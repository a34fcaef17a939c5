/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What high_scores.h reads of a node and its parents before it looks at further columns: made by the thread that comes
 * to the family first, and read by all that come to it before others have taken its place.
 */
#ifndef BNB_METRICS_SCORES_HIGH_FAMILIES_INTERNAL_H
#define BNB_METRICS_SCORES_HIGH_FAMILIES_INTERNAL_H

#include "metrics/scores/row_cells_internal.h"

#include <stdatomic.h>
#include <stdbool.h>

/** For each number of states up to this a ceiling is kept. */
enum { HIGH_MOST_STATES = 32 };

typedef struct {
    size_t x, n_parents, *parents;
    double without;                        /* their score */
    double floor;                          /* what does not pass it may be left out */
    double ceilings[HIGH_MOST_STATES + 1]; /* by declared states of the further column, where there are such columns:
                                              what no column of so many states passes */
    row_cells cells;
    size_t n_holders;
    size_t turn; /* when a thread came to it last */
    atomic_size_t state;
} high_family;

typedef struct high_families high_families;

/**
 * Of data with n_columns, for n_threads, at least one; has_states[r]: is there a column of r declared states? All is
 * borrowed.
 */
BNB_MUST_CHECK status high_families_create(const pair_tables *tables, const lane_columns *lanes, const bool *has_states,
                                           size_t n_columns, size_t n_threads, high_families **out, error_info *err);
void high_families_destroy(high_families *f); /* NULL is fine; no family must be held */
AUTO_PTR_OF(high_families, high_families_destroy)

/**
 * The thread holds x with these parents, in their order, in the place of `*held` (NULL: none); NULL after a failure.
 * Any number of threads at once, each with a score of its own; what is held is only read.
 */
BNB_MUST_CHECK status high_families_turn(high_families *f, high_family **held, score *s, size_t x,
                                         const size_t *parents, size_t n_parents, error_info *err);

/** Of none (NULL) it is false. */
bool high_family_is(const high_family *held, size_t x, const size_t *parents, size_t n_parents);

/** The thread holds none. */
void high_families_release(high_families *f, high_family **held);

#endif
