/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The environment of external learners. */
#ifndef BNB_RUNNER_JOB_PROGRAM_VARIABLES_H
#define BNB_RUNNER_JOB_PROGRAM_VARIABLES_H

#include <stdbool.h>

/** Whether external learners get a variable ("NAME=value"): those with which a program finds its parts. All others are
 * left out, so that results do not depend on them. */
bool program_gets_variable(const char *entry);

#endif
