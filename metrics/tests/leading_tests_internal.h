/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Half of G2 of one column and many others given each of a few columns: most pairs that something separates are
 * separated by one of the first columns that are tried, so the others are the lanes. */
#ifndef BNB_METRICS_TESTS_LEADING_TESTS_INTERNAL_H
#define BNB_METRICS_TESTS_LEADING_TESTS_INTERNAL_H

#include "metrics/tests/lane_groups_internal.h"
#include "metrics/tests/single_tests.h"

typedef struct leading_tests leading_tests;

/** The columns given have places below it. */
enum { LEADING_MOST = 8 };

BNB_MUST_CHECK status leading_tests_create(const pair_tables *tables, leading_tests **out, error_info *err);
void leading_tests_destroy(leading_tests *t); /* NULL is fine */

/** The tests that follow are of x, given other columns, and with columns of other groups. */
void leading_tests_turn(leading_tests *t, size_t x);

/** Of x and the column at that lane of group number `number`, given z, which always has the same place; all three have
 * bit vectors. False where x and z have too many states. Cheapest where the lanes of a group come in order. */
bool leading_tests_sum(leading_tests *t, size_t place, size_t z, const lane_group *g, size_t number, size_t lane,
                       single_sum *out);

#endif
