/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What a paper prints of a test, outcome by outcome, beside what the test says here. */
#ifndef BNB_PARTS_TESTS_TEST_OUTCOMES_H
#define BNB_PARTS_TESTS_TEST_OUTCOMES_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/** A verdict on a pair, the mark of a mean rank, or a sum of verdicts. Owned strings. */
typedef struct {
    char *learners[2];      /* the second is NULL but for a verdict on a pair */
    char *place;            /* "alarm, 500", "500"; of a sum "alarm" or "all" */
    char *published, *here; /* in words; `here` is "-" where nothing could be tested */
    char *file;             /* that holds the published one; NULL: it is not known */
    size_t row;             /* of that file */
    bool is_there;          /* the test has one */
    bool agrees;            /* and it is the published one */
} test_outcome;

/** Zero-initialise. */
typedef struct test_outcomes {
    size_t n;
    test_outcome *items;
} test_outcomes;

void test_outcomes_clear(test_outcomes *list);

/** What a paper prints, and where that stands. Borrowed. */
typedef struct {
    const char *text, *file;
    size_t row;
} published_outcome;

/** Adds copies of the texts; `here` NULL: nothing could be tested. */
BNB_MUST_CHECK status test_outcomes_add(test_outcomes *list, const char *const learners[2], const char *place,
                                        const published_outcome *published, const char *here, error_info *err);

/** The outcome of the same learners at the same place, whatever it says; NULL where there is none. */
const test_outcome *test_outcomes_find(const test_outcomes *list, const test_outcome *like);

#endif
