/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/work_folder_internal.h"

#include "core/base/array.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "runner/plan/run_plan_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1, MOST_PLAN_BYTES = 1 << 30 };

char *work_path(const char *folder, const char *part, const char *name) {
    char *inner = path_join(folder, part), *path;
    if (!inner || !name)
        return inner;
    path = path_join(inner, name);
    free(inner);
    return path;
}

void work_plan_clear(work_plan *p) {
    free(p->declaration);
    free(p->keys);
    *p = (work_plan){0};
}

status work_plan_write(const work_plan *p, const char *folder, error_info *err) {
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

static status plan_of_json(const json_t *object, work_plan *out, error_info *err) {
    const char *declaration = json_string_value(json_object_get(object, "declaration"));
    const char *keys = json_string_value(json_object_get(object, "keys"));
    work_plan p = {0};
    status st = STATUS_OK;
    if (json_integer_value(json_object_get(object, "format")) != FORMAT || !declaration || !keys)
        return error_set(err, STATUS_PARSE, "this is no plan of this version");
    TRY_ALLOC(p.declaration = text_copy(declaration));
    TRY(keys_from_json(keys, &p.keys, &p.n_keys, err));
    *out = p;
    p = (work_plan){0};
cleanup:
    work_plan_clear(&p);
    return st;
}

status work_plan_read(const char *folder, work_plan *out, error_info *err) {
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

status work_list(const char *folder, const char *part, char ***names, size_t *n, error_info *err) {
    char *path = work_path(folder, part, NULL), **found = NULL;
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

bool work_list_has_key(char *const *names, size_t n, const char *key) {
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
