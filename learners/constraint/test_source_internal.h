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
    double alpha;
    option_choice test; /* of the registry of tests; none: the usual one for the data */
} skeleton_test_options;

/** Rows for a member (a skeleton_test_options, maybe inside another member) of the struct `type`. */
#define TEST_SOURCE_ROWS(type, member)                                                                                 \
    CI_LEVEL_ROW(type, member.alpha, 0.05, "level of the tests: dependent iff p <= alpha"), {                          \
        .kind = OPT_CHOSEN, .name = "test", .offset = offsetof(type, member.test), .initial = -1,                      \
        .help = "test of independence; auto: g2 on discrete data, zf on continuous, rcit on mixed", .choices = "auto", \
        .of = &ci_test_registry                                                                                        \
    }

typedef struct {
    ci_test *test;
    size_t *n_states; /* 1 where tests are not of tables: no limit holds then; NULL: another's */
    association_source source;
    decision_source quick; /* the same */
    table_limit limit;     /* points to n_states, or those of the other */
} test_source;

/** True if the tests are of contingency tables: g2 or x2. */
bool test_source_is_of_tables(const skeleton_test_options *options, const dataset *data);

/** True if other threads can have the same tests. */
bool test_source_has_twins(const skeleton_test_options *options, const dataset *data);

/** True of so many columns that one thread takes longer for all than others take to start. */
static inline bool test_source_is_worth_twins(size_t n_columns) {
    enum { FEW_COLUMNS = 48 };
    return n_columns >= FEW_COLUMNS;
}

/** `data` and `tally` are borrowed; ctx->n_threads prepare the tests. The caller clears it, after an error too. */
BNB_MUST_CHECK status test_source_init(test_source *s, const dataset *data, const skeleton_test_options *options,
                                       const run_context *ctx, statistics_count *tally, error_info *err);

/** The same tests, of which there are twins, for another thread; they keep no answers. `like` must outlive them, and
 * may be in use meanwhile. */
BNB_MUST_CHECK status test_source_init_beside(test_source *s, const test_source *like, statistics_count *tally,
                                              error_info *err);
void test_source_clear(test_source *s);

#endif
