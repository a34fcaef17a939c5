/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A Bayesian test on tables: an entry of the registry of independence tests. */
#ifndef BNB_METRICS_TESTS_MARGARITIS_INTERNAL_H
#define BNB_METRICS_TESTS_MARGARITIS_INTERNAL_H

#include "metrics/tests/ci_test_internal.h"

/**
 * The log odds, in nats, of one distribution over the cells of each stratum against two over its margins, uniform
 * priors on all of them, odds of 1 before. In place of a p-value the probability of independence; always reliable.
 * Source: Margaritis, Thrun 2001, A Bayesian multiresolution independence test for continuous variables, UAI,
 * section 2.
 */
extern const ci_evaluator margaritis_evaluator;

#endif
