/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Independence tests on a data set as learners take them: options, the source, and the limit of its tables. */
#ifndef BNB_LEARNERS_TEST_SOURCE_INTERNAL_H
#define BNB_LEARNERS_TEST_SOURCE_INTERNAL_H

#include "core/dataset.h"
#include "core/options.h"
#include "core/run_context.h"
#include "learners/table_limit.h"
#include "metrics/ci_test.h"

#include <stddef.h>

typedef struct {
    int kind; /* position in SKELETON_TEST_CHOICES */
    ci_test_options options;
} skeleton_test_options;

#define SKELETON_TEST_CHOICES "g2|x2"

/* One row a line. */
/* clang-format off */

/** Rows for a member (a skeleton_test_options, maybe inside another member) of the struct `type`. */
#define TEST_SOURCE_ROWS(type, member)                                                                                 \
    {OPT_REAL, "alpha", offsetof(type, member.options.alpha), 0.05, 1e-300, 0.999999,                                  \
     "level of the tests: dependent iff p <= alpha", NULL},                                                            \
    {OPT_CHOICE, "test", offsetof(type, member.kind), 0, 0, 0, "test of independence", SKELETON_TEST_CHOICES},         \
    {OPT_CHOICE, "df", offsetof(type, member.options.df), CI_DF_ADJ, 0, 0, "degrees of freedom", CI_DF_CHOICES},       \
    {OPT_REAL, "min_rows", offsetof(type, member.options.min_rows), 5, 0, 1e6,                                         \
     "rows a cell without which a test is not performed; 0: perform all", NULL}

/* clang-format on */

typedef struct {
    ci_test *test;
    size_t *n_states;
    association_source source;
    decision_source quick; /* the same */
    table_limit limit;     /* points to n_states */
} test_source;

/** `data` and `tally` are borrowed. */
BNB_MUST_CHECK status test_source_init(test_source *s, const dataset *data, const skeleton_test_options *options,
                                       statistics_count *tally, error_info *err);
void test_source_clear(test_source *s);

#endif
