/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/engines/tasks_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A job takes longer than its learner: data, metrics, and the learner's own end. */
#define JOB_MARGIN_S 600
#define LEAST_WORK_S 60
enum { MEMORY_MARGIN_MIB = 512, MEMORY_MARGIN_PART = 8 };

void tasks_init(tasks *t) {
    (void)snprintf(t->name, sizeof t->name, "bnbench-%016llx",
                   (unsigned long long)hash_bytes(t->folder, strlen(t->folder)));
    t->command = (helper){.out = -1, .errors = -1};
}

void tasks_clear(tasks *t) {
    helper_clear(&t->command);
    text_buffer_clear(&t->machines);
}

/* ---- what a task may need ---- */

static double longest_job_s(const experiment *e) {
    return e->time_limit_s > 0 ? 1.1 * e->time_limit_s + JOB_MARGIN_S : 0;
}

/* Time for its share of the jobs, were each as long as it may be; for one job at least. */
static task_needs needs_of(const experiment *e, double longest_s, double share) {
    uint64_t memory = e->memory_limit_bytes;
    double job_s = longest_job_s(e);
    return (task_needs){.memory_mib = memory ? (memory + memory / MEMORY_MARGIN_PART) / 1048576 + MEMORY_MARGIN_MIB : 0,
                        .time_s = fmax(job_s + LEAST_WORK_S, fmin(job_s * share, longest_s)) * (job_s > 0),
                        .n_threads = e->n_threads > 0 ? e->n_threads : 1};
}

/* The worker takes no job for which the time might not suffice. */
static double time_to_work(const tasks *t, const task_needs *needs) {
    return needs->time_s > 0 ? needs->time_s - longest_job_s(&t->plan->e) : 0;
}

/* ---- submitting ---- */

static status start_command(tasks *t, const submission *s, error_info *err) {
    char **words = NULL;
    size_t n = 0;
    status st = error_at(template_words(t->options->submit, s, &words, &n, err), err, "--submit");
    helper_clear(&t->command);
    if (st == STATUS_OK)
        st = helper_start((helper_words){(const char *const *)words, n}, s->signals, &t->command, err);
    t->command.name = "--submit";
    t->has_command = st == STATUS_OK;
    texts_destroy(words, n);
    return st;
}

static status start_slurm(const tasks *t, const submission *s, text_buffer *said, error_info *err) {
    char **words = NULL;
    size_t n = 0;
    status st = slurm_words(s, t->options->slurm_args, &words, &n, err);
    if (st == STATUS_OK)
        st = helper_ask((helper_words){(const char *const *)words, n}, s->signals, said, err);
    texts_destroy(words, n);
    return st;
}

/* Where Slurm has no other machines than those to avoid, it refuses: then they are taken again. */
static status start_slurm_anywhere(const tasks *t, submission s, text_buffer *said, error_info *err) {
    error_info first = {0};
    status st = start_slurm(t, &s, said, &first);
    if (st == STATUS_IO && *s.avoid) {
        s.avoid = "";
        st = start_slurm(t, &s, said, &first);
    }
    return st == STATUS_OK ? st : error_set(err, st, "%s", first.message);
}

status tasks_submit(tasks *t, size_t n_jobs, const char *avoid, double now_s, text_buffer *said, error_info *err) {
    submission s = {.folder = t->folder, .name = t->name, .avoid = avoid, .signals = t->signals};
    AUTO_FREE char *script = NULL;
    t->n_submitted = n_jobs < t->options->n_tasks ? n_jobs : t->options->n_tasks;
    s.n_tasks = t->n_submitted;
    s.needs = needs_of(&t->plan->e, t->options->longest_task_s, ceil((double)n_jobs / (double)t->n_submitted));
    t->seen_s = now_s;
    CHECK(worker_script_write(t->folder, time_to_work(t, &s.needs), &script, err));
    CHECK(worker_script_count_begun(t->folder, &t->n_begun_before, err));
    s.script = script;
    text_buffer_clear(said);
    return t->options->submit ? start_command(t, &s, err) : start_slurm_anywhere(t, s, said, err);
}

