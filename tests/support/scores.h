/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Scores of data, for tests. */
#ifndef BNB_TESTS_SUPPORT_SCORES_H
#define BNB_TESTS_SUPPORT_SCORES_H

#include "tests/support/support.h"

#include "metrics/scores/score.h"

/** `options`: of that kind; NULL: as they are initially. */
static inline score *score_of_data(const char *name, const void *options, const dataset *data) {
    const score_kind *kind = NULL;
    score *s = NULL;
    error_info err = {0};
    assert_ok(score_kind_find(name, &kind, &err), &err);
    assert_ok(score_create(kind, options, data, NULL, &s, &err), &err);
    return s;
}

#endif
