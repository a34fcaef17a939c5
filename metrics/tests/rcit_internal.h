/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A test of non-linear dependence: an entry of the registry of independence tests. */
#ifndef BNB_METRICS_TESTS_RCIT_INTERNAL_H
#define BNB_METRICS_TESTS_RCIT_INTERNAL_H

#include "metrics/tests/ci_test_internal.h"

/**
 * n times the squared norm of the covariance of random Fourier features of x and of y, once features of z are regressed
 * out of them; under independence a weighted sum of chi-squares. Any columns. Reliable from twenty rows on.
 * Source: Strobl, Zhang, Visweswaran 2019, Journal of Causal Inference 7: as RCoT the features are of x and of y alone,
 * as RCIT of x with z and of y with z (there: of y with z and of x; both here, so that x and y can change places).
 * Departures: features of z are a quarter of the rows at most, and the null distribution takes account of the degrees
 * of freedom that they take, without which small samples reject too often; features that z explains but for a millionth
 * part count as constant.
 */
extern const ci_evaluator rcit_evaluator;

#endif
