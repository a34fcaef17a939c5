/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Half of G2 of one pair given each single column of a pool: the pool's columns lie side by side in lanes
 * (core/counting/pair_block.h), so that a pair is counted with many of them at once. Where rounded sums leave it open,
 * the test has to be made.
 */
#ifndef BNB_METRICS_TESTS_SINGLE_TESTS_H
#define BNB_METRICS_TESTS_SINGLE_TESTS_H

#include "core/counting/counts.h"
#include "core/counting/pair_block.h"

#include <stdbool.h>

typedef struct single_tests single_tests;

BNB_MUST_CHECK status single_tests_create(const pair_tables *tables, single_tests **out, error_info *err);
void single_tests_destroy(single_tests *t); /* NULL is fine */
AUTO_PTR_OF(single_tests, single_tests_destroy)

/** As the tables' own. */
const pair_column *single_tests_columns(const single_tests *t);

/** One end of the pairs that come, and a pool, whose columns are distinct. A hint: without memory nothing is attended.
 */
void single_tests_attend(single_tests *t, size_t x, const size_t *pool, size_t n_pool);

/** Have x and the pool been attended, and lanes been made of them, or can they be? */
bool single_tests_are_about(single_tests *t, size_t x, const size_t *pool, size_t n_pool);

/** The other end of the pair; `base` is of x given y, and must stay. False where it has no cells, or too many. */
bool single_tests_turn(single_tests *t, size_t y, const counts_base *base);

/** Half of G2 of x and a column of the pool without condition lies between the two, which where the column has no lane
 * are infinite. */
typedef struct {
    double least, most;
    uint32_t n_states; /* of the column */
    bool has_bits;
} single_pair;

/** By place of the pool; there are lanes. */
const single_pair *single_tests_pairs(const single_tests *t);

/** Of SINGLE_RUN places of the pool from a multiple of it on, or of those that are left. */
typedef struct {
    double most;     /* of all of them */
    uint64_t states; /* bit r: a column has r of them; meaningless where `most` is infinite */
} single_run;

enum { SINGLE_RUN = 16 };

/** By place / SINGLE_RUN; there are lanes. */
const single_run *single_tests_runs(const single_tests *t);

/** Is the column in the pool? There are lanes. */
bool single_tests_has(const single_tests *t, size_t column);

/** The place of a column in the pool; false where it is not there. Cheapest for columns in ascending order. */
bool single_tests_find(single_tests *t, size_t column, size_t *place);

/** By whole degrees of freedom up to (r_x - 1) (r_y - 1) r_z, adjusted to the states that have rows, what half of G2
 * has to exceed to make x and y dependent given z, within a millionth; valid until the next call. NULL: not known. */
typedef struct {
    void *self;
    const float *(*get)(void *self, size_t r_x, size_t r_y, size_t r_z);
} single_limits;

/** What is known of a pair of x and a column after it given the first places of the pool. */
typedef struct {
    uint16_t told;     /* bit i: clearly dependent given place i, which is below: */
    uint8_t n_done;    /* places that were looked at; of those that are not told it is open */
    bool is_separated; /* clearly, given place n_done */
} leading_finding;

/** The columns given have places below it. */
enum { LEADING_MOST = SINGLE_RUN };

/** By place of the pool; nothing is known of columns before x. There are lanes. */
const leading_finding *single_tests_lead(single_tests *t, const single_limits *limits);

/** Sums of the present pair given the columns of a tile, which have equally many states. */
typedef struct {
    const pair_block *block;
    const float *sums, *own; /* by lane, and so are the others; half of G2 is sums less own, give or take: */
    double error;
    const uint32_t *adjusted;
    const uint32_t *places; /* in the pool */
    size_t n_lanes, lane;   /* lane: of the place that was asked about */
    bool is_new;            /* summed just now */
} single_tile;

/** The tile of a place of the pool. False where it has no lane, or counting by itself is quicker. */
bool single_tests_sum(single_tests *t, size_t place, single_tile *out);

/** Scratch space for who visits the places of one pair: by place / SINGLE_RUN, a bit a place. There are lanes. */
uint16_t *single_tests_marks(single_tests *t);

#endif
