/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * What rounded sums say of G2 of many columns with one target given one set after another: 64 columns at a time, in
 * lanes (core/counting/pair_block.h). Where they leave it open, the test has to be made.
 */
#ifndef BNB_METRICS_TESTS_LANE_TESTS_H
#define BNB_METRICS_TESTS_LANE_TESTS_H

#include "core/counting/pair_block.h"
#include "metrics/tests/association.h"

#include <stdbool.h>

typedef struct lane_tests lane_tests;

BNB_MUST_CHECK status lane_tests_create(const pair_tables *tables, lane_tests **out, error_info *err);
void lane_tests_destroy(lane_tests *t); /* NULL is fine */
AUTO_PTR_OF(lane_tests, lane_tests_destroy)

/** The columns that the next tests are about, the first of which is the target: a hint. */
void lane_tests_attend(lane_tests *t, const size_t *columns, size_t n_columns);

/** The tests that follow are given another set. */
void lane_tests_turn(lane_tests *t);

/** Of the lanes of columns with equally many states. */
typedef struct {
    const float *sums; /* over the cells, less the margins of x: see pair_block_sum_strata */
    const uint32_t *adjusted;
    double error; /* of a sum at most */
    size_t n_lanes, n_states;
} lane_sums;

/** Draws conclusions from sums of tests: one answer a lane. */
typedef struct {
    void *self;
    void (*judge)(void *self, const lane_sums *sums, quick_answer *out);
} lane_judge;

/** Sums the columns of a block given the configurations, and has the lanes judged. `scratch`, `sums` and `adjusted`: as
 * of pair_block_sum_strata. */
void lane_judge_block(const lane_judge *judge, const pair_block *block, const pair_strata *strata, uint32_t *scratch,
                      float *sums, uint32_t *adjusted, quick_answer *out);

/** Where a column is. */
typedef struct {
    size_t group, lane, n_states;
} lane_place;

/** False where x has no lane. Cheapest where columns come in the order in which they were attended. */
bool lane_tests_find(lane_tests *t, size_t x, lane_place *out);

/** Of the configurations of target and set since the last turn, at most PAIR_MOST_STRATA_CELLS; valid until the next
 * turn. The judge is asked once a turn for all lanes beside this one. */
const quick_answer *lane_tests_answer(lane_tests *t, const pair_strata *strata, const lane_place *place,
                                      const lane_judge *judge);

#endif
