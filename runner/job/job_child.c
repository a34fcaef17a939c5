/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the new process of a job does: it becomes a process group of its own, sets signals, descriptors and limits,
 * asks the kernel to be killed with its parent, does the job and ends.
 */
#include "runner/job/job_process_internal.h"

#include "build_info.h"
#include "runner/job/process_internal.h"

#include <fcntl.h>
#include <unistd.h>

#include <sys/prctl.h>

bool job_process_is_external(const job_process *p) {
    return job_variant(&p->job)->kind == NULL;
}

static void end_all(int number) {
    (void)number;
    process_end_children();
    (void)kill(0, SIGKILL);
}

static void reset_signals(const sigset_t *mask) {
    for (int number = 1; number < NSIG; number++)
        (void)signal(number, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, mask, NULL);
}

/* When the runner dies, so does the job: a learner of ours at once, a program together with all that it started. */
static void die_with_parent(bool runs_program, pid_t parent) {
    if (runs_program) {
        struct sigaction action = {.sa_handler = end_all};
        (void)sigaction(SIGTERM, &action, NULL);
        (void)sigaction(SIGHUP, &action, NULL);
    }
    (void)prctl(PR_SET_PDEATHSIG, runs_program ? SIGTERM : SIGKILL);
    if (getppid() != parent)
        _exit(1);
}

/* No core files. A learner of ours may take its memory limit, or all memory of the machine where none is declared: its
 * allocations fail before the machine runs out. The memory of a program is watched by the supervisor alone. */
static void set_limits(const job_process *p) {
    uint64_t bytes = plan_experiment(p->job.plan)->memory_limit_bytes;
    struct rlimit none = {0, 0}, data;
    (void)setrlimit(RLIMIT_CORE, &none);
    if (job_process_is_external(p) || BNB_SANITIZERS[0]) /* a sanitizer's shadow would count as data */
        return;
    if (bytes == 0)
        bytes = p->computer_bytes;
    if (bytes == 0 || getrlimit(RLIMIT_DATA, &data) != 0)
        return;
    bytes += process_data_bytes(); /* what it has of the runner is not the learner's */
    if (data.rlim_cur == RLIM_INFINITY || data.rlim_cur > bytes)
        data.rlim_cur = bytes;
    (void)setrlimit(RLIMIT_DATA, &data);
}

/* Standard input is empty, output goes nowhere, errors go to the supervisor; `messages` becomes 3 and the rest is
 * closed. */
static int set_descriptors(int messages, int errors) {
    int null = open("/dev/null", O_RDWR);
    (void)dup2(errors, 2);
    (void)dup2(null, 0);
    (void)dup2(null, 1);
    if (messages != 3)
        (void)dup2(messages, 3);
    (void)fcntl(3, F_SETFD, FD_CLOEXEC);
    (void)close_range(4, ~0u, 0);
    return 3;
}

_Noreturn void job_process_become(const job_process *p, const sigset_t *mask, pid_t parent, int messages, int errors) {
    (void)setpgid(0, 0);
    reset_signals(mask);
    die_with_parent(job_process_is_external(p), parent);
    messages = set_descriptors(messages, errors);
    set_limits(p);
    _exit(job_run(&p->job, p->result_path, p->scratch, messages));
}
