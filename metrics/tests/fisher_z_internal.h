/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Tests of partial correlation: entries of the registry of independence tests. */
#ifndef BNB_METRICS_TESTS_FISHER_Z_INTERNAL_H
#define BNB_METRICS_TESTS_FISHER_Z_INTERNAL_H

#include "metrics/tests/ci_test_internal.h"

/** Fisher's z: atanh(r) sqrt(n - |z| - 3), by the standard normal distribution; reliable from n = |z| + 4 on. */
extern const ci_evaluator fisher_z_evaluator;

/** The correlation r itself: r sqrt((n - |z| - 2) / (1 - r^2)) by Student's t; reliable from n = |z| + 3 on. */
extern const ci_evaluator correlation_t_evaluator;

#endif
