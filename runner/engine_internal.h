/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Several jobs at once, each in a process, watched by one loop; its client says which job starts next and takes the
 * results. */
#ifndef BNB_RUNNER_ENGINE_INTERNAL_H
#define BNB_RUNNER_ENGINE_INTERNAL_H

#include "runner/job/job_internal.h"
#include "store/store.h"

#include <stdbool.h>

typedef struct {
    void *self;

    /** The next job into `*out`; `*has_job` false where none is left, or none can start before another is over. */
    status (*next)(void *self, job *out, bool *has_job, error_info *err);

    /** Asked when no job runs and none is left: true where `next` is to be called again a little later. NULL: never. */
    bool (*is_waiting)(void *self);

    /** A job is over. `record` is NULL where it was stopped. `result_path` is its result file, which may be there. */
    status (*finish)(void *self, const job *j, const job_record *record, const char *result_path, error_info *err);

    /** Called now and then, at least each half second while jobs run; may be NULL. */
    status (*tick)(void *self, error_info *err);
} engine_client;

typedef struct {
    const char *spool;
    size_t n_jobs;
    uint64_t memory_limit_bytes; /* of one job; 0 for none */
    bool doubts_failures;        /* a scheduler that ends a task signals each of its processes: a job that failed right
                                    before this process was told to end was stopped, and did not fail */
} engine_options;

/**
 * Runs jobs until none is left to start and none runs nor is waited for, an error comes, or SIGINT, SIGTERM or SIGHUP
 * does (then `*interrupted`). In every case no job runs on return, but one that did not end within some seconds of
 * being killed. As many at once as n_jobs and their memory limits together allow, at least one.
 */
BNB_MUST_CHECK status engine_run(const engine_options *options, const engine_client *client, bool *interrupted,
                                 error_info *err);

#endif
