/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the result files of a plan folder into a store, each once. */
#include "runner/shared/collect_internal.h"

#include "runner/job/job_internal.h"
#include "runner/plan/keys_json_internal.h"

#include <stdlib.h>
#include <string.h>

void collect_outcome_clear(collect_outcome *o) {
    text_buffer_clear(&o->refused);
    *o = (collect_outcome){0};
}

/* Whether the last run has this plan; one that is damaged is recorded anew. */
static status is_last_run(store *s, const folder_plan *p, const char *keys, bool *out, error_info *err) {
    AUTO_FREE char *last_declaration = NULL, *last_keys = NULL;
    status st = store_last_run(s, p->e.outputs.reading, &last_declaration, &last_keys, err);
    *out = st == STATUS_OK && strcmp(last_keys, keys) == 0 && strcmp(last_declaration, p->declaration) == 0;
    return st == STATUS_MISSING || st == STATUS_INVALID ? STATUS_OK : st;
}

/* Notes the plan as a run of the store, unless the last run has the same plan: then that one goes on. */
static status note_run(store *s, const char *folder, const folder_plan *p, error_info *err) {
    AUTO_FREE char *keys = NULL;
    store_run run = {.declaration = p->declaration, .file = folder, .reading = p->e.outputs.reading};
    int64_t id = 0;
    bool is_last;
    CHECK(keys_to_json(&(job_keys){p->keys, p->n_keys}, &keys, err));
    CHECK(is_last_run(s, p, keys, &is_last, err));
    if (is_last)
        return store_continue_run(s, p->e.outputs.reading, err);
    run.plan = keys;
    CHECK(store_begin_run(s, &run, &id, err));
    return store_end_run(s, id, "collected", err);
}

/* ---- which of two results stays ---- */

/* A failure gives way to what is none, and a refusal for want of a budget to any other end. */
static bool gives_way(const job_record *old, const job_record *now) {
    return old->state == JOB_FAILED && (now->state != JOB_FAILED || (job_was_refused(old) && !job_was_refused(now)));
}

/* The options that a cell has where its budget comes from the result that the store has of the cell on which it hangs.
 * NULL where it hangs on none, or that one has no result. */
static status options_by_store(store *s, const folder_plan *p, size_t cell, char **out, error_info *err) {
    job j = {.plan = p->cells, .cell = cell};
    AUTO(job_record_clear) job_record base = {0};
    bool has_base;
    size_t base_cell = plan_base_cell(p->cells, cell, &has_base);
    status st = has_base ? store_find(s, p->keys[base_cell], &base, err) : STATUS_MISSING;
    if (st != STATUS_OK)
        return st == STATUS_MISSING ? STATUS_OK : st;
    job_set_budget(&j, &base);
    return plan_options_json(p->cells, plan_cell_at(p->cells, cell).variant, j.budget_s, out, err);
}

/* Whether the old result is to be removed for the one that is there now, and whether that one is to be stored at all.
 * Of two budgets the one stays that comes from the time that the store has, whichever is older. */
static status settle(store *s, const folder_plan *p, size_t cell, const job_record *old, const job_record *now,
                     bool *is_old_removed, bool *is_now_wanted, error_info *err) {
    AUTO_FREE char *options = NULL;
    bool fits_old, fits_now;
    CHECK(options_by_store(s, p, cell, &options, err));
    fits_old = !options || (old->options && strcmp(old->options, options) == 0);
    fits_now = !options || (now->options && strcmp(now->options, options) == 0);
    *is_old_removed = fits_old == fits_now ? gives_way(old, now) : fits_now;
    *is_now_wanted = fits_now || !fits_old;
    return STATUS_OK;
}

static status store_result(store *s, const folder_plan *p, size_t cell, const job_record *record, bool *added,
                           error_info *err) {
    AUTO(job_record_clear) job_record old = {0};
    bool is_old_removed = false, is_now_wanted = true;
    status st = store_find(s, record->key, &old, err);
    if (st != STATUS_OK && st != STATUS_MISSING)
        return st;
    if (st == STATUS_OK)
        CHECK(settle(s, p, cell, &old, record, &is_old_removed, &is_now_wanted, err));
    if (is_old_removed)
        CHECK(store_remove(s, record->key, err));
    return is_now_wanted ? store_add(s, record, added, err) : STATUS_OK;
}

