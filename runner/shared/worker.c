/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A worker takes jobs of a plan folder until none is left. It claims a job by renaming its file from todo/ to claimed/,
 * which succeeds for one worker alone, does it, writes its result and removes the claim. The claims of a worker that
 * gave no sign of life for a lease go back to todo/ in the same way; should that worker live after all, it sees that
 * its claim is gone and drops its result. A job whose budget is another one's time is left until that one has a result;
 * a worker that finds nothing else waits for it.
 */
#include "runner/runner.h"

#include "core/run/run_context.h"
#include "runner/engine_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/shared/dead_claims_internal.h"
#include "runner/shared/lease_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 256 };

typedef struct {
    const char *folder;
    const work_options *options;
    double began_s;
    folder_plan plan;
    lease lease;
    job_places jobs;         /* as they were when last looked at */
    size_t at;               /* how many of todo were tried */
    bool may_be_old;         /* what was seen then */
    double looked_s, next_s; /* then, on the clock of the file system; when to look again if there is nothing to do */
    double idle_s;           /* at that look there was no job to begin, nor later; 0: there was one */
    bool is_waiting;         /* for a sign of life of a worker that has a job, or for the result of one */
    size_t n_worked;
} session;

static void session_clear(session *s) {
    lease_end(&s->lease);
    folder_plan_clear(&s->plan);
    job_places_clear(&s->jobs);
}

static char *claim_path(const session *s, const char *key) {
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%.64s.%s", key, s->lease.worker);
    return plan_folder_path(s->folder, "claimed", name);
}

/* ---- the jobs of other workers ---- */

/* Whether a worker has a job and gave no sign of life since this one has been without. */
static bool is_sign_due(const session *s) {
    const folder_list *claims = &s->jobs.claims;
    for (size_t i = 0; i < claims->n; i++) {
        double sign_s;
        if (!claim_is_one(&s->plan, claims->names[i]))
            continue;
        sign_s = claim_last_sign(&s->lease, claims->names[i]);
        if (!claim_is_dead(&s->plan, sign_s, s->looked_s) && (s->idle_s == 0 || sign_s <= s->idle_s))
            return true;
    }
    return false;
}

/* ---- the jobs whose time others need ---- */

/* The file of the result whose time is this cell's budget; NULL where it is not there yet. */
static const char *base_result(const session *s, size_t cell) {
    bool has_base;
    const char *key = s->plan.keys[plan_base_cell(s->plan.cells, cell, &has_base)];
    char *const *name = plan_folder_find_key(&s->jobs.results, key);
    return name ? *name : NULL;
}

static bool is_blocked(const session *s, size_t cell) {
    bool has_base = false;
    (void)plan_base_cell(s->plan.cells, cell, &has_base);
    return has_base && !base_result(s, cell);
}

/* Whether there will be the result for which this cell waits: its job is there for one who takes it, or a worker has it
 * whose signs of life can be seen. */
static bool is_base_on_its_way(const session *s, size_t cell) {
    bool has_base;
    const char *key = s->plan.keys[plan_base_cell(s->plan.cells, cell, &has_base)];
    char *const *queued = plan_folder_find_key(&s->jobs.todo, key);
    char *const *claim = plan_folder_find_key(&s->jobs.claims, key);
    double sign_s;
    if (queued && strcmp(*queued, key) == 0)
        return true;
    sign_s = claim && claim_is_one(&s->plan, *claim) ? claim_last_sign(&s->lease, *claim) : INFINITY;
    return isfinite(sign_s) && !claim_is_dead(&s->plan, sign_s, s->looked_s);
}

static bool is_result_due(const session *s) {
    for (size_t i = 0; i < s->jobs.todo.n; i++) {
        size_t cell = folder_plan_find(&s->plan, s->jobs.todo.names[i]);
        if (cell != HASH_NONE && is_blocked(s, cell) && is_base_on_its_way(s, cell))
            return true;
    }
    return false;
}

static status look_again(session *s, error_info *err) {
    size_t n_returned = 0;
    s->at = 0;
    s->may_be_old = false;
    s->next_s = run_clock_s() + s->lease.beat_s;
    CHECK(lease_now(&s->lease, &s->looked_s, err));
    CHECK(plan_folder_look(s->folder, &s->jobs, err));
    CHECK(claims_return_dead(s->folder, &s->plan, &s->lease, &s->jobs, s->looked_s, &n_returned, err));
    if (n_returned > 0)
        CHECK(plan_folder_look(s->folder, &s->jobs, err));
    s->is_waiting = is_sign_due(s) || is_result_due(s);
    return STATUS_OK;
}

/* ---- claiming ---- */

/* Where the base's result is gone or refused there is no budget: the base runs again. */
static status give_budget(session *s, job *j, bool *has_budget, error_info *err) {
    AUTO(job_record_clear) job_record record = {0};
    bool has_base;
    const char *name;
    status st;
    *has_budget = true;
    (void)plan_base_cell(s->plan.cells, j->cell, &has_base);
    if (!has_base)
        return STATUS_OK;
    name = base_result(s, j->cell);
    st = plan_result_read(s->folder, &s->plan, name, &record, err);
    if (st == STATUS_OK)
        job_set_budget(j, &record);
    if (st != STATUS_PARSE && st != STATUS_MISSING)
        return st;
    *has_budget = false;
    s->may_be_old = true;
    return plan_result_refuse(s->folder, &s->plan, name, err);
}

