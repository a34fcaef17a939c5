/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What one more row adds to a function of a count: value(m + 1) - value(m) for m = 0 .. n_rows - 1, as tables. A score
 * that is a sum over cells then follows a row that enters a cell by one look-up.
 */
#ifndef BNB_DISCRETIZERS_INTEGRATED_INCREMENTS_H
#define BNB_DISCRETIZERS_INTEGRATED_INCREMENTS_H

#include "core/base/status.h"

typedef struct increment_tables increment_tables;

BNB_MUST_CHECK status increment_tables_create(size_t n_rows, increment_tables **out, error_info *err);
void increment_tables_destroy(increment_tables *t); /* NULL is fine */
AUTO_PTR_OF(increment_tables, increment_tables_destroy)

/** The table of m log m. */
const double *increment_tables_m_log_m(const increment_tables *t);

/** The table of lgamma(a + m) - lgamma(a), a > 0: log(a + m). Made at first use; lives until the next trim. */
BNB_MUST_CHECK status increment_tables_gamma(increment_tables *t, double a, const double **out, error_info *err);

/** Forgets the gamma tables if they take more than 64 MiB. */
void increment_tables_trim(increment_tables *t);

#endif
