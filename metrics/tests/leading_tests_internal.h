/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Half of G2 of one column and many others given each of a few columns: most pairs that something separates are
 * separated by one of the first columns that are tried, so the others are the lanes, and those that are separated make
 * room for the next ones. */
#ifndef BNB_METRICS_TESTS_LEADING_TESTS_INTERNAL_H
#define BNB_METRICS_TESTS_LEADING_TESTS_INTERNAL_H

#include "metrics/tests/lane_groups_internal.h"
#include "metrics/tests/single_tests.h"

typedef struct leading_tests leading_tests;

BNB_MUST_CHECK status leading_tests_create(const pair_tables *tables, leading_tests **out, error_info *err);
void leading_tests_destroy(leading_tests *t); /* NULL is fine */

/** Columns in lanes. */
typedef struct {
    size_t x;
    const size_t *columns; /* ascending */
    size_t n_columns;
    const lane_groups *groups; /* of those that have bit vectors; x has them, too */
    const uint32_t *places;    /* by group and lane: of the column */
} leading_pool;

/** By place in the pool, of the columns after x; of the others nothing is known. By degrees of freedom that are
 * adjusted to the states that have rows. */
void leading_tests_find(leading_tests *t, const leading_pool *pool, const single_limits *limits, leading_finding *out);

#endif
