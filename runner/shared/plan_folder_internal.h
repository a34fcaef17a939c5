/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The folder through which engines and workers talk. A worker is called HOST.PID-XXXXXX, which no other one ever is.
 *
 *     plan.json                  declaration, keys of its cells in their order, lease of a worker in seconds, retries
 *     todo/KEY                   a job that nobody has (empty: its name says all)
 *     claimed/KEY.WORKER         a job that a worker has; it took it by renaming the file
 *     results/KEY.WORKER.json    what came of it (runner/job/record_file_internal.h)
 *     lost/KEY.WORKER            that a worker was lost with this job (empty; runner/shared/dead_claims_internal.h)
 *     given_up/KEY               a job that has lost more workers than the plan has retries
 *     aside/                     results that were refused, or whose jobs run again
 *     spool/WORKER/              a worker's own (runner/shared/lease_internal.h)
 *
 * A planned job is in todo, claimed, results or given_up, or the plan left it out since a store has its result.
 */
#ifndef BNB_RUNNER_SHARED_PLAN_FOLDER_INTERNAL_H
#define BNB_RUNNER_SHARED_PLAN_FOLDER_INTERNAL_H

#include "core/base/file.h"
#include "core/base/hash.h"
#include "runner/plan/plan_internal.h"
#include "runner/runner.h"

/** What plan.json holds. Zero-initialise; owns it. Not to be moved once it is open: the plan points at the experiment.
 */
typedef struct {
    char *declaration;
    char (*keys)[PLAN_KEY_SIZE];
    size_t n_keys;
    double lease_s;
    size_t retries;  /* after so many lost workers and one more a job is given up */
    experiment e;    /* the declaration, read */
    plan *cells;     /* of it */
    hash_table find; /* cells by key */
} folder_plan;

/**
 * Reads plan.json. STATUS_MISSING: there is none. STATUS_PARSE: it is of another version, or its declaration has
 * another number of cells.
 */
BNB_MUST_CHECK status folder_plan_read(const char *folder, folder_plan *out, error_info *err);

/** Writes declaration, keys, lease and retries. */
BNB_MUST_CHECK status folder_plan_write(const folder_plan *p, const char *folder, error_info *err);
void folder_plan_clear(folder_plan *p);

/** The cell with whose key a file's name begins, or HASH_NONE. */
size_t folder_plan_find(const folder_plan *p, const char *name);

/** Makes the folder and its parts, as far as they are not there: one of an earlier version lacks some. */
BNB_MUST_CHECK status plan_folder_make(const char *folder, error_info *err);

/** FOLDER/PART/NAME on the heap; NULL without memory. */
char *plan_folder_path(const char *folder, const char *part, const char *name);

/** The names in FOLDER/PART. */
BNB_MUST_CHECK status plan_folder_list(const char *folder, const char *part, folder_list *out, error_info *err);

/** The first of the names that begins with the key, the others behind it; NULL where there is none. */
char *const *plan_folder_find_key(const folder_list *names, const char *key);

/** Whether there is a name at that place, NULL or one of the list's or the place behind them, and it begins so. */
bool plan_folder_is_of_key(const folder_list *names, char *const *at, const char *key);

/** Where jobs are. Zero-initialise. */
typedef struct {
    folder_list todo, claims, results;
} job_places;

/**
 * Lists the three in the order in which a job goes through them, so that one which moves on meanwhile is in one list at
 * least.
 */
BNB_MUST_CHECK status plan_folder_look(const char *folder, job_places *out, error_info *err);
void job_places_clear(job_places *l);

/** Counts the cells, and the jobs in todo, claimed and given_up. */
BNB_MUST_CHECK status plan_folder_count(const char *folder, const folder_plan *p, plan_jobs *out, error_info *err);

/** Makes the empty file PART/NAME, or leaves the one that is there. */
BNB_MUST_CHECK status plan_folder_touch(const char *folder, const char *part, const char *name, error_info *err);

/** Puts a job into todo. */
BNB_MUST_CHECK status plan_folder_queue(const char *folder, const char *key, error_info *err);

/**
 * Reads results/NAME. The caller clears `out`.
 * @return STATUS_PARSE, the message "results/NAME: why": it is no whole result of this plan's cell of that name.
 *         STATUS_MISSING: it is gone. STATUS_IO, STATUS_MEMORY.
 */
BNB_MUST_CHECK status plan_result_read(const char *folder, const folder_plan *p, const char *name, job_record *out,
                                       error_info *err);

/** Moves results/NAME to aside/. */
BNB_MUST_CHECK status plan_result_set_aside(const char *folder, const char *name, error_info *err);

/** The same, and puts its job into todo, unless it has another result or a worker has it. */
BNB_MUST_CHECK status plan_result_refuse(const char *folder, const folder_plan *p, const char *name, error_info *err);

#endif
