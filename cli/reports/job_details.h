/* SPDX-License-Identifier: GPL-3.0-or-later */
/** All that a store knows of one job, for people and for machines. */
#ifndef BNB_CLI_REPORTS_JOB_DETAILS_H
#define BNB_CLI_REPORTS_JOB_DETAILS_H

#include "cli/base/command.h"
#include "runner/stored_job.h"

/** Prints it, a fact a line, then metrics and graph, at the width of the terminal. */
BNB_MUST_CHECK status job_details_print(const stored_job *j, cli *c, error_info *err);

/** Puts it into an object. */
BNB_MUST_CHECK status job_details_put(const stored_job *j, json_t *object, error_info *err);

#endif
