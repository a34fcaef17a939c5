/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How a metric went from night to night: a line a learner. */
#ifndef BNB_PARTS_PLOTS_TREND_H
#define BNB_PARTS_PLOTS_TREND_H

#include "core/base/status.h"
#include "store/history.h"

/**
 * Writes `folder`/trend-METRIC.csv, .svg, .pdf and .png for a metric of the history: for each learner the mean over the
 * cells that every night has. A time is taken in units of the fixed work beside it where every night has that, and
 * drawn as a multiple of the first night; the CSV has it as it is.
 *
 * @param drawn false where fewer than two nights have a value in common: then nothing is written
 * @return STATUS_MISSING: there is no gnuplot; STATUS_INVALID: it failed; the CSV is written all the same. STATUS_IO.
 */
BNB_MUST_CHECK status trend_write(const history *h, const char *metric, const char *folder, bool *drawn,
                                  error_info *err);

#endif
