/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The options of the test of non-linear dependence, rcit. */
#ifndef BNB_METRICS_TESTS_RCIT_H
#define BNB_METRICS_TESTS_RCIT_H

#include "metrics/tests/ci_test.h"

/** Features of the ends: of each alone (RCoT), or of each with the set (RCIT). */
enum ci_variant { CI_VARIANT_RCOT, CI_VARIANT_RCIT };

typedef struct {
    double alpha;      /* level, (0, 1): dependent iff p <= alpha */
    int features;      /* 1 or more: random features of x and of y */
    int set_features;  /* the same of the set */
    int feature_seed;  /* they are drawn from this seed */
    int variant;       /* enum ci_variant */
    int approximation; /* enum weighted_chi_square_tail */
} rcit_options;

extern const ci_test_kind ci_test_rcit;

#endif
