/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The local run: it plans the cells, runs those that the store has no result for, and stores what comes. */
#include "runner/runner.h"

#include "core/base/file.h"
#include "runner/due_cell_internal.h"
#include "runner/engine_internal.h"
#include "runner/job/job_process_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/jobs_at_once_internal.h"
#include "runner/plan/cells_internal.h"
#include "runner/plan/keys_json_internal.h"
#include "runner/plan/pace_internal.h"
#include "runner/plan/plan_internal.h"
#include "runner/plan/reuse_internal.h"
#include "runner/progress_internal.h"
#include "runner/result_batch_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A run on its way. */
typedef struct {
    const experiment *e;
    const run_options *options;
    plan *plan;
    store *store;
    char *spool;
    bool *is_open, *has_begun;     /* by cell: it is to run, and has no result yet; its job was started */
    size_t n_due, n_over_in_front; /* cells to run; cells before the first that is open and has not begun */
    pace *pace;                    /* until the run begins */
    run_counts counts;
    progress shown;
    result_batch stored;
} local_run;

static void local_run_clear(local_run *r) {
    result_batch_clear(&r->stored);
    store_close(r->store);
    plan_destroy(r->plan);
    free(r->spool);
    free(r->has_begun);
    free(r->is_open);
    pace_destroy(r->pace);
    progress_clear(&r->shown);
}

/* ---- storing a result ---- */

/* Removes the record that the cell has, if any: it was cut by a limit, or its budget came from an older result. */
static status make_room(local_run *r, const job_record *record, error_info *err) {
    status st = store_remove(r->store, record->key, err);
    return st == STATUS_MISSING ? STATUS_OK : st;
}

/* The result that lies in `path` takes the place of an older one: that was the reason why its job ran. */
static status store_result(local_run *r, const job_record *record, const char *path, error_info *err) {
    bool added = false;
    CHECK(result_batch_open(&r->stored, err));
    CHECK(make_room(r, record, err));
    CHECK(store_add(r->store, record, &added, err));
    return result_batch_remember(&r->stored, path, err);
}

/* ---- results that a killed run left in the spool ---- */

/* KEY.json. One that cannot be read is half written or of another version: it is removed, and its job runs again. */
static status import_file(local_run *r, const char *name, error_info *err) {
    AUTO(job_record_clear) job_record record = {0};
    AUTO_FREE char *path = path_join(r->spool, name);
    status st;
    CHECK_ALLOC(path);
    st = record_read(path, &record, err);
    if (st == STATUS_OK)
        return store_result(r, &record, path, err);
    if (st != STATUS_MEMORY && st != STATUS_IO)
        (void)unlink(path);
    return st == STATUS_MEMORY || st == STATUS_IO ? st : STATUS_OK;
}

static status import_leftovers(local_run *r, error_info *err) {
    AUTO(folder_list_clear) folder_list results = {0};
    CHECK(folder_list_read(r->spool, ".json", &results, err));
    for (size_t i = 0; i < results.n; i++) {
        if (spool_is_key(results.names[i], strlen(results.names[i]) - strlen(".json")))
            CHECK(import_file(r, results.names[i], err));
    }
    return result_batch_settle(&r->stored, err);
}

/* Results of this plan that are no longer what was stored: their cells run again. Those of other declarations stay. */
static status remove_damaged(local_run *r, error_info *err) {
    job_keys mine = plan_job_keys(r->plan);
    size_t n = 0;
    CHECK(store_remove_damaged(r->store, &mine, &n, err));
    if (n > 0 && !r->options->quiet)
        (void)fprintf(stderr,
                      "%zu damaged result%s removed from the store; cells of this experiment without a result run "
                      "again.\n",
                      n, n == 1 ? " was" : "s were");
    return STATUS_OK;
}

static status open_store(local_run *r, error_info *err) {
    CHECK(store_open(r->options->store_folder, true, true, &r->store, err));
    r->stored.store = r->store;
    CHECK(remove_damaged(r, err));
    CHECK_ALLOC(r->spool = path_join(r->options->store_folder, "jobs"));
    CHECK(spool_open(r->spool, err));
    CHECK(import_leftovers(r, err));
    return spool_clean(r->spool, err);
}

/* ---- which cells ---- */

static bool is_learner_chosen(const part_scope *only, const experiment_outputs *o, const char *id) {
    for (size_t l = 0; l < o->n_learners; l++) {
        if (only->learners[l] && strcmp(o->learners[l], id) == 0)
            return true;
    }
    return false;
}

/* A chosen learner, or one whose time is the budget of a chosen one. */
static bool is_learner_needed(const part_scope *only, const experiment *e, size_t variant) {
    bool is_needed = is_learner_chosen(only, &e->outputs, e->variants[variant].id);
    for (size_t i = 0; i < e->n_variants && !is_needed; i++)
        is_needed = e->variants[i].budget.is_relative && e->variants[i].budget.base == variant &&
                    is_learner_chosen(only, &e->outputs, e->variants[i].id);
    return is_needed;
}

