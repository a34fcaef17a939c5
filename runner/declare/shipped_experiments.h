/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The experiments that ship with bnbench, by name. */
#ifndef BNB_RUNNER_DECLARE_SHIPPED_EXPERIMENTS_H
#define BNB_RUNNER_DECLARE_SHIPPED_EXPERIMENTS_H

#include "core/base/status.h"

/** The file of an experiment: a path, or the name of one that ships. STATUS_MISSING with a suggestion. */
BNB_MUST_CHECK status shipped_experiment_locate(const char *word, char **out, error_info *err);

/** Names of the experiments that ship, in order. Free with texts_destroy. */
BNB_MUST_CHECK status shipped_experiment_names(char ***out, size_t *n, error_info *err);

#endif
