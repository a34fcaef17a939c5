/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the result files of a plan folder into a store, each once. */
#include "runner/runner.h"

#include "core/base/text.h"
#include "runner/job/job_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/plan/keys_json_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <stdlib.h>
#include <string.h>

/* Notes the plan as a run of the store, unless the last run has the same plan. */
static status note_run(store *s, const char *folder, const folder_plan *p, error_info *err) {
    AUTO_FREE char *declaration = NULL, *keys = NULL, *mine = NULL;
    store_run run = {.declaration = p->declaration, .file = folder};
    int64_t id = 0;
    status st;
    CHECK(keys_to_json(p->keys, p->n_keys, &mine, err));
    st = store_last_run(s, &declaration, &keys, err);
    if (st == STATUS_OK && strcmp(keys, mine) == 0 && strcmp(declaration, p->declaration) == 0)
        return st;
    if (st != STATUS_OK && st != STATUS_MISSING)
        return st;
    run.plan = mine;
    CHECK(store_begin_run(s, &run, &id, err));
    return store_end_run(s, id, "collected", err);
}

/* Removes the record of a job that was refused because another one had no time, now that it has been done. */
static status drop_refused(store *s, const job_record *record, error_info *err) {
    AUTO(job_record_clear) job_record old = {0};
    status st = store_find(s, record->key, &old, err);
    if (st != STATUS_OK)
        return st == STATUS_MISSING ? STATUS_OK : st;
    return job_was_refused(&old) && !job_was_refused(record) ? store_remove(s, record->key, err) : STATUS_OK;
}

static status collect_file(store *s, const char *path, size_t *n_added, error_info *err) {
    AUTO(job_record_clear) job_record record = {0};
    bool added = false;
    CHECK(record_read(path, &record, err));
    CHECK(drop_refused(s, &record, err));
    CHECK(store_add(s, &record, &added, err));
    *n_added += added;
    return STATUS_OK;
}

/* Takes every file. One that is no result is passed over, and the first such file is the error that is returned. */
static status collect_all(store *s, const char *folder, size_t *n_added, error_info *err) {
    AUTO(folder_list_clear) folder_list results = {0};
    status st = plan_folder_list(folder, "results", &results, err), first = STATUS_OK;
    for (size_t i = 0; i < results.n && st == STATUS_OK; i++) {
        AUTO_FREE char *path = plan_folder_path(folder, "results", results.names[i]);
        error_info problem = {0};
        st = path ? collect_file(s, path, n_added, &problem) : error_out_of_memory(&problem);
        if (st != STATUS_OK && first == STATUS_OK)
            first = error_set(err, st, "%s", problem.message);
        if (st == STATUS_PARSE)
            st = STATUS_OK;
    }
    return first == STATUS_OK ? st : first;
}

status runner_collect(const char *folder, const char *store_folder, size_t *n_added, error_info *err) {
    AUTO(folder_plan_clear) folder_plan p = {0};
    AUTO_PTR(store_close) store *s = NULL;
    *n_added = 0;
    CHECK(folder_plan_read(folder, &p, err));
    CHECK(store_open(store_folder, true, true, &s, err));
    CHECK(note_run(s, folder, &p, err));
    return collect_all(s, folder, n_added, err);
}
