/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What the experiments that ship do with each row of the published figures that ship. */
#ifndef BNB_CLI_REPORTS_PUBLISHED_CHECK_H
#define BNB_CLI_REPORTS_PUBLISHED_CHECK_H

#include "cli/base/command.h"
#include "report/reproduction/published_rows.h"

/** The files, counted (published_rows_count); nothing is run, and no network is needed. The caller clears it. */
BNB_MUST_CHECK status published_check(published_rows *out, error_info *err);

#endif
