/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Independence tests on a data set as learners take them: options, the source, and the limit of its tables. */
#ifndef BNB_LEARNERS_CONSTRAINT_TEST_SOURCE_INTERNAL_H
#define BNB_LEARNERS_CONSTRAINT_TEST_SOURCE_INTERNAL_H

#include "core/base/options.h"
#include "core/data/dataset.h"
#include "core/run/run_context.h"
#include "learners/base/table_limit.h"
#include "metrics/tests/ci_test.h"

#include <stddef.h>

typedef struct {
    int kind; /* position in SKELETON_TEST_CHOICES */
    ci_test_options options;
} skeleton_test_options;

/** "auto": by the data, g2 if they are discrete, zf if they are continuous, rcit if they are mixed. */
#define SKELETON_TEST_CHOICES "auto|g2|x2|bayes|zf|cor|rcit"

/* One row a line. */
/* clang-format off */

/** Rows for a member (a skeleton_test_options, maybe inside another member) of the struct `type`. */
#define TEST_SOURCE_ROWS(type, member)                                                                                 \
    {OPT_REAL, "alpha", offsetof(type, member.options.alpha), 0.05, 1e-300, 0.999999,                                  \
     "level of the tests: dependent iff p <= alpha", NULL},                                                            \
    {OPT_CHOICE, "test", offsetof(type, member.kind), 0, 0, 0,                                                         \
     "test of independence; auto: g2 on discrete data, zf on continuous, rcit on mixed", SKELETON_TEST_CHOICES},       \
    {OPT_CHOICE, "df", offsetof(type, member.options.df), CI_DF_ADJ, 0, 0, "g2, x2: degrees of freedom",               \
     CI_DF_CHOICES},                                                                                                   \
    {OPT_REAL, "min_rows", offsetof(type, member.options.min_rows), 5, 0, 1e6,                                         \
     "g2, x2: rows a cell without which a test is not performed; 0: perform all", NULL},                               \
    {OPT_CHOICE, "tail", offsetof(type, member.options.tail), CI_TAIL_TWO, 0, 0,                                       \
     "zf, cor: p-value of both signs, or of the one that is seen", CI_TAIL_CHOICES},                                   \
    {OPT_CHOICE, "variant", offsetof(type, member.options.variant), CI_VARIANT_RCOT, 0, 0,                             \
     "rcit: random features of each column alone, or of each with the set", CI_VARIANT_CHOICES},                       \
    {OPT_INT, "features", offsetof(type, member.options.features), 5, 1, 20,                                           \
     "rcit: random features of either column", NULL},                                                                  \
    {OPT_INT, "set_features", offsetof(type, member.options.set_features), 100, 1, 2000,                               \
     "rcit: random features of the set; a quarter of the rows at most", NULL},                                         \
    {OPT_INT, "feature_seed", offsetof(type, member.options.feature_seed), 1, 0, 2147483647,                           \
     "rcit: what the random features are drawn from", NULL},                                                           \
    {OPT_CHOICE, "approximation", offsetof(type, member.options.approximation), 0, 0, 0,                               \
     "rcit: p-value by a mixture of gammas, a shifted gamma, or a gamma", CI_APPROXIMATION_CHOICES}

/* clang-format on */

typedef struct {
    ci_test *test;
    size_t *n_states; /* 1 where tests are not of tables: no limit holds then */
    association_source source;
    decision_source quick; /* the same */
    table_limit limit;     /* points to n_states */
} test_source;

/** True if the tests are of contingency tables: g2 or x2. */
bool test_source_is_of_tables(const skeleton_test_options *options, const dataset *data);

/** `data` and `tally` are borrowed. */
BNB_MUST_CHECK status test_source_init(test_source *s, const dataset *data, const skeleton_test_options *options,
                                       statistics_count *tally, error_info *err);
void test_source_clear(test_source *s);

#endif
