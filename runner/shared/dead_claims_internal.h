/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The claims of workers that gave no sign of life for a lease. Each leaves a note, lost/KEY.WORKER, and its job goes
 * back to todo/; a job that has more notes than the plan has retries goes to given_up/ instead: it is the job, or where
 * it runs, that ends its workers.
 */
#ifndef BNB_RUNNER_SHARED_DEAD_CLAIMS_INTERNAL_H
#define BNB_RUNNER_SHARED_DEAD_CLAIMS_INTERNAL_H

#include "runner/shared/lease_internal.h"
#include "runner/shared/plan_folder_internal.h"

/** Whether a name in claimed/ is that of a claim of the plan, KEY.WORKER. */
bool claim_is_one(const folder_plan *p, const char *name);

/** When the worker of a claim gave its last sign of life; `l` is the lease of the one who asks. */
double claim_last_sign(const lease *l, const char *claim);

/** Whether a worker whose last sign was then is dead at `now_s`, of lease_now. */
bool claim_is_dead(const folder_plan *p, double sign_s, double now_s);

/** Takes the dead ones away from their workers; how many there were is added to `*n`. Any number may call it at once.
 */
BNB_MUST_CHECK status claims_return_dead(const char *folder, const folder_plan *p, const lease *l,
                                         const job_places *seen, double now_s, size_t *n, error_info *err);

#endif
