/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/work/worker_internal.h"

#include "build_info.h"
#include "core/base/file.h"
#include "core/base/scratch.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/run/run_context.h"
#include "runner/work/process_internal.h"
#include "runner/work/record_file_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

/* How often memory is looked at, in seconds: a program's own children escape RLIMIT_DATA, a learner of ours does not.
 */
#define LOOK_OFTEN_S 0.02
#define LOOK_SELDOM_S 0.2

static const experiment *experiment_of(const worker *w) {
    return plan_experiment(w->job.plan);
}

/* The private folder, and a link to it in the spool by which the next run finds it should this one be killed. */
static status make_scratch(worker *w, const char *spool, error_info *err) {
    const char *place = getenv("TMPDIR");
    CHECK_ALLOC(w->scratch_link = path_join_ending(spool, w->job.key, ".folder"));
    CHECK(scratch_create(place && *place == '/' ? place : "/tmp", "bnbench-job-", &w->scratch, err));
    if (symlink(w->scratch, w->scratch_link) != 0 && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: %s", w->scratch_link, strerror(errno));
    return STATUS_OK;
}

static void close_pair(int pair[2]) {
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0)
            (void)close(pair[i]);
    }
}

static status launch(worker *w, const sigset_t *mask, error_info *err) {
    int messages[2] = {-1, -1}, errors[2] = {-1, -1};
    pid_t parent = getpid();
    status st = STATUS_OK;
    if (pipe2(messages, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0) {
        st = error_set(err, STATUS_IO, "no pipe: %s", strerror(errno));
        goto cleanup;
    }
    w->pid = fork();
    if (w->pid == 0)
        worker_become(w, mask, parent, messages[1], errors[1]);
    if (w->pid < 0) {
        st = error_set(err, STATUS_IO, "no new process: %s", strerror(errno));
        goto cleanup;
    }
    (void)setpgid(w->pid, w->pid);
    w->messages = messages[0];
    w->errors = errors[0];
    (void)fcntl(w->messages, F_SETFL, O_NONBLOCK);
    (void)fcntl(w->errors, F_SETFL, O_NONBLOCK);
    messages[0] = errors[0] = -1;
cleanup:
    close_pair(messages);
    close_pair(errors);
    return st;
}

status worker_start(const job *j, const char *spool, const sigset_t *mask, worker *out, error_info *err) {
    worker w = {.job = *j, .messages = -1, .errors = -1};
    status st = STATUS_OK;
    TRY_ALLOC(w.result_path = path_join_ending(spool, j->key, ".json"));
    TRY_ALLOC(w.tail = calloc(WORKER_TAIL_BYTES + 1, 1));
    if (worker_is_external(&w))
        TRY(make_scratch(&w, spool, err));
    TRY(launch(&w, mask, err));
    *out = w;
    return STATUS_OK;
cleanup:
    worker_clear(&w);
    return st;
}

static void close_descriptor(int *fd) {
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

void worker_clear(worker *w) {
    close_descriptor(&w->messages);
    close_descriptor(&w->errors);
    scratch_destroy(w->scratch);
    if (w->scratch_link)
        (void)unlink(w->scratch_link);
    free(w->scratch_link);
    free(w->result_path);
    free(w->tail);
    *w = (worker){.messages = -1, .errors = -1};
}

static void take_message(worker *w, const job_message *m, double now_s) {
    if (m->event == JOB_LEARNING_STARTS) {
        w->learning_started = true;
        w->started_s = now_s;
        w->cpu_before = m->cpu_seconds;
        memcpy(w->fingerprint, m->fingerprint, sizeof w->fingerprint);
        w->fingerprint[sizeof w->fingerprint - 1] = '\0';
    } else if (m->event == JOB_LEARNING_ENDS) {
        w->learning_ended = true;
    }
}

static void read_messages(worker *w, double now_s) {
    job_message m;
    ssize_t n;
    while (w->messages >= 0 && (n = read(w->messages, &m, sizeof m)) != -1) {
        if (n == sizeof m)
            take_message(w, &m, now_s);
        else
            close_descriptor(&w->messages);
    }
}

/* Keeps the last bytes. */
static void add_to_tail(worker *w, const char *bytes, size_t n) {
    size_t keep;
    if (n > WORKER_TAIL_BYTES) {
        bytes += n - WORKER_TAIL_BYTES;
        n = WORKER_TAIL_BYTES;
    }
    keep = w->tail_length + n > WORKER_TAIL_BYTES ? WORKER_TAIL_BYTES - n : w->tail_length;
    memmove(w->tail, w->tail + w->tail_length - keep, keep);
    memcpy(w->tail + keep, bytes, n);
    w->tail_length = keep + n;
}

static void read_errors(worker *w) {
    char bytes[4096];
    for (int round = 0; w->errors >= 0 && round < 64; round++) { /* a flood must not hold the others up */
        ssize_t n = read(w->errors, bytes, sizeof bytes);
        if (n > 0)
            add_to_tail(w, bytes, (size_t)n);
        else if (n == 0)
            close_descriptor(&w->errors);
        else
            return;
    }
}

static void end_it(worker *w, kill_reason reason, double now_s) {
    if (w->reason == KILLED_NOT) {
        w->reason = reason;
        w->learned_s = w->learning_started ? now_s - w->started_s : 0;
    }
    process_kill_tree(w->pid);
}

void worker_stop(worker *w) {
    end_it(w, KILLED_TO_STOP, run_clock_s());
}

/* A learner of ours sees its deadline and may bring home what it has; a program gets what was agreed. */
static double time_allowed(const worker *w) {
    double limit = experiment_of(w)->time_limit_s;
    if (limit <= 0)
        return INFINITY;
    return worker_is_external(w) ? limit : limit + fmax(2, 0.1 * limit);
}

static bool is_learning(const worker *w) {
    return w->learning_started && !w->learning_ended;
}

static void check_time(worker *w, double now_s) {
    if (is_learning(w) && now_s - w->started_s >= time_allowed(w))
        end_it(w, KILLED_FOR_TIME, now_s);
}

static double look_interval(const worker *w) {
    return worker_is_external(w) || BNB_SANITIZERS[0] ? LOOK_OFTEN_S : LOOK_SELDOM_S;
}

static void check_memory(worker *w, double now_s) {
    uint64_t limit = experiment_of(w)->memory_limit_bytes, bytes;
    if (limit == 0 || now_s - w->looked_s < look_interval(w))
        return;
    w->looked_s = now_s;
    bytes = process_tree_resident_bytes(w->pid);
    if (bytes > limit)
        bytes = process_tree_proportional_bytes(w->pid);
    if (bytes > w->peak_bytes)
        w->peak_bytes = bytes;
    if (bytes > limit)
        end_it(w, KILLED_FOR_MEMORY, now_s);
}

/* Its group is ended before it is reaped, while its number cannot be another's. */
static bool reap(worker *w) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
        return false;
    (void)kill(-w->pid, SIGKILL);
    return wait4(w->pid, &w->how, 0, &w->usage) == w->pid;
}

bool worker_step(worker *w, double now_s) {
    if (w->is_over)
        return true;
    read_messages(w, now_s);
    read_errors(w);
    if (reap(w)) {
        read_messages(w, now_s);
        read_errors(w);
        return w->is_over = true;
    }
    if (w->reason == KILLED_NOT) {
        check_time(w, now_s);
        check_memory(w, now_s);
    }
    return false;
}

double worker_patience(const worker *w, double now_s) {
    double wait = w->messages < 0 || w->reason != KILLED_NOT ? 0.002 : 0.5;
    if (experiment_of(w)->memory_limit_bytes > 0)
        wait = fmin(wait, look_interval(w));
    if (is_learning(w))
        wait = fmin(wait, fmax(0, w->started_s + time_allowed(w) - now_s));
    return wait;
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void describe_end(const worker *w, job_record *r, char *text, size_t size) {
    char number[64];
    double limit = experiment_of(w)->time_limit_s;
    if (w->reason == KILLED_FOR_TIME) {
        r->state = JOB_TIMEOUT;
        (void)snprintf(text, size, "stopped at its limit of %g s", limit);
    } else if (w->reason == KILLED_FOR_MEMORY) {
        r->state = JOB_MEMORY;
        (void)snprintf(text, size, "stopped at %.0f MiB; its limit is %.0f MiB", (double)w->peak_bytes / 1048576,
                       (double)experiment_of(w)->memory_limit_bytes / 1048576);
    } else if (WIFSIGNALED(w->how)) {
        (void)snprintf(text, size, "the job was ended by %s%s",
                       process_signal_text(WTERMSIG(w->how), number, sizeof number),
                       WTERMSIG(w->how) == SIGKILL ? "; perhaps the machine had no memory left" : "");
    } else {
        (void)snprintf(text, size, "the job ended with status %d and left no result", WEXITSTATUS(w->how));
    }
}

/* What is known of a job that could not say it itself. */
static status write_obituary(const worker *w, job_record *out, error_info *err) {
    job_record r = {0};
    char text[256];
    double cpu = seconds_of(w->usage.ru_utime) + seconds_of(w->usage.ru_stime) - w->cpu_before;
    status st = STATUS_OK;
    TRY(job_begin_record(&w->job, &r, err));
    describe_end(w, &r, text, sizeof text);
    TRY_ALLOC(r.message = text_copy(text));
    if (w->fingerprint[0])
        TRY_ALLOC(r.fingerprint = text_copy(w->fingerprint));
    r.wall_seconds = w->learned_s;
    r.cpu_seconds = w->learning_started && cpu > 0 ? cpu : 0;
    r.peak_memory_bytes = (uint64_t)w->usage.ru_maxrss * 1024;
    if (w->peak_bytes > r.peak_memory_bytes)
        r.peak_memory_bytes = w->peak_bytes;
    *out = r;
    r = (job_record){0};
cleanup:
    job_record_clear(&r);
    return st;
}

/* A program that ended badly close to its limit ended for want of memory. */
static void see_want_of_memory(const worker *w, job_record *r) {
    uint64_t limit = experiment_of(w)->memory_limit_bytes;
    if (worker_is_external(w) && limit > 0 && r->state == JOB_FAILED && r->peak_memory_bytes > limit)
        r->state = JOB_MEMORY;
}

static status add_errors(const worker *w, job_record *r, error_info *err) {
    if (w->tail_length == 0 || r->stderr_tail)
        return STATUS_OK;
    for (size_t i = 0; i < w->tail_length; i++) {
        if (w->tail[i] == '\0')
            w->tail[i] = '?';
    }
    w->tail[w->tail_length] = '\0';
    utf8_clean(w->tail);
    r->stderr_tail = text_copy(w->tail);
    return r->stderr_tail ? STATUS_OK : error_out_of_memory(err);
}

status worker_take_record(worker *w, job_record *out, bool *has_record, error_info *err) {
    job_record r = {0};
    status st = STATUS_OK;
    bool wrote = file_exists(w->result_path);
    *has_record = false;
    if (!wrote && w->reason == KILLED_TO_STOP)
        return STATUS_OK;
    if (!wrote && w->reason == KILLED_NOT && WIFEXITED(w->how) && WEXITSTATUS(w->how) == JOB_EXIT_IO)
        return error_set(err, STATUS_IO, "a job could not write its files: %.*s",
                         (int)(w->tail_length > 400 ? 400 : w->tail_length), w->tail);
    TRY(wrote ? record_read(w->result_path, &r, err) : write_obituary(w, &r, err));
    see_want_of_memory(w, &r);
    TRY(add_errors(w, &r, err));
    *out = r;
    *has_record = true;
    r = (job_record){0};
cleanup:
    job_record_clear(&r);
    return st;
}
