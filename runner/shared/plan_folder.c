/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/shared/plan_folder_internal.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "runner/plan/keys_json_internal.h"
#include "runner/runner.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1, MOST_PLAN_BYTES = 1 << 30, NAME_SIZE = 200 };

char *plan_folder_path(const char *folder, const char *part, const char *name) {
    char *inner = path_join(folder, part), *path;
    if (!inner || !name)
        return inner;
    path = path_join(inner, name);
    free(inner);
    return path;
}

void folder_plan_clear(folder_plan *p) {
    free(p->declaration);
    free(p->keys);
    *p = (folder_plan){0};
}

static status write_plan(const folder_plan *p, const char *folder, error_info *err) {
    char *path = path_join(folder, "plan.json"), *keys = NULL, *text = NULL;
    json_t *object = NULL;
    status st = STATUS_OK;
    TRY_ALLOC(path);
    TRY(keys_to_json(p->keys, p->n_keys, &keys, err));
    TRY_ALLOC(object = json_pack("{s:i, s:s, s:s}", "format", FORMAT, "declaration", p->declaration, "keys", keys));
    TRY_ALLOC(text = json_dumps(object, JSON_INDENT(1)));
    TRY(file_write(path, text, strlen(text), err));
cleanup:
    if (st != STATUS_OK && path)
        error_context(err, "%s", path);
    free(path);
    free(keys);
    free(text);
    json_decref(object);
    return st;
}

static status plan_of_json(const json_t *object, folder_plan *out, error_info *err) {
    const char *declaration = json_string_value(json_object_get(object, "declaration"));
    const char *keys = json_string_value(json_object_get(object, "keys"));
    folder_plan p = {0};
    status st = STATUS_OK;
    if (json_integer_value(json_object_get(object, "format")) != FORMAT || !declaration || !keys)
        return error_set(err, STATUS_PARSE, "this is no plan of this version");
    TRY_ALLOC(p.declaration = text_copy(declaration));
    TRY(keys_from_json(keys, &p.keys, &p.n_keys, err));
    *out = p;
    p = (folder_plan){0};
cleanup:
    folder_plan_clear(&p);
    return st;
}

status folder_plan_read(const char *folder, folder_plan *out, error_info *err) {
    char *path = path_join(folder, "plan.json"), *text = NULL;
    json_t *object = NULL;
    size_t length = 0;
    status st = STATUS_OK;
    TRY_ALLOC(path);
    TRY(file_read(path, MOST_PLAN_BYTES, &text, &length, err));
    TRY(json_read(text, length, &object, err));
    TRY(plan_of_json(object, out, err));
cleanup:
    if (st != STATUS_OK && path)
        error_context(err, "%s", path);
    free(path);
    free(text);
    json_decref(object);
    return st;
}

status plan_folder_list(const char *folder, const char *part, char ***names, size_t *n, error_info *err) {
    char *path = plan_folder_path(folder, part, NULL), **found = NULL;
    size_t n_found = 0, capacity = 0;
    DIR *handle = path ? opendir(path) : NULL;
    const struct dirent *entry;
    status st = STATUS_OK;
    TRY_ALLOC(path);
    if (!handle) {
        st = error_set(err, errno == ENOENT ? STATUS_MISSING : STATUS_IO, "%s: %s", path, strerror(errno));
        goto cleanup;
    }
    while ((entry = readdir(handle))) {
        if (entry->d_name[0] == '.' || !path_ends_with(entry->d_name, ".json"))
            continue;
        TRY(ARRAY_PUSH(found, n_found, capacity, err, text_copy(entry->d_name)));
        TRY_ALLOC(found[n_found - 1]);
    }
    if (n_found)
        qsort(found, n_found, sizeof *found, texts_compare);
    *names = found;
    *n = n_found;
    found = NULL;
    n_found = 0;
cleanup:
    texts_destroy(found, n_found);
    if (handle)
        (void)closedir(handle);
    free(path);
    return st;
}

bool plan_folder_names_have_key(char *const *names, size_t n, const char *key) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strncmp(names[middle], key, PLAN_KEY_SIZE - 1) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && strncmp(names[low], key, PLAN_KEY_SIZE - 1) == 0;
}

/* ---- laying a plan out as files ---- */

static status make_folders(const char *folder, error_info *err) {
    static const char *const parts[] = {"todo", "claimed", "results", "spool"};
    status st = folder_create(folder, err);
    for (size_t i = 0; i < 4 && st == STATUS_OK; i++) {
        char *path = plan_folder_path(folder, parts[i], NULL);
        st = path ? folder_create(path, err) : error_out_of_memory(err);
        free(path);
    }
    return st;
}

/* Refuses a folder that holds another plan. */
static status check_same_plan(const char *folder, const folder_plan *now, error_info *err) {
    folder_plan there = {0};
    status st = folder_plan_read(folder, &there, err);
    bool is_same;
    if (st == STATUS_MISSING)
        return STATUS_OK;
    if (st != STATUS_OK)
        return st;
    is_same = there.n_keys == now->n_keys &&
              (there.n_keys == 0 || memcmp(there.keys, now->keys, there.n_keys * sizeof *there.keys) == 0);
    folder_plan_clear(&there);
    return is_same ? STATUS_OK
                   : error_set(err, STATUS_INVALID, "%s: another plan lies there; take an empty folder", folder);
}

static status write_job(const char *folder, size_t cell, const char *key, error_info *err) {
    char name[NAME_SIZE], text[NAME_SIZE];
    char *path;
    status st;
    (void)snprintf(name, sizeof name, "%s.json", key);
    (void)snprintf(text, sizeof text, "{\"cell\": %zu, \"key\": \"%s\"}\n", cell, key);
    path = plan_folder_path(folder, "todo", name);
    st = path ? file_write(path, text, strlen(text), err) : error_out_of_memory(err);
    free(path);
    return st;
}

/* Removes all claims: whoever lays a plan out again states that its workers are gone. */
static status withdraw_claims(const char *folder, error_info *err) {
    char **names = NULL;
    size_t n = 0;
    status st = plan_folder_list(folder, "claimed", &names, &n, err);
    for (size_t i = 0; i < n && st == STATUS_OK; i++) {
        char *path = plan_folder_path(folder, "claimed", names[i]);
        if (!path)
            st = error_out_of_memory(err);
        else
            (void)unlink(path);
        free(path);
    }
    texts_destroy(names, n);
    return st;
}

static status write_jobs(const char *folder, const folder_plan *p, error_info *err) {
    char **results = NULL;
    size_t n = 0;
    status st = plan_folder_list(folder, "results", &results, &n, err);
    for (size_t i = 0; i < p->n_keys && st == STATUS_OK; i++) {
        if (!plan_folder_names_have_key(results, n, p->keys[i]))
            st = write_job(folder, i, p->keys[i], err);
    }
    texts_destroy(results, n);
    return st;
}

status runner_write_plan(const experiment *e, const char *folder, error_info *err) {
    AUTO_PTR(plan_destroy) plan *p = NULL;
    AUTO(folder_plan_clear) folder_plan w = {0};
    CHECK(plan_create(e, &p, err));
    w.n_keys = plan_cell_count(p);
    CHECK(plan_keys(p, &w.keys, err));
    CHECK_ALLOC(w.declaration = text_copy(e->declaration));
    CHECK(make_folders(folder, err));
    CHECK(check_same_plan(folder, &w, err));
    CHECK(write_plan(&w, folder, err));
    CHECK(withdraw_claims(folder, err));
    return write_jobs(folder, &w, err);
}
