/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lays a plan out as a folder, or once more into the folder where it lies. */
#include "runner/runner.h"

#include "core/base/text.h"
#include "runner/due_cell_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/plan/cells_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *folder;
    const plan_options *options;
    folder_plan plan;
    store *store; /* NULL: none */
    record_index stored;
    job_places jobs; /* as they were listed */
    folder_list lost;
    bool *is_due, *has_file; /* by cell; has_file: there is a result in the folder that is one */
} layout;

static void layout_clear(layout *l) {
    folder_plan_clear(&l->plan);
    store_close(l->store);
    record_index_clear(&l->stored);
    job_places_clear(&l->jobs);
    folder_list_clear(&l->lost);
    free(l->is_due);
    free(l->has_file);
}

static bool is_same_reading(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Refuses a folder that holds another plan. */
static status check_same_plan(const char *folder, const folder_plan *now, const char *reading, error_info *err) {
    AUTO(folder_plan_clear) folder_plan there = {0};
    status st = folder_plan_read(folder, &there, err);
    if (st != STATUS_OK)
        return st == STATUS_MISSING ? STATUS_OK : st;
    if (is_same_reading(there.e.outputs.reading, reading) && there.n_keys == now->n_keys &&
        (there.n_keys == 0 || memcmp(there.keys, now->keys, there.n_keys * sizeof *there.keys) == 0))
        return STATUS_OK;
    return error_set(err, STATUS_INVALID, "%s: another plan lies there; take an empty folder", folder);
}

static status open_store(layout *l, error_info *err) {
    const char *folder = l->options->store_folder;
    status st = folder ? store_open(folder, false, false, &l->store, err) : STATUS_MISSING;
    return st == STATUS_MISSING ? STATUS_OK : st;
}

/* Writes plan.json and reads it back, so that what follows sees what workers will see. */
static status write_plan(layout *l, const experiment *e, error_info *err) {
    AUTO_PTR(plan_destroy) plan *p = NULL;
    AUTO(folder_plan_clear) folder_plan now = {.lease_s = l->options->lease_s, .retries = l->options->retries};
    CHECK(plan_create(e, &p, err));
    now.n_keys = plan_cell_count(p);
    CHECK(plan_keys(p, &now.keys, err));
    CHECK_ALLOC(now.declaration = text_copy(e->declaration));
    CHECK(check_same_plan(l->folder, &now, e->outputs.reading, err));
    CHECK(plan_folder_make(l->folder, err));
    CHECK(folder_plan_write(&now, l->folder, err));
    return folder_plan_read(l->folder, &l->plan, err);
}

/* What is damaged there is no result. */
static status read_store(layout *l, size_t *n_damaged, error_info *err) {
    job_keys mine = {l->plan.keys, l->plan.n_keys};
    if (!l->store)
        return STATUS_OK;
    CHECK(store_remove_damaged(l->store, &mine, n_damaged, err));
    return record_index_create(l->store, &mine, false, &l->stored, err);
}

/* The result of a cell in the folder; those that are refused are set aside, and one that is gone again is none. */
static status read_result(const layout *l, const char *key, job_record *out, bool *is_there, error_info *err) {
    const folder_list *results = &l->jobs.results;
    char *const *at = plan_folder_find_key(results, key);
    for (*is_there = false; !*is_there && plan_folder_is_of_key(results, at, key); at++) {
        status st = plan_result_read(l->folder, &l->plan, *at, out, err);
        *is_there = st == STATUS_OK;
        if (st == STATUS_PARSE)
            st = plan_result_set_aside(l->folder, *at, err);
        CHECK(st == STATUS_MISSING ? STATUS_OK : st);
    }
    return STATUS_OK;
}

static status set_results_aside(const layout *l, const char *key, error_info *err) {
    const folder_list *results = &l->jobs.results;
    for (char *const *at = plan_folder_find_key(results, key); plan_folder_is_of_key(results, at, key); at++)
        CHECK(plan_result_set_aside(l->folder, *at, err));
    return STATUS_OK;
}

/* A cell whose time is the budget of one that is to run, and whose result is in the store alone, gets a result file. */
static status put_base(const layout *l, size_t cell, error_info *err) {
    bool has_base;
    size_t base = plan_base_cell(l->plan.cells, cell, &has_base);
    const char *key = l->plan.keys[base];
    char name[PLAN_KEY_SIZE + 16];
    AUTO(job_record_clear) job_record record = {0};
    AUTO_FREE char *path = NULL;
    if (!has_base || l->is_due[base] || l->has_file[base])
        return STATUS_OK;
    (void)snprintf(name, sizeof name, "%s.store.json", key);
    CHECK_ALLOC(path = plan_folder_path(l->folder, "results", name));
    if (file_exists(path))
        return STATUS_OK;
    CHECK(store_find(l->store, key, &record, err));
    return record_write(&record, path, err);
}

/* A job that an earlier plan queued, and whose result came by another way. */
static status withdraw(const layout *l, const char *key, error_info *err) {
    AUTO_FREE char *path = plan_folder_path(l->folder, "todo", key);
    CHECK_ALLOC(path);
    (void)unlink(path);
    return STATUS_OK;
}

/* What was given up gets all its retries again. */
static status forget_losses(const layout *l, const char *key, error_info *err) {
    AUTO_FREE char *given_up = plan_folder_path(l->folder, "given_up", key);
    CHECK_ALLOC(given_up);
    if (!file_exists(given_up))
        return STATUS_OK;
    for (char *const *at = plan_folder_find_key(&l->lost, key); plan_folder_is_of_key(&l->lost, at, key); at++) {
        AUTO_FREE char *note = plan_folder_path(l->folder, "lost", *at);
        CHECK_ALLOC(note);
        (void)unlink(note);
    }
    (void)unlink(given_up);
    return STATUS_OK;
}

/* Puts the job of a cell that is to run into todo, unless it was there, or a worker had it that has no result yet. */
static status queue_cell(const layout *l, size_t cell, error_info *err) {
    const char *key = l->plan.keys[cell];
    if (l->has_file[cell])
        CHECK(set_results_aside(l, key, err));
    else if (plan_folder_find_key(&l->jobs.todo, key) || plan_folder_find_key(&l->jobs.claims, key))
        return STATUS_OK;
    CHECK(forget_losses(l, key, err));
    return plan_folder_queue(l->folder, key, err);
}

static status lay_cell(layout *l, size_t cell, error_info *err) {
    const char *key = l->plan.keys[cell];
    AUTO(job_record_clear) job_record record = {0};
    CHECK(read_result(l, key, &record, &l->has_file[cell], err));
    l->is_due[cell] = due_cell(l->plan.cells, cell, l->has_file[cell] ? &record : record_index_find(&l->stored, key),
                               l->options->retry_failed, l->is_due);
    if (!l->is_due[cell])
        return withdraw(l, key, err);
    CHECK(put_base(l, cell, err));
    return queue_cell(l, cell, err);
}

/* One sync for all names of the folder. A job that a power cut takes nevertheless is queued by the next plan. */
static void sync_todo(const layout *l) {
    AUTO_FREE char *path = path_join(l->folder, "todo");
    int fd = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    (void)fsync(fd);
    (void)close(fd);
}

status runner_write_plan(const experiment *e, const char *folder, const plan_options *options, plan_jobs *jobs,
                         error_info *err) {
    AUTO(layout_clear) layout l = {.folder = folder, .options = options};
    size_t n_damaged = 0;
    CHECK(open_store(&l, err));
    CHECK(write_plan(&l, e, err));
    CHECK(read_store(&l, &n_damaged, err));
    CHECK(plan_folder_look(folder, &l.jobs, err));
    CHECK(plan_folder_list(folder, "lost", &l.lost, err));
    CHECK_ALLOC(l.is_due = calloc(l.plan.n_keys + 1, sizeof *l.is_due));
    CHECK_ALLOC(l.has_file = calloc(l.plan.n_keys + 1, sizeof *l.has_file));
    for (size_t i = 0; i < l.plan.n_keys; i++)
        CHECK(lay_cell(&l, i, err));
    sync_todo(&l);
    CHECK(plan_folder_count(folder, &l.plan, jobs, err));
    jobs->n_damaged = n_damaged;
    return STATUS_OK;
}
