/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The options of the tests of partial correlation, zf and cor. */
#ifndef BNB_METRICS_TESTS_FISHER_Z_H
#define BNB_METRICS_TESTS_FISHER_Z_H

#include "metrics/tests/ci_test.h"

/** The alternative: both signs, or the one that is seen. */
enum ci_tail { CI_TAIL_TWO, CI_TAIL_ONE };

typedef struct {
    double alpha; /* level, (0, 1): dependent iff p <= alpha */
    int tail;     /* enum ci_tail */
} correlation_test_options;

extern const ci_test_kind ci_test_zf, ci_test_cor;

#endif
