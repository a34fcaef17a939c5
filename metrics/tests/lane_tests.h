/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What rounded sums say of G2 of many columns with one target given one set after another: 64 columns at a time, in
 * lanes (core/counting/pair_block.h). Where they leave it open, the test has to be made.
 */
#ifndef BNB_METRICS_TESTS_LANE_TESTS_H
#define BNB_METRICS_TESTS_LANE_TESTS_H

#include "core/counting/pair_block.h"

#include <stdbool.h>

typedef struct lane_tests lane_tests;

BNB_MUST_CHECK status lane_tests_create(const pair_tables *tables, lane_tests **out, error_info *err);
void lane_tests_destroy(lane_tests *t); /* NULL is fine */
AUTO_PTR_OF(lane_tests, lane_tests_destroy)

/** The columns that the next tests are about, the first of which is the target: a hint. */
void lane_tests_attend(lane_tests *t, const size_t *columns, size_t n_columns);

/** The tests that follow are given another set. */
void lane_tests_turn(lane_tests *t);

typedef struct {
    double sum;   /* over the cells, less the margins of x: see pair_block_sum_strata */
    double error; /* of it at most */
    size_t adjusted;
} lane_sum;

/** Of x and the configurations of target and set since the last turn; false where x has no lane. */
bool lane_tests_sum(lane_tests *t, const pair_strata *strata, size_t x, lane_sum *out);

#endif
