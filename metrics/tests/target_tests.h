/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * G2 of one target with many columns given small sets: the rows of each configuration of target and set are a bit
 * vector, made once for all columns that are asked in turn, and a table is what those and the column's own vectors have
 * in common. The answers and counts of the evaluator, which is asked where this does not pay.
 */
#ifndef BNB_METRICS_TESTS_TARGET_TESTS_H
#define BNB_METRICS_TESTS_TARGET_TESTS_H

#include "core/counting/pair_tables.h"
#include "metrics/tests/ci_test.h"

typedef struct target_tests target_tests;

/** Of one thread. `test`, of tables and without a cache, and `tables`, of the same data, are borrowed. */
BNB_MUST_CHECK status target_tests_create(ci_test *test, const pair_tables *tables, target_tests **out,
                                          error_info *err);
void target_tests_destroy(target_tests *t); /* NULL is fine */
AUTO_PTR_OF(target_tests, target_tests_destroy)

/** Tests of x and y given z are cheap where y and z are those of the last one. */
association_source target_tests_as_source(target_tests *t);
decision_source target_tests_as_decisions(target_tests *t);

#endif
