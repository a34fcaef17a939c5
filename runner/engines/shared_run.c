/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The follower. In each round it asks the scheduler whether tasks are left, takes dead workers' claims away, and takes
 * in what results there are: in this order, so that what the last tasks left is seen before new ones are submitted.
 */
#include "runner/engines/shared_run.h"

#include "core/run/run_context.h"
#include "runner/engines/losses_internal.h"
#include "runner/engines/tasks_internal.h"
#include "runner/run_signals_internal.h"
#include "runner/shared/collect_internal.h"
#include "runner/shared/dead_claims_internal.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRINT_EVERY_S 30.0
#define ROUND_S 1.0
#define SLOWEST_ROUND_S 15.0

typedef struct {
    const shared_options *options;
    char *folder; /* absolute */
    folder_plan plan;
    lease lease;
    collector collector;
    collect_outcome collected;
    tasks tasks;
    losses losses, losses_before; /* those seen, and those of before the last submission */
    run_signals signals;
    double now_s;                         /* on the file system's clock */
    double began_s, asked_s, printed_s;   /* on run_clock_s: the last submission, the last question, the last line */
    size_t n_results_before, n_fruitless; /* results at the last submission; submissions in a row without one */
    bool are_gone;
    shared_outcome *out;
} shared_run;

void shared_outcome_clear(shared_outcome *o) {
    text_buffer_clear(&o->said);
    text_buffer_clear(&o->trouble);
}

static void clear(shared_run *r) {
    tasks_clear(&r->tasks);
    run_signals_give_back(&r->signals);
    lease_end(&r->lease);
    collector_clear(&r->collector);
    collect_outcome_clear(&r->collected);
    losses_clear(&r->losses);
    losses_clear(&r->losses_before);
    folder_plan_clear(&r->plan);
    free(r->folder);
}

/* ---- what is said ---- */

static void end_line(const shared_run *r) {
    if (r->options->show_progress)
        (void)fputs("\r\033[K", stderr);
}

static void say(const shared_run *r, const char *text) {
    if (r->options->quiet || !text || !*text)
        return;
    end_line(r);
    (void)fputs(text, stderr);
}

static void say_trouble(const shared_run *r, const char *what, const error_info *why) {
    AUTO(text_buffer_clear) text_buffer line = {0};
    text_append_format(&line, "%s: %s\n", what, why->message);
    say(r, line.data);
}

static void say_damaged(const shared_run *r, size_t n) {
    AUTO(text_buffer_clear) text_buffer line = {0};
    if (n == 0)
        return;
    text_append_format(&line, "%zu damaged result%s removed from the store; cells without a result run again.\n", n,
                       n == 1 ? " was" : "s were");
    say(r, line.data);
}

static void append_progress(const shared_run *r, text_buffer *line) {
    const plan_jobs *left = &r->out->left;
    const tasks *t = &r->tasks;
    text_append_format(line, "%zu of %zu cells", left->total - left->queued - left->claimed - left->given_up,
                       left->total);
    if (left->given_up > 0)
        text_append_format(line, ", %zu given up", left->given_up);
    if (t->n_living > 0)
        text_append_format(line, ", %zu workers on %s", t->n_living, t->machines.data);
    if (t->queue.n_waiting > 0)
        text_append_format(line, ", %zu tasks wait%s%s%s", t->queue.n_waiting, *t->queue.why ? " (" : "", t->queue.why,
                           *t->queue.why ? ")" : "");
}

static void show(shared_run *r) {
    AUTO(text_buffer_clear) text_buffer line = {0};
    if (r->options->quiet || (!r->options->show_progress && run_clock_s() - r->printed_s < PRINT_EVERY_S))
        return;
    r->printed_s = run_clock_s();
    append_progress(r, &line);
    if (line.failed)
        return;
    end_line(r);
    (void)fprintf(stderr, r->options->show_progress ? "%s" : "%s\n", line.data);
    (void)fflush(stderr);
}

/* ---- the beginning ---- */

static status open_run(shared_run *r, const experiment *e, error_info *err) {
    const shared_options *o = r->options;
    plan_jobs laid = {0};
    size_t n_damaged = 0;
    CHECK(run_signals_take(&r->signals, err));
    CHECK(runner_write_plan(e, o->folder, &o->plan, &laid, err));
    r->folder = realpath(o->folder, NULL);
    if (!r->folder)
        return error_set(err, STATUS_IO, "%s: %s", o->folder, strerror(errno));
    CHECK(folder_plan_read(r->folder, &r->plan, err));
    CHECK(lease_begin(r->folder, r->plan.lease_s, &r->lease, err));
    CHECK(collector_open(&r->collector, r->folder, &r->plan, o->store_folder, &n_damaged, err));
    say_damaged(r, laid.n_damaged + n_damaged);
    r->tasks = (tasks){.options = o, .folder = r->folder, .plan = &r->plan, .signals = &r->signals};
    tasks_init(&r->tasks);
    return losses_look(&r->losses, r->folder, &r->plan, NULL, err);
}

/* ---- a round ---- */

/* A scheduler that does not answer may do so later, once it has taken a submission. */
static status ask_scheduler(shared_run *r, error_info *err) {
    error_info why = {0};
    status st;
    double wait_s = fmin(SLOWEST_ROUND_S, ROUND_S + 0.1 * (run_clock_s() - r->began_s));
    if (r->out->is_submitted && !r->options->submit && run_clock_s() - r->asked_s < wait_s)
        return STATUS_OK;
    r->asked_s = run_clock_s();
    st = tasks_are_gone(&r->tasks, r->now_s, &r->are_gone, &why);
    if (st == STATUS_IO && r->out->is_submitted && !r->options->submit && !r->signals.came) {
        say_trouble(r, "The scheduler gives no answer", &why);
        return STATUS_OK;
    }
    return st == STATUS_OK ? st : error_set(err, st, "%s", why.message);
}

