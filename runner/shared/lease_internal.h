/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * A worker's place in a plan folder, spool/WORKER, and its sign of life: the place's time of change, which the worker
 * renews every two seconds, or ten times in a shorter lease. A worker that gave none for a lease is taken for dead. All
 * times are those of the file system that the folder lies on, so that the hosts' clocks may differ. Where that one's
 * clock jumps by more than a lease, forward or back, a worker that lives is taken for dead until its next sign: its job
 * may be done twice, and has one result.
 */
#ifndef BNB_RUNNER_SHARED_LEASE_INTERNAL_H
#define BNB_RUNNER_SHARED_LEASE_INTERNAL_H

#include "core/base/status.h"

#include <stdbool.h>

/** Zero-initialise. */
typedef struct {
    const char *folder;     /* of the plan; borrowed */
    char *place;            /* FOLDER/spool/WORKER */
    const char *worker;     /* the end of it: HOST.PID-XXXXXX */
    double lease_s, beat_s; /* seconds until it is dead; from one sign of life to the next */
    double renewed_s;
} lease;

/** Makes a place, after it removed those of dead workers of this host, with what their jobs left on it. */
BNB_MUST_CHECK status lease_begin(const char *folder, double lease_s, lease *out, error_info *err);

/** Removes the place. */
void lease_end(lease *l);

/** Gives a sign of life where it is time for one. */
void lease_renew(lease *l);

/** Gives one now; the time that it is, in seconds. STATUS_IO: the place is gone. */
BNB_MUST_CHECK status lease_now(lease *l, double *now_s, error_info *err);

/** Whether a worker whose last sign was then is dead at `now_s`: no sign for a lease, or one of a time yet to come,
 * from before the clock went back. */
bool lease_is_over(double lease_s, double sign_s, double now_s);

/** When a worker gave its last sign; -INFINITY where its place is gone. */
double lease_last_sign(const lease *l, const char *worker);

#endif
