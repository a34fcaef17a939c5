/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/suite/process.h"

#include "core/run/run_context.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;

#define MOST_ENDING_S 5.0

/* Set by a signal: what runs is to end. */
static volatile sig_atomic_t is_over;

static void heed(int number) {
    (void)number;
    is_over = 1;
}

void process_heed_signals(void) {
    struct sigaction action = {.sa_handler = heed};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

/* Seconds of all processors that were not idle since the machine started; 0 where the kernel does not tell. */
static double busy_s(void) {
    enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, N };
    char line[256];
    unsigned long long t[N] = {0}, sum = 0;
    char *at = line, *end;
    FILE *f = fopen("/proc/stat", "re");
    if (!f)
        return 0;
    if (!fgets(line, sizeof line, f) || strncmp(line, "cpu ", 4) != 0)
        line[0] = '\0';
    (void)fclose(f);
    if (!*line)
        return 0;
    at += 4;
    for (int i = 0; i < N; i++, at = end)
        t[i] = strtoull(at, &end, 10);
    for (int i = 0; i < N; i++)
        sum += i == IDLE || i == IOWAIT ? 0 : t[i];
    return (double)sum / (double)sysconf(_SC_CLK_TCK);
}

bool process_is_over(void) {
    return is_over != 0;
}

static const char *or_nowhere(const char *path) {
    return path ? path : "/dev/null";
}

static status start(const process_call *call, pid_t *child, error_info *err) {
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int why;
    (void)posix_spawn_file_actions_init(&files);
    (void)posix_spawnattr_init(&attributes);
    (void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    (void)posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, or_nowhere(call->output), flags, 0600);
    (void)posix_spawn_file_actions_addopen(&files, STDERR_FILENO, or_nowhere(call->errors), flags, 0600);
    if (call->folder)
        (void)posix_spawn_file_actions_addchdir_np(&files, call->folder);
    (void)posix_spawnattr_setpgroup(&attributes, 0);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    why = posix_spawnp(child, call->words[0], &files, &attributes, (char *const *)call->words, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    if (why == 0)
        return STATUS_OK;
    return error_set(err, why == ENOENT ? STATUS_MISSING : STATUS_IO, "%.200s: %s", call->words[0], strerror(why));
}

/* Until the child ends, or for some time: a look every half millisecond would cost the child a part of a processor.
 * Where the system has no such descriptor, it is a look every five. */
static void sleep_beside(pid_t child) {
    enum { LOOK_MS = 100, SHORT_LOOK_MS = 5 };
    int ending = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd watched = {.fd = ending, .events = POLLIN};
    (void)poll(&watched, ending >= 0, ending >= 0 ? LOOK_MS : SHORT_LOOK_MS);
    if (ending >= 0)
        (void)close(ending);
}

/* False at the end of the time, or of a signal's say. */
static bool wait_for(pid_t child, double until_s, bool heeds, int *how, struct rusage *used) {
    while (wait4(child, how, WNOHANG, used) != child) {
        if (run_clock_s() > until_s || (heeds && is_over))
            return false;
        sleep_beside(child);
    }
    return true;
}

/* A run of bnbench ends its jobs when it is asked to. */
static void end(pid_t child, int *how, struct rusage *used) {
    (void)kill(-child, SIGTERM);
    if (wait_for(child, run_clock_s() + MOST_ENDING_S, false, how, used))
        return;
    (void)kill(-child, SIGKILL);
    (void)wait4(child, how, 0, used);
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

status process_run(const process_call *call, process_cost *cost, error_info *err) {
    double busy = busy_s(), began = run_clock_s();
    struct rusage used = {0};
    pid_t child = 0;
    int how = 0;
    *cost = (process_cost){0};
    CHECK(start(call, &child, err));
    cost->is_stopped = !wait_for(child, began + call->most_s, true, &how, &used);
    if (cost->is_stopped)
        end(child, &how, &used);
    cost->elapsed_s = run_clock_s() - began;
    cost->cpu_s = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    cost->exit_status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    busy = busy_s() - busy - cost->cpu_s;
    cost->others = busy > 0 && cost->elapsed_s > 0 ? busy / cost->elapsed_s : 0;
    if (is_over)
        return error_set(err, STATUS_INVALID, "ended by a signal");
    return STATUS_OK;
}

status process_run_beside(const process_call *other, const process_call *call, process_cost *cost, error_info *err) {
    double began = run_clock_s();
    struct rusage used = {0};
    pid_t child = 0;
    int how = 0;
    status st;
    CHECK(start(other, &child, err));
    st = process_run(call, cost, err);
    if (!wait_for(child, began + other->most_s, true, &how, &used))
        end(child, &how, &used);
    return st;
}
