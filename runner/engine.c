/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/engine_internal.h"

#include "core/run/run_context.h"
#include "runner/job/job_process_internal.h"
#include "runner/job/process_internal.h"
#include "runner/jobs_at_once_internal.h"
#include "runner/run_signals_internal.h"

#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const engine_options *options;
    const engine_client *client;
    job_process *running;
    size_t n_running, n_most;
    uint64_t computer_bytes; /* of memory */
    struct pollfd *polled;
    run_signals signals;
    job waiting;  /* taken from the client, and not started yet */
    job *put_off; /* those that found no room on the disk beside others; as many as may run, and the one that waits */
    size_t n_put_off;
    bool has_waiting, is_stopping, is_leaving;
    double stopped_s; /* when it began to stop */
} engine;

/* Seconds for the jobs to end once they are stopped: one that cannot be killed is not waited for. */
#define STOPPING_S 5

/* How long after a job that failed its own end may be told to this process, if it is the same that ends both. */
enum { DOUBT_MS = 500 };

static void engine_clear(engine *g) {
    run_signals_give_back(&g->signals);
    free(g->running);
    free(g->put_off);
    free(g->polled);
}

static void stop_all(engine *g) {
    if (!g->is_stopping)
        g->stopped_s = run_clock_s();
    g->is_stopping = true;
    for (size_t i = 0; i < g->n_running; i++)
        job_process_stop(&g->running[i]);
}

/* The first signal ends the jobs and waits for their end, the second does not wait. */
static void read_signals(engine *g) {
    while (run_signals_read(&g->signals)) {
        g->is_leaving = g->is_stopping;
        stop_all(g);
    }
    if (g->is_stopping && run_clock_s() >= g->stopped_s + STOPPING_S)
        g->is_leaving = true;
}

static status take_next(engine *g, error_info *err) {
    if (g->n_put_off == 0)
        return g->client->next(g->client->self, &g->waiting, &g->has_waiting, err);
    g->waiting = g->put_off[--g->n_put_off];
    g->has_waiting = true;
    return STATUS_OK;
}

/* A job for which there is no room waits for the next round, as long as others run that may make room. */
static status start_some(engine *g, error_info *err) {
    while (!g->is_stopping && g->n_running < g->n_most) {
        status st;
        if (!g->has_waiting)
            CHECK(take_next(g, err));
        if (!g->has_waiting)
            return STATUS_OK;
        st = job_process_start(&g->waiting, g->options->spool, g->computer_bytes, &g->signals.mask_before,
                               &g->running[g->n_running], err);
        if ((st == STATUS_MEMORY || st == STATUS_IO) && g->n_running > 0)
            return STATUS_OK;
        CHECK(st);
        g->has_waiting = false;
        g->n_running++;
        for (size_t i = 0; i < g->n_running; i++)
            g->running[i].had_company |= g->n_running > 1;
    }
    return STATUS_OK;
}

/* Whether a failure is to be taken for the work of whoever is ending this process too. */
static bool was_stopped_with_us(engine *g, const job_record *record) {
    struct pollfd signals = {.fd = g->signals.fd, .events = POLLIN};
    if (!g->options->doubts_failures || record->state != JOB_FAILED)
        return false;
    if (!g->is_stopping && poll(&signals, 1, DOUBT_MS) > 0)
        read_signals(g);
    return g->is_stopping;
}

/* From now on: what those that run need of the disk together does not fit, or one of them fills it. */
static void run_one_fewer(engine *g) {
    g->n_most = g->n_running > 1 ? g->n_running - 1 : 1;
}

static void note_full_disk(engine *g, size_t i) {
    if (g->is_stopping || g->n_running < 2 || !job_process_has_full_disk(&g->running[i]))
        return;
    run_one_fewer(g);
    for (size_t other = 0; other < g->n_running; other++)
        g->running[other].met_full_disk |= other != i;
}

/* The files of a job go with it: this is the last time that a disk which they fill is seen to be full. */
static void forget(engine *g, size_t i) {
    note_full_disk(g, i);
    job_process_clear(&g->running[i]);
    g->running[i] = g->running[--g->n_running];
}

/* A job for which the disk had no room beside others runs again when there are fewer. */
static void put_off(engine *g, size_t i) {
    job again = g->running[i].job;
    again.group = NULL;
    again.is_in_group = again.group_has_limit = false;
    g->put_off[g->n_put_off++] = again;
    forget(g, i);
}

/* What a program did for which the disk was full at some time is no result, unless it filled the disk itself. */
static bool is_doubtful(const job_process *p, const job_record *record) {
    bool has_ended = record->state == JOB_DONE || record->state == JOB_FAILED;
    return p->met_full_disk && job_process_is_external(p) && !p->filled_disk && has_ended;
}

