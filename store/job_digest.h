/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Checksums of a record, kept beside it: a record that a disk has changed is found when it is read. */
#ifndef BNB_STORE_JOB_DIGEST_H
#define BNB_STORE_JOB_DIGEST_H

#include "store/store.h"

/** Of all but the long texts, with the metrics and the series of the trace. */
uint64_t job_digest(const job_record *r);

/** Of the long texts, which a reader may leave out: graph, stderr_tail, policy. */
uint64_t job_texts_digest(const job_record *r);

#endif
