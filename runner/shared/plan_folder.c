/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/shared/plan_folder_internal.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "runner/plan/keys_json_internal.h"
#include "runner/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1, MOST_PLAN_BYTES = 1 << 30, NAME_SIZE = 200 };

char *plan_folder_path(const char *folder, const char *part, const char *name) {
    AUTO_FREE char *inner = path_join(folder, part);
    return inner ? path_join(inner, name) : NULL;
}

void folder_plan_clear(folder_plan *p) {
    free(p->declaration);
    free(p->keys);
    *p = (folder_plan){0};
}

static status write_plan(const folder_plan *p, const char *folder, error_info *err) {
    AUTO_FREE char *path = path_join(folder, "plan.json"), *keys = NULL, *text = NULL;
    AUTO_PTR(json_decref) json_t *object = NULL;
    CHECK_ALLOC(path);
    CHECK(keys_to_json(p->keys, p->n_keys, &keys, err));
    CHECK_ALLOC(object = json_pack("{s:i, s:s, s:s}", "format", FORMAT, "declaration", p->declaration, "keys", keys));
    CHECK_ALLOC(text = json_to_text(object, JSON_INDENT(1)));
    return error_at(file_write(path, text, strlen(text), err), err, path);
}

static status plan_of_json(const json_t *object, folder_plan *out, error_info *err) {
    const char *declaration = json_string_value(json_object_get(object, "declaration"));
    const char *keys = json_string_value(json_object_get(object, "keys"));
    AUTO(folder_plan_clear) folder_plan p = {0};
    if (json_integer_value(json_object_get(object, "format")) != FORMAT || !declaration || !keys)
        return error_set(err, STATUS_PARSE, "this is no plan of this version");
    CHECK_ALLOC(p.declaration = text_copy(declaration));
    CHECK(keys_from_json(keys, &p.keys, &p.n_keys, err));
    *out = TAKE(p);
    return STATUS_OK;
}

status folder_plan_read(const char *folder, folder_plan *out, error_info *err) {
    AUTO_FREE char *path = path_join(folder, "plan.json");
    AUTO_PTR(json_decref) json_t *object = NULL;
    CHECK_ALLOC(path);
    CHECK(json_read_file(path, MOST_PLAN_BYTES, &object, err));
    return error_at(plan_of_json(object, out, err), err, path);
}

status plan_folder_list(const char *folder, const char *part, folder_list *out, error_info *err) {
    AUTO_FREE char *path = path_join(folder, part);
    CHECK_ALLOC(path);
    return folder_list_read(path, ".json", out, err);
}

const char *plan_folder_find_key(const folder_list *names, const char *key) {
    size_t low = 0, high = names->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strncmp(names->names[middle], key, PLAN_KEY_SIZE - 1) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < names->n && strncmp(names->names[low], key, PLAN_KEY_SIZE - 1) == 0 ? names->names[low] : NULL;
}

/* ---- laying a plan out as files ---- */

static status make_folders(const char *folder, error_info *err) {
    static const char *const parts[] = {"todo", "claimed", "results", "spool"};
    for (size_t i = 0; i < 4; i++) {
        AUTO_FREE char *path = path_join(folder, parts[i]);
        CHECK_ALLOC(path);
        CHECK(folder_create(path, err));
    }
    return STATUS_OK;
}

/* Refuses a folder that holds another plan. */
static status check_same_plan(const char *folder, const folder_plan *now, error_info *err) {
    AUTO(folder_plan_clear) folder_plan there = {0};
    status st = folder_plan_read(folder, &there, err);
    if (st != STATUS_OK)
        return st == STATUS_MISSING ? STATUS_OK : st;
    if (there.n_keys == now->n_keys &&
        (there.n_keys == 0 || memcmp(there.keys, now->keys, there.n_keys * sizeof *there.keys) == 0))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "%s: another plan lies there; take an empty folder", folder);
}

static status write_job(const char *folder, size_t cell, const char *key, error_info *err) {
    char name[NAME_SIZE], text[NAME_SIZE];
    AUTO_FREE char *path = NULL;
    (void)snprintf(name, sizeof name, "%s.json", key);
    (void)snprintf(text, sizeof text, "{\"cell\": %zu, \"key\": \"%s\"}\n", cell, key);
    CHECK_ALLOC(path = plan_folder_path(folder, "todo", name));
    return file_write(path, text, strlen(text), err);
}

/* Removes all claims: whoever lays a plan out again states that its workers are gone. */
static status withdraw_claims(const char *folder, error_info *err) {
    AUTO(folder_list_clear) folder_list claims = {0};
    CHECK(plan_folder_list(folder, "claimed", &claims, err));
    for (size_t i = 0; i < claims.n; i++) {
        AUTO_FREE char *path = plan_folder_path(folder, "claimed", claims.names[i]);
        CHECK_ALLOC(path);
        (void)unlink(path);
    }
    return STATUS_OK;
}

static status write_jobs(const char *folder, const folder_plan *p, error_info *err) {
    AUTO(folder_list_clear) folder_list results = {0};
    CHECK(plan_folder_list(folder, "results", &results, err));
    for (size_t i = 0; i < p->n_keys; i++) {
        if (!plan_folder_find_key(&results, p->keys[i]))
            CHECK(write_job(folder, i, p->keys[i], err));
    }
    return STATUS_OK;
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
