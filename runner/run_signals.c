/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/run_signals_internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <sys/signalfd.h>

static void add_signal(sigset_t *set, int number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        (void)sigaddset(set, number);
}

status run_signals_take(run_signals *s, error_info *err) {
    sigset_t set;
    (void)sigemptyset(&set);
    add_signal(&set, SIGINT);
    add_signal(&set, SIGTERM);
    add_signal(&set, SIGHUP);
    s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (s->fd < 0 || sigprocmask(SIG_BLOCK, &set, &s->mask_before) != 0)
        return error_set(err, STATUS_IO, "signals cannot be watched: %s", strerror(errno));
    return STATUS_OK;
}

bool run_signals_read(run_signals *s) {
    struct signalfd_siginfo info;
    if (read(s->fd, &info, sizeof info) != sizeof info)
        return false;
    return s->came = true;
}

void run_signals_give_back(run_signals *s) {
    if (s->fd < 0)
        return;
    (void)close(s->fd);
    s->fd = -1;
    (void)sigprocmask(SIG_SETMASK, &s->mask_before, NULL);
}