static bool is_chosen(const local_run *r, size_t i) {
    const part_scope *only = r->options->only;
    plan_cell cell = plan_cell_at(r->plan, i);
    return !only ||
           (only->networks[cell.network] && only->sizes[cell.size] && is_learner_needed(only, r->e, cell.variant));
}

/* A choice of cells on its way. */
typedef struct {
    local_run *run;
    reuse reuse;
} choice;

static void choice_clear(choice *c) {
    reuse_clear(&c->reuse);
}

/* A run that continues tells what it need not do, and one that does something again, why. */
static status say_reuse(choice *c, error_info *err) {
    local_run *r = c->run;
    AUTO(text_buffer_clear) text_buffer sentence = {0};
    size_t n_stored = 0;
    CHECK(store_count(r->store, &n_stored, err));
    if (r->options->quiet || r->options->only || n_stored == 0)
        return STATUS_OK;
    CHECK(reuse_look_for_relatives(&c->reuse, r->plan, r->store, err));
    reuse_append_sentence(&c->reuse, r->plan, &sentence);
    CHECK(text_buffer_check(&sentence, err));
    if (sentence.data)
        (void)fputs(sentence.data, stderr);
    return STATUS_OK;
}

static status see_cell(void *self, size_t i, const job_record *record, error_info *err) {
    choice *c = self;
    local_run *r = c->run;
    (void)err;
    if (!is_chosen(r, i))
        return STATUS_OK;
    r->is_open[i] = due_cell(r->plan, i, record, r->options->retry_failed, r->is_open);
    cell_count(r->is_open[i] ? NULL : record, &r->counts);
    pace_tell(r->pace, r->plan, i, r->is_open[i] ? NULL : record);
    reuse_add(&c->reuse, r->plan, i, record, r->is_open[i]);
    r->n_due += r->is_open[i];
    return STATUS_OK;
}

static status choose_cells(local_run *r, error_info *err) {
    job_keys mine = plan_job_keys(r->plan);
    AUTO(choice_clear) choice c = {.run = r};
    CHECK(pace_of_plan(r->plan, &r->pace, err));
    CHECK(reuse_begin(r->plan, &c.reuse, err));
    CHECK_ALLOC(r->has_begun = calloc(mine.n + 1, sizeof *r->has_begun));
    CHECK_ALLOC(r->is_open = calloc(mine.n + 1, sizeof *r->is_open));
    CHECK(store_walk_keys(r->store, &mine, &(record_walk){&c, see_cell}, err));
    return say_reuse(&c, err);
}

/* ---- what the engine asks ---- */

/* Makes or removes the file by which `status` counts a running job. It holds the id of this process: where that process
 * is gone, the job is not counted. */
static void mark_running(const local_run *r, const char *key, bool is_running) {
    AUTO_FREE char *path = path_join_ending(r->spool, key, ".running");
    FILE *f = path && is_running ? fopen(path, "we") : NULL;
    if (path && !is_running)
        (void)unlink(path);
    if (!f)
        return;
    (void)fprintf(f, "%ld\n", (long)getpid());
    (void)fclose(f);
}

static bool is_to_begin(const local_run *r, size_t i) {
    return r->is_open[i] && !r->has_begun[i];
}

/* The first cell that is to begin and waits for no other; the number of cells where there is none now. */
static size_t find_ready(local_run *r) {
    size_t n = plan_cell_count(r->plan);
    while (r->n_over_in_front < n && !is_to_begin(r, r->n_over_in_front))
        r->n_over_in_front++;
    for (size_t i = r->n_over_in_front; i < n; i++) {
        bool has_base;
        size_t base = plan_base_cell(r->plan, i, &has_base);
        if (is_to_begin(r, i) && !(has_base && r->is_open[base]))
            return i;
    }
    return n;
}

static status give_budget(const local_run *r, job *j, error_info *err) {
    bool has_base;
    size_t base = plan_base_cell(r->plan, j->cell, &has_base);
    char key[PLAN_KEY_SIZE];
    AUTO(job_record_clear) job_record record = {0};
    if (!has_base)
        return STATUS_OK;
    CHECK(plan_key(r->plan, base, key, err));
    CHECK(store_find(r->store, key, &record, err));
    job_set_budget(j, &record);
    return STATUS_OK;
}

static status next_job(void *self, job *out, bool *has_job, error_info *err) {
    local_run *r = self;
    size_t i = find_ready(r);
    *has_job = i < plan_cell_count(r->plan);
    if (!*has_job)
        return STATUS_OK;
    CHECK(job_init(r->plan, i, out, err));
    CHECK(give_budget(r, out, err));
    r->has_begun[i] = true;
    progress_job_begins(&r->shown, i);
    mark_running(r, out->key, true);
    return STATUS_OK;
}

