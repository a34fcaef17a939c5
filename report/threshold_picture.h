/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A picture of how one discretizer cut data. */
#ifndef BNB_REPORT_THRESHOLD_PICTURE_H
#define BNB_REPORT_THRESHOLD_PICTURE_H

#include "core/data/dataset.h"
#include "discretizers/base/policy.h"

/**
 * Draws histograms of the continuous columns of `data` with the policy's thresholds into an SVG file.
 * @return STATUS_MISSING without gnuplot; STATUS_INVALID without a continuous column; STATUS_IO.
 */
BNB_MUST_CHECK status threshold_picture_draw(const char *method, const dataset *data, const cut_policy *policy,
                                             const char *path, error_info *err);

#endif
