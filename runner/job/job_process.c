/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/job/job_process_internal.h"

#include "build_info.h"
#include "core/base/file.h"
#include "core/base/scratch.h"
#include "core/base/text.h"
#include "core/base/utf8.h"
#include "core/run/run_context.h"
#include "runner/job/control_group_internal.h"
#include "runner/job/disk_room_internal.h"
#include "runner/job/process_internal.h"
#include "runner/job/record_file_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

/* Seconds between two looks at a job's memory. RLIMIT_DATA does not count the children of a program together, so that a
 * program is looked at often; a learner of ours is stopped by RLIMIT_DATA. */
#define LOOK_OFTEN_S 0.02
#define LOOK_SELDOM_S 0.2

/* Seconds that a job gets to end its program and all that it started. */
#define GRACE_S 2

static const experiment *experiment_of(const job_process *p) {
    return plan_experiment(p->job.plan);
}

/* Makes the private folder, and a link to it in the spool: should this run be killed, the next one finds and removes
 * it. */
static status make_scratch(job_process *p, const char *spool, error_info *err) {
    const char *place = getenv("TMPDIR");
    CHECK_ALLOC(p->scratch_link = path_join_ending(spool, p->job.key, ".folder"));
    CHECK(scratch_create(place && *place == '/' ? place : "/tmp", "bnbench-job-", &p->scratch, err));
    if (symlink(p->scratch, p->scratch_link) != 0 && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: %s", p->scratch_link, strerror(errno));
    return STATUS_OK;
}

/* A link in the spool names the group too. Where none can be made, process groups must do. */
static status make_group(job_process *p, const char *spool, error_info *err) {
    AUTO_FREE char *own = control_group_own();
    if (!own)
        return STATUS_OK;
    CHECK_ALLOC(p->group_link = path_join_ending(spool, p->job.key, ".group"));
    p->group = control_group_create(own, experiment_of(p)->memory_limit_bytes, &p->job.group_has_limit);
    p->job.group = p->group;
    if (p->group && symlink(p->group, p->group_link) != 0 && errno != EEXIST)
        return error_set(err, STATUS_IO, "%s: %s", p->group_link, strerror(errno));
    return STATUS_OK;
}

static void close_descriptor(int *fd) {
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

static void close_pair(int (*pair)[2]) {
    close_descriptor(&(*pair)[0]);
    close_descriptor(&(*pair)[1]);
}

static status launch(job_process *p, const sigset_t *mask, error_info *err) {
    AUTO(close_pair) int messages[2] = {-1, -1}, errors[2] = {-1, -1};
    pid_t parent = getpid();
    if (pipe2(messages, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
        return error_set(err, STATUS_MEMORY, "no pipe to a new job: %s", strerror(errno));
    p->pid = fork();
    if (p->pid == 0)
        job_process_become(p, mask, parent, messages[1], errors[1]);
    if (p->pid < 0)
        return error_set(err, STATUS_MEMORY, "no new process: %s", strerror(errno));
    (void)setpgid(p->pid, p->pid);
    p->messages = messages[0];
    p->errors = errors[0];
    (void)fcntl(p->messages, F_SETFL, O_NONBLOCK);
    (void)fcntl(p->errors, F_SETFL, O_NONBLOCK);
    messages[0] = errors[0] = -1;
    return STATUS_OK;
}

status job_process_start(const job *j, const char *spool, uint64_t computer_bytes, const sigset_t *mask,
                         job_process *out, error_info *err) {
    AUTO(job_process_clear) job_process p = {.job = *j, .computer_bytes = computer_bytes, .messages = -1, .errors = -1};
    CHECK_ALLOC(p.result_path = path_join_ending(spool, j->key, ".json"));
    CHECK_ALLOC(p.tail = calloc(JOB_TAIL_BYTES + 1, 1));
    if (job_process_is_external(&p)) {
        CHECK(make_scratch(&p, spool, err));
        CHECK(make_group(&p, spool, err));
    }
    CHECK(launch(&p, mask, err));
    *out = p;
    p = (job_process){.messages = -1, .errors = -1};
    return STATUS_OK;
}

bool job_process_has_full_disk(const job_process *p) {
    return p->scratch && disk_room_is_full(p->scratch);
}

void job_process_clear(job_process *p) {
    close_descriptor(&p->messages);
    close_descriptor(&p->errors);
    control_group_destroy(p->group); /* before its folder: nothing writes there any more */
    if (p->group_link)
        (void)unlink(p->group_link);
    free(p->group_link);
    scratch_destroy(p->scratch);
    if (p->scratch_link)
        (void)unlink(p->scratch_link);
    free(p->scratch_link);
    free(p->result_path);
    free(p->tail);
    *p = (job_process){.messages = -1, .errors = -1};
}

static void take_message(job_process *p, const job_message *m, double now_s) {
    if (m->event == JOB_LEARNING_STARTS) {
        p->learning_started = true;
        p->started_s = now_s;
        p->cpu_before = m->cpu_seconds;
        memcpy(p->fingerprint, m->fingerprint, sizeof p->fingerprint);
        p->fingerprint[sizeof p->fingerprint - 1] = '\0';
    } else if (m->event == JOB_LEARNING_ENDS) {
        p->learning_ended = true;
    } else if (m->event == JOB_IS_IN_GROUP) {
        p->job.is_in_group = true;
    } else if (m->event == JOB_FILLED_DISK) {
        p->filled_disk = true;
    }
}

static void read_messages(job_process *p, double now_s) {
    job_message m;
    ssize_t n;
    while (p->messages >= 0 && (n = read(p->messages, &m, sizeof m)) != -1) {
        if (n == sizeof m)
            take_message(p, &m, now_s);
        else
            close_descriptor(&p->messages);
    }
}

/* Of standard error the last JOB_TAIL_BYTES are kept. */
static void add_to_tail(job_process *p, const char *bytes, size_t n) {
    size_t keep;
    if (n > JOB_TAIL_BYTES) {
        bytes += n - JOB_TAIL_BYTES;
        n = JOB_TAIL_BYTES;
    }
    keep = p->tail_length + n > JOB_TAIL_BYTES ? JOB_TAIL_BYTES - n : p->tail_length;
    memmove(p->tail, p->tail + p->tail_length - keep, keep);
    memcpy(p->tail + keep, bytes, n);
    p->tail_length = keep + n;
}

static void read_errors(job_process *p) {
    char bytes[4096];
    for (int round = 0; p->errors >= 0 && round < 64; round++) { /* a flood must not hold the others up */
        ssize_t n = read(p->errors, bytes, sizeof bytes);
        if (n > 0)
            add_to_tail(p, bytes, (size_t)n);
        else if (n == 0)
            close_descriptor(&p->errors);
        else
            return;
    }
}

static void kill_all(const job_process *p) {
    process_kill_tree(p->pid);
    if (p->group)
        control_group_kill(p->group);
}

/* The job of a program ends what that started, and then itself: while it lives, none of them can leave the tree. */
static void end_it(job_process *p, kill_reason reason, double now_s) {
    if (p->reason == KILLED_NOT) {
        p->reason = reason;
        p->learned_s = p->learning_started ? now_s - p->started_s : 0;
        p->killed_s = now_s;
    }
    if (job_process_is_external(p) && now_s - p->killed_s < GRACE_S) {
        (void)kill(p->pid, SIGTERM);
        (void)kill(p->pid, SIGCONT); /* its program may have stopped it */
    } else {
        kill_all(p);
    }
}

void job_process_stop(job_process *p) {
    end_it(p, KILLED_TO_STOP, run_clock_s());
}

/* A learner of ours sees its deadline and gets some time more to return its best graph; a program
 * gets the limit alone. */
static double time_allowed(const job_process *p) {
    double limit = experiment_of(p)->time_limit_s;
    if (limit <= 0)
        return INFINITY;
    return job_process_is_external(p) ? limit : limit + fmax(2, 0.1 * limit);
}

static bool is_learning(const job_process *p) {
    return p->learning_started && !p->learning_ended;
}

static void check_time(job_process *p, double now_s) {
    if (is_learning(p) && now_s - p->started_s >= time_allowed(p))
        end_it(p, KILLED_FOR_TIME, now_s);
}

static double look_interval(const job_process *p) {
    return job_process_is_external(p) || BNB_SANITIZERS[0] ? LOOK_OFTEN_S : LOOK_SELDOM_S;
}

static void check_memory(job_process *p, double now_s) {
    uint64_t limit = experiment_of(p)->memory_limit_bytes, bytes;
    if (limit == 0 || now_s - p->looked_s < look_interval(p))
        return;
    p->looked_s = now_s;
    bytes = process_tree_resident_bytes(p->pid);
    if (bytes > limit)
        bytes = process_tree_proportional_bytes(p->pid);
    if (bytes > p->peak_bytes)
        p->peak_bytes = bytes;
    if (bytes > limit)
        end_it(p, KILLED_FOR_MEMORY, now_s);
}

/* Kills the group of a process that has ended before wait4 frees its number, which another process could get. */
static bool reap(job_process *p) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
        return false;
    (void)kill(-p->pid, SIGKILL);
    if (p->group)
        control_group_kill(p->group);
    return wait4(p->pid, &p->how, 0, &p->usage) == p->pid;
}

bool job_process_step(job_process *p, double now_s) {
    if (p->is_over)
        return true;
    read_messages(p, now_s);
    read_errors(p);
    if (reap(p)) {
        read_messages(p, now_s);
        read_errors(p);
        return p->is_over = true;
    }
    if (p->reason == KILLED_NOT) {
        check_time(p, now_s);
        check_memory(p, now_s);
    } else if (now_s - p->killed_s >= GRACE_S) {
        kill_all(p);
    }
    return false;
}

double job_process_patience(const job_process *p, double now_s) {
    double wait = p->messages < 0 || p->reason != KILLED_NOT ? 0.002 : 0.5;
    if (experiment_of(p)->memory_limit_bytes > 0)
        wait = fmin(wait, look_interval(p));
    if (is_learning(p))
        wait = fmin(wait, fmax(0, p->started_s + time_allowed(p) - now_s));
    return wait;
}

static void describe_end(const job_process *p, job_record *r, char *text, size_t size) {
    char number[64];
    double limit = experiment_of(p)->time_limit_s;
    if (p->reason == KILLED_FOR_TIME) {
        r->state = JOB_TIMEOUT;
        (void)snprintf(text, size, "stopped at its limit of %g s", limit);
    } else if (p->reason == KILLED_FOR_MEMORY) {
        r->state = JOB_MEMORY;
        (void)snprintf(text, size, "stopped at %.0f MiB; its limit is %.0f MiB", (double)p->peak_bytes / 1048576,
                       (double)experiment_of(p)->memory_limit_bytes / 1048576);
    } else if (WIFSIGNALED(p->how)) {
        (void)snprintf(text, size, "the job was ended by %s%s",
                       process_signal_text(WTERMSIG(p->how), number, sizeof number),
                       WTERMSIG(p->how) == SIGKILL ? "; perhaps the machine had no memory left" : "");
    } else {
        (void)snprintf(text, size, "the job ended with status %d and left no result", WEXITSTATUS(p->how));
    }
}

/* The record of a job that left no result file: how its process ended, and what it used. */
static status write_obituary(const job_process *p, job_record *out, error_info *err) {
    AUTO(job_record_clear) job_record r = {0};
    char text[256];
    double cpu = process_cpu_seconds(&p->usage) - p->cpu_before;
    CHECK(job_begin_record(&p->job, &r, err));
    describe_end(p, &r, text, sizeof text);
    CHECK_ALLOC(r.message = text_copy(text));
    if (p->fingerprint[0])
        CHECK_ALLOC(r.fingerprint = text_copy(p->fingerprint));
    r.wall_seconds = p->learned_s;
    r.cpu_seconds = p->learning_started && cpu > 0 ? cpu : 0;
    r.peak_memory_bytes = (uint64_t)p->usage.ru_maxrss * 1024;
    if (p->peak_bytes > r.peak_memory_bytes)
        r.peak_memory_bytes = p->peak_bytes;
    *out = TAKE(r);
    return STATUS_OK;
}

/* A program that failed with more memory than its limit failed for lack of memory. */
static void see_want_of_memory(const job_process *p, job_record *r) {
    uint64_t limit = experiment_of(p)->memory_limit_bytes;
    if (job_process_is_external(p) && limit > 0 && r->state == JOB_FAILED && r->peak_memory_bytes > limit)
        r->state = JOB_MEMORY;
}

static status add_errors(const job_process *p, job_record *r, error_info *err) {
    if (p->tail_length == 0 || r->stderr_tail)
        return STATUS_OK;
    for (size_t i = 0; i < p->tail_length; i++) {
        if (p->tail[i] == '\0')
            p->tail[i] = '?';
    }
    p->tail[p->tail_length] = '\0';
    utf8_clean(p->tail);
    r->stderr_tail = text_copy(p->tail);
    return r->stderr_tail ? STATUS_OK : error_out_of_memory(err);
}

status job_process_take_record(job_process *p, job_record *out, bool *has_record, error_info *err) {
    AUTO(job_record_clear) job_record r = {0};
    bool wrote = file_exists(p->result_path);
    *has_record = false;
    if (!wrote && p->reason == KILLED_TO_STOP)
        return STATUS_OK;
    if (!wrote && p->reason == KILLED_NOT && WIFEXITED(p->how) && WEXITSTATUS(p->how) == JOB_EXIT_IO)
        return error_set(err, STATUS_IO, "a job could not write its files: %.*s",
                         (int)(p->tail_length > 400 ? 400 : p->tail_length), p->tail);
    CHECK(wrote ? record_read(p->result_path, &r, err) : write_obituary(p, &r, err));
    see_want_of_memory(p, &r);
    CHECK(add_errors(p, &r, err));
    *out = r;
    *has_record = true;
    r = (job_record){0};
    return STATUS_OK;
}
