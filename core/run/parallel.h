/* SPDX-License-Identifier: GPL-3.0-or-later */
/** The same work by several threads. */
#ifndef BNB_CORE_RUN_PARALLEL_H
#define BNB_CORE_RUN_PARALLEL_H

#include "core/base/status.h"

/** One worker's share: what it takes from a pile that all share, so that no share needs a certain worker. */
typedef status (*parallel_work)(void *self, size_t worker, error_info *err);

/**
 * Runs work(self, 0) in the calling thread and work(self, 1) .. work(self, n_workers - 1) in threads of their own, and
 * waits for all. Where the system gives no more threads, the last workers are not run: the others empty the pile.
 * @return the failure of the lowest worker that failed, with its message
 */
BNB_MUST_CHECK status parallel_run(size_t n_workers, parallel_work work, void *self, error_info *err);

/** Whoever may have threads to spare: `run` is as parallel_run, by as many of them as are idle. */
typedef struct {
    void *self;
    status (*run)(void *self, parallel_work work, void *arg, error_info *err); /* NULL: nobody */
} work_sharing;

#endif