static status finish_one(engine *g, size_t i, error_info *err) {
    job_process *p = &g->running[i];
    AUTO(job_record_clear) job_record record = {0};
    bool has_record = false, is_no_result;
    error_info why = {0};
    status st = job_process_take_record(p, &record, &has_record, &why);
    is_no_result = has_record && is_doubtful(p, &record);
    if ((st == STATUS_IO || is_no_result) && p->had_company && !g->is_stopping) {
        if (st == STATUS_IO)
            run_one_fewer(g);
        (void)unlink(p->result_path);
        put_off(g, i);
        return STATUS_OK;
    }
    if (st != STATUS_OK)
        (void)error_set(err, st, "%s", why.message);
    if (is_no_result || (has_record && was_stopped_with_us(g, &record))) {
        (void)unlink(p->result_path);
        has_record = false;
    }
    if (st == STATUS_OK)
        st = g->client->finish(g->client->self, &p->job, has_record ? &record : NULL, p->result_path, err);
    forget(g, i);
    return st;
}

/* Takes in what the running jobs said, and hands those that are over to the client. */
static status step_all(engine *g, error_info *err) {
    double now = run_clock_s();
    for (size_t i = 0; i < g->n_running;) {
        if (job_process_step(&g->running[i], now)) {
            CHECK(finish_one(g, i, err));
        } else {
            i++;
        }
    }
    return STATUS_OK;
}

/* Sleeps until a job or a signal says something, or a limit is near. */
static void wait_for_news(engine *g) {
    double now = run_clock_s(), patience = 0.5;
    size_t n = 0;
    g->polled[n++] = (struct pollfd){.fd = g->signals.fd, .events = POLLIN};
    for (size_t i = 0; i < g->n_running; i++) {
        const job_process *p = &g->running[i];
        patience = fmin(patience, job_process_patience(p, now));
        g->polled[n++] = (struct pollfd){.fd = p->messages, .events = POLLIN}; /* poll skips a negative one */
        g->polled[n++] = (struct pollfd){.fd = p->errors, .events = POLLIN};
    }
    (void)poll(g->polled, n, (int)ceil(1000 * patience));
}

static bool is_waiting(const engine *g) {
    return !g->is_stopping && g->client->is_waiting && g->client->is_waiting(g->client->self);
}

/* The jobs that were taken and are not begun. */
static status give_back(engine *g, error_info *err) {
    if (g->has_waiting)
        CHECK(g->client->finish(g->client->self, &g->waiting, NULL, "", err));
    for (size_t i = 0; i < g->n_put_off; i++)
        CHECK(g->client->finish(g->client->self, &g->put_off[i], NULL, "", err));
    return STATUS_OK;
}

static status loop(engine *g, error_info *err) {
    for (;;) {
        CHECK(start_some(g, err));
        if ((g->n_running == 0 && !is_waiting(g)) || g->is_leaving)
            break;
        wait_for_news(g);
        read_signals(g);
        CHECK(step_all(g, err));
        if (g->client->tick)
            CHECK(g->client->tick(g->client->self, err));
    }
    return give_back(g, err);
}

/* Kills every job that still runs, after an error or a second signal. A kill takes effect at once, so the wait is
 * short; it is one for all of them. */
static void bury_the_rest(engine *g) {
    stop_all(g);
    for (int round = 0; round < 1500 && g->n_running > 0; round++) {
        for (size_t i = g->n_running; i-- > 0;) {
            if (!job_process_step(&g->running[i], run_clock_s()))
                continue;
            forget(g, i);
        }
        if (g->n_running > 0)
            (void)poll(NULL, 0, 2);
    }
    while (g->n_running > 0)
        job_process_clear(&g->running[--g->n_running]);
}

status engine_run(const engine_options *options, const engine_client *client, bool *interrupted, error_info *err) {
    AUTO(engine_clear)
    engine g = {.options = options,
                .client = client,
                .signals = {.fd = -1},
                .computer_bytes = process_physical_memory(),
                .n_most = jobs_that_fit(options->n_jobs, options->memory_limit_bytes)};
    status st = STATUS_OK;
    *interrupted = false;
    CHECK_ALLOC(g.running = calloc(g.n_most, sizeof *g.running));
    CHECK_ALLOC(g.put_off = calloc(g.n_most + 1, sizeof *g.put_off));
    CHECK_ALLOC(g.polled = calloc(2 * g.n_most + 1, sizeof *g.polled));
    CHECK(run_signals_take(&g.signals, err));
    (void)malloc_trim(0); /* jobs start as copies of this process: what it freed would count as theirs */
    st = loop(&g, err);
    *interrupted = g.is_stopping;
    bury_the_rest(&g);
    return st;
}
