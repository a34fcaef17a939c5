/* SPDX-License-Identifier: GPL-3.0-or-later */
/** One page over several reproductions: for each table a verdict, and each claim with its own. */
#ifndef BNB_REPORT_REPRODUCTION_VERDICTS_H
#define BNB_REPORT_REPRODUCTION_VERDICTS_H

#include "report/reproduction/reproduction.h"

/** The heading of the page. */
#define VERDICTS_TITLE "Do the published tables come out?"

/**
 * Adds the page. A link to a report is NAME.md, the experiment's name.
 * @return as of reproduction_append
 */
BNB_MUST_CHECK status verdicts_add(const reproduction_input *inputs, size_t n, document *out, error_info *err);

#endif
