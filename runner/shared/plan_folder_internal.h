/* SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * The folder through which engines and workers talk:
 *
 *     plan.json                    declaration and keys
 *     todo/KEY.json                a job that nobody has; its cell
 *     claimed/KEY.HOST.PID.json    a job that a worker took, by renaming it
 *     results/KEY.HOST.PID.json    what came of it
 *     spool/HOST.PID/              a worker's own
 */
#ifndef BNB_RUNNER_SHARED_PLAN_FOLDER_INTERNAL_H
#define BNB_RUNNER_SHARED_PLAN_FOLDER_INTERNAL_H

#include "core/base/file.h"
#include "runner/plan/plan_internal.h"

/** What plan.json holds. Zero-initialise; owns it. */
typedef struct {
    char *declaration;
    char (*keys)[PLAN_KEY_SIZE];
    size_t n_keys;
} folder_plan;

BNB_MUST_CHECK status folder_plan_read(const char *folder, folder_plan *out, error_info *err);
void folder_plan_clear(folder_plan *p);

/** FOLDER/PART/NAME on the heap; NULL without memory. */
char *plan_folder_path(const char *folder, const char *part, const char *name);

/** The names in FOLDER/PART that end in .json. */
BNB_MUST_CHECK status plan_folder_list(const char *folder, const char *part, folder_list *out, error_info *err);

/** The first of the names that begins with the key, or NULL. */
const char *plan_folder_find_key(const folder_list *names, const char *key);

#endif
