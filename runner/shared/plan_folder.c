/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/shared/plan_folder_internal.h"

#include "core/base/array.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "runner/plan/keys_json_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 2, MOST_PLAN_BYTES = 1 << 30, KEY_LENGTH = PLAN_KEY_SIZE - 1 };

char *plan_folder_path(const char *folder, const char *part, const char *name) {
    AUTO_FREE char *inner = path_join(folder, part);
    return inner ? path_join(inner, name) : NULL;
}

status plan_folder_make(const char *folder, error_info *err) {
    static const char *const parts[] = {"todo", "claimed", "results", "lost", "given_up", "aside", "spool"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        AUTO_FREE char *path = path_join(folder, parts[i]);
        CHECK_ALLOC(path);
        CHECK(folder_create(path, err));
    }
    return STATUS_OK;
}

void folder_plan_clear(folder_plan *p) {
    plan_destroy(p->cells);
    experiment_clear(&p->e);
    hash_table_clear(&p->find);
    free(p->declaration);
    free(p->keys);
    *p = (folder_plan){0};
}

/* The keys are written as they are in a store, without a JSON value for each. */
status folder_plan_write(const folder_plan *p, const char *folder, error_info *err) {
    AUTO_FREE char *path = path_join(folder, "plan.json"), *keys = NULL, *declaration = NULL;
    AUTO_PTR(json_decref) json_t *text = json_of_text(p->declaration);
    AUTO(text_buffer_clear) text_buffer out = {0};
    CHECK_ALLOC(path);
    CHECK_ALLOC(text);
    CHECK_ALLOC(declaration = json_to_text(text, JSON_ENCODE_ANY));
    CHECK(keys_to_json(&(job_keys){p->keys, p->n_keys}, &keys, err));
    text_append_format(&out,
                       "{\"format\": %d,\n \"lease_seconds\": %.17g, \"retries\": %zu,\n \"declaration\": ", FORMAT,
                       p->lease_s, p->retries);
    text_append(&out, declaration);
    text_append(&out, ",\n \"keys\": ");
    text_append(&out, keys);
    text_append(&out, "}\n");
    CHECK(text_buffer_check(&out, err));
    return error_at(file_write(path, out.data, out.length, err), err, path);
}

/* A plan of an earlier version has none. */
static size_t read_retries(const json_t *object) {
    json_int_t n = json_integer_value(json_object_get(object, "retries"));
    return json_object_get(object, "retries") && n >= 0 ? (size_t)n : PLAN_USUAL_RETRIES;
}

static status read_fields(const json_t *object, folder_plan *p, error_info *err) {
    const char *declaration = json_string_value(json_object_get(object, "declaration"));
    p->lease_s = json_number_value(json_object_get(object, "lease_seconds"));
    if (json_integer_value(json_object_get(object, "format")) != FORMAT || !declaration || !(p->lease_s > 0))
        return error_set(err, STATUS_PARSE, "this is no plan of this version");
    p->retries = read_retries(object);
    CHECK_ALLOC(p->declaration = text_copy(declaration));
    CHECK(keys_from_array(json_object_get(object, "keys"), &p->keys, &p->n_keys, err));
    for (size_t i = 0; i < p->n_keys; i++)
        CHECK(hash_table_add(&p->find, hash_bytes(p->keys[i], KEY_LENGTH), i, err));
    CHECK(experiment_parse(declaration, strlen(declaration), "declaration", &p->e, err));
    CHECK(plan_create(&p->e, &p->cells, err));
    return plan_cell_count(p->cells) == p->n_keys
               ? STATUS_OK
               : error_set(err, STATUS_PARSE, "there are %zu keys for %zu cells", p->n_keys, plan_cell_count(p->cells));
}

status folder_plan_read(const char *folder, folder_plan *out, error_info *err) {
    AUTO_FREE char *path = path_join(folder, "plan.json");
    AUTO_PTR(json_decref) json_t *object = NULL;
    CHECK_ALLOC(path);
    CHECK(json_read_file(path, MOST_PLAN_BYTES, &object, err));
    return error_at(read_fields(object, out, err), err, path);
}

size_t folder_plan_find(const folder_plan *p, const char *name) {
    size_t length = strlen(name), at, cell;
    uint64_t hash;
    if (length < KEY_LENGTH)
        return HASH_NONE;
    hash = hash_bytes(name, KEY_LENGTH);
    at = (size_t)hash;
    while ((cell = hash_next(&p->find, hash, &at)) != HASH_NONE && memcmp(p->keys[cell], name, KEY_LENGTH) != 0)
        ;
    return cell;
}

status plan_folder_list(const char *folder, const char *part, folder_list *out, error_info *err) {
    AUTO_FREE char *path = path_join(folder, part);
    CHECK_ALLOC(path);
    return folder_list_read(path, "", out, err);
}

char *const *plan_folder_find_key(const folder_list *names, const char *key) {
    size_t at;
    ARRAY_FIND_PLACE(at, names->n, strncmp(names->names[at], key, KEY_LENGTH) < 0);
    return at < names->n && strncmp(names->names[at], key, KEY_LENGTH) == 0 ? &names->names[at] : NULL;
}

bool plan_folder_is_of_key(const folder_list *names, char *const *at, const char *key) {
    return at && at < names->names + names->n && strncmp(*at, key, KEY_LENGTH) == 0;
}

status plan_folder_look(const char *folder, job_places *out, error_info *err) {
    job_places_clear(out);
    CHECK(plan_folder_list(folder, "todo", &out->todo, err));
    CHECK(plan_folder_list(folder, "claimed", &out->claims, err));
    return plan_folder_list(folder, "results", &out->results, err);
}

void job_places_clear(job_places *l) {
    folder_list_clear(&l->todo);
    folder_list_clear(&l->claims);
    folder_list_clear(&l->results);
}

static status count_jobs(const char *folder, const char *part, const folder_plan *p, size_t *n, error_info *err) {
    AUTO(folder_list_clear) folder_list jobs = {0};
    status st = plan_folder_list(folder, part, &jobs, err);
    if (st != STATUS_OK)
        return st == STATUS_MISSING ? STATUS_OK : st; /* a plan of an earlier version has no given_up */
    for (size_t i = 0; i < jobs.n; i++)
        *n += folder_plan_find(p, jobs.names[i]) != HASH_NONE;
    return STATUS_OK;
}

status plan_folder_count(const char *folder, const folder_plan *p, plan_jobs *out, error_info *err) {
    plan_jobs jobs = {.total = p->n_keys};
    CHECK(count_jobs(folder, "todo", p, &jobs.queued, err));
    CHECK(count_jobs(folder, "claimed", p, &jobs.claimed, err));
    CHECK(count_jobs(folder, "given_up", p, &jobs.given_up, err));
    *out = jobs;
    return STATUS_OK;
}

status plan_folder_queue(const char *folder, const char *key, error_info *err) {
    return plan_folder_touch(folder, "todo", key, err);
}

status plan_folder_touch(const char *folder, const char *part, const char *name, error_info *err) {
    AUTO_FREE char *path = plan_folder_path(folder, part, name);
    int fd;
    CHECK_ALLOC(path);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || close(fd) != 0)
        return error_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
    return STATUS_OK;
}