static status finish_job(void *self, const job *j, const job_record *record, const char *result_path, error_info *err) {
    local_run *r = self;
    mark_running(r, j->key, false);
    progress_job_ends(&r->shown, j->cell, record);
    if (!record)
        return STATUS_OK;
    CHECK(error_at(store_result(r, record, result_path, err), err, r->options->store_folder));
    r->is_open[j->cell] = false;
    r->counts.left--;
    r->counts.total--;
    cell_count(record, &r->counts);
    return STATUS_OK;
}

static status tick(void *self, error_info *err) {
    local_run *r = self;
    progress_show(&r->shown, &r->counts);
    return result_batch_settle_when_due(&r->stored, err);
}

/* Whether nothing is to run, and the store tells of this declaration and plan already. */
static bool is_told(const local_run *r, const char *planned) {
    AUTO_FREE char *declaration = NULL, *keys = NULL;
    error_info quiet = {0};
    return r->n_due == 0 && store_last_run(r->store, r->e->outputs.reading, &declaration, &keys, &quiet) == STATUS_OK &&
           strcmp(declaration, r->e->declaration) == 0 && strcmp(keys, planned) == 0;
}

/* A store has one report, that of its last run. */
static void say_other_declaration(const local_run *r) {
    AUTO_FREE char *declaration = NULL;
    error_info quiet = {0};
    if (!r->options->quiet &&
        store_last_run(r->store, r->e->outputs.reading, &declaration, NULL, &quiet) == STATUS_OK &&
        strcmp(declaration, r->e->declaration) != 0)
        (void)fprintf(stderr, "The last run of this store declared something else: its results stay, and the report is "
                              "now that of this declaration. --store DIR keeps both.\n");
}

/* Records the run; `*is_needless` where there is nothing to record. The text of its keys lives as long as this takes.
 */
static status begin_run(local_run *r, int64_t *id, bool *is_needless, error_info *err) {
    AUTO_FREE char *plan_text = NULL;
    job_keys mine = plan_job_keys(r->plan);
    store_run run = {.declaration = r->e->declaration,
                     .file = r->options->file,
                     .profile = r->options->profile,
                     .reading = r->e->outputs.reading};
    CHECK(keys_to_json(&mine, &plan_text, err));
    run.plan = plan_text;
    *is_needless = r->options->only && is_told(r, plan_text);
    if (*is_needless)
        return STATUS_OK;
    say_other_declaration(r);
    return error_at(store_begin_run(r->store, &run, id, err), err, r->options->store_folder);
}

static void say_jobs_at_once(const local_run *r) {
    AUTO(text_buffer_clear) text_buffer reasons = {0};
    if (r->options->quiet)
        return;
    jobs_append_reasons(r->e, r->options->n_jobs, &reasons);
    (void)fputs(reasons.data ? reasons.data : "", stderr);
}

/* The jobs that are due, to the end: whatever that is, what is done is stored. */
static status run_jobs(local_run *r, size_t n_jobs, bool *interrupted, error_info *err) {
    engine_options options = {.spool = r->spool, .n_jobs = n_jobs, .memory_limit_bytes = r->e->memory_limit_bytes};
    engine_client client = {.self = r, .next = next_job, .finish = finish_job, .tick = tick};
    return result_batch_settle_after(&r->stored, engine_run(&options, &client, interrupted, err), err);
}

static status run_due(local_run *r, bool *interrupted, error_info *err) {
    int64_t id = 0;
    size_t n_jobs = jobs_at_once(r->e, r->options->n_jobs);
    bool is_needless;
    status st, ended;
    error_info late = {0};
    CHECK(begin_run(r, &id, &is_needless, err));
    if (is_needless)
        return STATUS_OK;
    say_jobs_at_once(r);
    CHECK(progress_begin(&r->shown, r->e, r->plan, r->options, n_jobs, TAKE(r->pace), err));
    st = run_jobs(r, n_jobs, interrupted, err);
    progress_end(&r->shown);
    ended = store_end_run(r->store, id, st != STATUS_OK ? "error" : *interrupted ? "interrupted" : "complete", &late);
    return st == STATUS_OK && ended != STATUS_OK ? error_set(err, ended, "%s", late.message) : st;
}

status runner_run(const experiment *e, const run_options *options, run_counts *counts, bool *interrupted,
                  error_info *err) {
    AUTO(local_run_clear) local_run r = {.e = e, .options = options};
    *interrupted = false;
    CHECK(plan_create(e, &r.plan, err));
    CHECK(plan_check_networks(r.plan, err));
    CHECK(open_store(&r, err));
    CHECK(choose_cells(&r, err));
    CHECK(run_due(&r, interrupted, err));
    r.counts.seconds_left = r.counts.left ? progress_seconds_left(&r.shown, &r.counts.is_guess) : 0;
    *counts = r.counts;
    return STATUS_OK;
}
