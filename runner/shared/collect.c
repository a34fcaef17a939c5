/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes the result files of a plan folder into a store, each once. */
#include "runner/runner.h"

#include "runner/job/job_internal.h"
#include "runner/plan/keys_json_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <stdlib.h>
#include <string.h>

void collect_outcome_clear(collect_outcome *o) {
    text_buffer_clear(&o->refused);
    *o = (collect_outcome){0};
}

/* Whether the last run has this plan; one that is damaged is recorded anew. */
static status is_last_run(store *s, const char *declaration, const char *keys, bool *out, error_info *err) {
    AUTO_FREE char *last_declaration = NULL, *last_keys = NULL;
    status st = store_last_run(s, &last_declaration, &last_keys, err);
    *out = st == STATUS_OK && strcmp(last_keys, keys) == 0 && strcmp(last_declaration, declaration) == 0;
    return st == STATUS_MISSING || st == STATUS_INVALID ? STATUS_OK : st;
}

/* Notes the plan as a run of the store, unless the last run has the same plan: then that one goes on. */
static status note_run(store *s, const char *folder, const folder_plan *p, error_info *err) {
    AUTO_FREE char *keys = NULL;
    store_run run = {.declaration = p->declaration, .file = folder};
    int64_t id = 0;
    bool is_last;
    CHECK(keys_to_json(p->keys, p->n_keys, &keys, err));
    CHECK(is_last_run(s, p->declaration, keys, &is_last, err));
    if (is_last)
        return store_continue_run(s, err);
    run.plan = keys;
    CHECK(store_begin_run(s, &run, &id, err));
    return store_end_run(s, id, "collected", err);
}

/* A failure gives way to what is none, a refusal for want of a budget to any other end, and a result to one of another
 * budget. */
static bool gives_way(const job_record *old, const job_record *now) {
    if (old->state == JOB_FAILED && (now->state != JOB_FAILED || (job_was_refused(old) && !job_was_refused(now))))
        return true;
    return old->options && now->options && strcmp(old->options, now->options) != 0;
}

static status make_room(store *s, const job_record *record, error_info *err) {
    AUTO(job_record_clear) job_record old = {0};
    status st = store_find(s, record->key, &old, err);
    if (st != STATUS_OK)
        return st == STATUS_MISSING ? STATUS_OK : st;
    return gives_way(&old, record) ? store_remove(s, record->key, err) : STATUS_OK;
}

static status refuse(const char *folder, const folder_plan *p, const char *name, const error_info *why,
                     collect_outcome *out, error_info *err) {
    text_append_format(&out->refused, "%s\n", why->message);
    out->n_refused++;
    return plan_result_refuse(folder, p, name, err);
}

static status collect_all(store *s, const char *folder, const folder_plan *p, collect_outcome *out, error_info *err) {
    AUTO(folder_list_clear) folder_list results = {0};
    size_t last = HASH_NONE; /* the cell whose result was taken last: a second one of it is left */
    CHECK(plan_folder_list(folder, "results", &results, err));
    for (size_t i = 0; i < results.n; i++) {
        size_t cell = folder_plan_find(p, results.names[i]);
        AUTO(job_record_clear) job_record record = {0};
        bool added = false;
        error_info why = {0};
        status st = plan_result_read(folder, p, results.names[i], &record, &why);
        if (st == STATUS_PARSE) {
            CHECK(refuse(folder, p, results.names[i], &why, out, err));
        } else if (st != STATUS_OK && st != STATUS_MISSING) { /* gone since it was listed: it was refused elsewhere */
            return error_set(err, st, "%s", why.message);
        } else if (st == STATUS_OK && cell != last) {
            CHECK(make_room(s, &record, err));
            CHECK(store_add(s, &record, &added, err));
            out->n_added += added;
            last = cell;
        }
    }
    return text_buffer_check(&out->refused, err);
}

status runner_collect(const char *folder, const char *store_folder, collect_outcome *out, error_info *err) {
    AUTO(folder_plan_clear) folder_plan p = {0};
    AUTO_PTR(store_close) store *s = NULL;
    CHECK(folder_plan_read(folder, &p, err));
    CHECK(store_open(store_folder, true, true, &s, err));
    CHECK(note_run(s, folder, &p, err));
    CHECK(store_remove_damaged(s, &(job_keys){p.keys, p.n_keys}, &out->n_damaged, err));
    CHECK(collect_all(s, folder, &p, out, err));
    return plan_folder_count(folder, &p, &out->left, err);
}
