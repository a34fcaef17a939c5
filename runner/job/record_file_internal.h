/* SPDX-License-Identifier: GPL-3.0-or-later */
/** A job's result as a file: JSON, every number in full precision, written so that it is there whole or not at all,
 * with a SHA-256 by which a reader knows that nothing was changed since. */
#ifndef BNB_RUNNER_JOB_RECORD_FILE_INTERNAL_H
#define BNB_RUNNER_JOB_RECORD_FILE_INTERNAL_H

#include "core/base/status.h"
#include "store/store.h"

BNB_MUST_CHECK status record_write(const job_record *record, const char *path, error_info *err);

/** The same of a job's result for its runner, which brings it to the disk: file_write_in_passing. */
BNB_MUST_CHECK status record_hand_over(const job_record *record, const char *path, error_info *err);

/** STATUS_PARSE where the file is no result, or not as record_write left it. */
BNB_MUST_CHECK status record_read(const char *path, job_record *out, error_info *err);

#endif
