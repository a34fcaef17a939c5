/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A worker takes jobs of a plan folder until none is left. It claims a job by renaming its file from todo/ to claimed/,
 * which succeeds for one worker alone, does it, writes results/KEY.HOST.PID.json and removes the claim. Claims of
 * workers of this host that are dead go back to todo/ when a worker starts. A job whose budget is another one's time is
 * left until that one has a result.
 */
#include "runner/runner.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/scratch.h"
#include "core/base/text.h"
#include "runner/engine_internal.h"
#include "runner/job/job_process_internal.h"
#include "runner/job/record_file_internal.h"
#include "runner/shared/plan_folder_internal.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 200 };

typedef struct {
    const char *folder;
    bool is_quiet;
    char me[96]; /* HOST.PID */
    experiment e;
    plan *plan;
    folder_plan planned;
    char *spool;
    folder_list todo, results; /* as they were when last looked at */
    size_t at, n_worked;
} session;

static void session_clear(session *s) {
    scratch_destroy(s->spool);
    plan_destroy(s->plan);
    experiment_clear(&s->e);
    folder_plan_clear(&s->planned);
    folder_list_clear(&s->todo);
    folder_list_clear(&s->results);
}

/* The name of the host with '-' for every character that is no letter or digit, as a part of file names. */
static void name_host(char *name, size_t size) {
    if (gethostname(name, size) != 0)
        (void)snprintf(name, size, "host");
    name[size - 1] = '\0';
    for (char *c = name; *c; c++) {
        if (!isalnum((unsigned char)*c))
            *c = '-';
    }
}

static status open_session(session *s, error_info *err) {
    char host[64];
    name_host(host, sizeof host);
    (void)snprintf(s->me, sizeof s->me, "%s.%ld", host, (long)getpid());
    CHECK(folder_plan_read(s->folder, &s->planned, err));
    CHECK(experiment_parse(s->planned.declaration, strlen(s->planned.declaration), "plan.json", &s->e, err));
    CHECK(plan_create(&s->e, &s->plan, err));
    if (plan_cell_count(s->plan) != s->planned.n_keys)
        return error_set(err, STATUS_PARSE, "plan.json holds %zu keys for %zu cells", s->planned.n_keys,
                         plan_cell_count(s->plan));
    CHECK_ALLOC(s->spool = plan_folder_path(s->folder, "spool", s->me));
    return folder_create(s->spool, err);
}

static char *claim_path(const session *s, const char *key) {
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%.64s.%s.json", key, s->me);
    return plan_folder_path(s->folder, "claimed", name);
}

static char *todo_path(const session *s, const char *key) {
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%.64s.json", key);
    return plan_folder_path(s->folder, "todo", name);
}

/* True for the claim of a worker of this host that is dead: its job goes back. */
static bool is_orphan(const session *s, const char *name) {
    const char *dot = strchr(s->me, '.');
    size_t host = (size_t)(dot - s->me) + 1;
    long id;
    if (strlen(name) <= PLAN_KEY_SIZE || strncmp(name + PLAN_KEY_SIZE, s->me, host) != 0)
        return false;
    id = strtol(name + PLAN_KEY_SIZE + host, NULL, 10);
    return id > 0 && kill((pid_t)id, 0) != 0 && errno == ESRCH;
}

static status return_orphans(const session *s, error_info *err) {
    AUTO(folder_list_clear) folder_list claims = {0}, results = {0};
    CHECK(plan_folder_list(s->folder, "claimed", &claims, err));
    CHECK(plan_folder_list(s->folder, "results", &results, err));
    for (size_t i = 0; i < claims.n; i++) {
        AUTO_FREE char *from = plan_folder_path(s->folder, "claimed", claims.names[i]);
        AUTO_FREE char *to = todo_path(s, claims.names[i]);
        CHECK_ALLOC(from && to);
        if (!is_orphan(s, claims.names[i]))
            continue;
        if (plan_folder_find_key(&results, claims.names[i]))
            (void)unlink(from);
        else
            (void)rename(from, to); /* another worker may have been faster */
    }
    return STATUS_OK;
}

static status look_again(session *s, error_info *err) {
    folder_list_clear(&s->todo);
    folder_list_clear(&s->results);
    s->at = 0;
    CHECK(plan_folder_list(s->folder, "todo", &s->todo, err));
    return plan_folder_list(s->folder, "results", &s->results, err);
}

/* The next file of todo/ as last listed; at the end of the list the folder is listed anew, once in a call of
 * claim_next. NULL where nothing is left. */
static status next_name(session *s, bool *has_looked, const char **name, error_info *err) {
    *name = NULL;
    if (s->at == s->todo.n && !*has_looked) {
        CHECK(look_again(s, err));
        *has_looked = true;
    }
    if (s->at < s->todo.n)
        *name = s->todo.names[s->at++];
    return STATUS_OK;
}

static status read_cell(const char *path, size_t *cell, error_info *err) {
    json_error_t problem;
    AUTO_PTR(json_decref) json_t *object = json_load_file(path, 0, &problem);
    const json_t *number = json_object_get(object, "cell");
    if (!json_is_integer(number) || json_integer_value(number) < 0)
        return error_set(err, STATUS_PARSE, "%s: this is no job", path);
    *cell = (size_t)json_integer_value(number);
    return STATUS_OK;
}