/* ---- the files ---- */

static status refuse(const char *folder, const folder_plan *p, const char *name, const error_info *why,
                     collect_outcome *out, error_info *err) {
    text_append_format(&out->refused, "%s\n", why->message);
    out->n_refused++;
    return plan_result_refuse(folder, p, name, err);
}

/* `*has_result` where the file is one. One that is gone since it was listed was refused elsewhere. */
static status collect_file(collector *c, const char *name, bool *has_result, collect_outcome *out, error_info *err) {
    AUTO(job_record_clear) job_record record = {0};
    bool added = false;
    error_info why = {0};
    status st = plan_result_read(c->folder, c->plan, name, &record, &why);
    *has_result = st == STATUS_OK;
    if (st == STATUS_PARSE)
        return refuse(c->folder, c->plan, name, &why, out, err);
    if (st != STATUS_OK)
        return st == STATUS_MISSING ? STATUS_OK : error_set(err, st, "%s", why.message);
    CHECK(result_batch_open(&c->stored, err));
    CHECK(store_result(c->store, c->plan, folder_plan_find(c->plan, name), &record, &added, err));
    out->n_added += added;
    return result_batch_settle_when_due(&c->stored, err);
}

/* The first result of a cell is taken, and the others are left. */
static status collect_cell(collector *c, const folder_list *results, size_t cell, collect_outcome *out,
                           error_info *err) {
    const char *key = c->plan->keys[cell];
    char *const *at = plan_folder_find_key(results, key);
    for (; !c->is_taken[cell] && plan_folder_is_of_key(results, at, key); at++)
        CHECK(collect_file(c, *at, &c->is_taken[cell], out, err));
    return STATUS_OK;
}

status collector_open(collector *c, const char *folder, const folder_plan *p, const char *store_folder,
                      size_t *n_damaged, error_info *err) {
    c->folder = folder;
    c->plan = p;
    CHECK_ALLOC(c->is_taken = calloc(p->n_keys + 1, sizeof *c->is_taken));
    CHECK(store_open(store_folder, true, true, &c->store, err));
    c->stored.store = c->store;
    CHECK(note_run(c->store, folder, p, err));
    return store_remove_damaged(c->store, &(job_keys){p->keys, p->n_keys}, n_damaged, err);
}

void collector_clear(collector *c) {
    result_batch_clear(&c->stored);
    store_close(c->store);
    free(c->is_taken);
    *c = (collector){0};
}

/* In the order of the cells, so that a time is in the store before the results whose budget it is. */
static status take_listed(collector *c, const folder_list *results, collect_outcome *out, error_info *err) {
    bool ignored;
    for (size_t i = 0; i < results->n; i++) {
        if (folder_plan_find(c->plan, results->names[i]) == HASH_NONE)
            CHECK(collect_file(c, results->names[i], &ignored, out, err));
    }
    for (size_t i = 0; i < c->plan->n_keys; i++)
        CHECK(collect_cell(c, results, i, out, err));
    return text_buffer_check(&out->refused, err);
}

/* What was taken before an error is stored. */
static status take_all(collector *c, collect_outcome *out, error_info *err) {
    AUTO(folder_list_clear) folder_list results = {0};
    CHECK(plan_folder_list(c->folder, "results", &results, err));
    return result_batch_settle_after(&c->stored, take_listed(c, &results, out, err), err);
}

/* Jobs are counted before and after. Before: one that is over by the second count may have left its result behind those
 * that were listed. After: one whose result was refused is queued again. */
status collector_take(collector *c, collect_outcome *out, error_info *err) {
    plan_jobs before = {0}, after = {0};
    CHECK(plan_folder_count(c->folder, c->plan, &before, err));
    CHECK(take_all(c, out, err));
    CHECK(plan_folder_count(c->folder, c->plan, &after, err));
    out->left = after.queued + after.claimed > 0 ? after : before;
    return STATUS_OK;
}

status runner_collect(const char *folder, const char *store_folder, collect_outcome *out, error_info *err) {
    AUTO(folder_plan_clear) folder_plan p = {0};
    AUTO(collector_clear) collector c = {0};
    CHECK(folder_plan_read(folder, &p, err));
    CHECK(collector_open(&c, folder, &p, store_folder, &out->n_damaged, err));
    return collector_take(&c, out, err);
}
