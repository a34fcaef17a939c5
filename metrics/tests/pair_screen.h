/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * G2 without condition of one column with each of a block of columns: which pairs are dependent is decided for the
 * whole block by what rounded sums say of critical values, and only what they leave open, or what is wanted in full, is
 * computed pair by pair. It makes no difference to any answer. For passes over all pairs.
 */
#ifndef BNB_METRICS_TESTS_PAIR_SCREEN_H
#define BNB_METRICS_TESTS_PAIR_SCREEN_H

#include "core/counting/pair_block.h"
#include "metrics/tests/ci_test.h"

typedef struct pair_screen pair_screen;

/** By column, for every screen of such tests; free() it. `test` is of tables. */
BNB_MUST_CHECK status pair_screen_margins(const ci_test *test, const pair_tables *tables, ci_margin **out,
                                          error_info *err);

/** Of one thread; all that is given is borrowed. `test` is of tables: of x2, every pair may be dependent. */
BNB_MUST_CHECK status pair_screen_create(ci_test *test, const pair_tables *tables, const ci_margin *margins,
                                         pair_screen **out, error_info *err);
void pair_screen_destroy(pair_screen *s); /* NULL is fine */
AUTO_PTR_OF(pair_screen, pair_screen_destroy)

/** As pair_block_begin. */
BNB_MUST_CHECK status pair_screen_begin(pair_screen *s, const size_t *columns, size_t n_columns, error_info *err);

/** Bit i is of lane i. */
typedef struct {
    uint64_t may_be, are; /* dependent: those that `may_be` include those that `are` */
} screened;

/** Of x, which has bits, and the columns of the block; that of a pair of a column and itself says nothing. */
screened pair_screen_count(pair_screen *s, size_t x);

/** The association of the column that was counted and that of a lane, as ci_test_judge_pair. */
association pair_screen_judge(pair_screen *s, size_t lane);

/** How much a pair depends at most, in steps of the statistic: what costs less than its table, and is kept in 16 bits.
 */
enum { PAIR_MOST_GRADE = 2047 };

/** Of a lane whose pair is dependent for sure: from 1 to PAIR_MOST_GRADE; 0: there is no grade for it. */
unsigned pair_screen_grade(const pair_screen *s, size_t lane);

/** The log of p is at least that, of a pair of x and y of this grade, which is not 0. */
double pair_screen_bound(pair_screen *s, size_t x, size_t y, unsigned grade);

/** Are associations the same, to the last bit, of either column given in the other's place? */
bool pair_screen_is_symmetric(const ci_test *test);

/** The pair's table is counted by itself, and the association judged: of columns without bits too. */
association pair_screen_judge_alone(pair_screen *s, size_t x, size_t y);

/** False where a table of the two is too large to be laid out. */
bool pair_screen_takes(const pair_screen *s, size_t x, size_t y);

#endif