/* Makes the job of a claimed cell. Its key, computed by this program from its networks, must be the plan's. */
static status take_cell(session *s, const char *path, const char *key, job *out, error_info *err) {
    size_t cell = 0;
    CHECK(read_cell(path, &cell, err));
    if (cell >= s->planned.n_keys || strncmp(s->planned.keys[cell], key, PLAN_KEY_SIZE - 1) != 0)
        return error_set(err, STATUS_PARSE, "%s: this job is not in the plan", path);
    CHECK(job_init(s->plan, cell, out, err));
    if (strcmp(out->key, s->planned.keys[cell]) != 0)
        return error_set(err, STATUS_INVALID,
                         "the plan was made by another version of bnbench, or with another network file");
    return STATUS_OK;
}

/* The file of the result whose time is this cell's budget; NULL where it is not there yet. */
static const char *base_result(const session *s, size_t cell) {
    bool has_base;
    return plan_folder_find_key(&s->results, s->planned.keys[plan_base_cell(s->plan, cell, &has_base)]);
}

/* True for a job that waits for another one's result. The worker that does the other job looks again afterwards. */
static bool is_blocked(const session *s, const char *path) {
    bool has_base = false;
    size_t cell = 0;
    error_info quiet = {0};
    if (read_cell(path, &cell, &quiet) != STATUS_OK || cell >= s->planned.n_keys)
        return false; /* who claims it will say so */
    (void)plan_base_cell(s->plan, cell, &has_base);
    return has_base && !base_result(s, cell);
}

static status give_budget(const session *s, job *j, error_info *err) {
    AUTO(job_record_clear) job_record record = {0};
    AUTO_FREE char *path = NULL;
    bool has_base;
    const char *name;
    (void)plan_base_cell(s->plan, j->cell, &has_base);
    if (!has_base)
        return STATUS_OK;
    name = base_result(s, j->cell);
    if (!name)
        return error_set(err, STATUS_BUG, "a job was claimed before the one on which it hangs was over");
    CHECK_ALLOC(path = plan_folder_path(s->folder, "results", name));
    CHECK(record_read(path, &record, err));
    job_set_budget(j, &record);
    return STATUS_OK;
}

/* Takes the job by renaming its file; it may have gone to another worker meanwhile. */
static status claim(session *s, const char *name, job *out, bool *has_job, error_info *err) {
    AUTO_FREE char *from = plan_folder_path(s->folder, "todo", name), *to = claim_path(s, name);
    status st = STATUS_OK;
    CHECK_ALLOC(from);
    CHECK_ALLOC(to);
    if (is_blocked(s, from))
        return st;
    if (rename(from, to) == 0) {
        st = take_cell(s, to, name, out, err);
        if (st == STATUS_OK)
            st = give_budget(s, out, err);
        *has_job = st == STATUS_OK;
        if (!*has_job)
            (void)rename(to, from);
    } else if (errno != ENOENT) {
        st = error_set(err, STATUS_IO, "%s: %s", from, strerror(errno));
    }
    return st;
}

static status claim_next(void *self, job *out, bool *has_job, error_info *err) {
    session *s = self;
    bool has_looked = false;
    *has_job = false;
    while (!*has_job) {
        const char *name;
        CHECK(next_name(s, &has_looked, &name, err));
        if (!name)
            break;
        if (strlen(name) == PLAN_KEY_SIZE + 4)
            CHECK(claim(s, name, out, has_job, err));
    }
    return STATUS_OK;
}

static void say_result(const session *s, const job *j, const job_record *record) {
    char label[512];
    if (!s->is_quiet)
        (void)fprintf(stderr, "%s: %s%s%s\n", plan_cell_label(s->plan, j->cell, label, sizeof label),
                      job_state_name(record->state), record->message ? ": " : "",
                      record->message ? record->message : "");
}

static status put_result(void *self, const job *j, const job_record *record, const char *result_path, error_info *err) {
    session *s = self;
    char name[NAME_SIZE];
    AUTO_FREE char *claim = claim_path(s, j->key), *back = todo_path(s, j->key), *path = NULL;
    CHECK_ALLOC(claim);
    CHECK_ALLOC(back);
    if (!record) { /* it was stopped */
        (void)rename(claim, back);
        return STATUS_OK;
    }
    (void)snprintf(name, sizeof name, "%s.%s.json", j->key, s->me);
    CHECK_ALLOC(path = plan_folder_path(s->folder, "results", name));
    CHECK(record_write(record, path, err));
    (void)unlink(claim);
    (void)unlink(result_path);
    s->n_worked++;
    say_result(s, j, record);
    return STATUS_OK;
}

status runner_work(const char *folder, bool quiet, size_t *n_worked, error_info *err) {
    AUTO(session_clear) session s = {.folder = folder, .is_quiet = quiet};
    engine_client client = {.self = &s, .next = claim_next, .finish = put_result};
    bool interrupted = false;
    status st;
    *n_worked = 0;
    CHECK(open_session(&s, err));
    CHECK(return_orphans(&s, err));
    engine_options options = {.spool = s.spool, .n_jobs = 1, .memory_limit_bytes = s.e.memory_limit_bytes};
    st = engine_run(&options, &client, &interrupted, err);
    *n_worked = s.n_worked;
    return st;
}
