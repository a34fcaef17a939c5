/* SPDX-License-Identifier: GPL-3.0-or-later */
/** `bnbench discretize --plot`. */
#ifndef BNB_CLI_REPORTS_DISCRETIZE_PLOT_H
#define BNB_CLI_REPORTS_DISCRETIZE_PLOT_H

#include "core/data/dataset.h"
#include "discretizers/base/policy.h"

/** STATUS_INVALID where the path does not end in .svg. */
BNB_MUST_CHECK status discretize_plot_check(const char *path, error_info *err);

/**
 * Draws histograms of the continuous columns of `data` with the policy's thresholds into an SVG file.
 * @return STATUS_MISSING without gnuplot; STATUS_INVALID without a continuous column; STATUS_IO.
 */
BNB_MUST_CHECK status discretize_plot(const char *method, const dataset *data, const cut_policy *policy,
                                      const char *path, error_info *err);

#endif
