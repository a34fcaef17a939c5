/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A look at the moves of one part of a head of a delta_table: what is asked for, what the rule sees, and the best. */
#ifndef BNB_LEARNERS_GREEDY_DELTA_SCAN_INTERNAL_H
#define BNB_LEARNERS_GREEDY_DELTA_SCAN_INTERNAL_H

#include "learners/greedy/delta_table.h"

/** Finds the best move of the part; of a half not where the deadline passes, which sets is_expired. */
BNB_MUST_CHECK status delta_scan(delta_table *t, size_t part, size_t y, error_info *err);

/** The gain of x toggled among the parents of y. */
BNB_MUST_CHECK status delta_toggle_gain(delta_table *t, size_t x, size_t y, double *gain, error_info *err);

/** May an addition of the half that is not known gain as much? Such as differ by the tolerance count as equal. */
bool delta_may_hide(const delta_table *t, size_t half, size_t y, double gain);

/** Makes all that was asked for of the half known again, which no pruning follows before the next scan of it. */
BNB_MUST_CHECK status delta_recall_half(delta_table *t, size_t half, size_t y, error_info *err);

/** Was the deletion or reversal taken off? */
bool delta_is_taken(const delta_table *t, arc_move_kind kind, size_t x, size_t y);

#endif