/* Its key, computed by this program from its networks, must be the plan's. */
static status make_job(session *s, size_t cell, job *out, error_info *err) {
    CHECK(job_init(s->plan.cells, cell, out, err));
    return strcmp(out->key, s->plan.keys[cell]) == 0
               ? STATUS_OK
               : error_set(err, STATUS_INVALID,
                           "the plan was made by another version of bnbench, or with another network file");
}

/* Takes the job by renaming its file; it may have gone to another worker meanwhile. */
static status claim(session *s, size_t cell, job *out, bool *has_job, error_info *err) {
    const char *key = s->plan.keys[cell];
    AUTO_FREE char *from = plan_folder_path(s->folder, "todo", key), *to = claim_path(s, key);
    status st;
    CHECK_ALLOC(from);
    CHECK_ALLOC(to);
    if (rename(from, to) != 0)
        return errno == ENOENT ? STATUS_OK : error_set(err, STATUS_IO, "%s: %s", from, strerror(errno));
    st = make_job(s, cell, out, err);
    if (st == STATUS_OK)
        st = give_budget(s, out, has_job, err);
    if (st != STATUS_OK || !*has_job)
        (void)rename(to, from);
    *has_job = *has_job && st == STATUS_OK;
    return st;
}

/* The next file of todo/ as last listed. Each worker begins elsewhere in the list, so that they seldom meet. */
static const char *next_name(session *s) {
    size_t start = hash_bytes(s->lease.worker, strlen(s->lease.worker)) % s->jobs.todo.n;
    return s->jobs.todo.names[(start + s->at++) % s->jobs.todo.n];
}

static bool may_look(const session *s) {
    return s->may_be_old && (s->idle_s == 0 || run_clock_s() >= s->next_s);
}

/* It takes no more jobs: the scheduler will end it before long. */
static bool is_time_up(const session *s) {
    return s->options->for_s > 0 && run_clock_s() - s->began_s >= s->options->for_s;
}

/* At the end of the list the folder is listed anew, as a rule once in a call; while this worker waits for a sign of
 * life, once in the time in which there ought to be one. */
static status claim_next(void *self, job *out, bool *has_job, error_info *err) {
    session *s = self;
    *has_job = false;
    if (is_time_up(s))
        return STATUS_OK;
    s->may_be_old = true;
    while (!*has_job && (s->at < s->jobs.todo.n || may_look(s))) {
        size_t cell;
        if (s->at == s->jobs.todo.n) {
            CHECK(look_again(s, err));
            continue;
        }
        cell = folder_plan_find(&s->plan, next_name(s));
        if (cell != HASH_NONE && !is_blocked(s, cell))
            CHECK(claim(s, cell, out, has_job, err));
    }
    if (*has_job)
        s->idle_s = 0;
    else if (s->idle_s == 0)
        s->idle_s = s->looked_s;
    return STATUS_OK;
}

static bool is_waiting(void *self) {
    const session *s = self;
    return s->is_waiting && !is_time_up(s);
}

/* ---- results ---- */

static void say(const session *s, const job *j, const char *what, const char *why) {
    char label[512];
    if (!s->options->quiet)
        (void)fprintf(stderr, "%s: %s%s%s\n", plan_cell_label(s->plan.cells, j->cell, label, sizeof label), what,
                      why ? ": " : "", why ? why : "");
}

static status write_result(session *s, const job *j, const job_record *record, error_info *err) {
    char name[NAME_SIZE];
    AUTO_FREE char *path = NULL;
    (void)snprintf(name, sizeof name, "%s.%s.json", j->key, s->lease.worker);
    CHECK_ALLOC(path = plan_folder_path(s->folder, "results", name));
    CHECK(record_write(record, path, err));
    s->n_worked++;
    say(s, j, job_state_name(record->state), record->message);
    return STATUS_OK;
}

static status put_result(void *self, const job *j, const job_record *record, const char *result_path, error_info *err) {
    session *s = self;
    AUTO_FREE char *claim = claim_path(s, j->key), *back = plan_folder_path(s->folder, "todo", j->key);
    CHECK_ALLOC(claim);
    CHECK_ALLOC(back);
    if (!record) { /* it was stopped */
        (void)rename(claim, back);
        return STATUS_OK;
    }
    if (file_exists(claim))
        CHECK(write_result(s, j, record, err));
    else
        say(s, j, "dropped", "this worker gave no sign of life for a while, and its job went to another one");
    (void)unlink(claim);
    (void)unlink(result_path);
    return STATUS_OK;
}

static status renew(void *self, error_info *err) {
    session *s = self;
    (void)err;
    lease_renew(&s->lease);
    return STATUS_OK;
}

status runner_work(const char *folder, const work_options *options, work_outcome *out, error_info *err) {
    AUTO(session_clear) session s = {.folder = folder, .options = options, .began_s = run_clock_s()};
    engine_client client = {
        .self = &s, .next = claim_next, .is_waiting = is_waiting, .finish = put_result, .tick = renew};
    *out = (work_outcome){0};
    CHECK(folder_plan_read(folder, &s.plan, err));
    CHECK(plan_folder_make(folder, err));
    CHECK(lease_begin(folder, s.plan.lease_s, &s.lease, err));
    engine_options one_by_one = {.spool = s.lease.place,
                                 .n_jobs = 1,
                                 .memory_limit_bytes = s.plan.e.memory_limit_bytes,
                                 .doubts_failures = true};
    CHECK(engine_run(&one_by_one, &client, &out->interrupted, err));
    out->n_worked = s.n_worked;
    return plan_folder_count(folder, &s.plan, &out->left, err);
}
