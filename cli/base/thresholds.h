/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The thresholds that a discretizer found, as `learn` and `discretize` tell them. */
#ifndef BNB_CLI_BASE_THRESHOLDS_H
#define BNB_CLI_BASE_THRESHOLDS_H

#include "cli/base/command.h"
#include "discretizers/base/policy.h"

/** Appends {"name","states","thresholds"} for each column that is continuous in `data`. */
BNB_MUST_CHECK status thresholds_put_json(const cut_policy *p, const dataset *data, json_t *list, error_info *err);

/** One line on standard error: columns, states on average. */
void thresholds_say(const cli *c, const char *method, const cut_policy *p, const dataset *data, double cpu_s);

#endif
