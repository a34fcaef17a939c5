/* SPDX-License-Identifier: GPL-3.0-or-later */
/** How many jobs run at a time on this computer, and why it is not more. */
#ifndef BNB_RUNNER_JOBS_AT_ONCE_INTERNAL_H
#define BNB_RUNNER_JOBS_AT_ONCE_INTERNAL_H

#include "core/base/text.h"
#include "runner/declare/experiment.h"

#include <stdint.h>

/** `typed`, or where that is 0 as many as this process may have processors busy, each job with the experiment's
 * threads; no more than fit, and at least 1. The computer may answer otherwise the next time. */
size_t jobs_at_once(const experiment *e, size_t typed);

/** No more than fit into memory together if each of them reaches its limit in bytes (0: it has none), and than files
 * that may be open allow; at least 1. */
size_t jobs_that_fit(size_t n, uint64_t memory_limit_bytes);

/** A sentence and a line end for each reason why it is not one job a processor; nothing where there is none. */
void jobs_append_reasons(const experiment *e, size_t typed, text_buffer *out);

#endif
