/* SPDX-License-Identifier: GPL-3.0-or-later */
/** SIGINT, SIGTERM and SIGHUP read like a file, so that no handler and no global is needed. */
#ifndef BNB_RUNNER_RUN_SIGNALS_INTERNAL_H
#define BNB_RUNNER_RUN_SIGNALS_INTERNAL_H

#include "core/base/status.h"

#include <signal.h>
#include <stdbool.h>

typedef struct {
    int fd;               /* becomes readable with a signal; -1 at first */
    sigset_t mask_before; /* for processes that are started */
    bool came;            /* one was read */
} run_signals;

/** Takes them from here on. One that the user has set to be ignored (nohup) stays ignored. */
BNB_MUST_CHECK status run_signals_take(run_signals *s, error_info *err);

/** Reads one; false where there is none. */
bool run_signals_read(run_signals *s);

/** They do what they did before. For one that was not taken, nothing. */
void run_signals_give_back(run_signals *s);

#endif