static status see_losses(shared_run *r, error_info *err) {
    AUTO(text_buffer_clear) text_buffer said = {0};
    AUTO(job_places_clear) job_places seen = {0};
    size_t n = 0;
    CHECK(plan_folder_look(r->folder, &seen, err));
    CHECK(claims_return_dead(r->folder, &r->plan, &r->lease, &seen, r->now_s, &n, err));
    CHECK(losses_look(&r->losses, r->folder, &r->plan, &said, err));
    say(r, said.data);
    return STATUS_OK;
}

static status take_results(shared_run *r, error_info *err) {
    text_buffer_clear(&r->collected.refused);
    CHECK(collector_take(&r->collector, &r->collected, err));
    say(r, r->collected.refused.data);
    r->out->left = r->collected.left;
    return STATUS_OK;
}

static status look(shared_run *r, error_info *err) {
    CHECK(lease_now(&r->lease, &r->now_s, err));
    CHECK(tasks_see_living(&r->tasks, &r->lease, r->now_s, err));
    CHECK(ask_scheduler(r, err));
    CHECK(see_losses(r, err));
    CHECK(take_results(r, err));
    show(r);
    return STATUS_OK;
}

static bool is_over(const shared_run *r) {
    return r->out->left.queued + r->out->left.claimed == 0;
}

/* ---- submitting ---- */

static size_t count_results(const shared_run *r) {
    const plan_jobs *left = &r->out->left;
    return left->total - left->queued - left->claimed - left->given_up;
}

/* The last submission brought no result: that many in a row, and the machines or their scheduler are at fault. */
static bool is_in_vain(shared_run *r) {
    if (r->out->is_submitted && count_results(r) == r->n_results_before)
        r->n_fruitless++;
    else
        r->n_fruitless = 0;
    return r->n_fruitless > r->options->plan.retries;
}

static status submit(shared_run *r, error_info *err) {
    AUTO(text_buffer_clear) text_buffer avoid = {0};
    error_info why = {0};
    status st;
    if (r->out->is_submitted)
        losses_append_machines(&r->losses, &r->losses_before, &avoid);
    CHECK(losses_look(&r->losses_before, r->folder, &r->plan, NULL, err));
    r->n_results_before = count_results(r);
    st = tasks_submit(&r->tasks, r->out->left.queued, avoid.data ? avoid.data : "", r->now_s, &r->out->said, &why);
    r->began_s = r->asked_s = run_clock_s();
    r->are_gone = false;
    if (st == STATUS_IO && r->out->is_submitted && !r->signals.came) {
        say_trouble(r, "The workers were not submitted", &why);
        return STATUS_OK;
    }
    if (st == STATUS_OK && r->out->is_submitted)
        say(r, avoid.data ? "Workers were lost: others are submitted, on other machines.\n"
                          : "The workers have left with jobs undone: others are submitted.\n");
    r->out->is_submitted = true;
    return st == STATUS_OK ? st : error_set(err, st, "%s", why.message);
}

/* Where no task is left and there are jobs, there are to be workers. */
static status keep_workers(shared_run *r, error_info *err) {
    if (!r->are_gone || r->out->left.queued == 0)
        return STATUS_OK;
    r->out->is_in_vain = is_in_vain(r);
    return r->out->is_in_vain ? STATUS_OK : submit(r, err);
}

/* True where a signal came, now or while the scheduler was asked. */
static bool wait_for_signal(shared_run *r, double seconds) {
    struct pollfd polled = {.fd = r->signals.fd, .events = POLLIN};
    return r->signals.came || (poll(&polled, 1, (int)(1000 * seconds)) > 0 && run_signals_read(&r->signals));
}

static status follow(shared_run *r, error_info *err) {
    for (;;) {
        CHECK(look(r, err));
        if (is_over(r) || r->signals.came)
            return STATUS_OK;
        CHECK(keep_workers(r, err));
        if (r->out->is_in_vain)
            return STATUS_OK;
        if (wait_for_signal(r, ROUND_S))
            return STATUS_OK;
    }
}

/* A template's command may stay until its workers are done, or just submit them. */
static status wait_for_command(shared_run *r, error_info *err) {
    while (!helper_is_over(&r->tasks.command)) {
        if (wait_for_signal(r, ROUND_S / 10))
            return STATUS_OK;
    }
    return look(r, err);
}

static status submit_once(shared_run *r, error_info *err) {
    CHECK(look(r, err));
    if (r->signals.came)
        return STATUS_OK;
    CHECK(keep_workers(r, err));
    return r->options->submit && r->out->is_submitted ? wait_for_command(r, err) : STATUS_OK;
}

status runner_run_shared(const experiment *e, const shared_options *options, shared_outcome *out, error_info *err) {
    AUTO(clear)
    shared_run r = {.options = options, .signals = {.fd = -1}, .tasks.command = {.out = -1, .errors = -1}, .out = out};
    error_info why = {0};
    status st;
    CHECK(open_run(&r, e, err));
    st = options->follows ? follow(&r, &why) : submit_once(&r, &why);
    out->interrupted = r.signals.came;
    if (st != STATUS_OK && !(st == STATUS_IO && out->interrupted))
        return error_set(err, st, "%s", why.message);
    end_line(&r);
    out->is_over = is_over(&r);
    out->has_ended_command = out->interrupted && !helper_is_over(&r.tasks.command);
    if (out->is_over)
        tasks_cancel(&r.tasks);
    return losses_explain(&r.losses, r.folder, &r.plan, &out->trouble, err);
}
