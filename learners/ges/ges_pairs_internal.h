/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The rows of first arcs: of each node, what it gains with one parent. */
#ifndef BNB_LEARNERS_GES_GES_PAIRS_INTERNAL_H
#define BNB_LEARNERS_GES_GES_PAIRS_INTERNAL_H

#include "learners/ges/ges_rows_internal.h"

/**
 * Rows for the first arcs, with which the other threads begin. They belong to the caller, their one user, who sets
 * `without` meanwhile: the scores without parents. `out` and they are read as long as `r` is.
 */
BNB_MUST_CHECK status ges_pairs_begin(ges_rows *r, ges_row **out, error_info *err);

/** Of each pair of nodes the gain of x < y as y's only parent, in the rows of both. */
BNB_MUST_CHECK status ges_pairs_end(ges_rows *r, bool *is_expired, error_info *err);

#endif
