/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A discretization policy: the thresholds of every column, as they are found on training data and applied to it and to
 * test data. With thresholds t_1 < ... < t_m a value x goes to state #{i : t_i <= x}: m + 1 states, and a value that
 * equals a threshold goes up. Fu 2005, II.2.
 */
#ifndef BNB_DISCRETIZERS_BASE_POLICY_H
#define BNB_DISCRETIZERS_BASE_POLICY_H

#include "core/base/text.h"
#include "core/data/dataset.h"

/** The thresholds of a column; none where it is constant, or was discrete before. */
typedef struct {
    size_t n;
    double *thresholds; /* strictly increasing, finite */
} column_policy;

/** Columns as in the data that it was made for. Zero-initialise. */
typedef struct {
    size_t n_columns;
    column_policy *columns;
} cut_policy;

BNB_MUST_CHECK status policy_init(cut_policy *p, size_t n_columns, error_info *err);
void policy_clear(cut_policy *p);
BNB_MUST_CHECK status policy_copy(const cut_policy *from, cut_policy *to, error_info *err);

/**
 * Copies the thresholds of a column; equal neighbours become one.
 * @return STATUS_BUG: they do not rise, or are not finite.
 */
BNB_MUST_CHECK status policy_set(cut_policy *p, size_t column, const double *thresholds, size_t n, error_info *err);

/** The state of a value. O(log n). */
size_t policy_state(const column_policy *c, double value);

/**
 * The data with every continuous column discrete: its states are "0", "1", ..., all of them, seen or not. Discrete
 * columns are copied.
 * @return STATUS_INVALID: the data have another number of columns than the policy.
 */
BNB_MUST_CHECK status policy_apply(const cut_policy *p, const dataset *data, dataset **out, error_info *err);

/** Appends CSV: `column,states,thresholds`, a row for each column that is continuous in `data`, thresholds joined by
 * '|' and in full precision. */
void policy_append_csv(const cut_policy *p, const dataset *data, text_buffer *out);

/** A discrete variable with the states "0" .. "n - 1". */
BNB_MUST_CHECK status policy_number_states(variable *v, const char *name, size_t n, error_info *err);

/** A threshold between two values a < b: their midpoint, and b where that rounds to a, so that a goes down and b up. */
double policy_between(double a, double b);

#endif
