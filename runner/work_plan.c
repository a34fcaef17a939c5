/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan laid out as files. */
#include "runner/runner.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "runner/work_folder_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 200 };

static status make_folders(const char *folder, error_info *err) {
    static const char *const parts[] = {"todo", "claimed", "results", "spool"};
    status st = folder_create(folder, err);
    for (size_t i = 0; i < 4 && st == STATUS_OK; i++) {
        char *path = work_path(folder, parts[i], NULL);
        st = path ? folder_create(path, err) : error_out_of_memory(err);
        free(path);
    }
    return st;
}

/* A folder serves one plan. */
static status check_same_plan(const char *folder, const work_plan *now, error_info *err) {
    work_plan there = {0};
    status st = work_plan_read(folder, &there, err);
    bool is_same;
    if (st == STATUS_MISSING)
        return STATUS_OK;
    if (st != STATUS_OK)
        return st;
    is_same = there.n_keys == now->n_keys &&
              (there.n_keys == 0 || memcmp(there.keys, now->keys, there.n_keys * sizeof *there.keys) == 0);
    work_plan_clear(&there);
    return is_same ? STATUS_OK
                   : error_set(err, STATUS_INVALID, "%s: another plan lies there; take an empty folder", folder);
}

static status write_job(const char *folder, size_t cell, const char *key, error_info *err) {
    char name[NAME_SIZE], text[NAME_SIZE];
    char *path;
    status st;
    (void)snprintf(name, sizeof name, "%s.json", key);
    (void)snprintf(text, sizeof text, "{\"cell\": %zu, \"key\": \"%s\"}\n", cell, key);
    path = work_path(folder, "todo", name);
    st = path ? file_write(path, text, strlen(text), err) : error_out_of_memory(err);
    free(path);
    return st;
}

/* Claims are withdrawn: who lays the plan out again says that their workers are gone. */
static status withdraw_claims(const char *folder, error_info *err) {
    char **names = NULL;
    size_t n = 0;
    status st = work_list(folder, "claimed", &names, &n, err);
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        char *path = work_path(folder, "claimed", names[i]);
        if (!path)
            st = error_out_of_memory(err);
        else
            (void)unlink(path);
        free(path);
    }
    texts_destroy(names, n);
    return st;
}

static status write_jobs(const char *folder, const work_plan *p, error_info *err) {
    char **results = NULL;
    size_t n = 0;
    status st = work_list(folder, "results", &results, &n, err);
    for (size_t i = 0; i < p->n_keys && st == STATUS_OK; i++) {
        if (!work_list_has_key(results, n, p->keys[i]))
            st = write_job(folder, i, p->keys[i], err);
    }
    texts_destroy(results, n);
    return st;
}

status runner_write_plan(const experiment *e, const char *folder, error_info *err) {
    plan *p = NULL;
    work_plan w = {0};
    status st = STATUS_OK;
    TRY(plan_create(e, &p, err));
    w.n_keys = plan_cell_count(p);
    TRY(plan_keys(p, &w.keys, err));
    TRY_ALLOC(w.declaration = text_copy(e->declaration));
    TRY(make_folders(folder, err));
    TRY(check_same_plan(folder, &w, err));
    TRY(work_plan_write(&w, folder, err));
    TRY(withdraw_claims(folder, err));
    TRY(write_jobs(folder, &w, err));
cleanup:
    plan_destroy(p);
    work_plan_clear(&w);
    return st;
}
