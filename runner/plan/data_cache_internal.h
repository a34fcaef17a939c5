/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * Training rows that were simulated and made discrete, kept beside the results of a run for the other learners of the
 * same replicate: a memory, not a result. Whatever is wrong with a file, the data are made again.
 */
#ifndef BNB_RUNNER_PLAN_DATA_CACHE_INTERNAL_H
#define BNB_RUNNER_PLAN_DATA_CACHE_INTERNAL_H

#include "core/data/dataset.h"

/** Data whose states are "0", "1", ... and at most 256, others are not written; with the text of their thresholds. */
BNB_MUST_CHECK status data_cache_write(const char *path, const dataset *data, const char *policy, double discretize_s,
                                       error_info *err);

/** True, and the data and thresholds, which are the caller's, where the file is there and its checksum is right. */
bool data_cache_read(const char *path, const char *const *names, size_t n_columns, size_t n_rows, dataset **out,
                     char **policy, double *discretize_s);

#endif