status shared_options_check(const experiment *e, const shared_options *options, error_info *err) {
    submission s = {.folder = "", .script = "", .name = "", .avoid = "", .n_tasks = 1};
    char **words = NULL;
    size_t n = 0;
    status st;
    s.needs = needs_of(e, options->longest_task_s, 1);
    st = options->submit ? error_at(template_words(options->submit, &s, &words, &n, err), err, "--submit")
                         : slurm_words(&s, options->slurm_args, &words, &n, err);
    texts_destroy(words, n);
    return st;
}

/* ---- are there any? ---- */

status tasks_see_living(tasks *t, const lease *own, double now_s, error_info *err) {
    AUTO(folder_list_clear) folder_list workers = {0};
    const char *listed = ""; /* a worker on the machine that was named last */
    CHECK(plan_folder_list(t->folder, "spool", &workers, err));
    text_buffer_clear(&t->machines);
    t->n_living = 0;
    for (size_t i = 0; i < workers.n; i++) {
        const char *name = workers.names[i];
        int length = (int)strcspn(name, ".");
        if (strcmp(name, own->worker) == 0 || lease_is_over(t->plan->lease_s, lease_last_sign(own, name), now_s))
            continue;
        /* the names are sorted, so that those of a machine stand together */
        if (strncmp(listed, name, (size_t)length + 1) != 0)
            text_append_format(&t->machines, "%s%.*s", t->machines.length > 0 ? ", " : "", length, name);
        listed = name;
        t->n_living++;
    }
    if (t->n_living > 0)
        t->seen_s = now_s;
    return text_buffer_check(&t->machines, err);
}

/* A template's scheduler is not asked. Its tasks are gone where each has begun, or some and then none for a lease. */
static status are_done_beginning(const tasks *t, double now_s, bool *out, error_info *err) {
    size_t n_begun;
    CHECK(worker_script_count_begun(t->folder, &n_begun, err));
    n_begun -= n_begun < t->n_begun_before ? n_begun : t->n_begun_before;
    *out = n_begun >= t->n_submitted || (n_begun > 0 && lease_is_over(t->plan->lease_s, t->seen_s, now_s));
    return STATUS_OK;
}

/* Only where no task has begun, a command that failed means that it was refused. */
static status read_command(tasks *t, error_info *err) {
    AUTO(text_buffer_clear) text_buffer answer = {0};
    error_info why = {0};
    size_t n_begun;
    status st = helper_answer(&t->command, &answer, &why);
    t->has_command = false;
    CHECK(worker_script_count_begun(t->folder, &n_begun, err));
    return st == STATUS_OK || n_begun > t->n_begun_before ? STATUS_OK : error_set(err, st, "%s", why.message);
}

static status are_template_tasks_gone(tasks *t, double now_s, bool *out, error_info *err) {
    *out = false;
    if (!helper_is_over(&t->command))
        return STATUS_OK;
    if (t->has_command)
        CHECK(read_command(t, err));
    *out = t->n_living == 0;
    return *out && t->n_submitted > 0 ? are_done_beginning(t, now_s, out, err) : STATUS_OK;
}

status tasks_are_gone(tasks *t, double now_s, bool *out, error_info *err) {
    if (t->options->submit)
        return are_template_tasks_gone(t, now_s, out, err);
    *out = false;
    CHECK(slurm_look(t->name, t->signals, &t->queue, err));
    *out = t->queue.n_waiting + t->queue.n_running == 0;
    return STATUS_OK;
}

void tasks_cancel(tasks *t) {
    error_info quiet = {0};
    if (!t->options->submit && t->queue.n_waiting > 0 && slurm_cancel(t->name, t->signals, &quiet) != STATUS_OK)
        return; /* they find nothing to do, and end */
}
