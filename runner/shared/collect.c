/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the result files of a plan folder into a store, each once. */
#include "runner/runner.h"

#include "core/base/text.h"
#include "runner/plan/keys_json_internal.h"
#include "runner/job/job_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <stdlib.h>
#include <string.h>

/* Notes the plan as a run of the store, unless the last run has the same plan. */
static status note_run(store *s, const char *folder, const folder_plan *p, error_info *err) {
    AUTO_FREE char *declaration = NULL, *keys = NULL, *mine = NULL;
    store_run run = {.declaration = p->declaration, .file = folder};
    error_info none = {0};
    int64_t id = 0;
    status st = STATUS_OK;
    CHECK(keys_to_json(p->keys, p->n_keys, &mine, err));
    st = store_last_run(s, &declaration, &keys, &none);
    if (st == STATUS_OK && strcmp(keys, mine) == 0 && strcmp(declaration, p->declaration) == 0)
        return st;
    if (st != STATUS_OK && st != STATUS_MISSING)
        return error_set(err, st, "%s", none.message);
    run.plan = mine;
    CHECK(store_begin_run(s, &run, &id, err));
    return store_end_run(s, id, "collected", err);
}

/* Removes the record of a job that was refused because another one had no time, now that it has been done. */
static status drop_refused(store *s, const job_record *record, error_info *err) {
    job_record old = {0};
    error_info none = {0};
    status st = store_find(s, record->key, &old, &none);
    if (st == STATUS_MISSING)
        return STATUS_OK;
    if (st != STATUS_OK)
        return error_set(err, st, "%s", none.message);
    if (job_was_refused(&old) && !job_was_refused(record))
        st = store_remove(s, record->key, err);
    job_record_clear(&old);
    return st;
}

static status collect_file(store *s, const char *path, size_t *n_added, error_info *err) {
    job_record record = {0};
    bool added = false;
    status st = record_read(path, &record, err);
    if (st == STATUS_OK)
        st = drop_refused(s, &record, err);
    if (st == STATUS_OK)
        st = store_add(s, &record, &added, err);
    *n_added += st == STATUS_OK && added;
    job_record_clear(&record);
    return st;
}

/* Takes every file. One that is no result is passed over, and the first such file is the error that is returned. */
static status collect_all(store *s, const char *folder, size_t *n_added, error_info *err) {
    char **names = NULL;
    size_t n = 0;
    status st = plan_folder_list(folder, "results", &names, &n, err), first = STATUS_OK;
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        char *path = plan_folder_path(folder, "results", names[i]);
        error_info problem = {0};
        st = path ? collect_file(s, path, n_added, &problem) : error_out_of_memory(&problem);
        if (st != STATUS_OK && first == STATUS_OK)
            first = error_set(err, st, "%s", problem.message);
        if (st == STATUS_PARSE)
            st = STATUS_OK;
        free(path);
    }
    texts_destroy(names, n);
    return first == STATUS_OK ? st : first;
}

status runner_collect(const char *folder, const char *store_folder, size_t *n_added, error_info *err) {
    folder_plan p = {0};
    store *s = NULL;
    status st = STATUS_OK;
    *n_added = 0;
    TRY(folder_plan_read(folder, &p, err));
    TRY(store_open(store_folder, true, true, &s, err));
    TRY(note_run(s, folder, &p, err));
    TRY(collect_all(s, folder, n_added, err));
cleanup:
    store_close(s);
    folder_plan_clear(&p);
    return st;
}
