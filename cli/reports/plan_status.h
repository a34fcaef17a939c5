/* SPDX-License-Identifier: GPL-3.0-or-later */
/** What `status` says of a plan folder. */
#ifndef BNB_CLI_REPORTS_PLAN_STATUS_H
#define BNB_CLI_REPORTS_PLAN_STATUS_H

#include "cli/base/command.h"

/** Prints how the jobs of the folder stand, or makes it the answer. */
BNB_MUST_CHECK status plan_status_tell(cli *c, const char *folder, error_info *err);

#endif
